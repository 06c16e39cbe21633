"""Published clips as views need them, and their waveforms as SVG paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from torus_site.views.format import format_duration
from torus_site.views.model import ClipView

if TYPE_CHECKING:
    from collections.abc import Sequence

WAVE_BARS: Final = 150
WAVE_WIDTH: Final = 300
WAVE_HEIGHT: Final = 40
_STEP: Final = WAVE_WIDTH // WAVE_BARS
_REACH: Final = WAVE_HEIGHT // 2 - 2
_PEAK_SCALE: Final = 100
_HEIGHTS: Final = tuple(-(-peak * _REACH // _PEAK_SCALE) for peak in range(_PEAK_SCALE + 1))
"""Height of a bar by its peak, rounded up so that any sound at all shows."""
_BARS: Final = tuple(
    tuple(f"m{_STEP}{-(before + height) or ' 0'}v{2 * height}" for height in range(_REACH + 1))
    for before in range(_REACH + 1)
)
"""From the lower end of one bar to the upper end of the next and down it, by the heights of both."""


@dataclass(frozen=True, slots=True)
class ClipAsset:
    """One published clip.

    Args:
        src: Its path from the root of the site.
        mime: Its media type.
        kind: What plays it.
        duration_s: Its length in seconds, 0 where it is not known.
        wave: Its waveform as :func:`draw_wave` gives it.
        spectrogram: Path of its spectrogram from the root of the site, or nothing.
        facts: What else is known of it, as pairs of name and value.
    """

    src: str
    mime: str
    kind: Literal["audio", "video"]
    duration_s: float
    wave: str = ""
    spectrogram: str = ""
    facts: tuple[tuple[str, str], ...] = ()


def draw_wave(peaks: Sequence[int]) -> str:
    """Draw peaks as upright bars, for a stroked path in a box 300 wide and 40 high.

    Whole numbers and relative moves keep many waveforms small: a bar's text depends on its height and the one
    before it alone, which compresses well. Any sound at all shows, silence is blank.

    Args:
        peaks: Heights from 0 to 100 at even times, any number of them; a bar takes the greatest of its span,
            and as many peaks as bars (``WAVE_BARS``) are drawn quickest.

    Returns:
        The ``d`` of the path, empty without peaks.

    >>> draw_wave([0, 100, 50])[:38], draw_wave([])
    ('M-1 20m2 0v0m2 0v0m2 0v0m2 0v0m2 0v0m2', '')
    """
    if not peaks:
        return ""
    fits = len(peaks) == WAVE_BARS
    greatest = peaks if fits else [max(peaks[span]) for span in _cut_spans(len(peaks))]
    heights = [_HEIGHTS[peak] for peak in greatest]
    bars = [_BARS[before][height] for before, height in pairwise([0, *heights])]
    return f"M{_STEP // 2 - _STEP} {WAVE_HEIGHT // 2}{''.join(bars)}"


def view_clip(asset: ClipAsset, *, id: str, label: str) -> ClipView:  # noqa: A002 -- the field's name
    """Return a published clip under an id of its page and a name that a screen reader can say."""
    return ClipView(
        id=id,
        label=label,
        src=asset.src,
        mime=asset.mime,
        kind=asset.kind,
        duration_s=asset.duration_s,
        duration_text=format_duration(asset.duration_s) if asset.duration_s else "",
        wave=asset.wave,
        spectrogram=asset.spectrogram,
        facts=asset.facts,
    )


@cache
def _cut_spans(points: int) -> tuple[slice, ...]:
    """Return the peaks that each bar stands for; with fewer peaks than bars some are drawn again."""
    edges = [bar * points // WAVE_BARS for bar in range(WAVE_BARS + 1)]
    return tuple(slice(low, max(high, low + 1)) for low, high in pairwise(edges))
