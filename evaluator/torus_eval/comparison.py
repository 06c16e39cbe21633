"""Two runs compared for a reader at a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.columns import align_rows, write_points
from torus_eval.outcomes import list_places
from torus_eval.pairs import contrast, pair_runs

if TYPE_CHECKING:
    from torus_eval.outcomes import Place
    from torus_eval.pairs import Contrast, Pairing
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord

_HEADINGS = ("", "", "answers", "{0}", "{1}", "difference", "95 % interval", "won/tied/lost")
_LEFT_COLUMNS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """Two runs over one group of questions; rates in percent, their difference in percentage points.

    Args:
        along: The title of the axis or facet; empty for the total.
        value: The title of its value.
        n: Answers of each run.
        rate: Share of right answers of the first run.
        other_rate: Share of right answers of the second.
        difference: First minus second.
        low: Lower limit of the difference; ``None`` with fewer than two items.
        high: Upper limit.
        wins: Items on which the first has more right answers.
        ties: Items on which both have as many.
        losses: Items on which the second has more.
    """

    along: str
    value: str
    n: int
    rate: float
    other_rate: float
    difference: float
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int

    @property
    def differs(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two runs on what they share.

    Args:
        names: What the two are called.
        nouns: What one item and several are called.
        items: How many items both have.
        alone: How many items only the first, and only the second, has; they are left out.
        owed: How many questions either run still owes; they are left out too.
        rows: In total, then at each axis value and over each facet value that has questions.
    """

    names: tuple[str, str]
    nouns: tuple[str, str]
    items: int
    alone: tuple[int, int]
    owed: int
    rows: tuple[ComparisonRow, ...]


def compare_runs(
    benchmark: Benchmark,
    run_items: tuple[ItemRecord, ...],
    other_items: tuple[ItemRecord, ...],
    *,
    names: tuple[str, str],
    seed: int,
    subset: str = "all",
) -> Comparison:
    """Compare two runs by strict answers on the items they share.

    Args:
        benchmark: The benchmark.
        run_items: What the first run answered.
        other_items: What the second run answered.
        names: What to call them.
        seed: Seed of the resampling of items.
        subset: The questions to compare.

    Raises:
        EvaluationError: The runs share no item, or have one that the benchmark does not have.
    """
    pairing = pair_runs(benchmark, run_items, other_items)
    places = [place for place in list_places(benchmark) if place.subset == subset]
    rows = (_compare(benchmark, pairing, place, seed) for place in places)
    return Comparison(
        names=names,
        nouns=(benchmark.descriptor.noun.one, benchmark.descriptor.noun.many),
        items=pairing.items,
        alone=pairing.alone,
        owed=sum(pair.owed for pair in pairing.pairs if subset in pair.asked.subsets),
        rows=tuple(row for row in rows if row.n),
    )


def _compare(benchmark: Benchmark, pairing: Pairing, place: Place, seed: int) -> ComparisonRow:
    inside = [pair for pair in pairing.pairs if not pair.owed and place.holds(pair.asked)]
    along, value = _name(benchmark, place)
    return _fill(along, value, contrast(inside, seed=seed))


def _fill(along: str, value: str, found: Contrast) -> ComparisonRow:
    share = 100.0 / found.n if found.n else 0.0
    interval = found.interval.scale(100.0) if found.interval else None
    return ComparisonRow(
        along=along,
        value=value,
        n=found.n,
        rate=share * found.right,
        other_rate=share * found.other_right,
        difference=share * (found.right - found.other_right),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        wins=found.wins,
        ties=found.ties,
        losses=found.losses,
    )


def _name(benchmark: Benchmark, place: Place) -> tuple[str, str]:
    for axis, value in place.at.items():
        return benchmark.axis(axis).title, benchmark.axis_value(axis, value).title
    for facet, value in place.where.items():
        return benchmark.facet(facet).title, benchmark.facet_value(facet, value).title
    return "Total", ""


def render_comparison(comparison: Comparison) -> str:
    """Write a comparison as aligned plain text, with what was left out said above the table.

    A ``*`` marks a difference whose interval leaves out 0.
    """
    first, second = comparison.names
    one_noun, many = comparison.nouns
    shared = f"{comparison.items} {one_noun if comparison.items == 1 else many}"
    lines = [f"{first} minus {second}, on the {shared} that both have."]
    if any(comparison.alone):
        one, other = comparison.alone
        lines.append(f"Left out, as only one of the two has them: {one} of {first}, {other} of {second}.")
    if comparison.owed:
        lines.append(f"Left out: questions that either run still owes, {comparison.owed} of them.")
    table = [tuple(heading.format(first, second) for heading in _HEADINGS)]
    table += [_write_row(row) for row in comparison.rows]
    lines += ["", *align_rows(table, right=range(_LEFT_COLUMNS, len(_HEADINGS))), ""]
    lines.append("Rates in percent, differences in points; won/tied/lost counts " + many + ".")
    if any(row.differs for row in comparison.rows):
        lines.append("* the 95 % interval (paired cluster bootstrap) leaves out 0.")
    return "\n".join(lines)


def _write_row(row: ComparisonRow) -> tuple[str, ...]:
    limits = (
        "-" if row.low is None or row.high is None else f"{write_points(row.low)} to {write_points(row.high)}"
    )
    return (
        row.along,
        row.value,
        str(row.n),
        f"{row.rate:.1f}",
        f"{row.other_rate:.1f}",
        write_points(row.difference),
        limits + (" *" if row.differs else "  "),
        f"{row.wins}/{row.ties}/{row.losses}",
    )
