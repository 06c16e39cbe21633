"""How clips are to be published."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final, Literal

Format = Literal["mp3", "flac", "copy"]

# Part of every cache key: raise it when the same clip and settings would give other bytes or figures.
_RECIPE: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaSettings:
    """How clips are to be published.

    Args:
        format: ``mp3``, ``flac``, or ``copy`` for the file as it is without its tags.
        bitrate_kbps: Bitrate of MP3. An MP3 clip that needs no more, and says how much silence its encoder
            added, is not encoded again but only stripped of its tags.
        peaks_points: Parts that a waveform is drawn from.
        spectrogram: Whether to draw a spectrogram of each clip.
        spectrogram_span_s: The time a spectrogram covers, for clips that share a time axis; ``None`` covers
            each clip as long as it is.
    """

    format: Format = "mp3"
    bitrate_kbps: int = 96
    peaks_points: int = 300
    spectrogram: bool = True
    spectrogram_span_s: float | None = None

    def describe(self) -> str:
        """Say in one line all that decides what becomes of a clip, for cache keys."""
        return json.dumps({"recipe": _RECIPE, **asdict(self)}, sort_keys=True)
