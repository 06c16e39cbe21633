"""Bars along a scale: a group for each category, a bar for each series, whiskers and a line to compare with.

Bars lie, so that every one has its name beside it and the chart stays readable on a phone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torus_site.views.format import format_number, format_raw
from torus_site.views.interactive import hover_text, make_layout
from torus_site.views.svg import TEXT_SIZE, drawing, element, measure, shorten, tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from torus_site.benchmark.descriptor import Reference
    from torus_site.views.model import ValueView
    from torus_site.views.series import Chart, Mark, Series

GUTTER: Final = 118
"""Room for names left of the scale."""
_NAME: Final = GUTTER - 10
_RIGHT: Final = 46
_TOP: Final = 24
_BOTTOM: Final = 26
_ROW: Final = 18
_BAR: Final = 12
_HEAD: Final = 24
_GAP: Final = 8
_TICKS: Final = 5
_SPACE: Final = "\N{EN SPACE}"


@dataclass(frozen=True, slots=True)
class _Group:
    """A category and where it lies: the base of its heading and the middle of each bar, from the top."""

    category: ValueView
    heading: float
    rows: tuple[tuple[Series, Mark, float], ...]


def bars_height(chart: Chart) -> int:
    """Return the height of the box, the same at every width."""
    return round(_lay(chart)[1]) + _BOTTOM


def draw_bars(chart: Chart, name: str, width: int, *, tips: bool) -> Markup:
    """Draw the bars.

    Args:
        chart: The numbers.
        name: What ids start with.
        width: Width of the box.
        tips: Whether a pointer on a bar brings up what it rests on.
    """
    return drawing(
        name,
        *_Scale(chart, width, tips=tips).draw(),
        width=width,
        height=bars_height(chart),
        title=chart.title,
        description=chart.alt,
    )


def plot_bars(chart: Chart) -> dict[str, object]:
    """Return the same bars for plotly, each where the drawing has it; missing numbers are gaps.

    The upright axis counts the drawing's own units, so that nothing moves when plotly takes over. A second
    trace of each series writes its numbers; ``legendgroup`` ties the two together. The line to compare with
    is a trace as well, over the bars and under the numbers, which a shape would cross out.
    """
    groups, bottom = _lay(chart)
    bars: list[dict[str, object]] = []
    labels: list[dict[str, object]] = []
    for index, series in enumerate(chart.series):
        rows = [(group.category, *group.rows[index][1:]) for group in groups]
        marks = [mark for _, mark, _ in rows]
        shared = {"y": [y for _, _, y in rows], "legendgroup": series.title}
        bar = {
            "type": "bar",
            "orientation": "h",
            "name": series.title,
            "x": [mark.value for mark in marks],
            "width": _BAR,
            "customdata": [hover_text(chart.tell(series, category, mark)) for category, mark, _ in rows],
            "hovertemplate": "%{customdata}<extra></extra>",
            "meta": {"hue": series.hue},
        }
        if any(mark.low is not None for mark in marks):
            bar["error_x"] = {
                "type": "data",
                "symmetric": False,
                "array": [_reach(mark, mark.high) for mark in marks],
                "arrayminus": [_reach(mark, mark.low) for mark in marks],
                "thickness": 1.2,
                "width": 3,
            }
        numbers = {
            "type": "scatter",
            "mode": "text",
            "x": [_label_start(chart, mark) for mark in marks],
            "text": [f"{_SPACE}{hover_text([mark.text])}" for mark in marks],
            "textposition": "middle right",
            "hoverinfo": "skip",
            "cliponaxis": False,
        }
        bars.append(bar | shared)
        labels.append(numbers | shared)
    layout = make_layout(bars_height(chart), {"l": GUTTER, "r": _RIGHT, "t": _TOP, "b": _BOTTOM}) | {
        "barmode": "overlay",
        "xaxis": {
            "range": [chart.low, chart.high],
            "tickvals": [tick for tick, _ in _write_ticks(chart)],
            "ticktext": [hover_text([text]) for _, text in _write_ticks(chart)],
            "fixedrange": True,
            "zeroline": False,
        },
        "yaxis": {
            "range": [bottom, _TOP],
            "tickvals": [y for group in groups for _, _, y in group.rows],
            "ticktext": [
                hover_text([shorten(series.short, width=_NAME)])
                for group in groups
                for series, _, _ in group.rows
            ],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
        },
    }
    annotations = [_plot_heading(group) for group in groups if group.category.title]
    lines = []
    if chart.reference is not None:
        line, label = _plot_reference(chart.reference, bottom)
        lines.append(line)
        annotations.append(label)
    return {"data": [*bars, *lines, *labels], "layout": layout | {"annotations": annotations}}


def _lay(chart: Chart) -> tuple[list[_Group], float]:
    """Return where every bar lies, and where the last one's group ends."""
    groups = []
    y = float(_TOP)
    for index, category in enumerate(chart.categories):
        y += _HEAD if category.title else 0
        middles = [y + (row + 0.5) * _ROW for row in range(len(chart.series))]
        rows = [
            (series, series.marks[index], middle)
            for series, middle in zip(chart.series, middles, strict=True)
        ]
        groups.append(_Group(category, y - 7, tuple(rows)))
        y += len(rows) * _ROW + _GAP
    return groups, y


def _label_start(chart: Chart, mark: Mark) -> float:
    """Return the value after which a bar's number is written: where its whisker or the bar itself ends."""
    zero = min(max(0.0, chart.low), chart.high)
    ends = [zero] if mark.value is None else [zero, mark.value, *([] if mark.high is None else [mark.high])]
    return min(max(ends), chart.high)


def _plot_heading(group: _Group) -> dict[str, object]:
    return {
        "text": f"<b>{hover_text([group.category.title])}</b>",
        "xref": "paper",
        "x": 0,
        "xanchor": "left",
        "xshift": -GUTTER,
        "y": group.heading,
        "yanchor": "middle",
        "yshift": 4,
        "showarrow": False,
    }


def _plot_reference(reference: Reference, bottom: float) -> tuple[dict[str, object], dict[str, object]]:
    at = reference.value
    line: dict[str, object] = {
        "type": "scatter",
        "mode": "lines",
        "x": [at, at],
        "y": [bottom, _TOP],
        "line": {"dash": "dash", "width": 1.2},
        "hoverinfo": "skip",
    }
    label = {
        "text": hover_text([reference.label]),
        "x": at,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "showarrow": False,
    }
    return line, label


def find_ticks(low: float, high: float) -> tuple[float, ...]:
    """Return about five round numbers that span a scale.

    >>> find_ticks(0, 100)
    (0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
    """
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(round(step * index, 10) for index in range(first, last + 1))


def _write_ticks(chart: Chart) -> list[tuple[float, str]]:
    """Return the ticks of the scale as written, the last one with the unit."""
    ticks = find_ticks(chart.low, chart.high)
    decimals = max(len(f"{tick:g}".partition(".")[2]) for tick in ticks)
    texts = [format_number(tick, decimals=decimals) for tick in ticks]
    return list(zip(ticks, [*texts[:-1], f"{texts[-1]} {chart.unit}".rstrip()], strict=True))


class _Scale:
    """A box of one width, and where things lie in it."""

    def __init__(self, chart: Chart, width: int, *, tips: bool) -> None:
        self.chart = chart
        self.width = width
        self.tips = tips
        self.groups, self.bottom = _lay(chart)

    def place(self, value: float) -> float:
        """Return where a value lies; what is off the scale lies at its end."""
        chart = self.chart
        share = (min(max(value, chart.low), chart.high) - chart.low) / (chart.high - chart.low)
        return GUTTER + share * (self.width - GUTTER - _RIGHT)

    def draw(self) -> Iterator[Markup]:
        """Yield the elements, what lies in front last."""
        yield from self._draw_grid()
        for group in self.groups:
            category = group.category
            if category.title:
                yield element("text", category.title, x=0, y=group.heading, class_="label", font_weight=600)
            for series, mark, y in group.rows:
                yield from self._draw_row(series, category, mark, y)
        yield from self._draw_reference()
        for group in self.groups:
            for _, mark, y in group.rows:
                yield from self._draw_value(mark, y)

    def _draw_grid(self) -> Iterator[Markup]:
        for tick, text in _write_ticks(self.chart):
            x = self.place(tick)
            yield element("line", x1=x, x2=x, y1=_TOP, y2=self.bottom, class_="grid")
            yield element("text", text, x=x, y=self.bottom + 17, class_="tick", text_anchor="middle")

    def _draw_row(self, series: Series, category: ValueView, mark: Mark, y: float) -> Iterator[Markup]:
        base = y + TEXT_SIZE * 0.35
        name = shorten(series.short, width=_NAME)
        yield element("text", name, x=GUTTER - 8, y=base, class_="tick", text_anchor="end")
        if mark.value is None:
            return
        zero, x = self.place(0.0), self.place(mark.value)
        yield element(
            "rect",
            *([tip(self.chart.tell(series, category, mark))] if self.tips else []),
            x=min(x, zero),
            y=y - _BAR / 2,
            width=abs(x - zero),
            height=_BAR,
            class_=f"bar series-{series.hue}",
            data_value=format_raw(mark.value),
            data_low=None if mark.low is None else format_raw(mark.low),
            data_high=None if mark.high is None else format_raw(mark.high),
        )
        if mark.low is not None and mark.high is not None:
            low, high = self.place(mark.low), self.place(mark.high)
            path = f"M{low:.1f} {y - 3:.1f}v6m0-3H{high:.1f}m0-3v6"
            yield element("path", d=path, class_="whisker", fill="none")

    def _draw_value(self, mark: Mark, y: float) -> Iterator[Markup]:
        """Write the number over the reference line, which would cross it out."""
        end = self.place(_label_start(self.chart, mark)) + 5
        kind = "tick missing" if mark.value is None else "value-label"
        yield element("text", mark.text, x=end, y=y + TEXT_SIZE * 0.35, class_=kind)

    def _draw_reference(self) -> Iterator[Markup]:
        reference = self.chart.reference
        if reference is None:
            return
        x = self.place(reference.value)
        yield element(
            "line", x1=x, x2=x, y1=_TOP - 4, y2=self.bottom, class_="reference", stroke_dasharray="5 4"
        )
        reach = measure(reference.label) / 2
        middle = min(max(x, reach), self.width - reach)
        yield element("text", reference.label, x=middle, y=_TOP - 9, class_="tick", text_anchor="middle")


def _reach(mark: Mark, limit: float | None) -> float | None:
    """Return how far a limit lies from its number."""
    return None if limit is None or mark.value is None else abs(limit - mark.value)
