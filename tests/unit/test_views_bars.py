from __future__ import annotations

import pytest

from support.drawn import drawn_marks, read_svg, texts
from torus_site.benchmark.descriptor import Reference
from torus_site.views.bars import GUTTER, bars_height, draw_bars, find_ticks, plot_bars
from torus_site.views.model import ValueView
from torus_site.views.series import Chart, Mark, Series


def make_chart(*marks, title="", **changes):
    fields = {
        "id": "c",
        "title": "C",
        "caption": "",
        "alt": "Alt.",
        "categories": (ValueView(id="a", title=title),),
        "series": tuple(
            Series(title=f"System {i}", short=f"S{i}", hue=i, marks=(mark,)) for i, mark in enumerate(marks)
        ),
        "measure": "Share",
        "unit": "%",
        "category_head": "Room",
        "csv": "c.csv",
        "source": "computed",
    }
    return Chart(**fields | changes)


def number(value, low=None, high=None):
    return Mark(value=value, text=str(value), low=low, high=high)


def boxes(svg):
    return [tuple(float(it.get(name)) for name in ("x", "y", "width")) for it in read_svg(svg).iter("rect")]


def draw(chart, width=720, *, tips=True):
    return draw_bars(chart, "c", width, tips=tips)


def test_bar_is_as_long_as_its_number():
    half, full = boxes(draw(make_chart(number(50.0), number(100.0))))
    assert half[0] == full[0] == GUTTER
    assert full[2] == pytest.approx(2 * half[2], abs=0.2)
    assert full[1] > half[1]


def test_bar_off_the_scale_ends_at_its_end():
    inside, outside = boxes(draw(make_chart(number(100.0), number(250.0))))
    assert inside[2] == outside[2]


def test_bar_of_a_negative_number_reaches_left_from_zero():
    below, above = boxes(draw(make_chart(number(-50.0), number(50.0), low=-100.0)))
    assert below[0] + below[2] == pytest.approx(above[0], abs=0.11)
    assert below[2] == pytest.approx(above[2], abs=0.11)


def test_group_heading_is_drawn_only_where_it_has_a_name():
    assert texts(draw(make_chart(number(1.0))), "label") == []
    named = make_chart(number(1.0), title="Attic")
    assert texts(draw(named), "label") == ["Attic"]
    assert bars_height(named) > bars_height(make_chart(number(1.0)))


def test_every_bar_has_its_name_and_number():
    svg = draw(make_chart(number(1.0), number(2.0)))
    assert texts(svg, "value-label") == ["1.0", "2.0"]
    assert {"S0", "S1"} <= set(texts(svg, "tick"))


def test_number_stands_after_the_whisker():
    chart = make_chart(number(50.0, 40.0, 60.0), number(50.0))
    long, short = (
        float(it.get("x")) for it in read_svg(draw(chart)).iter("text") if it.get("class") == "value-label"
    )
    assert long > short
    assert drawn_marks(draw(chart)) == [(50.0, 40.0, 60.0), (50.0, None, None)]


def test_whisker_is_drawn_only_where_limits_are_known():
    svg = read_svg(draw(make_chart(number(50.0, 40.0, 60.0), number(50.0))))
    assert len([it for it in svg.iter("path") if it.get("class") == "whisker"]) == 1


def test_tips_can_be_left_out():
    chart = make_chart(number(50.0))
    assert read_svg(draw(chart)).find("rect/title").text == "System 0\nShare: 50.0 %"
    assert read_svg(draw(chart, tips=False)).find("rect/title") is None


def test_last_tick_carries_the_unit():
    assert texts(draw(make_chart(number(1.0))), "tick")[:6] == ["0", "20", "40", "60", "80", "100 %"]
    assert "100" in texts(draw(make_chart(number(1.0), unit="")), "tick")


@pytest.mark.parametrize("value", [0.0, 3.0, 50.0, 100.0])
def test_label_of_the_line_stays_inside_the_box(value):
    chart = make_chart(number(1.0), reference=Reference(value=value, label="every second comparison, 50 %"))
    (label,) = [it for it in read_svg(draw(chart, 340)).iter("text") if it.text.startswith("every")]
    assert 90 < float(label.get("x")) < 250


def test_plotly_bars_lie_where_the_drawing_has_them():
    chart = make_chart(number(50.0), number(70.0), title="Attic")
    drawn = [y + 6 for _, y, _ in boxes(draw(chart))]
    plotted = plot_bars(chart)
    assert [trace["y"][0] for trace in plotted["data"] if trace["type"] == "bar"] == drawn
    margin, height = plotted["layout"]["margin"], plotted["layout"]["height"]
    bottom, top = plotted["layout"]["yaxis"]["range"]
    assert (margin["t"], height - margin["b"]) == (top, bottom)


def test_line_to_compare_with_lies_over_the_bars_and_under_the_numbers():
    chart = make_chart(number(50.0), number(60.0), reference=Reference(value=55.0, label="half"))
    kinds = [(trace["type"], trace.get("mode")) for trace in plot_bars(chart)["data"]]
    assert kinds == [("bar", None)] * 2 + [("scatter", "lines")] + [("scatter", "text")] * 2


def test_number_of_a_trace_is_tied_to_its_bar():
    bar, label = plot_bars(make_chart(number(50.0)))["data"]
    assert bar["legendgroup"] == label["legendgroup"] == "System 0"
    assert "name" not in label
    assert label["text"][0].strip() == "50.0"


def test_bars_without_limits_have_no_whiskers_in_plotly():
    assert "error_x" not in plot_bars(make_chart(number(50.0)))["data"][0]


def test_chart_without_systems_is_an_empty_scale():
    chart = make_chart()
    assert boxes(draw(chart)) == []
    assert plot_bars(chart)["data"] == []


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 100, (0, 20, 40, 60, 80, 100)),
        (0, 1, (0, 0.2, 0.4, 0.6, 0.8, 1)),
        (-100, 100, (-100, -50, 0, 50, 100)),
        (0, 12, (0, 2.5, 5, 7.5, 10)),
        (3, 9, (4, 6, 8)),
        (0, 48, (0, 10, 20, 30, 40)),
    ],
)
def test_ticks_are_round_and_inside(low, high, ticks):
    assert find_ticks(low, high) == ticks


def test_ticks_are_written_with_the_decimals_they_need():
    assert texts(draw(make_chart(number(1.0), high=12.0, unit="")), "tick")[:3] == ["0.0", "2.5", "5.0"]
