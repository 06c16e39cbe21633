"""Scores of systems side by side, as numbers of a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.views.format import SYSTEMS, describe_score, format_count, format_half_width, format_number
from torus_site.views.lookup import make_score_key, view_value
from torus_site.views.measures import list_measures
from torus_site.views.series import Chart, Mark, Series
from torus_site.views.tables import csv_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torus_site.benchmark.descriptor import BarsSpec, Metric
    from torus_site.records.model import Point, Score
    from torus_site.views.lookup import Lookup
    from torus_site.views.model import SystemView, ValueView


def chart_scores(lookup: Lookup, spec: BarsSpec) -> Chart:
    """Gather one metric of some systems over the values of a facet or an axis.

    A whisker spans the limits of an interval, or the half-width about the number where no limits are stated.
    A system whose run is incomplete has no bars: beside those of the others they would say too much.
    """
    metric = lookup.metrics[spec.metric]
    head, categories, places = _group(lookup, spec)
    wanted = [lookup.systems[name] for name in spec.systems] or lookup.listed(spec.source)
    systems = [system for system in wanted if not system.incomplete]
    left_out = tuple(system for system in wanted if system.incomplete)
    shown = [make_score_key(metric.id, at, where, spec.subset) for at, where in places]
    series = []
    for system in systems:
        scores = lookup.scores(system.id)
        series.append(
            Series(
                title=system.title,
                short=system.short,
                hue=system.hue,
                marks=tuple(mark_score(scores.get(key), metric) for key in shown),
                system=system,
            )
        )
    return Chart(
        id=spec.id,
        title=spec.title,
        caption=spec.caption,
        alt=_tell(metric, head, categories, series, left_out),
        categories=categories,
        series=tuple(series),
        measure=metric.title,
        unit=metric.unit,
        category_head=head,
        csv=csv_path(lookup, f"figure-{spec.id}"),
        source=spec.source,
        citation=lookup.citations(system.id for system in systems),
        direction=metric.direction,
        low=spec.low,
        high=spec.high,
        reference=spec.reference,
        measured=list_measures(lookup, shown, systems),
        left_out=left_out,
    )


def mark_score(score: Score | None, metric: Metric) -> Mark:
    """Turn a score into a mark, or say that there is none."""
    detail = describe_score(score, metric) if score else ""
    if score is None or score.value is None:
        return Mark(value=None, text=metric.missing, detail=detail)
    text = format_number(score.value, decimals=metric.decimals)
    interval = score.interval
    if interval is None:
        return Mark(value=score.value, text=text, detail=detail)
    low, high = interval.low, interval.high
    return Mark(
        value=score.value,
        text=text,
        low=score.value - interval.half_width if low is None else low,
        high=score.value + interval.half_width if high is None else high,
        extra=format_half_width(interval.half_width, decimals=metric.decimals),
        detail=detail,
    )


def _group(lookup: Lookup, spec: BarsSpec) -> tuple[str, tuple[ValueView, ...], list[tuple[Point, Point]]]:
    """Return what the groups are called, the groups, and where the scores of each stand."""
    if spec.axis is not None:
        axis = {axis.id: axis for axis in lookup.descriptor.axes}[spec.axis]
        return (
            axis.title,
            tuple(view_value(value) for value in axis.values),
            [({axis.id: value.id}, {}) for value in axis.values],
        )
    # A descriptor names either an axis or a facet.
    facet = lookup.facets[spec.facet or ""]
    return (
        facet.title,
        tuple(view_value(value) for value in facet.values),
        [({}, {facet.id: value.id}) for value in facet.values],
    )


def _tell(
    metric: Metric,
    head: str,
    categories: Sequence[ValueView],
    series: Sequence[Series],
    left_out: Sequence[SystemView],
) -> str:
    """Say what the bars show: how many, the highest, the lowest, and what is missing."""
    text = f"Bars: {metric.title} by {head} for {format_count(len(series), SYSTEMS)}"
    found = [
        (mark.value, f"{it.title}, {category.title}, with {mark.text} {metric.unit}".rstrip())
        for it in series
        for category, mark in zip(categories, it.marks, strict=True)
        if mark.value is not None
    ]
    missing = len(categories) * len(series) - len(found)
    parts = [text]
    if found:
        parts.append(f"highest {max(found)[1]}; lowest {min(found)[1]}")
    if missing:
        parts.append(f"{missing} of {missing + len(found)} {metric.missing}")
    if left_out:
        parts.append(f"left out: {', '.join(f'{it.title}, {it.incomplete}' for it in left_out)}")
    return "; ".join(parts) + "."
