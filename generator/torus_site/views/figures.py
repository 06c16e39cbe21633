"""Figures: each kind gathers its numbers once, and draws, plots and tabulates those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import escape

from torus_site.views.bars import bars_height, draw_bars, plot_bars
from torus_site.views.comparison import chart_scores
from torus_site.views.coverage import chart_shares
from torus_site.views.donut import WIDTH, donut_height, draw_donut, plot_donut
from torus_site.views.matrix import draw_matrix, matrix_height, plot_matrix
from torus_site.views.model import FigureView
from torus_site.views.series import chart_table
from torus_site.views.study import chart_pairs, chart_win_rates

if TYPE_CHECKING:
    from markupsafe import Markup

    from torus_site.benchmark.descriptor import FigureSpec
    from torus_site.views.lookup import Lookup
    from torus_site.views.series import Chart

WIDE: Final = 720
NARROW: Final = 340
"""A phone has no pointer, so the narrow drawing carries no tips."""


def figure(lookup: Lookup, spec: FigureSpec) -> FigureView:
    """Build a figure three ways from the same numbers.

    Args:
        lookup: The benchmark and its results.
        spec: What to show.

    Raises:
        KeyError: A study or composition it names is not among the results.
    """
    match spec.kind:
        case "donut":
            return _make_donut(chart_shares(lookup, spec))
        case "bars":
            return _make_bars(chart_scores(lookup, spec))
        case "win-rates":
            return _make_bars(chart_win_rates(lookup, spec))
        case _:
            return _make_matrix(chart_pairs(lookup, spec))


def _make_donut(chart: Chart) -> FigureView:
    svg = draw_donut(chart, f"figure-{chart.id}")
    return _make(chart, svg, (WIDTH, donut_height(chart)), plot_donut(chart))


def _make_bars(chart: Chart) -> FigureView:
    wide = draw_bars(chart, f"figure-{chart.id}", WIDE, tips=True)
    narrow = draw_bars(chart, f"figure-{chart.id}-narrow", NARROW, tips=False)
    return _make(chart, wide, (WIDE, bars_height(chart)), plot_bars(chart), narrow)


def _make_matrix(chart: Chart) -> FigureView:
    wide = draw_matrix(chart, f"figure-{chart.id}", WIDE, tips=True)
    narrow = draw_matrix(chart, f"figure-{chart.id}-narrow", NARROW, tips=False)
    return _make(chart, wide, (WIDE, matrix_height(chart, WIDE)), plot_matrix(chart, WIDE), narrow)


def _make(
    chart: Chart, svg: Markup, box: tuple[int, int], plotly: dict[str, object], narrow: Markup | str = ""
) -> FigureView:
    width, height = box
    return FigureView(
        id=chart.id,
        title=chart.title,
        caption=escape(chart.caption),
        alt=chart.alt,
        svg=svg,
        width=width,
        height=height,
        plotly=plotly,
        table=chart_table(chart),
        source=chart.source,
        citation=chart.citation,
        narrow=narrow,
        left_out=chart.left_out,
    )
