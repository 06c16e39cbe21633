"""What became of every question that a run was to be asked: its answers, or none, or not asked yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import Again, CellRecord, ItemRecord, Point

_ALL = "all"

Measure = str
"""What is counted over answers: ``strict``, ``lenient`` or ``parse_rate``."""
STRICT: Measure = "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question of a run.

    Args:
        item: The item it belongs to.
        question: Its id, which is unique in the item.
        at: The point at which it is asked.
        facets: The facet values of its item.
        subsets: The subsets of the benchmark it stays in.
        answers: One answer for each order it was asked in; ``None`` where there is none, which is wrong.
        owed: Whether it could not be asked yet, so that nothing is known.
    """

    item: str
    question: str
    at: Point
    facets: Point
    subsets: frozenset[str]
    answers: tuple[Again | None, ...]
    owed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A group of questions that gets a score of its own.

    Args:
        at: The values of axes it is at; none for all points.
        where: The facet values its items have; none for all items.
        subset: The subset its questions are in.
    """

    at: Point
    where: Point
    subset: str = _ALL

    def holds(self, outcome: Outcome) -> bool:
        """Tell whether a question belongs to this group."""
        return (
            self.subset in outcome.subsets
            and self.at.items() <= outcome.at.items()
            and self.where.items() <= outcome.facets.items()
        )


def list_places(benchmark: Benchmark) -> tuple[Place, ...]:
    """List the groups that are scored: each subset in total, at each axis value, over each facet value."""
    descriptor = benchmark.descriptor
    points: list[tuple[Point, Point]] = [({}, {})]
    points += [({axis.id: value.id}, {}) for axis in descriptor.axes for value in axis.values]
    points += [
        ({}, {facet.id: value.id})
        for facet in descriptor.facets
        if facet.on == "item"
        for value in facet.values
    ]
    return tuple(
        Place(at=at, where=where, subset=subset)
        for subset in _list_subsets(benchmark)
        for at, where in points
    )


def list_measured(benchmark: Benchmark) -> tuple[tuple[str, Measure], ...]:
    """List the metrics that are counted over answers, each with what is counted.

    The metric of the verdict is strict where it does not say what it measures.
    """
    descriptor = benchmark.descriptor
    told = [
        (metric.id, metric.measure or (STRICT if metric.id == descriptor.verdict_metric else ""))
        for metric in descriptor.metrics
    ]
    return tuple((metric, measure) for metric, measure in told if measure in _MEASURES)


def list_outcomes(benchmark: Benchmark, items: tuple[ItemRecord, ...]) -> tuple[Outcome, ...]:
    """List every question of some items with what became of it.

    Args:
        benchmark: The benchmark, which says what is asked.
        items: What a run made and answered. A question of these items without an answer counts as wrong in
            every order; the questions of an ``owed`` cell are owed, whatever else stands in it.

    Raises:
        EvaluationError: An item that the benchmark does not have.
    """
    known = {item.id for item in benchmark.items}
    strange = sorted({record.item for record in items} - known)
    if strange:
        raise EvaluationError(
            Problem(
                benchmark.file,
                "/items",
                f"no item {name!r}",
                "an item of this benchmark",
                nearest(name, sorted(known)),
            )
            for name in strange
        )
    orders = count_orders(items)
    subsets = _list_subsets(benchmark)
    return tuple(
        outcome for record in items for outcome in _list_item(benchmark, record, subsets, orders=orders)
    )


def count_orders(items: tuple[ItemRecord, ...]) -> int:
    """Count in how many orders of its options a run asked each question; 1 where nothing was answered."""
    return max(
        (len(answer.orders) for item in items for cell in item.cells for answer in cell.answers), default=1
    )


def judge(answer: Again | None, measure: Measure) -> bool | None:
    """Tell whether an answer counts under a measure; ``None`` where it was never read for that.

    No answer never counts. Without a lenient reading a strict pick stands for it, as the two never differ.

    >>> from torus_site.records.model import Again
    >>> told = Again(response="b.", reason="none", correct=False)
    >>> judge(told, "strict"), judge(told, "lenient"), judge(None, "lenient")
    (False, None, False)
    """
    return False if answer is None else _MEASURES[measure](answer)


def _is_right(answer: Again) -> bool:
    return answer.correct


def _is_right_leniently(answer: Again) -> bool | None:
    if answer.lenient is not None:
        return answer.lenient.correct
    return answer.correct if answer.pick is not None or answer.correct else None


def _is_read(answer: Again) -> bool | None:
    if answer.lenient is not None:
        return answer.lenient.pick is not None
    return True if answer.pick is not None or answer.correct else None


_MEASURES: dict[Measure, Callable[[Again], bool | None]] = {
    STRICT: _is_right,
    "lenient": _is_right_leniently,
    "parse_rate": _is_read,
}


def _list_subsets(benchmark: Benchmark) -> tuple[str, ...]:
    return tuple(dict.fromkeys([_ALL, *(subset.id for subset in benchmark.descriptor.subsets)]))


def _list_item(
    benchmark: Benchmark, record: ItemRecord, subsets: tuple[str, ...], *, orders: int
) -> Iterator[Outcome]:
    item = benchmark.item(record.item)
    cells: dict[tuple[tuple[str, str], ...], CellRecord] = {
        tuple(sorted(cell.at.items())): cell for cell in record.cells
    }
    for own in item.cells:
        cell = cells.get(tuple(sorted(own.at.items())))
        given = {answer.question: answer.orders for answer in cell.answers} if cell else {}
        for question in own.questions:
            yield Outcome(
                item=item.id,
                question=question.id,
                at=own.at,
                facets=item.facets,
                subsets=frozenset(name for name in subsets if benchmark.in_subset(item, question, name)),
                answers=given.get(question.id, (None,) * orders),
                owed=cell is not None and cell.status == "owed",
            )
