"""From single answers to a rate, its interval and a rank.

Conventions:
    An answer is a pair: the cluster (item) it belongs to, and whether it is correct. The caller chooses the
    subset. Clusters are sorted and each call starts its own generator from the seed, so neither the order of
    answers nor what was summarised before changes a limit.

Metrics:
    Share correct with a cluster-bootstrap interval; ranks by paired cluster bootstrap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_site.stats.bootstrap import cluster_bootstrap, paired_differences
from torus_site.stats.ranks import Rank, rank_by_differences
from torus_site.stats.rates import Rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from torus_site.stats.intervals import Interval

_MIN_CLUSTERS = 2


@dataclass(frozen=True, slots=True)
class Summary:
    """The share correct in a set of answers.

    Args:
        rate: The counts.
        interval: Limits of the share, ``None`` with fewer than two clusters.
        reason: Why there is no interval.
    """

    rate: Rate
    interval: Interval | None
    reason: str | None = None


def count_clusters(answers: Iterable[tuple[str, bool]]) -> dict[str, Rate]:
    """Count the answers of each cluster.

    Args:
        answers: Cluster and correctness of each answer.

    Returns:
        One rate for each cluster, sorted by cluster.

    >>> count_clusters([("b", True), ("a", False), ("b", False)])
    {'a': Rate(hits=0, n=1), 'b': Rate(hits=1, n=2)}
    """
    counted: dict[str, Rate] = {}
    for cluster, correct in answers:
        counted[cluster] = counted.get(cluster, Rate()) + Rate(int(correct), 1)
    return dict(sorted(counted.items()))


def summarise_answers(
    answers: Iterable[tuple[str, bool]], *, seed: int, resamples: int = 5000, level: float = 0.95
) -> Summary:
    """Give the share correct among some answers, and its interval.

    Args:
        answers: Cluster and correctness of each answer; an answer that could not be read is not correct.
        seed: Seed of the resampling, recorded in the interval.
        resamples: How often the clusters are drawn.
        level: Confidence level inside (0, 1).

    Returns:
        The counts and the interval, or the reason why there is no interval.

    Raises:
        ValueError: ``resamples`` or ``level`` is out of range.

    >>> summary = summarise_answers([("a", True), ("a", True), ("b", False)], seed=7)
    >>> summary.rate, summary.interval.clusters, summary.interval.seed
    (Rate(hits=2, n=3), 2, 7)
    """
    clusters = count_clusters(answers).values()
    rate = sum(clusters, Rate())
    if len(clusters) < _MIN_CLUSTERS:
        return Summary(rate, None, rate.reason or "a single cluster shows no spread")
    interval = cluster_bootstrap(
        [cluster.hits for cluster in clusters],
        [cluster.n for cluster in clusters],
        generator=np.random.default_rng(seed),
        resamples=resamples,
        level=level,
    )
    return Summary(rate, interval)


def rank_answers(
    answers: Mapping[str, Iterable[tuple[str, bool]]],
    *,
    seed: int,
    resamples: int = 5000,
    level: float = 0.95,
) -> tuple[Rank, ...]:
    """Rank systems that answered the same questions; ties where a paired difference includes 0.

    Args:
        answers: For each system, cluster and correctness of each answer.
        seed: Seed of the resampling.
        resamples: How often the clusters are drawn.
        level: Confidence level of each difference, inside (0, 1).

    Returns:
        The ranks, best first. With fewer than two clusters nothing can be told apart and no system has a
        place.

    Raises:
        ValueError: Systems differ in their clusters or in the number of answers there, or an option is out
            of range.

    >>> clear = {"lark": [("a", True), ("b", True)], "wren": [("a", False), ("b", False)]}
    >>> [rank.label for rank in rank_answers(clear, seed=1)]
    ['1', '2']
    """
    counted = {system: count_clusters(given) for system, given in answers.items()}
    sizes = {system: {name: rate.n for name, rate in own.items()} for system, own in counted.items()}
    totals = next(iter(sizes.values()), {})
    differing = sorted(system for system, own in sizes.items() if own != totals)
    if differing:
        message = f"not the same questions as {next(iter(sizes))!r}: {', '.join(map(repr, differing))}"
        raise ValueError(message)
    if len(totals) < _MIN_CLUSTERS:
        reason = "fewer than two clusters show no spread"
        return tuple(Rank(name=system, estimate=None, reason=reason) for system in sorted(answers))
    estimates = {system: sum(own.values(), Rate()).value for system, own in counted.items()}
    if len(counted) == 1:
        return rank_by_differences(estimates, {})
    differences = paired_differences(
        {system: [rate.hits for rate in own.values()] for system, own in counted.items()},
        list(totals.values()),
        generator=np.random.default_rng(seed),
        resamples=resamples,
        level=level,
    )
    return rank_by_differences(estimates, differences)
