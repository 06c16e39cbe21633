"""What a bank is made of, as numbers of a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.views.format import QUESTIONS, format_percent
from torus_site.views.series import Chart, Fact, Mark, Series
from torus_site.views.tables import csv_path

if TYPE_CHECKING:
    from torus_site.benchmark.descriptor import DonutSpec
    from torus_site.views.lookup import Lookup


def chart_shares(lookup: Lookup, spec: DonutSpec) -> Chart:
    """Gather how many items or questions each value of a facet has.

    Raises:
        KeyError: No composition has such a table.
    """
    record = lookup.compositions[spec.composition]
    table = {(table.of, table.facet): table for table in record.tables}[spec.of, spec.facet]
    noun = lookup.descriptor.noun.many if spec.of == "items" else QUESTIONS[1]
    facet = lookup.facets[spec.facet]
    categories = tuple(lookup.values[facet.id, value.id] for value in facet.values)
    marks = []
    for category in categories:
        count = table.counts.get(category.id, 0)
        share = 100 * count / table.total if table.total else None
        text = format_percent(count, table.total) if table.total else ""
        marks.append(Mark(value=count, text=str(count), detail=text, facts=(Fact("Share", share, text),)))
    told = ", ".join(
        f"{category.title} {mark.text}" + (f" ({mark.detail})" if mark.detail else "")
        for category, mark in zip(categories, marks, strict=True)
    )
    return Chart(
        id=spec.id,
        title=spec.title,
        caption=spec.caption,
        alt=f"Ring of {table.total} {noun} by {facet.title}: {told}.",
        categories=categories,
        series=(Series(title="", short="", hue=0, marks=tuple(marks)),),
        measure="Count",
        unit=noun,
        category_head=facet.title,
        csv=csv_path(lookup, f"figure-{spec.id}"),
        source=record.source,
        citation=record.citation or "",
        high=float(table.total),
    )
