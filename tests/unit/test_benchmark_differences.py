"""A difference names what is known and is the two scores apart."""

from __future__ import annotations

import pytest

import factories
from torus_site.benchmark.fit import check_results


def difference(**changes):
    return {"metric": "coherence", "baseline": "cascade", "value": -25.0, "n": 4} | changes


def tell(*differences, **changes):
    """Return what is wrong with the differences of a second computed system from the cascade, 3 of 4."""
    systems = factories.descriptor_data()["systems"]
    systems.append({"id": "copy", "title": "Copy", "source": "computed", "hue": 5})
    scores = [factories.score_data(**{"correct": 2, "n": 4} | changes)]
    # No answers, so that the score itself is not counted again.
    copy = factories.make_run(
        system="copy", items=[], clips="none", scores=scores, differences=list(differences)
    )
    benchmark = factories.make_benchmark(systems=systems, items=[], verdict_metric=None)
    base = factories.make_run(items=[], clips="none")
    problems = check_results(benchmark, factories.make_results(base, copy))
    return [(each.place, each.found, each.expected) for each in problems if each.severity == "error"]


def test_right_differences_have_no_problem():
    assert tell(difference()) == []
    assert tell(difference(value=None, reason="nothing in common")) == []
    assert tell(difference(at={"stage": "S1"}, value=99.0)) == []


def test_unknown_names_of_a_difference_are_told():
    odd = difference(
        metric="coherenc", at={"stag": "S1"}, where={"family": "C"}, subset="cleer", baseline="casc"
    )
    assert [place for place, _, _ in tell(odd)] == [
        "/differences/0/at/stag",
        "/differences/0/baseline",
        "/differences/0/metric",
        "/differences/0/subset",
        "/differences/0/where/family",
    ]


def test_baseline_is_another_system():
    assert tell(difference(baseline="copy", value=0.0)) == [
        ("/differences/0/baseline", "the run's own system", "another system to be compared with")
    ]


def test_difference_twice_is_told():
    assert tell(difference(), difference()) == [
        ("/differences/1", "a second difference for coherence", "each difference once")
    ]


@pytest.mark.parametrize(
    ("value", "is_right"), [(-25.0, True), (-25.0 + 1e-7, True), (-24.9, False), (25.0, False)]
)
def test_difference_is_the_two_scores_apart(value, is_right):
    told = tell(difference(value=value))
    expected = "-25.00, from 50 less the 75 of 'cascade'"
    assert told == ([] if is_right else [("/differences/0/value", f"{value:g}", expected)])


def test_scores_over_other_questions_say_nothing_of_a_difference():
    assert tell(difference(value=1.0), n=3) == []


def test_difference_of_what_is_not_scored_is_not_computed_again():
    unscored = {"status": "unscored", "reason": "owed", "correct": None, "value": None}
    assert tell(difference(), **unscored) == []
