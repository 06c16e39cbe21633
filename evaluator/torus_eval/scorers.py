"""Scores of a run: the share of correct answers, at each point, over each group of items, in each subset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.records.model import IntervalRecord, Score
from torus_site.stats import summarise_answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord, Point
    from torus_site.stats import Summary

_ALL = "all"
_RESAMPLES = 5000


def score_run(benchmark: Benchmark, items: tuple[ItemRecord, ...], *, seed: int) -> tuple[Score, ...]:
    """Score the answers of a run by the benchmark's verdict metric.

    Args:
        benchmark: The benchmark.
        items: What was answered. A question of these items without an answer counts as wrong.
        seed: Seed of the resampling of items.

    Returns:
        Scores over all points, at each value of each axis and over each value of each item facet, for all
        questions and for each subset; none when the benchmark names no verdict metric.
    """
    metric = benchmark.descriptor.verdict_metric
    if metric is None:
        return ()
    correct = {
        (item.item, answer.question): answer.correct
        for item in items
        for cell in item.cells
        for answer in cell.answers
    }
    found = []
    for subset in _list_subsets(benchmark):
        for at, where in _list_places(benchmark):
            answers = [
                (item.item, correct.get((item.item, question), False))
                for item in items
                for question in _list_questions(benchmark, item.item, at, where, subset)
            ]
            found.append(
                _score(metric, at, where, subset, summarise_answers(answers, seed=seed, resamples=_RESAMPLES))
            )
    return tuple(found)


def _list_subsets(benchmark: Benchmark) -> Iterable[str]:
    return dict.fromkeys([_ALL, *(subset.id for subset in benchmark.descriptor.subsets)])


def _list_places(benchmark: Benchmark) -> Iterator[tuple[Point, Point]]:
    yield {}, {}
    for axis in benchmark.descriptor.axes:
        for value in axis.values:
            yield {axis.id: value.id}, {}
    for facet in benchmark.descriptor.facets:
        if facet.on == "item":
            for value in facet.values:
                yield {}, {facet.id: value.id}


def _list_questions(
    benchmark: Benchmark, item_id: str, at: Point, where: Point, subset: str
) -> Iterator[str]:
    item = benchmark.item(item_id)
    if not where.items() <= item.facets.items():
        return
    for cell in item.cells:
        if at.items() <= cell.at.items():
            yield from (
                question.id for question in cell.questions if benchmark.in_subset(item, question, subset)
            )


def _score(metric: str, at: Point, where: Point, subset: str, summary: Summary) -> Score:
    rate, interval = summary.rate, summary.interval
    if not rate.n:
        reason = "no question of this run is in this group"
        return Score(metric=metric, at=at, where=where, subset=subset, status="unscored", reason=reason)
    return Score(
        metric=metric,
        at=at,
        where=where,
        subset=subset,
        reason=summary.reason,
        correct=rate.hits,
        n=rate.n,
        value=100.0 * rate.hits / rate.n,
        interval=None
        if interval is None
        else IntervalRecord(
            low=100.0 * interval.low,
            high=100.0 * interval.high,
            half_width=100.0 * interval.half_width,
            level=interval.level,
            method=interval.method,
            clusters=interval.clusters,
            resamples=_RESAMPLES,
            seed=interval.seed,
        ),
    )
