from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from torus_site.stats import Interval


def make(low: float, high: float, **more) -> Interval:
    return Interval(
        **{"estimate": (low + high) / 2, "low": low, "high": high, "method": "given", "n": 9} | more
    )


def test_half_width_is_half_the_distance_between_limits_that_lie_unevenly():
    assert make(0.25, 0.75, estimate=0.7).half_width == 0.25


def test_an_interval_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        make(0, 1).low = 0.5


@pytest.mark.parametrize(
    ("value", "inside"), [(0.2, True), (0.3, True), (0.4, True), (0.19, False), (0.41, False)]
)
def test_an_interval_contains_its_limits_and_what_lies_between(value, inside):
    assert make(0.2, 0.4).contains(value) is inside


@pytest.mark.parametrize(
    ("other", "shared"),
    [((0.4, 0.5), True), ((0.0, 0.2), True), ((0.3, 0.3), True), ((0.41, 0.5), False), ((0, 0.19), False)],
)
def test_intervals_overlap_when_they_share_a_value_even_a_limit(other, shared):
    assert make(0.2, 0.4).overlaps(make(*other)) is shared
    assert make(*other).overlaps(make(0.2, 0.4)) is shared


def test_scaling_moves_the_numbers_and_keeps_the_facts():
    scaled = make(0.25, 0.75, clusters=4, resamples=5000, seed=3).scale(100)
    assert (scaled.estimate, scaled.low, scaled.high) == (50, 25, 75)
    assert (scaled.n, scaled.level, scaled.clusters, scaled.resamples, scaled.seed) == (9, 0.95, 4, 5000, 3)


@pytest.mark.parametrize("factor", [0, -1])
def test_scaling_refuses_a_factor_that_would_reverse_or_flatten(factor):
    with pytest.raises(ValueError, match="factor is"):
        make(0, 1).scale(factor)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"low": 0.6, "high": 0.4}, r"lower limit 0\.6 is above the upper limit 0\.4"),
        ({"estimate": float("nan")}, "finite"),
        ({"high": float("inf")}, "finite"),
        ({"level": 95}, r"level is 95, not inside \(0, 1\)"),
        ({"level": 0}, "level is 0"),
        ({"n": -1}, "n is -1, below 0"),
    ],
)
def test_an_impossible_interval_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        make(**{"low": 0.4, "high": 0.6} | wrong)
