"""Recomputes the scores of a run: rates from counts, counts from answers, totals from parts.

A computed number must come out exactly (to one millionth); a reported one within the rounding it is
written with.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from torus_site.benchmark.check import show
from torus_site.records.problems import quote

if TYPE_CHECKING:
    from torus_site.benchmark.check import Parts, Vocabulary
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import Difference, Point, RunRecord, Score, Source

_EXACT = 1e-6
_FLOAT = 1e-9
_PERCENT = 100.0

Key = tuple[tuple[str, str], ...]
Slot = tuple[str, Key, Key, str]


class Tally(NamedTuple):
    """Questions that share item facets, point and flags: right in how many answers, of how many.

    ``owed`` are those that were not asked yet, which are not among the ``n``.
    """

    facets: Point
    at: Point
    flags: frozenset[str]
    correct: int
    n: int
    owed: int


def rounding(value: float, decimals: int) -> float:
    """Return half a unit of the last decimal a number is written with, at most ``decimals`` of them.

    >>> rounding(46.7, 1), rounding(46.72, 1), rounding(46.7, 3)
    (0.05, 0.05, 0.05)
    """
    exponent = Decimal(repr(value)).as_tuple().exponent
    written = -exponent if isinstance(exponent, int) else 0
    return float(Decimal(5).scaleb(-1 - max(0, min(written, decimals))))


def compare(
    words: Vocabulary,
    parts: Parts,
    *,
    source: Source,
    value: float,
    right: float,
    slack: float,
    basis: str,
) -> None:
    """Note a number that is not what its basis makes it.

    Args:
        words: Takes the problem.
        parts: Where the number stands.
        source: A computed number must be exact, a reported one within ``slack``.
        value: The number.
        right: What it should be.
        slack: How far rounding may take a reported number.
        basis: What ``right`` was computed from.
    """
    if abs(value - right) > (_EXACT if source == "computed" else slack + _FLOAT):
        words.add(parts, f"{value:g}", f"{right:.2f}, from {basis}")


def check_scores(run: RunRecord, benchmark: Benchmark, words: Vocabulary) -> None:
    """Note every score of a run that names something unknown, stands twice or does not recompute."""
    sheet = _Sheet(run, benchmark, words)
    for index, score in enumerate(run.scores):
        if sheet.take(index, score):
            sheet.check_rate(index, score)
            sheet.check_counts(index, score)
            sheet.check_interval(index, score)
    for index, score in sheet.slots.values():
        sheet.check_total(index, score)
    sheet.check_verdict(run)


class _Sheet:
    """The scores of one run, each in the slot of its metric, point, facets and subset."""

    def __init__(self, run: RunRecord, benchmark: Benchmark, words: Vocabulary) -> None:
        self.source = run.source
        self.benchmark = benchmark
        self.words = words
        self.slots: dict[Slot, tuple[int, Score]] = {}
        can_count = run.source == "computed" and not benchmark.unsure
        self.tallies = _tally(run, benchmark) if can_count else []

    def take(self, index: int, score: Score) -> bool:
        """Put a score in its slot; a score that names something unknown or stands twice has none."""
        words, parts = self.words, ("scores", index)
        before = len(words.problems)
        words.known((*parts, "metric"), score.metric, words.metrics, "a metric")
        words.at((*parts, "at"), score.at)
        words.where((*parts, "where"), score.where)
        words.known((*parts, "subset"), score.subset, words.subsets, "a subset")
        slot = slot_of(score)
        if slot in self.slots:
            words.add(parts, f"a second score for {name_score(score)}", "each score once")
        fits = len(words.problems) == before
        if fits:
            self.slots[slot] = (index, score)
        return fits

    def check_rate(self, index: int, score: Score) -> None:
        """Compare a percentage with its counts."""
        metric, parts = self.benchmark.metric(score.metric), ("scores", index)
        if metric.kind != "rate" or score.value is None:
            return
        if not 0 <= score.value <= _PERCENT:
            self.words.add((*parts, "value"), f"{score.value:g}", "a percentage from 0 to 100")
        if score.correct is not None and score.n:
            compare(
                self.words,
                (*parts, "value"),
                source=self.source,
                value=score.value,
                right=_PERCENT * score.correct / score.n,
                slack=rounding(score.value, metric.decimals),
                basis=f"{score.correct} of {score.n}",
            )
        elif self.source == "computed":
            self.words.add((*parts, "correct"), "no counts", "correct and n of every computed rate")

    def check_counts(self, index: int, score: Score) -> None:
        """Count a computed verdict score again from the answers."""
        if not self.tallies or score.metric != self.benchmark.descriptor.verdict_metric:
            return
        left_out = {*self.benchmark.subset(score.subset).without_flags}
        counted = [
            tally
            for tally in self.tallies
            if score.at.items() <= tally.at.items()
            and score.where.items() <= tally.facets.items()
            and not left_out & tally.flags
        ]
        correct, n = sum(tally.correct for tally in counted), sum(tally.n for tally in counted)
        if owed := sum(tally.owed for tally in counted):
            if score.status == "scored":
                found = f"{quote(score.status)} for {name_score(score)}"
                expected = f"'unscored' with the reason, as {owed} questions were not asked yet"
                self.words.add(("scores", index, "status"), found, expected)
            return
        if score.n is not None and (score.correct, score.n) != (correct, n):
            found = f"{quote(score.correct)} of {score.n} for {name_score(score)}"
            expected = f"{correct} of {n}, counted from the answers"
            self.words.add(("scores", index, "correct"), found, expected)

    def check_interval(self, index: int, score: Score) -> None:
        """Compare a half-width with its limits."""
        interval = score.interval
        if interval is None or interval.low is None or interval.high is None:
            return
        decimals = self.benchmark.metric(score.metric).decimals
        compare(
            self.words,
            ("scores", index, "interval", "half_width"),
            source=self.source,
            value=interval.half_width,
            right=(interval.high - interval.low) / 2,
            slack=sum(rounding(value, decimals) for value in (interval.low, interval.high)) / 2
            + rounding(interval.half_width, decimals),
            basis="half of high - low",
        )

    def check_total(self, index: int, score: Score) -> None:
        """Compare a rate with its parts along every axis and facet of which all values are scored."""
        if self.benchmark.metric(score.metric).kind != "rate" or score.value is None:
            return
        for axis, values in self.words.axes.items():
            if axis not in score.at:
                slots = [slot_of(score, score.at | {axis: value}, score.where) for value in values]
                self._check_parts(index, score, slots, axis)
        for facet, values in self.words.facets["item"].items():
            if facet not in score.where:
                slots = [slot_of(score, score.at, score.where | {facet: value}) for value in values]
                self._check_parts(index, score, slots, facet)

    def check_verdict(self, run: RunRecord) -> None:
        """Warn of answers that no score counts: tables would say that nothing is known of the run."""
        metric = self.benchmark.descriptor.verdict_metric
        if metric and self.tallies and all(score.metric != metric for score in run.scores):
            self.words.add(
                ("scores",),
                f"answers, but no score of {quote(metric)}",
                "the scores that tables and charts show",
                "write scores with torus_eval.scorers.score_run, or run it again",
                severity="warning",
            )

    def _check_parts(self, index: int, score: Score, slots: list[Slot], along: str) -> None:
        found = [self.slots[slot][1] for slot in slots if slot in self.slots]
        inner = [(part.value, part.n) for part in found if part.value is not None and part.n is not None]
        total = sum(n for _, n in inner)
        if len(inner) < len(slots) or not total or score.value is None:
            return
        if score.n not in (None, total):
            # Items may lack a facet, so its parts need not add up to the total; points are complete.
            if along in self.words.axes:
                expected = f"{total}, the sum along {along}"
                self.words.add(("scores", index, "n"), f"{score.n} for {name_score(score)}", expected)
            return
        decimals = self.benchmark.metric(score.metric).decimals
        slack = sum(rounding(value, decimals) * n for value, n in inner) / total
        compare(
            self.words,
            ("scores", index, "value"),
            source=self.source,
            value=score.value,
            right=sum(value * n for value, n in inner) / total,
            slack=slack + rounding(score.value, decimals),
            basis=f"the mean along {along}",
        )


def _key(point: Point) -> Key:
    return tuple(sorted(point.items()))


def slot_of(score: Score | Difference, at: Point | None = None, where: Point | None = None) -> Slot:
    """Return what a score is about, at another point or over other facet values if such are given."""
    place, over = (score.at if at is None else at), (score.where if where is None else where)
    return (score.metric, _key(place), _key(over), score.subset)


def name_score(score: Score | Difference) -> str:
    """Say what a score is about."""
    places = [show(point) for point in (score.at, score.where) if point]
    return " ".join([score.metric, *places, *([] if score.subset == "all" else [score.subset])])


def _tally(run: RunRecord, benchmark: Benchmark) -> list[Tally]:
    """Count the answers of a run, in every order, all that share facets, point and flags together.

    The questions of a cell without a usable clip count as wrong, as often as others were asked.
    """
    items = {item.id: item for item in benchmark.items}
    cells = [
        (items[record.item], cell) for record in run.items if record.item in items for cell in record.cells
    ]
    orders = max((len(answer.again) + 1 for _, cell in cells for answer in cell.answers), default=1)
    sums: dict[tuple[Key, Key, frozenset[str]], Counter[str]] = {}
    for item, cell in cells:
        asked = {
            question.id: question.flags
            for own in item.cells
            if own.at == cell.at
            for question in own.questions
        }
        answers = {answer.question: answer.orders for answer in cell.answers}
        for name in answers if cell.status == "made" else asked:
            carried = frozenset((*asked.get(name, ()), *item.flags))
            place = (tuple(item.facets.items()), tuple(cell.at.items()), carried)
            counted = sums.setdefault(place, Counter())
            if cell.status == "made":
                counted["n"] += len(answers[name])
                counted["correct"] += sum(answer.correct for answer in answers[name])
            elif cell.status == "owed":
                counted["owed"] += 1
            else:
                counted["n"] += orders
    return [
        Tally(dict(facets), dict(at), carried, counted["correct"], counted["n"], counted["owed"])
        for (facets, at, carried), counted in sums.items()
    ]
