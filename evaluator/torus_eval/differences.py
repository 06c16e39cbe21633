"""Paired differences of a run to a baseline: at each point, over each group of items, in each subset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.outcomes import STRICT, list_measured, list_places
from torus_eval.pairs import contrast, pair_runs
from torus_eval.scorers import record_interval, tell_owed
from torus_site.records.model import Difference

if TYPE_CHECKING:
    from torus_eval.outcomes import Place
    from torus_eval.pairs import Pair
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord


def difference_runs(
    benchmark: Benchmark,
    run_items: tuple[ItemRecord, ...],
    baseline_items: tuple[ItemRecord, ...],
    *,
    seed: int,
    baseline: str,
) -> tuple[Difference, ...]:
    """Compute how far a run is from a baseline by every strict metric, in percentage points.

    Both are compared on the items they share and, where they differ in it, on the first orders that both
    were asked in, so that each side has the same ``n``.

    Args:
        benchmark: The benchmark.
        run_items: What the run answered.
        baseline_items: What the baseline answered.
        seed: Seed of the resampling of items.
        baseline: The baseline's system id.

    Returns:
        Differences in total, at each value of each axis and over each value of each item facet, for all
        questions and for each subset. A group with a question that either run owes has no value and says so.

    Raises:
        EvaluationError: The runs share no item, or have one that the benchmark does not have.
    """
    pairs = pair_runs(benchmark, run_items, baseline_items).pairs
    places = [
        (place, [pair for pair in pairs if place.holds(pair.asked)]) for place in list_places(benchmark)
    ]
    return tuple(
        _difference(metric, place, inside, seed=seed, baseline=baseline)
        for metric, measure in list_measured(benchmark)
        if measure == STRICT
        for place, inside in places
    )


def _difference(metric: str, place: Place, inside: list[Pair], *, seed: int, baseline: str) -> Difference:
    owed = sum(pair.owed for pair in inside)
    reason = (
        tell_owed(owed, len(inside))
        if owed
        else ""
        if inside
        else "no question of both runs is in this group"
    )
    if reason:
        return Difference(
            metric=metric,
            at=place.at,
            where=place.where,
            subset=place.subset,
            baseline=baseline,
            reason=reason,
        )
    found = contrast(inside, seed=seed)
    return Difference(
        metric=metric,
        at=place.at,
        where=place.where,
        subset=place.subset,
        baseline=baseline,
        value=100.0 * (found.right - found.other_right) / found.n,
        reason=None if found.interval else "a single cluster shows no spread",
        n=found.n,
        interval=record_interval(found.interval),
    )
