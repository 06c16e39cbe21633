"""What a file is: its container, its shape, and everything that makes it unfit to be published.

A file's content decides, not its name; only a video is told from other MP4 and WebM files by its suffix.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
import soundfile

from torus_site.errors import MediaError, Problem

if TYPE_CHECKING:
    import numpy.typing as npt

Container = Literal["wav", "flac", "ogg", "mp3", "sound", "mp4", "webm", "other"]
"""``sound``: another container that soundfile reads; ``other``: one that only ffmpeg may read."""

CONTAINER_NAMES: Final[dict[Container, str]] = {
    "wav": "WAV",
    "flac": "FLAC",
    "ogg": "Ogg",
    "mp3": "MP3",
    "sound": "audio",
    "mp4": "MP4",
    "webm": "WebM",
    "other": "audio",
}

VIDEO_SUFFIXES: Final = {".mp4": "mp4", ".m4v": "mp4", ".webm": "webm"}

_AUDIO_EXPECTED: Final = "WAV, FLAC, Ogg or MP3 audio"
_SILENCE_PEAK: Final = 1e-4  # -80 dB
_LEAST_RATE_HZ: Final = 4000  # below it, loudness has no meaning
_STREAMED_SIZE: Final = 0x7FFFF000
_POINTERS: Final = (
    (
        b"version https://git-lfs.github.com/spec/",
        "a Git LFS pointer instead of the clip",
        "run 'git lfs pull'",
    ),
    (b"/annex/objects/", "a git-annex pointer instead of the clip", "run 'git annex get' on it"),
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a file turned out to be.

    Args:
        kind: ``audio`` or ``video``.
        container: How the file wraps its content.
        subtype: The coding inside as soundfile names it, such as ``PCM_16``; empty where it cannot tell.
        channels: Number of channels, ``None`` for a video or another container.
        rate_hz: Frames a second, likewise.
        frames: Frames in all, likewise.
    """

    kind: Literal["audio", "video"]
    container: Container
    subtype: str = ""
    channels: int | None = None
    rate_hz: int | None = None
    frames: int | None = None

    @property
    def duration_s(self) -> float | None:
        """Length in seconds, where it is known without decoding."""
        if self.frames is None or not self.rate_hz:
            return None
        return self.frames / self.rate_hz


def probe_file(path: Path, *, clip: str = "") -> Probe:
    """Tell what the file at ``path`` is.

    Args:
        path: The file.
        clip: How the file is called in problems; its name when empty.

    Raises:
        MediaError: The file is absent, empty, a pointer, or nothing that can be published.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MediaError(
            Problem(clip or path.name, found=_reason(error), expected=_AUDIO_EXPECTED)
        ) from error
    return probe_bytes(data, clip=clip or path.name)


def probe_bytes(data: bytes, *, clip: str) -> Probe:
    """Tell what the content of a file is.

    Args:
        data: The whole file.
        clip: The file's path in the project; its suffix tells a video from a soundtrack.

    Raises:
        MediaError: The content is empty, a pointer, or nothing that can be published.

    >>> probe_bytes(b"", clip="a.wav")
    Traceback (most recent call last):
    ...
    torus_site.errors.MediaError: a.wav: found an empty file; expected WAV, FLAC, Ogg or MP3 audio
    """
    if not data:
        raise MediaError(Problem(clip, found="an empty file", expected=_AUDIO_EXPECTED))
    for start, found, action in _POINTERS:
        if data.startswith(start):
            raise MediaError(Problem(clip, found=found, expected=_AUDIO_EXPECTED, action=action))
    container = sniff(data)
    if container == "wav" and (lacking := _lacking_bytes(data)):
        raise MediaError(Problem(clip, found=f"WAV cut short by {lacking} bytes", expected="the whole file"))
    if container in ("mp4", "webm"):
        suffix = Path(clip).suffix.lower()
        kind: Literal["audio", "video"] = "video" if VIDEO_SUFFIXES.get(suffix) == container else "audio"
        return Probe(kind, container if kind == "video" else "other")
    return _probe_sound(data, container, clip)


def sniff(data: bytes) -> Container | None:
    """Guess the container from the first bytes.

    Returns:
        The container, or ``None`` for bytes that begin like no audio or video known here.

    >>> sniff(b"RIFF....WAVE"), sniff(b"ID3"), sniff(b"<html>")
    ('wav', 'mp3', None)
    """
    head = data[:64]
    if head[:4] in (b"RIFF", b"RF64", b"RIFX") and head[8:12] == b"WAVE":
        return "wav" if head[:4] == b"RIFF" else "sound"
    if head[4:8] == b"ftyp":
        return "mp4"
    for start, container in _STARTS:
        if head.startswith(start):
            return container
    if head[:1] == b"\xff" and len(head) > 1 and head[1] >= 0xE0:  # noqa: PLR2004 -- the MPEG sync word
        # Layer bits of 0 are AAC in ADTS, which soundfile does not read.
        return "mp3" if head[1] >> 1 & 3 else "other"
    return None


_STARTS: Final[tuple[tuple[bytes, Container], ...]] = (
    (b"fLaC", "flac"),
    (b"OggS", "ogg"),
    (b"ID3", "mp3"),
    (b"FORM", "sound"),
    (b"caff", "sound"),
    (b".snd", "sound"),
    (b"riff", "sound"),
    (b"\x1aE\xdf\xa3", "webm"),
    (b"\x30\x26\xb2\x75", "other"),
    (b"#!AMR", "other"),
    (b"wvpk", "other"),
    (b"MAC ", "other"),
)


def inspect_samples(samples: npt.NDArray[np.float32], *, rate_hz: int, clip: str) -> tuple[Problem, ...]:
    """Look for what makes decoded samples unfit: NaN, infinity, or nothing to hear.

    Args:
        samples: Shape (frames, channels).
        rate_hz: Frames a second.
        clip: How the file is called in problems.

    Returns:
        An error for samples that are no numbers, absent or too few a second, a warning for silence, or
        nothing.
    """
    if not samples.size:
        return (Problem(clip, found="no samples", expected="at least one"),)
    if rate_hz < _LEAST_RATE_HZ:
        return (Problem(clip, found=f"a rate of {rate_hz} Hz", expected=f"at least {_LEAST_RATE_HZ} Hz"),)
    # NaN and infinity survive both extremes, so one cheap pass finds them.
    peak = max(float(samples.max()), -float(samples.min()))
    if not np.isfinite(peak):
        broken = ~np.isfinite(samples).all(axis=1)
        first_s = int(np.argmax(broken)) / rate_hz
        return (
            Problem(
                clip,
                place=f"{first_s:.3f} s",
                found=f"NaN or infinity in {int(broken.sum())} of {len(samples)} frames",
                expected="finite samples",
                action="write the clip again",
            ),
        )
    if peak < _SILENCE_PEAK:
        return (Problem(clip, found="silence", expected="something to hear", severity="warning"),)
    return ()


def _probe_sound(data: bytes, container: Container | None, clip: str) -> Probe:

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as sound:
            known: Container = container if container in ("wav", "flac", "ogg", "mp3") else "sound"
            return Probe("audio", known, sound.subtype, sound.channels, sound.samplerate, sound.frames)
    except soundfile.SoundFileError as error:
        if container == "other":
            return Probe("audio", "other")
        found = f"damaged {CONTAINER_NAMES[container]}" if container else _describe(data)
        raise MediaError(Problem(clip, found=found, expected=_AUDIO_EXPECTED)) from error


def _lacking_bytes(data: bytes) -> int:
    """Count the bytes that a WAV file's data chunk promises and the file does not hold.

    Writers that stream leave the size at zero or near its limit; those files are whole.
    """
    offset = 12
    while offset + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, offset)
        if name == b"data":
            return 0 if size >= _STREAMED_SIZE else max(offset + 8 + int(size) - len(data), 0)
        offset += 8 + size + size % 2
    return 0


def _describe(data: bytes) -> str:
    head = data[:256].lstrip().lower()
    if head.startswith((b"<!doctype", b"<html")):
        return "an HTML page"
    try:
        data[:1024].decode()
    except UnicodeDecodeError as error:
        if error.start < len(data[:1024]) - 4:
            return "no audio"
    return "text" if b"\0" not in data[:1024] else "no audio"


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
