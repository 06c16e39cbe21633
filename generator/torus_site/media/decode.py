"""Clips as samples: read any audio that soundfile, or ffmpeg through pydub, can read."""

from __future__ import annotations

import io
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import soundfile

from torus_site.errors import MediaError, Problem
from torus_site.media.probe import CONTAINER_NAMES, inspect_samples

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt

    from torus_site.media.probe import Probe

_PCM_16_OR_LESS: Final = {"PCM_16", "PCM_U8", "PCM_S8"}
_LOSSY: Final = {
    "VORBIS",
    "OPUS",
    "MPEG_LAYER_I",
    "MPEG_LAYER_II",
    "MPEG_LAYER_III",
    "ULAW",
    "ALAW",
    "GSM610",
}
_STEREO: Final = 2
_WHOLE_LENGTH_KNOWN: Final = {"flac", "mp3"}
_FULL_SCALE: Final = 32768


@dataclass(frozen=True, slots=True, eq=False)
class Audio:
    """The samples of a clip, mono or stereo and never above full scale.

    Args:
        samples: Shape (frames, channels), full scale at 1.0.
        rate_hz: Frames a second.
        bits: 16 when 16 bits hold all the source had to say, else 24.
        pcm: The same samples as 16-bit numbers, where the source had them exactly.
        warnings: What the owner of the clip should know.
    """

    samples: npt.NDArray[np.float32]
    rate_hz: int
    bits: int
    pcm: npt.NDArray[np.int16] | None = None
    warnings: tuple[Problem, ...] = ()

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate_hz

    def to_pcm(self, bits: int = 16) -> npt.NDArray[np.int16] | npt.NDArray[np.int32]:
        """Give the samples as whole numbers, rounded to the nearest; +1.0 becomes the greatest.

        Args:
            bits: 16, or 24 for numbers of 32 bits whose last eight are zero.
        """
        if bits == 16 and self.pcm is not None:  # noqa: PLR2004 -- bits of a sample
            return self.pcm
        full = 1 << (bits - 1)
        # Both widths are exact in 32-bit floats.
        scaled = self.samples * np.float32(full)
        np.rint(scaled, out=scaled)
        np.clip(scaled, -full, full - 1, out=scaled)
        return scaled.astype(np.int16) if bits == 16 else scaled.astype(np.int32) << 8  # noqa: PLR2004 -- likewise


def decode(data: bytes, probe: Probe, *, clip: str, path: Path) -> Audio:
    """Decode a clip.

    More than two channels become their mean in one: it cannot clip and guesses no loudspeaker layout. A clip
    that rises above full scale is turned down as a whole, since cutting its peaks would distort it. Both are
    warnings, the latter not for lossy codings, whose decoders overshoot by nature.

    Args:
        data: The whole file.
        probe: What ``probe_bytes`` said about it.
        clip: How the file is called in problems.
        path: Where the file is, for ffmpeg.

    Raises:
        MediaError: The clip is damaged, cut short, empty, holds NaN or infinity, or needs a missing program.
    """
    samples, rate_hz, bits, pcm = (
        _decode_foreign(clip=clip, path=path)
        if probe.container == "other"
        else _decode_sound(data, probe, clip)
    )
    problems = inspect_samples(samples, rate_hz=rate_hz, clip=clip)
    if any(problem.severity == "error" for problem in problems):
        raise MediaError(problems)
    warnings = list(problems)
    if samples.shape[1] > _STEREO:
        warnings.append(
            Problem(
                clip,
                found=f"{samples.shape[1]} channels",
                expected="one or two",
                action="their mean is measured, and published unless clips are copied",
                severity="warning",
            )
        )
        samples, pcm = samples.mean(axis=1, keepdims=True), None
    if pcm is None:
        samples, excess_db = limit(samples)
        if excess_db and probe.subtype not in _LOSSY:
            warnings.append(
                Problem(
                    clip,
                    found=f"samples {excess_db:.2f} dB above full scale",
                    expected="at most full scale",
                    action="the clip is turned down by as much",
                    severity="warning",
                )
            )
    return Audio(samples, rate_hz, bits, pcm, tuple(warnings))


def limit(samples: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], float]:
    """Turn a clip down so that its greatest sample is at full scale, if it is above.

    Returns:
        The samples, and by how many decibels they were turned down: 0.0 when they fitted.

    >>> import numpy as np
    >>> limit(np.array([[2.0], [-1.0]], dtype=np.float32))[0].tolist()
    [[1.0], [-0.5]]
    """
    peak = max(float(samples.max()), -float(samples.min()))
    if peak <= 1.0:
        return samples, 0.0
    return samples / np.float32(peak), 20 * float(np.log10(peak))


def _decode_sound(
    data: bytes, probe: Probe, clip: str
) -> tuple[npt.NDArray[np.float32], int, int, npt.NDArray[np.int16] | None]:

    name = CONTAINER_NAMES[probe.container]
    exact = probe.subtype in _PCM_16_OR_LESS
    try:
        read, rate_hz = soundfile.read(
            io.BytesIO(data), dtype="int16" if exact else "float32", always_2d=True
        )
    except soundfile.SoundFileError as error:
        problem = Problem(clip, found=f"damaged {name}", expected="audio that decodes to its end")
        raise MediaError(problem) from error
    if probe.container in _WHOLE_LENGTH_KNOWN and len(read) < (probe.frames or 0):
        found = f"{name} cut short after {len(read) / rate_hz:.2f} s"
        raise MediaError(Problem(clip, found=found, expected=f"{probe.duration_s:.2f} s"))
    if exact:
        return read * np.float32(1 / _FULL_SCALE), rate_hz, 16, read
    return read, rate_hz, 16 if probe.subtype in _LOSSY else 24, None


def _decode_foreign(
    *, clip: str, path: Path
) -> tuple[npt.NDArray[np.float32], int, int, npt.NDArray[np.int16] | None]:
    """Decode what only ffmpeg reads."""
    missing = [program for program in ("ffmpeg", "ffprobe") if shutil.which(program) is None]
    if missing:
        raise MediaError(
            Problem(
                clip,
                found=f"a container that needs {' and '.join(missing)}, not installed here",
                expected="WAV, FLAC, Ogg or MP3 audio",
                action="install ffmpeg or convert the clip",
            )
        )
    import pydub  # noqa: PLC0415 -- seldom needed, and it warns where ffmpeg is absent
    import pydub.exceptions  # noqa: PLC0415 -- likewise

    try:
        segment = pydub.AudioSegment.from_file(str(path))
    except (pydub.exceptions.CouldntDecodeError, IndexError, KeyError, OSError) as error:
        # pydub looks for an audio stream by index and by key, so a file without one ends in either error.
        problem = Problem(
            clip, found="nothing that ffmpeg can decode", expected="WAV, FLAC, Ogg or MP3 audio"
        )
        raise MediaError(problem) from error
    width = 8 * segment.sample_width
    raw = np.array(segment.get_array_of_samples()).reshape(-1, segment.channels)
    samples = (raw / np.float64(1 << (width - 1))).astype(np.float32)
    return samples, segment.frame_rate, 16, None
