"""The numbers of a chart, gathered once: its drawing, its interactive form and its table all read these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from markupsafe import escape

from torus_site.views.format import format_raw
from torus_site.views.model import HeadView, TableCell, TableGroup, TableRow, TableView

if TYPE_CHECKING:
    from torus_site.benchmark.descriptor import Reference
    from torus_site.views.model import MeasureView, SystemView, ValueView


@dataclass(frozen=True, slots=True)
class Fact:
    """A number beside the one that is drawn, such as a count; it gets a column of the table."""

    title: str
    value: float | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One number of a chart.

    Args:
        value: The number, or nothing where it is missing.
        text: The number as written everywhere, or why it is missing.
        low: Lower end of its whisker.
        high: Upper end of its whisker.
        extra: Its half-width as written.
        detail: What it rests on: counts, interval and method.
        facts: Other numbers of the same thing.
    """

    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    extra: str = ""
    detail: str = ""
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Marks of one colour, one for each category."""

    title: str
    short: str
    hue: int
    marks: tuple[Mark, ...]
    system: SystemView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A whole chart.

    Args:
        id: Its id among the figures of its benchmark.
        title: What it shows.
        caption: What to know when reading it.
        alt: The same in a sentence or two with numbers, for who cannot see it.
        categories: What each series has a mark for; one unnamed category where series are all there is.
        series: The series.
        measure: What the marks measure.
        unit: Their unit.
        category_head: What the categories are.
        direction: Which way is better.
        low: Lower end of the scale.
        high: Upper end of the scale.
        reference: A line to read the marks against.
        between: What stands between a series and a category when both are named.
        measured: How the marks were measured.
        left_out: Systems that have no series because their run is incomplete.
        csv: Path of the numbers from the root of the site.
        source: Who measured.
        citation: Where reported numbers come from.
    """

    id: str
    title: str
    caption: str
    alt: str
    categories: tuple[ValueView, ...]
    series: tuple[Series, ...]
    measure: str
    unit: str
    category_head: str
    csv: str
    source: Literal["computed", "reported"]
    citation: str = ""
    direction: Literal["higher", "lower", "none"] = "none"
    low: float = 0.0
    high: float = 100.0
    reference: Reference | None = None
    between: str = ", "
    measured: tuple[MeasureView, ...] = ()
    left_out: tuple[SystemView, ...] = ()

    def tell(self, series: Series, category: ValueView, mark: Mark) -> tuple[str, ...]:
        """Return the lines that a pointer on a mark brings up."""
        name = self.between.join(part for part in (series.title, category.title) if part)
        unit = self.unit if mark.value is not None else ""
        shown = f"{self.measure}: {mark.text} {unit}".rstrip()
        return tuple(line for line in (name, shown, *mark.detail.split("; ")) if line)


def chart_table(chart: Chart) -> TableView:
    """Write a chart as a table.

    A single series gives a row for each category; otherwise rows are series and columns are categories. Where
    that leaves one column, the facts of the marks follow it.
    """
    if len(chart.series) == 1:
        (only,) = chart.series
        pairs = zip(chart.categories, only.marks, strict=True)
        rows = [_Row(category.title, (mark,)) for category, mark in pairs]
        names, row_head = [chart.measure], chart.category_head
    else:
        rows = [_Row(series.title, series.marks, series.system) for series in chart.series]
        names, row_head = [category.title or chart.measure for category in chart.categories], "System"
    heads = [HeadView(title=name, direction=chart.direction, unit=chart.unit) for name in names]
    if len(names) == 1 and rows:
        heads += [HeadView(title=fact.title) for fact in rows[0].marks[0].facts]
    return TableView(
        id=f"figure-{chart.id}-numbers",
        title=chart.title,
        caption=escape(chart.caption),
        row_head=row_head,
        heads=tuple(heads),
        groups=(TableGroup(title="", rows=tuple(_write_row(row, len(names)) for row in rows)),),
        csv=chart.csv,
        source=chart.source,
        citation=chart.citation,
        measured=chart.measured,
    )


@dataclass(frozen=True, slots=True)
class _Row:
    head: str
    marks: tuple[Mark, ...]
    system: SystemView | None = None


def _write_row(row: _Row, columns: int) -> TableRow:
    facts = row.marks[0].facts if columns == 1 else ()
    return TableRow(
        head=row.head,
        cells=(*map(_write_mark, row.marks), *map(_write_fact, facts)),
        system=row.system,
    )


def _write_mark(mark: Mark) -> TableCell:
    if mark.value is None:
        return TableCell(text=mark.text, detail=mark.detail, missing=True)
    return TableCell(text=mark.text, sort=format_raw(mark.value), extra=mark.extra, detail=mark.detail)


def _write_fact(fact: Fact) -> TableCell:
    if fact.value is None:
        return TableCell(text=fact.text, missing=True)
    return TableCell(text=fact.text, sort=format_raw(fact.value))
