"""Clips: sound in memory, and the file it is published as.

A clip is published as Ogg Vorbis at quality 0.5 (about 90 kb/s for mono noise, less for most sound): it has
an exact length, no delay, and is a better source than MP3 for the site, which encodes it again. What a system
answers about is the clip as decoded from its published file, never the sound before encoding.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import soundfile

from torus_eval.errors import EvaluationError, OutputError
from torus_eval.ogg import set_serial
from torus_site.errors import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

SUFFIX = ".ogg"
RATE_HZ = 44100
_QUALITY = 0.5
_SERIAL = 1
# One long write overflows the stack of the Vorbis encoder.
_BLOCK_FRAMES = 8192
_READ_FRAMES = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A piece of sound.

    Args:
        samples: Float64 in [-1, 1], shape (frames, channels).
        rate_hz: Frames a second.

    Raises:
        ValueError: There are no samples, they are not finite, or the shape is wrong.
    """

    samples: NDArray[np.float64]
    rate_hz: int = RATE_HZ

    def __post_init__(self) -> None:
        if self.samples.ndim != 2 or not self.samples.size:  # noqa: PLR2004 -- frames and channels
            message = f"samples need the shape (frames, channels), not {self.samples.shape}"
            raise ValueError(message)
        if not np.all(np.isfinite(self.samples)):
            message = "samples are not finite"
            raise ValueError(message)

    @classmethod
    def from_mono(cls, signal: NDArray[np.float64], rate_hz: int = RATE_HZ) -> Clip:
        """Make a clip of one channel from shape (frames,)."""
        return cls(signal.reshape(-1, 1).astype(np.float64), rate_hz)

    @property
    def mono(self) -> NDArray[np.float64]:
        """The mean of the channels, shape (frames,)."""
        return np.asarray(self.samples.mean(axis=1), dtype=np.float64)

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate_hz


def encode_clip(clip: Clip) -> bytes:
    """Encode a clip as it is published; equal clips give equal bytes.

    Args:
        clip: Samples beyond full scale are cut off.

    Returns:
        A whole Ogg Vorbis file.
    """
    buffer = io.BytesIO()
    samples = np.clip(clip.samples, -1.0, 1.0).astype(np.float32)
    with soundfile.SoundFile(
        buffer,
        "w",
        samplerate=clip.rate_hz,
        channels=samples.shape[1],
        format="OGG",
        subtype="VORBIS",
        compression_level=1.0 - _QUALITY,
    ) as file:
        for start in range(0, len(samples), _BLOCK_FRAMES):
            file.write(samples[start : start + _BLOCK_FRAMES])
    return set_serial(buffer.getvalue(), _SERIAL)


def decode_clip(data: bytes, *, file: str) -> Clip:
    """Decode a clip.

    Args:
        data: A whole file in a format that libsndfile reads.
        file: Its name in messages.

    Returns:
        The clip.

    Raises:
        EvaluationError: The data are not sound, empty, or hold samples that are not finite.
    """
    try:
        samples, rate_hz = soundfile.read(io.BytesIO(data), dtype="float64", always_2d=True)
        return Clip(samples, rate_hz)
    except (soundfile.LibsndfileError, ValueError) as error:
        raise EvaluationError(Problem(file, found=str(error), expected="a readable clip")) from error


def read_sound(data: bytes, *, longest_s: float = 600.0) -> tuple[NDArray[np.float64], int]:
    """Decode what a model sent, piece by piece, so that a small file cannot become an endless sound.

    Args:
        data: A whole file in a format that libsndfile reads.
        longest_s: The longest sound that is taken.

    Returns:
        Samples of shape (frames, channels), possibly none and possibly not finite, and the frames a second.

    Raises:
        OutputError: ``not_sound`` or ``too_long``.
    """
    blocks, frames = [], 0
    try:
        with soundfile.SoundFile(io.BytesIO(data)) as file:
            rate_hz: int = file.samplerate
            while len(block := file.read(_READ_FRAMES, dtype="float64", always_2d=True)):
                blocks.append(block)
                frames += len(block)
                if frames > longest_s * rate_hz:
                    raise OutputError("too_long", f"a sound of more than {longest_s:g} s")
    except soundfile.LibsndfileError as error:
        raise OutputError("not_sound", f"{len(data):,} bytes that are not sound: {error}") from None
    return (np.concatenate(blocks) if blocks else np.zeros((0, 1))), rate_hz


def hash_clip(data: bytes) -> str:
    """Give the sha256 of a clip's file."""
    return hashlib.sha256(data).hexdigest()
