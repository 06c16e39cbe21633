"""Scores of a run: the share of answers that count, at each point, per group of items, in each subset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.outcomes import judge, list_measured, list_outcomes, list_places
from torus_site.records.model import IntervalRecord, Score
from torus_site.stats import summarise_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torus_eval.outcomes import Measure, Outcome, Place
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord
    from torus_site.stats import Interval

RESAMPLES = 5000


def score_run(benchmark: Benchmark, items: tuple[ItemRecord, ...], *, seed: int) -> tuple[Score, ...]:
    """Score the answers of a run by every metric of the benchmark that is counted over answers.

    Args:
        benchmark: The benchmark. Its metrics say what they measure; the metric of the verdict is strict.
        items: What was answered. A question of these items without an answer counts as wrong.
        seed: Seed of the resampling of items.

    Returns:
        Scores over all points, at each value of each axis and over each value of each item facet, for all
        questions and for each subset; none when no metric is counted over answers. A group with a question
        that is owed, or with an answer that was not read as the metric needs it, has no value and says so.

    Raises:
        EvaluationError: An item that the benchmark does not have.
    """
    outcomes = list_outcomes(benchmark, items)
    places = [
        (place, [outcome for outcome in outcomes if place.holds(outcome)]) for place in list_places(benchmark)
    ]
    return tuple(
        _score(metric, measure, place, inside, seed=seed)
        for metric, measure in list_measured(benchmark)
        for place, inside in places
    )


def _score(metric: str, measure: Measure, place: Place, inside: Sequence[Outcome], *, seed: int) -> Score:
    judged = [(outcome.item, judge(answer, measure)) for outcome in inside for answer in outcome.answers]
    reason = _find_gap(inside, [verdict for _, verdict in judged])
    if reason:
        return Score(
            metric=metric,
            at=place.at,
            where=place.where,
            subset=place.subset,
            status="unscored",
            reason=reason,
        )
    summary = summarise_answers(
        [(item, bool(verdict)) for item, verdict in judged], seed=seed, resamples=RESAMPLES
    )
    rate = summary.rate
    return Score(
        metric=metric,
        at=place.at,
        where=place.where,
        subset=place.subset,
        reason=summary.reason,
        correct=rate.hits,
        n=rate.n,
        value=rate.percent,
        interval=record_interval(summary.interval),
    )


def _find_gap(inside: Sequence[Outcome], verdicts: Sequence[bool | None]) -> str:
    """Say why a group has no value, if it has none."""
    if not inside:
        return "no question of this run is in this group"
    if owed := sum(outcome.owed for outcome in inside):
        return tell_owed(owed, len(inside))
    if unread := verdicts.count(None):
        return f"{unread} of {len(verdicts)} answers were read strictly only"
    return ""


def tell_owed(owed: int, questions: int) -> str:
    """Say how many questions are owed.

    >>> tell_owed(3, 45), tell_owed(1, 1)
    ('3 of 45 questions are still owed', '1 of 1 question is still owed')
    """
    return f"{owed} of {questions} question{'s are' if questions > 1 else ' is'} still owed"


def record_interval(interval: Interval | None) -> IntervalRecord | None:
    """Write an interval of shares as a record in percent."""
    if interval is None:
        return None
    return IntervalRecord(
        low=100.0 * interval.low,
        high=100.0 * interval.high,
        half_width=100.0 * interval.half_width,
        level=interval.level,
        method=interval.method,
        clusters=interval.clusters,
        resamples=interval.resamples,
        seed=interval.seed,
    )
