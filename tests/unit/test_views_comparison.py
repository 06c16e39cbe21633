from __future__ import annotations

import pytest

from support.showcase import make_run, owing, quiz_descriptor, quiz_lookup, rate
from torus_site.records.store import Results
from torus_site.views.comparison import chart_scores

BARS = {"kind": "bars", "id": "by", "title": "By", "metric": "right", "source": "computed"}


def gather(scores=(), **changes):
    """Gather the scores of wren alone, unless systems are named."""
    spec = BARS | {"systems": ["wren"], "axis": "round"} | changes
    descriptor = quiz_descriptor(figures=[spec])
    lookup = quiz_lookup(descriptor, Results(runs=(make_run("wren", scores=list(scores)),)))
    return chart_scores(lookup, lookup.descriptor.figures[0])


def test_limits_make_the_whisker():
    interval = {"low": 40.0, "high": 65.0, "half_width": 12.5, "method": "m"}
    mark = gather([rate(50.0, at={"round": "R1"}, n=8, interval=interval)]).series[0].marks[0]
    assert (mark.value, mark.low, mark.high, mark.text) == (50.0, 40.0, 65.0, "50.0")
    assert mark.detail == "n = 8; 95 % interval 40.0 to 65.0, m"


def test_half_width_alone_makes_an_even_whisker():
    mark = (
        gather([rate(50.0, at={"round": "R1"}, interval={"half_width": 7.5, "method": "m"})])
        .series[0]
        .marks[0]
    )
    assert (mark.low, mark.high) == (42.5, 57.5)
    assert "limits not stated" in mark.detail


def test_score_without_an_interval_has_no_whisker():
    mark = gather([rate(50.0, at={"round": "R1"})]).series[0].marks[0]
    assert (mark.low, mark.high, mark.extra) == (None, None, "")


def test_missing_score_is_a_mark_without_a_value():
    failed = {
        "metric": "right",
        "status": "failed",
        "value": None,
        "reason": "no judge",
        "at": {"round": "R2"},
    }
    first, second, _ = gather([failed]).series[0].marks
    assert (first.value, first.text, first.detail) == (None, "not stated", "")
    assert (second.value, second.text, second.detail) == (None, "not stated", "no judge")


def test_axis_or_facet_gives_the_categories():
    by_axis = gather()
    assert (by_axis.category_head, [it.id for it in by_axis.categories]) == ("Round", ["R1", "R2", "R3"])
    by_facet = gather(
        [rate(30.0, where={"place": "out"}, subset="plain")], axis=None, facet="place", subset="plain"
    )
    assert (by_facet.category_head, [it.id for it in by_facet.categories]) == ("Place", ["in", "out"])
    assert [mark.value for mark in by_facet.series[0].marks] == [None, 30.0]


def test_without_a_choice_every_listed_system_of_the_source_is_shown():
    assert [it.title for it in gather(systems=[]).series] == ["Rook", "Wren", "Lark", "Owl"]
    assert [it.title for it in gather(systems=["top"], source="reported").series] == ["Best of all"]


@pytest.mark.parametrize(
    ("scores", "text"),
    [
        ([], "3 of 3 not stated."),
        (
            [rate(20.0, at={"round": "R1"}), rate(80.0, at={"round": "R3"})],
            "highest Wren, Round 3, with 80.0 %; lowest Wren, Round 1, with 20.0 %; 1 of 3 not stated.",
        ),
        (
            [rate(20.0, at={"round": name}) for name in ("R1", "R2", "R3")],
            "highest Wren, Round 3, with 20.0 %; lowest Wren, Round 1, with 20.0 %.",
        ),
    ],
)
def test_alternative_text_tells_extremes_and_gaps(scores, text):
    assert gather(scores).alt == f"Bars: Right by Round for 1 system; {text}"


def test_incomplete_run_is_left_out_and_named():
    descriptor = quiz_descriptor(figures=[BARS | {"systems": ["wren", "lark"], "axis": "round"}])
    scores = [rate(20.0, at={"round": "R1"})]
    runs = (owing("wren", 1, scores=scores), make_run("lark", scores=scores))
    lookup = quiz_lookup(descriptor, Results(runs=runs))
    chart = chart_scores(lookup, lookup.descriptor.figures[0])
    assert [series.title for series in chart.series] == ["Lark"]
    assert [(it.id, it.incomplete) for it in chart.left_out] == [("wren", "incomplete: 1 call owed")]
    assert chart.alt.endswith("2 of 3 not stated; left out: Wren, incomplete: 1 call owed.")


def test_chart_tells_how_its_metric_was_measured():
    (measured,) = gather().measured
    assert (measured.title, measured.text) == ("Right", "Share right.")
