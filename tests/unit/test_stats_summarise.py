from __future__ import annotations

import numpy as np
import pytest

from torus_site.stats import Rate, cluster_bootstrap, count_clusters, rank_answers, summarise_answers

# The known vector: four items of three answers.
MARKS = {"a": "111", "b": "100", "c": "000", "d": "110"}
ANSWERS = [(item, mark == "1") for item, marks in MARKS.items() for mark in marks]


def test_answers_of_the_known_vector_give_the_known_limits():
    summary = summarise_answers(ANSWERS, seed=12345)
    assert (summary.rate, summary.reason) == (Rate(6, 12), None)
    assert summary.interval == cluster_bootstrap(
        [3, 1, 0, 2], [3, 3, 3, 3], generator=np.random.default_rng(12345)
    )
    assert summary.interval.seed == 12345


def test_the_order_of_answers_does_not_matter():
    assert summarise_answers(reversed(ANSWERS), seed=3) == summarise_answers(ANSWERS, seed=3)


def test_options_reach_the_bootstrap():
    interval = summarise_answers(ANSWERS, seed=3, resamples=10, level=0.5).interval
    assert (interval.resamples, interval.level) == (10, 0.5)


def test_no_answers_have_no_interval_and_a_reason():
    summary = summarise_answers([], seed=1)
    assert (summary.rate, summary.interval, summary.reason) == (Rate(), None, "nothing was counted")


def test_a_single_cluster_has_a_rate_but_no_interval():
    summary = summarise_answers(ANSWERS[:3], seed=1)
    assert (summary.rate, summary.interval) == (Rate(3, 3), None)
    assert summary.reason == "a single cluster shows no spread"


def test_clusters_are_sorted_and_counted():
    assert count_clusters([("b", True), ("a", False), ("b", True)]) == {"a": Rate(0, 1), "b": Rate(2, 2)}
    assert list(count_clusters([("b", True), ("a", False)])) == ["a", "b"]


def mark(hits_per_item, n=9):
    return [(f"t{item:02}", answer < hits) for item, hits in enumerate(hits_per_item) for answer in range(n)]


def test_ranks_use_the_same_items_for_both_systems():
    # Every item is one answer better for "clear", however much items differ among themselves.
    base = [1, 8, 2, 7, 3, 6, 1, 8, 2, 7, 3, 6]
    ranks = rank_answers({"plain": mark(base), "clear": mark([hits + 1 for hits in base])}, seed=1)
    assert [(rank.name, rank.label) for rank in ranks] == [("clear", "1"), ("plain", "2")]


def test_systems_that_the_items_cannot_tell_apart_are_tied():
    ranks = rank_answers({"x": mark([1, 8, 2, 7]), "y": mark([8, 1, 7, 3])}, seed=1)
    assert [(rank.name, rank.best, rank.worst, rank.tied_with) for rank in ranks] == [
        ("y", 1, 2, ("x",)),
        ("x", 1, 2, ("y",)),
    ]


def test_a_system_alone_is_first():
    assert [rank.label for rank in rank_answers({"x": mark([1, 2])}, seed=1)] == ["1"]


def test_no_systems_have_no_ranks():
    assert rank_answers({}, seed=1) == ()


def test_a_single_item_gives_no_places():
    ranks = rank_answers({"y": mark([2]), "x": mark([9])}, seed=1)
    assert [(rank.name, rank.label, rank.reason) for rank in ranks] == [
        ("x", "", "fewer than two clusters show no spread"),
        ("y", "", "fewer than two clusters show no spread"),
    ]


def test_systems_with_other_questions_are_refused_by_name():
    answers = {"x": mark([1, 2]), "y": mark([1, 2, 3]), "z": mark([1, 2], n=8)}
    with pytest.raises(ValueError, match="not the same questions as 'x': 'y', 'z'"):
        rank_answers(answers, seed=1)
