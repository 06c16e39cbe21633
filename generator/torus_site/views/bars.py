"""Bars along a scale: a group for each category, a bar for each series, whiskers and a line to compare with.

Bars lie, so that every one has its name beside it and the chart stays readable on a phone.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from torus_site.views.format import format_number, format_raw
from torus_site.views.interactive import hover_text, make_layout, wrap_label
from torus_site.views.svg import TEXT_SIZE, drawing, element, shorten, tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from torus_site.views.model import ValueView
    from torus_site.views.series import Chart, Mark, Series

GUTTER: Final = 118
"""Room for names left of the scale."""
_RIGHT: Final = 46
_TOP: Final = 24
_BOTTOM: Final = 26
_ROW: Final = 18
_BAR: Final = 12
_HEAD: Final = 24
_GAP: Final = 8
_TICKS: Final = 5


def bars_height(chart: Chart) -> int:
    """Return the height of the box, the same at every width."""
    titled = sum(bool(category.title) for category in chart.categories)
    rows = len(chart.categories) * len(chart.series)
    return _TOP + titled * _HEAD + rows * _ROW + len(chart.categories) * _GAP + _BOTTOM


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
    """Return the same bars for plotly: a trace a series, missing numbers as gaps."""
    grouped = any(category.title for category in chart.categories)
    traces = []
    for series in chart.series:
        marks = list(zip(chart.categories, series.marks, strict=True))
        names = [wrap_label(category.title if grouped else series.title) for category, _ in marks]
        trace: dict[str, object] = {
            "type": "bar",
            "orientation": "h",
            "name": series.title,
            "y": names,
            "x": [mark.value for _, mark in marks],
            "customdata": [hover_text(chart.tell(series, category, mark)) for category, mark in marks],
            "hovertemplate": "%{customdata}<extra></extra>",
            "meta": {"hue": series.hue},
        }
        if any(mark.low is not None for _, mark in marks):
            trace["error_x"] = {
                "type": "data",
                "symmetric": False,
                "array": [_reach(mark, mark.high) for _, mark in marks],
                "arrayminus": [_reach(mark, mark.low) for _, mark in marks],
                "thickness": 1,
                "width": 3,
            }
        traces.append(trace)
    layout = make_layout(bars_height(chart), {"l": GUTTER, "r": _RIGHT, "t": _TOP, "b": _BOTTOM}) | {
        "barmode": "group" if grouped else "overlay",
        "bargap": 0.3,
        "xaxis": {
            "range": [chart.low, chart.high],
            "tickvals": list(find_ticks(chart.low, chart.high)),
            "fixedrange": True,
            "zeroline": False,
        },
        "yaxis": {"autorange": "reversed", "type": "category", "fixedrange": True},
    }
    if chart.reference is not None:
        at, label = chart.reference.value, chart.reference.label
        layout["shapes"] = [
            {
                "type": "line",
                "x0": at,
                "x1": at,
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "line": {"dash": "dash", "width": 1.5},
            }
        ]
        layout["annotations"] = [
            {
                "x": at,
                "y": 1,
                "yref": "paper",
                "yanchor": "bottom",
                "text": hover_text([label]),
                "showarrow": False,
            }
        ]
    return {"data": traces, "layout": layout}


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


class _Scale:
    """A box of one width, and where things lie in it."""

    def __init__(self, chart: Chart, width: int, *, tips: bool) -> None:
        self.chart = chart
        self.width = width
        self.tips = tips
        self.bottom = bars_height(chart) - _BOTTOM

    def place(self, value: float) -> float:
        """Return where a value lies; what is off the scale lies at its end."""
        chart = self.chart
        share = (min(max(value, chart.low), chart.high) - chart.low) / (chart.high - chart.low)
        return GUTTER + share * (self.width - GUTTER - _RIGHT)

    def draw(self) -> Iterator[Markup]:
        """Yield the elements, what lies in front last."""
        yield from self._draw_grid()
        y = float(_TOP)
        for index, category in enumerate(self.chart.categories):
            if category.title:
                y += _HEAD
                yield element("text", category.title, x=0, y=y - 7, class_="label", font_weight=600)
            for series in self.chart.series:
                yield from self._draw_row(series, category, series.marks[index], y + _ROW / 2)
                y += _ROW
            y += _GAP
        yield from self._draw_reference()

    def _draw_grid(self) -> Iterator[Markup]:
        ticks = find_ticks(self.chart.low, self.chart.high)
        for tick in ticks:
            x = self.place(tick)
            yield element("line", x1=x, x2=x, y1=_TOP, y2=self.bottom, class_="grid")
            decimals = max(0, -math.floor(math.log10(ticks[1] - ticks[0]) + 1e-9)) if len(ticks) > 1 else 0
            text = format_number(tick, decimals=decimals)
            unit = f" {self.chart.unit}" if tick == ticks[-1] and self.chart.unit else ""
            yield element("text", text + unit, x=x, y=self.bottom + 17, class_="tick", text_anchor="middle")

    def _draw_row(self, series: Series, category: ValueView, mark: Mark, y: float) -> Iterator[Markup]:
        zero = self.place(0.0)
        name = shorten(series.short, width=GUTTER - 10)
        yield element("text", name, x=GUTTER - 8, y=y + TEXT_SIZE * 0.35, class_="tick", text_anchor="end")
        if mark.value is None:
            yield element("text", mark.text, x=zero + 5, y=y + TEXT_SIZE * 0.35, class_="tick missing")
            return
        x = self.place(mark.value)
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
        end = x
        if mark.low is not None and mark.high is not None:
            low, end = self.place(mark.low), self.place(mark.high)
            path = f"M{low:.1f} {y - 3:.1f}v6m0-3H{end:.1f}m0-3v6"
            yield element("path", d=path, class_="whisker", fill="none")
        yield element("text", mark.text, x=max(end, zero) + 5, y=y + TEXT_SIZE * 0.35, class_="value-label")

    def _draw_reference(self) -> Iterator[Markup]:
        reference = self.chart.reference
        if reference is None:
            return
        x = self.place(reference.value)
        yield element(
            "line", x1=x, x2=x, y1=_TOP - 4, y2=self.bottom, class_="reference", stroke_dasharray="5 4"
        )
        # Past the middle of the box the label is written towards the left, so that it stays inside.
        late = x > self.width / 2
        yield element(
            "text",
            reference.label,
            x=x,
            y=_TOP - 9,
            class_="tick",
            text_anchor="end" if late else "start",
        )


def _reach(mark: Mark, limit: float | None) -> float | None:
    """Return how far a limit lies from its number."""
    return None if limit is None or mark.value is None else abs(limit - mark.value)
