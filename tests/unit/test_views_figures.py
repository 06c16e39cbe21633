from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from support.drawn import drawn_marks, plotted_limits, plotted_values, read_svg, tabled_values, texts
from support.showcase import CLOSE, make_run, owing, quiz_descriptor, quiz_lookup, quiz_results, rate
from torus_site.records.store import Results
from torus_site.views.figures import figure

FIGURES = [
    {
        "kind": "donut",
        "id": "shares",
        "title": "Shares",
        "composition": "bank",
        "of": "items",
        "facet": "place",
    },
    {
        "kind": "bars",
        "id": "rounds",
        "title": "Rounds & all",
        "caption": "Over <time>.",
        "metric": "right",
        "source": "computed",
        "axis": "round",
        "systems": ["wren", "lark"],
        "reference": {"value": 50.0, "label": "chance, 50 %"},
    },
    {"kind": "win-rates", "id": "rates", "title": "Rates", "study": "pairs"},
    {"kind": "head-to-head", "id": "pairs", "title": "Pairs", "study": "pairs"},
]
KINDS = [spec["kind"] for spec in FIGURES]


def build(kind):
    scores = {
        "wren": [
            rate(
                80.0,
                at={"round": "R1"},
                n=10,
                interval={"low": 71.0, "high": 95.0, "half_width": 12.0, "method": "m"},
            ),
            rate(20.5, at={"round": "R3"}, interval=CLOSE),
        ],
        "lark": [rate(33.3, at={"round": "R1"}), rate(0.0, at={"round": "R2"})],
    }
    runs = tuple(make_run(name, scores=rows) for name, rows in scores.items())
    known = quiz_results()
    results = Results(runs=runs, studies=known.studies, compositions=known.compositions)
    lookup = quiz_lookup(quiz_descriptor(figures=FIGURES), results)
    return figure(lookup, lookup.descriptor.figures[KINDS.index(kind)])


@pytest.fixture(name="view", params=KINDS)
def _view(request):
    return build(request.param)


def test_drawing_plotly_and_table_hold_the_same_numbers(view):
    columns = 1 if view.table.heads[-1].title in {"Share", "Comparisons"} else None
    drawn = sorted(value for value, _, _ in drawn_marks(view.svg))
    assert drawn
    assert drawn == sorted(plotted_values(view.plotly))
    assert drawn == sorted(tabled_values(view.table, columns))


def test_narrow_drawing_holds_the_numbers_of_the_wide_one(view):
    if view.narrow:
        assert drawn_marks(view.narrow) == drawn_marks(view.svg)
        assert read_svg(view.narrow).get("viewBox").split()[2] == "340"
    else:
        assert view.width == 340


@pytest.mark.parametrize("kind", ["bars", "win-rates"])
def test_whiskers_reach_the_same_limits_everywhere(kind):
    view = build(kind)
    drawn, plotted = sorted(drawn_marks(view.svg)), sorted(plotted_limits(view.plotly))
    assert any(low is not None for _, low, _ in drawn)
    assert [mark[0] for mark in drawn] == [mark[0] for mark in plotted]
    for ours, theirs in zip(drawn, plotted, strict=True):
        assert ours[1:] == pytest.approx(theirs[1:])


def test_plotly_knows_every_property(view):
    known = go.Figure(view.plotly["data"], view.plotly["layout"]).to_plotly_json()
    assert [trace["type"] for trace in known["data"]] == [trace["type"] for trace in view.plotly["data"]]


def test_plotly_data_are_strict_json_of_the_drawings_height(view):
    assert json.loads(json.dumps(view.plotly, allow_nan=False)) == view.plotly
    assert view.plotly["layout"]["height"] == view.height
    box = read_svg(view.svg)
    assert box.get("viewBox") == f"0 0 {view.width} {view.height}"


def test_pointer_finds_what_a_number_rests_on(view):
    shown = json.dumps(view.plotly, ensure_ascii=False)
    for row in (row for group in view.table.groups for row in group.rows):
        for cell in row.cells:
            for part in cell.detail.split("; "):
                assert part in shown


def test_drawing_says_what_it_shows_and_names_no_colour(view):
    svg = read_svg(view.svg)
    ids = svg.get("aria-labelledby").split()
    assert ids == [f"figure-{view.id}-title", f"figure-{view.id}-desc"]
    assert [svg.find(f"*[@id='{name}']").text for name in ids] == [view.title, view.alt]
    assert not [it for it in svg.iter() if (it.get("fill") or "none") not in {"none", "currentColor"}]


def test_ids_of_the_two_drawings_differ(view):
    def ids(svg):
        return {it.get("id") for it in read_svg(svg).iter() if it.get("id")}

    assert not view.narrow or not ids(view.svg) & ids(view.narrow)


def test_same_numbers_give_the_same_figure(view):
    kind = {spec["id"]: spec["kind"] for spec in FIGURES}[view.id]
    assert build(kind) == view


def test_text_of_a_figure_is_escaped():
    view = build("bars")
    assert "Rounds &amp; all" in view.svg
    assert str(view.caption) == "Over &lt;time&gt;."


def test_missing_number_is_a_gap_that_says_so():
    view = build("bars")
    assert texts(view.svg, "missing") == ["not stated"] * 2
    bars = [trace for trace in view.plotly["data"] if trace["type"] == "bar"]
    assert [trace["x"] for trace in bars] == [[80.0, None, 20.5], [33.3, 0.0, None]]
    assert [cell.missing for row in view.table.groups[0].rows for cell in row.cells] == [
        False,
        True,
        False,
        False,
        False,
        True,
    ]


def test_line_to_compare_with_is_drawn_and_named():
    view = build("bars")
    assert "chance, 50 %" in texts(view.svg, "tick")
    (line,) = [trace for trace in view.plotly["data"] if trace.get("mode") == "lines"]
    assert (line["x"], line["line"]["dash"]) == ([50.0, 50.0], "dash")


def test_figure_names_its_table_and_source(view):
    assert view.table.id == f"figure-{view.id}-numbers"
    assert view.table.csv == f"quiz/tables/figure-{view.id}.csv"
    assert view.source == view.table.source
    assert bool(view.citation) == (view.source == "reported")


def test_figure_of_incomplete_runs_alone_has_no_bars_and_names_them():
    runs = (owing("wren", scores=[rate(80.0, at={"round": "R1"})]), owing("lark"))
    lookup = quiz_lookup(quiz_descriptor(figures=FIGURES), Results(runs=runs))
    view = figure(lookup, lookup.descriptor.figures[1])
    assert [it.id for it in view.left_out] == ["wren", "lark"]
    assert view.table.groups[0].rows == ()
    assert drawn_marks(view.svg) == []


def test_table_of_a_figure_tells_how_it_was_measured():
    assert [it.title for it in build("bars").table.measured] == ["Right"]
    assert build("donut").table.measured == ()
