"""The interval of a ratio of sums whose parts come in items.

The cluster bootstrap of ``torus_site.stats`` counts answers, which are right or wrong. Here a sum can be any
number, also more than its total: word errors, or divergences. The draw is the same one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_site.records.model import IntervalRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

_RESAMPLES = 5000
_LEVEL = 0.95
_FEWEST = 2


def resample_ratio(
    parts: Iterable[tuple[str, float, float]], *, seed: int, factor: float = 1.0
) -> IntervalRecord | None:
    """Give percentile limits of a sum over a total, items drawn with replacement.

    Args:
        parts: For each clip its item, its share of the sum, and its share of the total.
        seed: Seed of the draw, recorded.
        factor: What limits are multiplied by, such as 100 for percent.

    Returns:
        The interval; nothing with fewer than two items, or where a draw could have no total.

    >>> resample_ratio([("a", 1, 4), ("b", 2, 4)], seed=1).half_width
    0.125
    """
    items: dict[str, list[float]] = {}
    for item, share, total in parts:
        sums = items.setdefault(item, [0.0, 0.0])
        sums[0] += share
        sums[1] += total
    values = np.array([items[item] for item in sorted(items)]).reshape(-1, 2)
    if len(values) < _FEWEST or not np.all(values[:, 1] > 0):
        return None
    drawn = np.random.default_rng(seed).integers(0, len(values), (_RESAMPLES, len(values)))
    sums_drawn = values[drawn].sum(axis=1)
    tail = (1 - _LEVEL) / 2
    limits = np.quantile(sums_drawn[:, 0] / sums_drawn[:, 1], [tail, 1 - tail]) * factor
    low, high = (float(limit) for limit in limits)
    return IntervalRecord(
        low=low,
        high=high,
        half_width=(high - low) / 2,
        level=_LEVEL,
        method="cluster bootstrap, percentile limits",
        clusters=len(values),
        resamples=_RESAMPLES,
        seed=seed,
    )
