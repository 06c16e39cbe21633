"""Recomputes every number that can be: rates from counts, totals from parts, win rates from wins.

A computed number must come out exactly (to one millionth); a reported one within the rounding it is
written with.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from torus_site.benchmark.check import show
from torus_site.records.problems import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_site.benchmark.check import Parts, Vocabulary
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import CompositionRecord, Point, RunRecord, Score, Source, StudyRecord

_EXACT = 1e-6
_FLOAT = 1e-9
_PERCENT = 100.0
_WIN_RATE_DECIMALS = 1

Key = tuple[tuple[str, str], ...]
Slot = tuple[str, Key, Key, str]


class Tally(NamedTuple):
    """Answers that share item facets, point and flags: how many are right, of how many."""

    facets: Point
    at: Point
    flags: frozenset[str]
    correct: int
    n: int


def rounding(value: float, decimals: int) -> float:
    """Return half a unit of the last decimal a number is written with, at most ``decimals`` of them.

    >>> rounding(46.7, 1), rounding(46.72, 1), rounding(46.7, 3)
    (0.05, 0.05, 0.05)
    """
    exponent = Decimal(repr(value)).as_tuple().exponent
    written = -exponent if isinstance(exponent, int) else 0
    return 0.5 / 10 ** max(0, min(written, decimals))


def check_scores(run: RunRecord, benchmark: Benchmark, words: Vocabulary) -> None:
    """Note every score of a run that names something unknown, stands twice or does not recompute."""
    slots: dict[Slot, tuple[int, Score]] = {}
    tallies = list(_tally(run, benchmark)) if run.source == "computed" else []
    for index, score in enumerate(run.scores):
        parts = ("scores", index)
        before = len(words.problems)
        words.known((*parts, "metric"), score.metric, words.metrics, "a metric")
        words.at((*parts, "at"), score.at)
        words.where((*parts, "where"), score.where)
        words.known((*parts, "subset"), score.subset, words.subsets, "a subset")
        slot = _slot(score, score.at, score.where)
        if slot in slots:
            words.add(parts, f"a second score for {_name(score)}", "each score once")
        if len(words.problems) > before:
            continue
        slots[slot] = (index, score)
        metric = benchmark.metric(score.metric)
        if metric.kind == "rate" and score.value is not None:
            _check_rate(run.source, score, score.value, metric.decimals, words, parts)
        if tallies and score.metric == benchmark.descriptor.verdict_metric and score.n is not None:
            _check_counts(score, benchmark, tallies, words, parts)
    for index, score in slots.values():
        metric = benchmark.metric(score.metric)
        if metric.kind == "rate" and score.value is not None:
            _check_total(run.source, index, slots, metric.decimals, words)


def check_study(study: StudyRecord, words: Vocabulary) -> None:
    """Note what is wrong with a study: its systems, its counts and its win rates."""
    systems = list(study.wins)
    for system, wins in study.wins.items():
        words.known(("wins", system), system, words.systems, "a system")
        for other in wins:
            if other == system:
                words.add(("wins", system, other), f"wins of {quote(system)} over itself", "other systems")
            else:
                words.known(("wins", system, other), other, systems, "a system of this study")
        for other in systems:
            if other not in wins and other != system:
                words.add(
                    ("wins", system), f"no count against {quote(other)}", "a count against every system"
                )
    for index, system in enumerate(systems):
        for other in systems[index + 1 :]:
            decided = study.wins[system].get(other, 0) + study.wins[other].get(system, 0)
            if decided > study.per_pair:
                found = f"{decided} decided comparisons with {quote(other)}"
                words.add(("wins", system, other), found, f"at most per_pair, which is {study.per_pair}")
    pairs = len(systems) * (len(systems) - 1) // 2
    if study.comparisons != pairs * study.per_pair:
        expected = f"{pairs * study.per_pair}, for {pairs} pairs of {study.per_pair}"
        words.add(("comparisons",), str(study.comparisons), expected)
    shown = study.per_pair * (len(systems) - 1)
    for system, rate in study.win_rate_percent.items():
        if system not in study.wins:
            words.known(("win_rate_percent", system), system, systems, "a system of this study")
        elif shown > 0:
            wins = sum(count for other, count in study.wins[system].items() if other != system)
            _compare(
                study.source,
                rate,
                _PERCENT * wins / shown,
                rounding(rate, _WIN_RATE_DECIMALS),
                words,
                ("win_rate_percent", system),
                f"{wins} wins of {shown}",
            )


def check_composition(composition: CompositionRecord, options: int | None, words: Vocabulary) -> None:
    """Note what is wrong with a composition: its facets, their values and totals that differ."""
    if composition.options_per_question not in (None, options):
        found = str(composition.options_per_question)
        words.add(("options_per_question",), found, f"{quote(options)}, as the descriptor has it")
    totals: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for index, table in enumerate(composition.tables):
        parts = ("tables", index)
        words.known((*parts, "facet"), table.facet, words.facets["item"], "a facet of items")
        for value in table.counts:
            if table.facet in words.facets["item"]:
                allowed = words.facets["item"][table.facet]
                words.known((*parts, "counts", value), value, allowed, f"a value of {table.facet!r}")
        if (table.of, table.facet) in seen:
            words.add(parts, f"a second table of {table.of} by {table.facet}", "each table once")
        seen.add((table.of, table.facet))
        if totals.setdefault(table.of, table.total) != table.total:
            expected = f"{totals[table.of]}, as in the table before"
            words.add((*parts, "total"), f"{table.total} {table.of}", expected)


def _key(point: Point) -> Key:
    return tuple(sorted(point.items()))


def _slot(score: Score, at: Point, where: Point) -> Slot:
    return (score.metric, _key(at), _key(where), score.subset)


def _name(score: Score) -> str:
    places = [show(point) for point in (score.at, score.where) if point]
    return " ".join([score.metric, *places, *([] if score.subset == "all" else [score.subset])])


def _tally(run: RunRecord, benchmark: Benchmark) -> Iterator[Tally]:
    items = {item.id: item for item in benchmark.items}
    for record in run.items:
        item = items.get(record.item)
        if item is None:
            continue
        flags = {question.id: question.flags for cell in item.cells for question in cell.questions}
        for cell in record.cells:
            counts: dict[frozenset[str], list[int]] = {}
            for answer in cell.answers:
                carried = frozenset((*flags.get(answer.question, ()), *item.flags))
                count = counts.setdefault(carried, [0, 0])
                count[0] += answer.correct
                count[1] += 1
            for carried, (correct, n) in counts.items():
                yield Tally(item.facets, cell.at, carried, correct, n)


def _check_rate(
    source: Source, score: Score, value: float, decimals: int, words: Vocabulary, parts: Parts
) -> None:
    if not 0 <= value <= _PERCENT:
        words.add((*parts, "value"), f"{value:g}", "a percentage from 0 to 100")
    if score.correct is None or not score.n:
        if source == "computed":
            words.add((*parts, "correct"), "no counts", "correct and n of every computed rate")
        return
    _compare(
        source,
        value,
        _PERCENT * score.correct / score.n,
        rounding(value, decimals),
        words,
        (*parts, "value"),
        f"{score.correct} of {score.n}",
    )


def _check_counts(
    score: Score, benchmark: Benchmark, tallies: list[Tally], words: Vocabulary, parts: Parts
) -> None:
    left_out = {*benchmark.subset(score.subset).without_flags}
    counted = [
        tally
        for tally in tallies
        if score.at.items() <= tally.at.items()
        and score.where.items() <= tally.facets.items()
        and not left_out & tally.flags
    ]
    correct, n = sum(tally.correct for tally in counted), sum(tally.n for tally in counted)
    if (score.correct, score.n) != (correct, n):
        found = f"{quote(score.correct)} of {score.n} for {_name(score)}"
        words.add((*parts, "correct"), found, f"{correct} of {n}, counted from the answers")


def _check_total(
    source: Source, index: int, slots: dict[Slot, tuple[int, Score]], decimals: int, words: Vocabulary
) -> None:
    """Compare a score with its parts along every axis and facet of which all values are scored."""
    score = next(score for place, score in slots.values() if place == index)
    for axis, values in words.axes.items():
        if axis not in score.at:
            inner = [_slot(score, score.at | {axis: value}, score.where) for value in values]
            _check_parts(source, index, score, [slots.get(slot) for slot in inner], decimals, words, axis)
    for facet, values in words.facets["item"].items():
        if facet not in score.where:
            inner = [_slot(score, score.at, score.where | {facet: value}) for value in values]
            _check_parts(source, index, score, [slots.get(slot) for slot in inner], decimals, words, facet)


def _check_parts(
    source: Source,
    index: int,
    score: Score,
    found: list[tuple[int, Score] | None],
    decimals: int,
    words: Vocabulary,
    along: str,
) -> None:
    inner = [(part.value, part.n, part.correct) for _, part in filter(None, found) if part.value is not None]
    weights = [n for _, n, _ in inner if n is not None]
    total = sum(weights)
    if len(weights) < len(found) or not total or score.value is None:
        return
    if score.n not in (None, total):
        if along in words.axes:
            expected = f"{total}, the sum along {along}"
            words.add(("scores", index, "n"), f"{score.n} for {_name(score)}", expected)
        return
    values = [value for value, _, _ in inner if value is not None]
    pairs = list(zip(values, weights, strict=True))
    mean = sum(value * n for value, n in pairs) / total
    slack = sum(rounding(value, decimals) * n for value, n in pairs) / total
    _compare(
        source,
        score.value,
        mean,
        slack + rounding(score.value, decimals),
        words,
        ("scores", index, "value"),
        f"the mean along {along}",
    )


def _compare(
    source: Source,
    value: float,
    right: float,
    slack: float,
    words: Vocabulary,
    parts: Parts,
    basis: str,
) -> None:
    if abs(value - right) > (_EXACT if source == "computed" else slack + _FLOAT):
        words.add(parts, f"{value:g}", f"{right:.2f}, from {basis}")
