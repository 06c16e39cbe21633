"""Studies are complete and their win rates follow from the wins; compositions agree with the descriptor."""

from __future__ import annotations

import pytest

import factories
from torus_site.benchmark.fit import check_results


def tell(record):
    problems = check_results(factories.make_benchmark(), factories.make_results(record), is_whole=False)
    return [(problem.place, problem.found, problem.expected) for problem in problems]


def test_right_study_and_composition_have_no_problem():
    assert tell(factories.make_study()) == []
    assert tell(factories.make_composition()) == []
    assert tell(factories.make_composition(options_per_question=None)) == []


def test_systems_of_a_study_are_those_of_the_benchmark():
    wins = {"cascade": {"papre": 6}, "papre": {"cascade": 3}}
    assert tell(factories.make_study(wins=wins, win_rate_percent={})) == [
        ("/wins/papre", "'papre'", "a system, one of cascade, paper")
    ]


def test_every_pair_has_counts_and_nobody_meets_itself():
    wins = {"cascade": {"cascade": 1, "other": 2}, "paper": {"cascade": 3}}
    assert tell(factories.make_study(wins=wins, win_rate_percent={})) == [
        ("/wins/cascade", "no count against 'paper'", "a count against every system"),
        ("/wins/cascade/cascade", "wins of 'cascade' over itself", "other systems"),
        ("/wins/cascade/other", "'other'", "a system of this study, one of cascade, paper"),
    ]


def test_pair_has_no_more_wins_than_comparisons():
    wins = {"cascade": {"paper": 6}, "paper": {"cascade": 5}}
    assert tell(factories.make_study(wins=wins, win_rate_percent={})) == [
        (
            "/wins/cascade/paper",
            "11 decided comparisons with 'paper'",
            "at most per_pair, which is 10",
        )
    ]


def test_comparisons_are_those_of_all_pairs():
    assert tell(factories.make_study(comparisons=11)) == [
        ("/comparisons", "11", "10: 10 for each pair of systems")
    ]


@pytest.mark.parametrize(("rate", "is_right"), [(60.0, True), (60.04, True), (60.1, False)])
def test_win_rate_follows_from_the_wins(rate, is_right):
    told = tell(factories.make_study(win_rate_percent={"cascade": rate}))
    expected = [("/win_rate_percent/cascade", f"{rate:g}", "60.00, from 6 wins of 10")]
    assert told == ([] if is_right else expected)


def test_win_rate_of_a_stranger_is_told():
    assert tell(factories.make_study(win_rate_percent={"echo": 1.0})) == [
        ("/win_rate_percent/echo", "'echo'", "a system of this study, one of cascade, paper")
    ]


def test_study_of_one_system_has_no_win_rate_to_check():
    study = factories.make_study(wins={"cascade": {}}, comparisons=0, win_rate_percent={"cascade": 0.0})
    assert tell(study) == []


def test_composition_names_facets_of_items_and_their_values():
    tables = [
        {"of": "items", "facet": "family", "counts": {"A": 3, "C": 1}, "total": 4},
        {"of": "questions", "facet": "arm", "counts": {"baseline": 16}, "total": 16},
    ]
    assert tell(factories.make_composition(tables=tables)) == [
        ("/tables/0/counts/C", "'C'", "a value of 'family', one of A, B"),
        ("/tables/1/facet", "'arm'", "a facet of items, one of family"),
    ]


def test_tables_of_one_kind_stand_once_and_share_their_total():
    tables = [
        {"of": "items", "facet": "family", "counts": {"A": 4}, "total": 4},
        {"of": "items", "facet": "family", "counts": {"A": 5}, "total": 5},
    ]
    assert tell(factories.make_composition(tables=tables)) == [
        ("/tables/1", "a second table of items by family", "each table once"),
        ("/tables/1/total", "5 items", "4, as in the table before"),
    ]


def test_options_are_those_of_the_descriptor():
    assert tell(factories.make_composition(options_per_question=6)) == [
        ("/options_per_question", "6", "3, as the descriptor has it")
    ]
