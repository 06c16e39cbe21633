"""A matrix of wins, row against column: the more a row won, the fuller its cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from torus_site.views.format import format_raw
from torus_site.views.interactive import hover_text, make_layout, wrap_label
from torus_site.views.svg import TEXT_SIZE, drawing, element, shorten, tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from torus_site.views.series import Chart, Series

GUTTER: Final = 92
_SLANTED_HEAD: Final = 88
_LEVEL_HEAD: Final = 26
_ROW: Final = 38
_RIGHT: Final = 2
_FOOT: Final = 4
_ROOMY: Final = 84.0
"""Width from which a column has room for a level name."""
_LETTER: Final = 0.57
"""Width of a digit or a dash for each unit of text size."""
_GREY: Final = "128,128,128"
_PALEST: Final = 0.03
_DEEPEST: Final = 0.32
"""How full the fullest cell is in the colour of text, so that its own text stays readable."""


def matrix_height(chart: Chart, width: int) -> int:
    """Return the height of the box at a width: names over narrow columns are slanted and need more."""
    return _Grid(chart, width).height


def draw_matrix(chart: Chart, name: str, width: int, *, tips: bool) -> Markup:
    """Draw the matrix.

    Args:
        chart: The numbers: rows are series, columns are categories in the same order.
        name: What ids start with.
        width: Width of the box.
        tips: Whether a pointer on a cell brings up what it rests on.
    """
    grid = _Grid(chart, width)
    return drawing(
        name,
        *grid.draw(tips=tips),
        width=width,
        height=grid.height,
        title=chart.title,
        description=chart.alt,
    )


def plot_matrix(chart: Chart, width: int) -> dict[str, object]:
    """Return the same matrix for plotly: in a grey that serves on light and on dark.

    ``meta`` holds what the page's script needs to fit the text into a column: how wide the longest one is for
    each unit of text size, and what lies beside the columns.
    """
    grid = _Grid(chart, width)
    tips = [
        [
            hover_text(chart.tell(series, category, mark))
            for category, mark in zip(chart.categories, series.marks, strict=True)
        ]
        for series in chart.series
    ]
    trace = {
        "type": "heatmap",
        "x": [wrap_label(category.short or category.title) for category in chart.categories],
        "y": [wrap_label(series.short) for series in chart.series],
        "z": [[mark.value for mark in series.marks] for series in chart.series],
        "zmin": chart.low,
        "zmax": chart.high,
        "text": [[hover_text([mark.text]) for mark in series.marks] for series in chart.series],
        "texttemplate": "%{text}",
        "meta": {"fit": grid.letters * _LETTER, "beside": GUTTER + _RIGHT},
        "customdata": tips,
        "hovertemplate": "%{customdata}<extra></extra>",
        "hoverongaps": False,
        "colorscale": [[0, f"rgba({_GREY},{2 * _PALEST})"], [1, f"rgba({_GREY},{2 * _DEEPEST})"]],
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
    }
    axis = {"type": "category", "fixedrange": True, "showgrid": False, "zeroline": False}
    margin = {"l": GUTTER, "r": _RIGHT, "t": grid.head, "b": _FOOT}
    layout = make_layout(grid.height, margin) | {
        "xaxis": {**axis, "side": "top", "automargin": True},
        "yaxis": {**axis, "autorange": "reversed"},
    }
    return {"data": [trace], "layout": layout}


class _Grid:
    """A matrix in a box of one width."""

    def __init__(self, chart: Chart, width: int) -> None:
        self.chart = chart
        self.column = (width - GUTTER - _RIGHT) / max(len(chart.categories), 1)
        self.roomy = self.column >= _ROOMY
        self.head = _LEVEL_HEAD if self.roomy else _SLANTED_HEAD
        self.height = self.head + _ROW * len(chart.series) + _FOOT
        self.letters = max((len(it.text) for series in chart.series for it in series.marks), default=1)
        self.size = min(TEXT_SIZE, math.floor(10 * self.column / (self.letters * _LETTER)) / 10)

    def draw(self, *, tips: bool) -> Iterator[Markup]:
        """Yield the elements."""
        yield from self._draw_heads()
        for index, series in enumerate(self.chart.series):
            yield from self._draw_row(series, float(self.head + index * _ROW), tips=tips)

    def _draw_heads(self) -> Iterator[Markup]:
        room = self.column - 6 if self.roomy else _SLANTED_HEAD * 1.25
        y = self.head - 9.0
        for index, category in enumerate(self.chart.categories):
            x = GUTTER + (index + 0.5) * self.column
            # A slanted name ends over its column, so that the last one stays inside the box.
            yield element(
                "text",
                shorten(category.short or category.title, width=room),
                x=x,
                y=y,
                class_="tick",
                text_anchor="middle" if self.roomy else "end",
                transform=None if self.roomy else f"rotate(45 {x:.1f} {y:.1f})",
            )

    def _draw_row(self, series: Series, top: float, *, tips: bool) -> Iterator[Markup]:
        middle = top + _ROW / 2
        name = shorten(series.short, width=GUTTER - 10)
        yield element(
            "text", name, x=GUTTER - 8, y=middle + TEXT_SIZE * 0.35, class_="tick", text_anchor="end"
        )
        for index, (category, mark) in enumerate(zip(self.chart.categories, series.marks, strict=True)):
            x = GUTTER + index * self.column
            text = element(
                "text",
                mark.text,
                x=x + self.column / 2,
                y=middle + self.size * 0.35,
                class_="value-label",
                text_anchor="middle",
                font_size=None if self.size == TEXT_SIZE else self.size,
            )
            if mark.value is None:
                yield text
                continue
            yield element(
                "g",
                *([tip(self.chart.tell(series, category, mark))] if tips else []),
                element(
                    "rect",
                    x=x + 1,
                    y=top + 1,
                    width=self.column - 2,
                    height=_ROW - 2,
                    class_="cell",
                    fill="currentColor",
                    fill_opacity=f"{self._deepen(mark.value):.2f}",
                    data_value=format_raw(mark.value),
                ),
                text,
            )

    def _deepen(self, value: float) -> float:
        """Return how full a cell is."""
        share = (value - self.chart.low) / ((self.chart.high - self.chart.low) or 1)
        return _PALEST + (_DEEPEST - _PALEST) * share
