"""One clip from bytes to what is published of it: the only module here that loads the heavy libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torus_site.errors import Problem
from torus_site.media import encode
from torus_site.media.decode import decode
from torus_site.media.loudness import measure_loudness, measure_true_peak
from torus_site.media.peaks import measure_peaks
from torus_site.media.probe import probe_bytes
from torus_site.media.spectrogram import draw_spectrogram
from torus_site.media.video import read_duration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torus_site.media.decode import Audio
    from torus_site.media.probe import Probe
    from torus_site.media.settings import MediaSettings


@dataclass(frozen=True, slots=True)
class Prepared:
    """A clip ready to be kept.

    Args:
        facts: What is known of it, as JSON values.
        files: Suffix and bytes by role: ``file``, and ``spectrogram`` where one was drawn.
    """

    facts: Mapping[str, Any]
    files: Mapping[str, tuple[str, bytes]]


def prepare(data: bytes, *, clip: str, path: Path, settings: MediaSettings) -> Prepared:
    """Encode, measure and draw one clip.

    Args:
        data: The whole file.
        clip: Its path in the project.
        path: Where it is, for ffmpeg.
        settings: How to publish it.

    Raises:
        MediaError: The clip is unfit to be published.
    """
    probe = probe_bytes(data, clip=clip)
    if probe.kind == "video":
        return _prepare_video(data, probe)
    audio = decode(data, probe, clip=clip, path=path)
    encoded = _encode(data, audio, probe, clip=clip, settings=settings)
    facts = {
        "kind": "audio",
        "suffix": encoded.suffix,
        "mime": encoded.mime,
        "codec": encoded.codec,
        "duration_s": round(audio.duration_s, 6),
        "channels": encoded.channels,
        "rate_hz": encoded.rate_hz,
        "peaks": bytes(measure_peaks(audio.samples, points=settings.peaks_points)).hex(),
        "loudness_lufs": _round(measure_loudness(audio.samples, audio.rate_hz)),
        "true_peak_db": _round(measure_true_peak(audio.samples)),
    }
    files = {"file": (encoded.suffix, encoded.data)}
    warnings = list(audio.warnings)
    if settings.spectrogram:
        span_s = settings.spectrogram_span_s
        files["spectrogram"] = (".webp", draw_spectrogram(audio.samples, audio.rate_hz, span_s=span_s))
        if span_s is not None and audio.duration_s > span_s:
            warnings.append(
                Problem(
                    clip,
                    found=f"{audio.duration_s:.2f} s of audio",
                    expected=f"at most the {span_s:g} s that spectrograms cover",
                    severity="warning",
                )
            )
    facts["warnings"] = [[each.place, each.found, each.expected, each.action] for each in warnings]
    return Prepared(facts, files)


def _encode(data: bytes, audio: Audio, probe: Probe, *, clip: str, settings: MediaSettings) -> encode.Encoded:
    if settings.format == "copy":
        return encode.copy(data, audio, probe, clip=clip)
    if settings.format == "flac":
        return encode.encode_flac(audio)
    passed = encode.pass_mp3(data, bitrate_kbps=settings.bitrate_kbps) if probe.container == "mp3" else None
    return passed or encode.encode_mp3(audio, bitrate_kbps=settings.bitrate_kbps)


def _prepare_video(data: bytes, probe: Probe) -> Prepared:
    """Publish a video as it is; its sound is neither measured nor drawn."""
    suffix = f".{probe.container}"
    duration_s = read_duration(data, probe.container)
    facts = {
        "kind": "video",
        "suffix": suffix,
        "mime": f"video/{probe.container}",
        "codec": {"mp4": "MP4", "webm": "WebM"}[probe.container],
        "duration_s": round(duration_s or 0.0, 6),
        "channels": 0,
        "rate_hz": 0,
        "peaks": "",
        "loudness_lufs": None,
        "true_peak_db": None,
        "warnings": [],
    }
    return Prepared(facts, {"file": (suffix, data)})


def _round(level: float | None) -> float | None:
    """Keep hundredths, so that the last bits of a processor's arithmetic never show."""
    return None if level is None else round(level, 2)
