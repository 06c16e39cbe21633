from __future__ import annotations

import pytest

from torus_site.stats import Interval, rank_by_differences, rank_by_intervals


def between(low, high, estimate=None):
    return Interval(
        estimate=(low + high) / 2 if estimate is None else estimate, low=low, high=high, method="given", n=10
    )


def labels(ranks):
    return {rank.name: rank.label.replace("\N{EN DASH}", "-") for rank in ranks}


def test_separate_intervals_have_places_of_their_own():
    ranks = rank_by_intervals({"low": between(1, 2), "high": between(5, 6), "middle": between(3, 4)})
    assert [(rank.name, rank.label, rank.tied_with) for rank in ranks] == [
        ("high", "1", ()),
        ("middle", "2", ()),
        ("low", "3", ()),
    ]


def test_overlapping_intervals_share_their_places():
    ranks = rank_by_intervals({"a": between(4, 6), "b": between(4.5, 7), "c": between(1, 2)})
    assert labels(ranks) == {"b": "1-2", "a": "1-2", "c": "3"}
    assert ranks[0].tied_with == ("a",)


def test_a_range_of_places_is_written_with_an_en_dash():
    ranks = rank_by_intervals({"a": between(0, 1), "b": between(0, 1)})
    assert ranks[0].label == "1\N{EN DASH}2"


def test_a_chain_of_overlaps_gives_ranges_that_overlap():
    # a and b overlap, b and c overlap, a and c do not.
    ranks = rank_by_intervals({"a": between(5, 8), "b": between(3, 6), "c": between(1, 4)})
    assert labels(ranks) == {"a": "1-2", "b": "1-3", "c": "2-3"}
    assert ranks[1].tied_with == ("a", "c")


def test_limits_that_touch_are_a_tie():
    assert labels(rank_by_intervals({"a": between(2, 3), "b": between(1, 2)})) == {"a": "1-2", "b": "1-2"}


def test_a_low_estimate_can_be_the_good_one():
    ranks = rank_by_intervals({"a": between(2, 3), "b": between(0, 1)}, higher_is_better=False)
    assert labels(ranks) == {"b": "1", "a": "2"}


def test_a_system_without_an_interval_has_no_place():
    ranks = rank_by_intervals({"z": None, "a": between(0, 1), "m": None})
    assert [(rank.name, rank.label, rank.reason) for rank in ranks] == [
        ("a", "1", None),
        ("m", "", "no estimate"),
        ("z", "", "no estimate"),
    ]


def test_no_systems_give_no_ranks():
    assert rank_by_intervals({}) == ()


def test_equal_estimates_are_ordered_by_name_whatever_the_input_order():
    one = rank_by_intervals({"b": between(0, 1), "a": between(0, 1)})
    other = rank_by_intervals({"a": between(0, 1), "b": between(0, 1)})
    assert one == other
    assert [rank.name for rank in one] == ["a", "b"]


def test_differences_decide_in_either_orientation():
    estimates = {"a": 0.6, "b": 0.5, "c": 0.4}
    differences = {
        ("a", "b"): between(-0.1, 0.3),
        ("c", "a"): between(-0.3, -0.1),
        ("b", "c"): between(0.01, 0.2),
    }
    assert labels(rank_by_differences(estimates, differences)) == {"a": "1-2", "b": "1-2", "c": "3"}
    mirrored = rank_by_differences(estimates, differences, higher_is_better=False)
    assert labels(mirrored) == {"c": "1", "b": "2-3", "a": "2-3"}


def test_a_difference_that_touches_0_is_a_tie():
    ranks = rank_by_differences({"a": 0.6, "b": 0.5}, {("a", "b"): between(0, 0.2)})
    assert labels(ranks) == {"a": "1-2", "b": "1-2"}


def test_equal_estimates_are_a_tie_even_if_skewed_limits_leave_0_out():
    ranks = rank_by_differences({"a": 0.5, "b": 0.5}, {("a", "b"): between(0.01, 0.2, estimate=0)})
    assert labels(ranks) == {"a": "1-2", "b": "1-2"}


def test_a_tie_across_systems_that_differ_from_both_is_still_shown():
    # The data tell b from a and from c, but not a from c: their ranges must meet.
    differences = {
        ("a", "b"): between(0.1, 0.2),
        ("b", "c"): between(0.1, 0.2),
        ("a", "c"): between(-0.1, 0.7),
    }
    ranks = rank_by_differences({"a": 0.9, "b": 0.8, "c": 0.6}, differences)
    assert labels(ranks) == {"a": "1-3", "b": "2", "c": "1-3"}


def test_a_missing_difference_is_refused():
    with pytest.raises(ValueError, match="no difference given for 'a' and 'b'"):
        rank_by_differences({"a": 1, "b": 2, "c": None}, {("a", "c"): between(0, 1)}, higher_is_better=False)
