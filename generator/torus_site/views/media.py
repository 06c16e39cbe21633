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
    before it alone, which compresses well. Any sound at all shows as the lowest bar, silence as none.

    Args:
        peaks: Heights from 0 to 100 at even times, any number of them; a bar takes the greatest of its span.

    Returns:
        The ``d`` of the path, empty without peaks.

    >>> draw_wave([0, 100, 50])[:38], draw_wave([])
    ('M1 20m0 0v0m2 0v0m2 0v0m2 0v0m2 0v0m2 ', '')
    """
    points = len(peaks)
    if not points:
        return ""
    edges = [bar * points // WAVE_BARS for bar in range(WAVE_BARS + 1)]
    # With fewer peaks than bars a span may be empty; then the peak it lies in is drawn again.
    greatest = [max(peaks[low : max(high, low + 1)]) for low, high in pairwise(edges)]
    heights = [-(-height * _REACH // _PEAK_SCALE) for height in greatest]
    first = _draw_bar(0, heights[0], 0)
    rest = [_draw_bar(before, height, _STEP) for before, height in pairwise(heights)]
    return f"M{_STEP // 2} {WAVE_HEIGHT // 2}{first}{''.join(rest)}"


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
def _draw_bar(before: int, height: int, step: int) -> str:
    """Move from the lower end of one bar to the upper end of the next, and draw it downwards."""
    rise = before + height
    return f"m{step}{-rise if rise else ' 0'}v{2 * height}"
