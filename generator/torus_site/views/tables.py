"""Tables of scores: a row per system, every number with what it rests on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from markupsafe import escape

from torus_site.views.format import (
    describe_difference,
    describe_score,
    format_half_width,
    format_number,
    format_raw,
    format_signed,
)
from torus_site.views.lookup import make_score_key
from torus_site.views.measures import list_measures
from torus_site.views.model import HeadView, TableCell, TableGroup, TableRow, TableView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torus_site.benchmark.descriptor import Column, Metric, TableSpec
    from torus_site.records.model import IntervalRecord, Score
    from torus_site.views.lookup import Lookup
    from torus_site.views.model import SystemView


NOTHING: Final = "\N{EN DASH}"
NOT_YET: Final = "not yet"
REFERENCE: Final = "reference"
NOT_COMPARED: Final = "not compared yet"
INCOMPLETE_NOTE: Final = (
    "Incomplete: calls of this run were lost on their way and are still to be made. "
    "What would count them has no number yet."
)
_DIFFERENCE: Final = (
    "This system's score less the baseline's, on the same tests; the interval is that of the difference."
)


def score_table(lookup: Lookup, spec: TableSpec) -> TableView:
    """Build a table of scores.

    Bold is the best listed system that is no baseline, as rounded for show; systems that look equal share it.

    Args:
        lookup: The benchmark and its results.
        spec: Which metrics, of which source, grouped how.
    """
    systems = lookup.listed(spec.source)
    columns = [_Column(lookup, column, systems, mark_best=spec.mark_best) for column in spec.columns]
    rows = {
        system.id: TableRow(
            head=system.title,
            cells=tuple(column.cells[system.id] for column in columns),
            system=system,
            baseline=system.baseline,
        )
        for system in systems
    }
    notes = []
    if any(cell.best for row in rows.values() for cell in row.cells):
        notes.append("Bold: the baseline, and the best of the others in each column.")
    if any(system.incomplete for system in systems):
        notes.append(INCOMPLETE_NOTE)
    return TableView(
        id=f"table-{spec.id}",
        title=spec.title,
        caption=escape(spec.caption),
        row_head="System",
        heads=tuple(column.head for column in columns),
        groups=_group_rows(lookup, spec.group_by, rows),
        csv=csv_path(lookup, spec.id),
        source=spec.source,
        citation=lookup.citations(rows),
        notes=tuple(notes),
        measured=list_measures(lookup, [column.key for column in columns], systems),
    )


def csv_path(lookup: Lookup, table: str) -> str:
    """Return where the numbers of a table are published, from the root of the site."""
    return f"{lookup.descriptor.id}/tables/{table}.csv"


def make_cell(score: Score | None, metric: Metric, *, best: bool = False, missing: str = "") -> TableCell:
    """Write one score, or that there is none, by the metric's own word unless another is given."""
    detail = describe_score(score, metric) if score else ""
    if score is None or score.value is None:
        return TableCell(text=missing or metric.missing, detail=detail, missing=True)
    interval = score.interval
    return TableCell(
        text=format_number(score.value, decimals=metric.decimals),
        sort=format_raw(score.value),
        extra=format_half_width(interval.half_width, decimals=metric.decimals) if interval else "",
        detail=detail,
        best=best,
    )


class _Column:
    """One column: its head and the cell of each system."""

    def __init__(
        self, lookup: Lookup, column: Column, systems: Sequence[SystemView], *, mark_best: bool
    ) -> None:
        metric = lookup.metrics[column.metric]
        self.head = HeadView(
            title=column.title or metric.short or metric.title,
            group=column.group,
            direction=metric.direction,
            unit=metric.unit,
            text=metric.text,
        )
        self.key = make_score_key(column.metric, column.at, column.where, column.subset)
        if column.difference:
            unit = "points" if metric.kind == "rate" else metric.unit
            self.head = replace(self.head, text=_DIFFERENCE, beside="interval", unit=unit)
            self.cells = {system.id: self._compare(lookup, system, metric) for system in systems}
            return
        scores = {system.id: lookup.scores(system.id).get(self.key) for system in systems}
        best = _find_best(scores, systems, metric) if mark_best else set()
        self.cells = {
            system.id: make_cell(
                scores[system.id],
                metric,
                best=system.id in best,
                missing=_tell_missing(system, scores[system.id], metric),
            )
            for system in systems
        }

    def _compare(self, lookup: Lookup, system: SystemView, metric: Metric) -> TableCell:
        """Write how far a system is from the baseline, which is none from itself."""
        difference = lookup.differences(system.id).get(self.key)
        if difference is None:
            if system.baseline:
                return TableCell(text="baseline", sort="0")
            return TableCell(text=NOTHING, detail=NOT_COMPARED, missing=True)
        baseline = lookup.systems[difference.baseline].title
        detail = describe_difference(difference, metric, baseline)
        if difference.value is None:
            return TableCell(text=NOTHING, detail=detail, missing=True)
        return TableCell(
            text=format_signed(difference.value, decimals=metric.decimals),
            sort=format_raw(difference.value),
            extra=_write_limits(difference.interval, metric),
            detail=detail,
        )


def _tell_missing(system: SystemView, score: Score | None, metric: Metric) -> str:
    """Say why a system can have no score by a metric, or has none yet."""
    if metric.parameters.get("reference") == system.id:
        return REFERENCE
    return NOT_YET if system.incomplete and score is not None else ""


def _write_limits(interval: IntervalRecord | None, metric: Metric) -> str:
    """Write an interval by its limits: of a difference it matters on which side of zero they are."""
    if interval is None:
        return ""
    if interval.low is None or interval.high is None:
        return format_half_width(interval.half_width, decimals=metric.decimals)
    low, high = (format_number(limit, decimals=metric.decimals) for limit in (interval.low, interval.high))
    return f"{low} to {high}"


def _find_best(scores: dict[str, Score | None], systems: Sequence[SystemView], metric: Metric) -> set[str]:
    """Return the systems that share the best shown value."""
    shown = {
        system.id: round(score.value, metric.decimals)
        for system in systems
        if not system.baseline and (score := scores[system.id]) is not None and score.value is not None
    }
    if not shown or metric.direction == "none":
        return set()
    best = max(shown.values()) if metric.direction == "higher" else min(shown.values())
    return {system for system, value in shown.items() if value == best}


def _group_rows(lookup: Lookup, facet: str | None, rows: dict[str, TableRow]) -> tuple[TableGroup, ...]:
    """Put rows under the values of a facet, in its order; what has no value comes last, untitled."""
    if facet is None:
        return (TableGroup(title="", rows=tuple(rows.values())),)
    titles = {value.id: value.title for value in lookup.facets[facet].values} | {"": ""}
    groups = [
        TableGroup(
            title=title,
            rows=tuple(
                row for system, row in rows.items() if lookup.entries[system].facets.get(facet, "") == value
            ),
        )
        for value, title in titles.items()
    ]
    return tuple(group for group in groups if group.rows)
