"""Where something sounds: stretches of time above the background."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.spectra import smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in seconds."""

    start_s: float
    end_s: float

    @property
    def duration_s(self) -> float:
        """Its length."""
        return self.end_s - self.start_s


def find_spans(
    mask: NDArray[np.bool_], hop_s: float, *, join_s: float = 0.0, least_s: float = 0.0
) -> tuple[Span, ...]:
    """Turn a mask into spans.

    Args:
        mask: What is on, shape (count,).
        hop_s: Time between values.
        join_s: Gaps up to this length are closed.
        least_s: Spans shorter than this are dropped.

    Returns:
        The spans in order.

    >>> found = find_spans(np.array([0, 1, 1, 0, 1, 0, 0, 0, 1], dtype=bool), 1.0, join_s=1.0, least_s=2.0)
    >>> [(span.start_s, span.end_s) for span in found]
    [(1.0, 5.0)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    spans: list[Span] = []
    for start, end in zip(edges[::2] * hop_s, edges[1::2] * hop_s, strict=True):
        if spans and start - spans[-1].end_s <= join_s + 1e-9:
            spans[-1] = Span(spans[-1].start_s, float(end))
        else:
            spans.append(Span(float(start), float(end)))
    return tuple(span for span in spans if span.duration_s >= least_s - 1e-9)


def find_sounding(
    levels_db: Signal,
    hop_s: float,
    *,
    above_db: float = 6.0,
    join_s: float = 0.25,
    least_s: float = 0.03,
    range_db: float = 38.0,
) -> tuple[Span, ...]:
    """Find where the level stands out from the background.

    Args:
        levels_db: A level contour, shape (count,).
        hop_s: Time between its values.
        above_db: How far above the background counts, or a quarter of the way to the peak if that is more.
        join_s: Gaps up to this length are closed.
        least_s: Shorter stretches are dropped.
        range_db: What lies so far below the peak is background, however still it is.

    Returns:
        The spans; none when the level hardly moves, as in a steady bed.
    """
    smoothed = smooth(levels_db, 3)
    floor_db = float(np.percentile(smoothed, 10))
    # Far below the peak even the unsteadiness of a background would stand out.
    floor_db = max(floor_db, float(smoothed.max()) - range_db)
    above_db = max(above_db, _SHARE * (float(smoothed.max()) - floor_db))
    return find_spans(smoothed > floor_db + above_db, hop_s, join_s=join_s, least_s=least_s)


def keep_strong(
    spans: tuple[Span, ...], levels_db: Signal, hop_s: float, *, within_db: float = 18.0
) -> tuple[Span, ...]:
    """Leave out spans that stay far below the strongest: swells of the background, not things that happen.

    Args:
        spans: The spans.
        levels_db: The level contour they were found in, shape (count,).
        hop_s: Time between its values.
        within_db: How far below the strongest still counts.

    Returns:
        The strong spans in order.
    """
    peaks = [float(levels_db[int(s.start_s / hop_s) : int(s.end_s / hop_s) + 1].max()) for s in spans]
    return tuple(s for s, peak in zip(spans, peaks, strict=True) if peak > max(peaks) - within_db)
