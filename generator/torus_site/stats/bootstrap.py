"""Intervals from resampled clusters.

Conventions:
    A cluster is one item with all its answers. Answers to one item stand or fall together, so whole clusters
    are drawn with replacement, as many as there are. One row of
    ``generator.integers(0, clusters, (resamples, clusters))`` is one resample. Limits are percentiles with
    linear interpolation.

Metrics:
    The share correct as a ratio of resampled sums (not a mean of shares), and the difference of two such
    shares over the same clusters.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from torus_site.stats.intervals import Interval, check_level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import ArrayLike, NDArray

# Weights of one block take 256 KB and so stay in the cache; one block for all took twice the time.
_BLOCK_CELLS = 32_768


def cluster_bootstrap(
    hits: ArrayLike,
    totals: ArrayLike,
    *,
    generator: np.random.Generator,
    resamples: int = 5000,
    level: float = 0.95,
) -> Interval:
    """Give percentile limits for a share correct whose answers come in clusters.

    Args:
        hits: Correct answers in each cluster, shape (clusters,).
        totals: All answers in each cluster, at least 1, shape (clusters,).
        generator: Source of the draw. The result records its seed if it is still unused.
        resamples: How often the clusters are drawn.
        level: Confidence level inside (0, 1).

    Returns:
        The interval as shares in [0, 1]; ``n`` is the number of answers.

    Raises:
        ValueError: Fewer than two clusters, counts that do not fit, or an option out of range.

    >>> found = cluster_bootstrap([3, 1, 0, 2], [3, 3, 3, 3], generator=np.random.default_rng(12345))
    >>> found.estimate, round(found.low, 6), round(found.high, 6), found.seed
    (0.5, 0.166667, 0.833333, 12345)
    """
    check_level(level)
    seed = _read_seed(generator)
    counts, sizes = _check_counts(hits, totals)
    ratios = resample_ratios(counts, sizes, generator=generator, resamples=resamples)
    estimate = counts.sum() / sizes.sum()
    return _give_limits(ratios, estimate, sizes, level=level, seed=seed, method="cluster bootstrap")


def paired_difference(
    hits: ArrayLike,
    other_hits: ArrayLike,
    totals: ArrayLike,
    *,
    generator: np.random.Generator,
    resamples: int = 5000,
    level: float = 0.95,
) -> Interval:
    """Give percentile limits for the difference of two shares over the same clusters.

    Both sides are computed on the same resampled clusters, so what makes a cluster hard for both cancels out.

    Args:
        hits: Correct answers of the first side in each cluster, shape (clusters,).
        other_hits: Correct answers of the second side, shape (clusters,).
        totals: Answers that each side owes in each cluster, at least 1, shape (clusters,).
        generator: Source of the draw. The result records its seed if it is still unused.
        resamples: How often the clusters are drawn.
        level: Confidence level inside (0, 1).

    Returns:
        First share minus second share, in [-1, 1]; ``n`` is the number of answers of one side.

    Raises:
        ValueError: Fewer than two clusters, counts that do not fit, or an option out of range.

    >>> paired_difference([2, 1, 3], [1, 0, 2], [3, 3, 3], generator=np.random.default_rng(1)).half_width
    0.0
    """
    sides = {"first": hits, "second": other_hits}
    found = paired_differences(sides, totals, generator=generator, resamples=resamples, level=level)
    return found["first", "second"]


def paired_differences(
    hits: Mapping[str, ArrayLike],
    totals: ArrayLike,
    *,
    generator: np.random.Generator,
    resamples: int = 5000,
    level: float = 0.95,
) -> dict[tuple[str, str], Interval]:
    """Compare every two systems on one common draw of clusters.

    Args:
        hits: For each system its correct answers in each cluster, shape (clusters,).
        totals: Answers that each system owes in each cluster, at least 1, shape (clusters,).
        generator: Source of the draw. The result records its seed if it is still unused.
        resamples: How often the clusters are drawn.
        level: Confidence level of each interval, inside (0, 1); nothing corrects for their number.

    Returns:
        For each pair of names, in the order of ``hits``, the share of the first minus that of the second.

    Raises:
        ValueError: Fewer than two systems or clusters, counts that do not fit, or an option out of range.
    """
    check_level(level)
    if len(hits) < 2:  # noqa: PLR2004 -- a pair is two
        message = f"a comparison needs at least two systems, not {len(hits)}"
        raise ValueError(message)
    seed = _read_seed(generator)
    checked = [_check_counts(counts, totals) for counts in hits.values()]
    sizes = checked[0][1]
    counts = np.stack([side for side, _ in checked], axis=1)
    drawn, drawn_sizes = _resample_sums(counts, sizes, generator=generator, resamples=resamples)
    sums = counts.sum(axis=0)
    return {
        (first, second): _give_limits(
            (drawn[:, i] - drawn[:, j]) / drawn_sizes,
            (sums[i] - sums[j]) / sizes.sum(),
            sizes,
            level=level,
            seed=seed,
            method="paired cluster bootstrap",
        )
        for (i, first), (j, second) in combinations(enumerate(hits), 2)
    }


def resample_ratios(
    hits: ArrayLike,
    totals: ArrayLike,
    *,
    generator: np.random.Generator,
    resamples: int = 5000,
) -> NDArray[np.float64]:
    """Draw clusters with replacement and divide the sums of each draw.

    Args:
        hits: Correct answers, shape (clusters,) or (clusters, columns).
        totals: All answers in each cluster, at least 1, shape (clusters,).
        generator: Source of the draw.
        resamples: How often the clusters are drawn.

    Returns:
        Shares in [0, 1], shape (resamples,) or (resamples, columns); all columns share one draw.

    Raises:
        ValueError: Fewer than two clusters, counts that do not fit, or no resamples.
    """
    counts, sizes = _check_counts(hits, totals)
    columns = counts.reshape(len(sizes), -1)
    sums, drawn_sizes = _resample_sums(columns, sizes, generator=generator, resamples=resamples)
    ratios: NDArray[np.float64] = sums / drawn_sizes[:, np.newaxis]
    return ratios.reshape(resamples, *counts.shape[1:])


def _resample_sums(
    columns: NDArray[np.float64],
    sizes: NDArray[np.float64],
    *,
    generator: np.random.Generator,
    resamples: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the summed hits, shape (resamples, columns), and the summed sizes, shape (resamples,)."""
    if resamples < 1:
        message = f"resamples is {resamples}, below 1"
        raise ValueError(message)
    both = np.column_stack([columns, sizes])
    sums = np.concatenate([weights @ both for weights in _draw_weights(len(sizes), generator, resamples)])
    return sums[:, :-1], sums[:, -1]


def _draw_weights(
    clusters: int, generator: np.random.Generator, resamples: int
) -> Iterator[NDArray[np.float64]]:
    """Yield, block by block, how often each cluster was drawn in each resample."""
    rows = max(1, _BLOCK_CELLS // clusters)
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        # Row blocks of one stream give the same numbers as a single call for all rows.
        drawn = generator.integers(0, clusters, (size, clusters))
        drawn += np.arange(size)[:, np.newaxis] * clusters
        weights = np.bincount(drawn.ravel(), minlength=size * clusters)
        yield weights.reshape(size, clusters).astype(np.float64)


def _check_counts(hits: ArrayLike, totals: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both as whole numbers in float64, in which sums are exact whatever their order."""
    counts, sizes = np.asarray(hits, dtype=np.float64), np.asarray(totals, dtype=np.float64)
    if sizes.ndim != 1 or counts.ndim not in {1, 2} or len(counts) != len(sizes):
        message = f"hits of shape {counts.shape} do not fit totals of shape {sizes.shape}"
        raise ValueError(message)
    if len(sizes) < 2:  # noqa: PLR2004 -- one cluster has no spread
        message = f"a cluster bootstrap needs at least two clusters, not {len(sizes)}"
        raise ValueError(message)
    limits = sizes if counts.ndim == 1 else sizes[:, np.newaxis]
    whole = np.array_equal(counts, np.rint(counts)) and np.array_equal(sizes, np.rint(sizes))
    if not (whole and np.all(sizes >= 1) and np.all((counts >= 0) & (counts <= limits))):
        message = "each cluster needs a whole number of answers, at least 1, and no more hits than answers"
        raise ValueError(message)
    return counts, sizes


def _give_limits(
    values: NDArray[np.float64],
    estimate: float,
    sizes: NDArray[np.float64],
    *,
    level: float,
    seed: int | None,
    method: str,
) -> Interval:
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(
        estimate=float(estimate),
        low=float(low),
        high=float(high),
        method=f"{method}, percentile limits",
        n=int(sizes.sum()),
        level=level,
        clusters=len(sizes),
        resamples=len(values),
        seed=seed,
    )


def _read_seed(generator: np.random.Generator) -> int | None:
    """Return the seed that gives this generator again, or ``None`` if it was used or made otherwise."""
    seed = getattr(generator.bit_generator.seed_seq, "entropy", None)
    if not isinstance(seed, int):
        return None
    fresh = np.random.default_rng(seed).bit_generator
    same_kind = type(fresh) is type(generator.bit_generator)
    return seed if same_kind and fresh.state == generator.bit_generator.state else None
