"""Numbers that can be computed again are, exactly where computed and within rounding where reported."""

from __future__ import annotations

import pytest

import factories
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.recompute import rounding

S1, S2 = {"at": {"stage": "S1"}}, {"at": {"stage": "S2"}}
A, B = {"where": {"family": "A"}}, {"where": {"family": "B"}}


def tell(run, *, benchmark=None):
    results = factories.make_results(run)
    problems = check_results(benchmark or factories.make_benchmark(), results, is_whole=False)
    return [(problem.place.removeprefix("/scores"), problem.found, problem.expected) for problem in problems]


def reported(*scores):
    return factories.make_reported(scores=[{"metric": "coherence", **score} for score in scores])


def computed(*scores, **changes):
    return factories.make_run(scores=[factories.score_data(**score) for score in scores], **changes)


@pytest.mark.parametrize(
    ("value", "decimals", "half"),
    [
        (46.7, 1, 0.05),
        (46.72, 1, 0.05),
        (46.72, 3, 0.005),
        (50.0, 0, 0.5),
        (50.0, 2, 0.05),
        (1e-07, 9, 5e-08),
        (1e22, 2, 0.5),
    ],
)
def test_rounding_is_half_a_unit_of_the_last_decimal(value, decimals, half):
    assert rounding(value, decimals) == half


def test_unknown_names_of_a_score_are_told_and_nothing_else_of_it():
    score = {"at": {"stag": "S1"}, "where": {"family": "C"}, "subset": "cleer", "value": 300.0}
    assert [place for place, _, _ in tell(reported(score | {"metric": "coherenc"}))] == [
        "/0/at/stag",
        "/0/metric",
        "/0/subset",
        "/0/where/family",
    ]


def test_score_twice_is_told():
    twice = [{"value": 50.0, "subset": "clear", **S1, **A}] * 2
    assert tell(reported(*twice)) == [
        ("/1", "a second score for coherence stage S1 family A clear", "each score once")
    ]


@pytest.mark.parametrize("value", [-0.1, 100.1])
def test_rate_is_a_percentage(value):
    assert tell(reported({"value": value})) == [("/0/value", f"{value}", "a percentage from 0 to 100")]


def test_number_is_no_percentage():
    assert tell(factories.make_reported(scores=[{"metric": "wer", "value": 127.0, "n": 3}])) == []


@pytest.mark.parametrize(("value", "is_right"), [(66.7, True), (66.6, False), (66.67, True), (67.0, False)])
def test_reported_percentage_is_right_within_its_rounding(value, is_right):
    told = tell(reported({"value": value, "correct": 2, "n": 3}))
    assert told == ([] if is_right else [("/0/value", f"{value:g}", "66.67, from 2 of 3")])


def test_computed_percentage_is_exact():
    right = {"correct": 3, "n": 4}
    assert tell(computed(right | {"value": 75.0 + 1e-7})) == []
    assert tell(computed(right | {"value": 75.04})) == [("/0/value", "75.04", "75.00, from 3 of 4")]


def test_computed_rate_has_counts():
    assert tell(computed({"correct": None, "n": None, "value": 75.0})) == [
        ("/0/correct", "no counts", "correct and n of every computed rate")
    ]
    assert tell(reported({"value": 75.0})) == []


def test_computed_counts_are_counted_from_the_answers():
    scores = [
        {"correct": 3, "n": 4},
        {"correct": 1, "n": 2, **S1},
        {"correct": 3, "n": 4, **A},
        {"correct": 1, "n": 1, **B},
    ]
    assert tell(computed(*scores)) == [
        ("/1/correct", "1 of 2 for coherence stage S1", "2 of 2, counted from the answers"),
        ("/3/correct", "1 of 1 for coherence family B", "0 of 0, counted from the answers"),
    ]


def test_flagged_questions_are_left_out_of_a_subset():
    cells = factories.item_data()["cells"]
    cells[1]["questions"][1]["flags"] = ["doubtful"]
    benchmark = factories.make_benchmark(items=[factories.make_item(cells=cells)])
    assert tell(computed({"correct": 3, "n": 3, "subset": "clear"}), benchmark=benchmark) == []
    flagged = factories.make_benchmark(items=[factories.make_item(flags=["doubtful"])])
    assert tell(computed({"correct": 3, "n": 3, "subset": "clear"}), benchmark=flagged) == [
        ("/0/correct", "3 of 3 for coherence clear", "0 of 0, counted from the answers")
    ]


def test_answers_count_for_the_verdict_metric_alone():
    benchmark = factories.make_benchmark(verdict_metric=None)
    assert tell(computed({"correct": 1, "n": 4}), benchmark=benchmark) == []


def test_answers_without_a_score_of_the_verdict_metric_are_warned_of():
    results = factories.make_results(computed())
    (problem,) = check_results(factories.make_benchmark(), results, is_whole=False)
    assert problem.severity == "warning"
    assert str(problem).endswith(
        "at /scores: found answers, but no score of 'coherence'; expected the scores that tables and charts "
        "show; write scores with torus_eval.scorers.score_run, or run it again"
    )
    assert tell(computed(), benchmark=factories.make_benchmark(verdict_metric=None)) == []
    assert tell(reported()) == []


def test_unscored_verdict_metric_needs_no_count():
    score = {"status": "unscored", "reason": "held back", "correct": None, "n": None}
    assert tell(computed(score)) == []


def test_unknown_item_of_a_run_is_not_counted():
    run = computed(
        {"correct": 3, "n": 4}, items=[*factories.run_data()["items"], {"item": "gong", "cells": []}]
    )
    assert [found for _, found, _ in tell(run)] == ["'gong'"]


@pytest.mark.parametrize(("total", "is_right"), [(63.2, True), (63.3, True), (63.4, False)])
def test_reported_total_is_the_mean_of_its_parts_within_rounding(total, is_right):
    parts = [{"value": 73.6, "n": 144, **S1}, {"value": 52.8, "n": 144, **S2}]
    told = tell(reported({"value": total, "n": 288}, *parts))
    assert told == ([] if is_right else [("/0/value", f"{total}", "63.20, from the mean along stage")])


def test_total_weighs_its_parts_by_their_counts():
    parts = [{"value": 90.0, "n": 10, **S1}, {"value": 60.0, "n": 20, **S2}]
    assert tell(reported({"value": 70.0}, *parts)) == []
    assert tell(reported({"value": 75.0}, *parts)) == [("/0/value", "75", "70.00, from the mean along stage")]


def test_total_is_not_compared_while_a_part_or_its_count_is_missing():
    assert tell(reported({"value": 10.0}, {"value": 90.0, "n": 10, **S1})) == []
    assert tell(reported({"value": 10.0}, {"value": 90.0, "n": 10, **S1}, {"value": 90.0, **S2})) == []
    assert tell(reported({"value": 10.0}, {"value": 90.0, "n": 0, **S1}, {"value": 90.0, "n": 0, **S2})) == []
    unscored = {"status": "unscored", "reason": "lost", "n": 10}
    assert tell(reported({"value": 10.0}, {"value": 90.0, "n": 10, **S1}, unscored | S2)) == []
    assert tell(reported(unscored, {"value": 90.0, "n": 10, **S1}, {"value": 90.0, "n": 10, **S2})) == []


def test_count_of_a_total_is_the_sum_along_an_axis():
    parts = [{"value": 50.0, "n": 10, **S1}, {"value": 50.0, "n": 10, **S2}]
    assert tell(reported({"value": 50.0, "n": 21}, *parts)) == [
        ("/0/n", "21 for coherence", "20, the sum along stage")
    ]


def test_items_may_lack_a_facet_so_that_its_parts_may_count_fewer():
    parts = [{"value": 90.0, "n": 10, **A}, {"value": 90.0, "n": 10, **B}]
    assert tell(reported({"value": 50.0, "n": 30}, *parts)) == []
    assert tell(reported({"value": 50.0, "n": 20}, *parts)) == [
        ("/0/value", "50", "90.00, from the mean along family")
    ]


def test_part_of_one_axis_is_the_total_of_a_facet():
    parts = [{"value": 90.0, "n": 10, **S1, **A}, {"value": 80.0, "n": 10, **S1, **B}]
    assert tell(reported({"value": 80.0, **S1}, *parts)) == [
        ("/0/value", "80", "85.00, from the mean along family")
    ]


def test_subsets_are_totalled_apart():
    parts = [{"value": 90.0, "n": 10, **S1}, {"value": 90.0, "n": 10, **S2}]
    assert tell(reported({"value": 50.0, "subset": "clear"}, *parts)) == []


@pytest.mark.parametrize(("half", "is_right"), [(6.3, True), (6.4, True), (6.5, False)])
def test_half_width_is_half_of_its_interval(half, is_right):
    interval = {"low": 56.9, "high": 69.5, "half_width": half, "method": "stated"}
    told = tell(reported({"value": 63.2, "interval": interval}))
    assert told == (
        [] if is_right else [("/0/interval/half_width", f"{half}", "6.30, from half of high - low")]
    )


def test_half_width_alone_is_taken_as_stated():
    assert tell(reported({"value": 63.2, "interval": {"half_width": 6.3, "method": "stated"}})) == []


def lapsed(*scores):
    items = [factories.make_item(name) for name in ("bell", "gong", "horn")]
    run = factories.make_lapsed(scores=[factories.score_data(**score) for score in scores])
    return tell(run, benchmark=factories.make_benchmark(items=items))


def test_questions_without_a_clip_count_as_wrong_in_every_order():
    assert lapsed({"correct": 6, "n": 12, **S1}) == []
    assert lapsed({"correct": 6, "n": 8, **S1}) == [
        ("/0/correct", "6 of 8 for coherence stage S1", "6 of 12, counted from the answers")
    ]


def test_score_over_questions_that_are_owed_is_unscored():
    expected = "'unscored' with the reason, as 2 questions were not asked yet"
    assert lapsed({"correct": 2, "n": 4, **S2}, {"correct": 8, "n": 16}) == [
        ("/0/status", "'scored' for coherence stage S2", expected),
        ("/1/status", "'scored' for coherence", expected),
    ]
    unscored = {"status": "unscored", "reason": "owed", "correct": None, "n": None}
    assert lapsed(unscored, unscored | S2) == []


def test_flags_of_questions_without_a_clip_are_heeded():
    cells = factories.item_data()["cells"]
    cells[0]["questions"][0]["flags"] = ["doubtful"]
    benchmark = factories.make_benchmark(items=[factories.make_item(cells=cells)])
    lapses = [factories.lapse_data("failed"), factories.lapse_data("not_reached", "S2")]
    items = [{"item": "bell", "cells": lapses}]
    assert tell(computed({"correct": 0, "n": 3, "subset": "clear"}, items=items), benchmark=benchmark) == []
