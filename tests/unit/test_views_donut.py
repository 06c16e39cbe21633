from __future__ import annotations

import re
from itertools import pairwise

import pytest

from support.drawn import drawn_marks, read_svg, texts
from torus_site.views.donut import WIDTH, donut_height, draw_donut, plot_donut
from torus_site.views.model import ValueView
from torus_site.views.series import Chart, Fact, Mark, Series
from torus_site.views.svg import TEXT_SIZE, measure


def make_chart(*counts, short=""):
    total = sum(counts) or 1
    marks = tuple(
        Mark(value=count, text=str(count), facts=(Fact("Share", None, f"{100 * count / total:.1f} %"),))
        for count in counts
    )
    return Chart(
        id="c",
        title="C",
        caption="",
        alt="Alt.",
        categories=tuple(ValueView(id=f"v{i}", title=f"Value {i}", short=short) for i in range(len(counts))),
        series=(Series(title="", short="", hue=0, marks=marks),),
        measure="Count",
        unit="tests",
        category_head="Room",
        csv="c.csv",
        source="reported",
    )


def labels(svg):
    """Return x, y, anchor and text of the lines beside the ring."""
    found = [it for it in read_svg(svg).iter("text") if it.get("text-anchor") != "middle"]
    return [(float(it.get("x")), float(it.get("y")), it.get("text-anchor"), it.text) for it in found]


def test_slice_has_its_name_count_and_share_beside_it():
    assert [text for _, _, _, text in labels(draw_donut(make_chart(1, 3), "c"))] == [
        "Value 0",
        "1 · 25.0 %",
        "Value 1",
        "3 · 75.0 %",
    ]


def test_short_name_stands_beside_the_slice_and_in_the_key():
    chart = make_chart(1, 3, short="A")
    assert texts(draw_donut(chart, "c"), "label") == ["A", "A", "4", "tests", "A", "A"]
    assert texts(draw_donut(chart, "c"), "tick") == ["Value 0", "Value 1"]
    notes = [note["text"] for note in plot_donut(chart)["layout"]["annotations"]]
    assert notes[1:] == ["A", "Value 0", "A", "Value 1"]
    assert donut_height(chart) > donut_height(make_chart(1, 3))


def test_key_lies_where_the_drawing_has_it():
    chart = make_chart(1, 3, short="A")
    layout = plot_donut(chart)["layout"]
    drawn = [
        (float(it.get("x")), float(it.get("y"))) for it in read_svg(draw_donut(chart, "c")).iter("text")
    ][-4:]
    plotted = [
        (
            note["xshift"] + layout["margin"]["l"],
            layout["height"] - layout["margin"]["b"] - note["yshift"] - 3,
        )
        for note in layout["annotations"][1:]
    ]
    assert plotted == drawn


def test_middle_tells_the_total():
    assert texts(draw_donut(make_chart(1, 3), "c"), "label")[-2:] == ["4", "tests"]
    (note,) = plot_donut(make_chart(1, 3))["layout"]["annotations"]
    assert note["text"] == "<b>4</b><br>tests"


def test_value_without_any_has_no_slice():
    chart = make_chart(0, 2, 0, 2)
    assert [value for value, _, _ in drawn_marks(draw_donut(chart, "c"))] == [2, 2]
    (trace,) = plot_donut(chart)["data"]
    assert (trace["labels"], trace["meta"]["hues"]) == (["Value 1", "Value 3"], [1, 3])


def test_only_slice_closes_the_ring():
    (path,) = read_svg(draw_donut(make_chart(5), "c")).iter("path")
    points = re.findall(r"(?:M|1 |0 |L)(\d+(?:\.\d)?) (\d+(?:\.\d)?)(?=[ALz])", path.get("d"))
    assert len(set(points)) == 4


def test_empty_bank_has_no_ring():
    assert drawn_marks(draw_donut(make_chart(0, 0), "c")) == []
    assert plot_donut(make_chart(0, 0))["data"][0]["values"] == []


@pytest.mark.parametrize(
    "counts", [(1, 3), (1,) * 12, (50, 1, 1, 1, 1), (1, 1, 1, 1, 50), (63, 54, 90, 135, 90)]
)
def test_labels_stay_in_the_box_and_apart(counts):
    found = labels(draw_donut(make_chart(*counts), "c"))
    for x, y, anchor, text in found:
        assert TEXT_SIZE / 2 < y < donut_height(make_chart(*counts))
        left = x if anchor == "start" else x - measure(text)
        assert left > -1
        assert left + measure(text) < WIDTH + 1
    for side in ("start", "end"):
        heights = sorted(y for _, y, anchor, _ in found if anchor == side)
        assert all(b - a >= TEXT_SIZE - 1 for a, b in pairwise(heights))


def test_more_values_than_hues_begin_again():
    hues = plot_donut(make_chart(*[1] * 14))["data"][0]["meta"]["hues"]
    assert hues[11:] == [11, 0, 1]
