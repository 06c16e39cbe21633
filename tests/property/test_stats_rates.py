from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from torus_site.stats import Rate, dprime, point_gap, retained_share, wilson_interval, win_rate


@st.composite
def rates(draw, min_n=0):
    n = draw(st.integers(min_n, 10_000))
    return Rate(draw(st.integers(0, n)), n)


@given(rates(), rates(), rates())
def test_addition_is_associative_and_commutative(a, b, c):
    assert (a + b) + c == a + (b + c)
    assert a + b == b + a


@given(rates())
def test_the_empty_rate_is_neutral(rate):
    assert rate + Rate() == rate == Rate() + rate


@given(rates(min_n=1), rates(min_n=1))
def test_a_sum_lies_between_its_parts(a, b):
    low, high = sorted((a.value, b.value))
    assert low - 1e-12 <= (a + b).value <= high + 1e-12


@given(rates())
def test_there_is_a_value_or_a_reason_and_never_both(rate):
    assert (rate.value is None) == (rate.percent is None) == (rate.reason is not None)


@given(rates(min_n=1), st.floats(0.01, 0.999))
def test_wilson_limits_stay_on_the_scale_and_hold_the_estimate(rate, level):
    interval = wilson_interval(rate, level=level)
    assert 0 <= interval.low <= rate.value + 1e-12
    assert rate.value - 1e-12 <= interval.high <= 1


@given(rates(min_n=1))
def test_wilson_limits_mirror_when_hits_become_misses(rate):
    interval, mirrored = wilson_interval(rate), wilson_interval(Rate(rate.n - rate.hits, rate.n))
    assert math.isclose(interval.low, 1 - mirrored.high, abs_tol=1e-12)
    assert math.isclose(interval.high, 1 - mirrored.low, abs_tol=1e-12)


@given(rates(min_n=1), rates(min_n=1))
def test_dprime_changes_sign_with_its_sides_and_is_finite(a, b):
    forth = dprime(a.hits, a.n, b.hits, b.n).value
    back = dprime(b.hits, b.n, a.hits, a.n).value
    assert math.isfinite(forth)
    assert forth == -back


@given(rates(min_n=1), rates(min_n=1))
def test_gap_and_ratio_agree_about_which_rate_is_higher(a, b):
    gap, ratio = point_gap(a, b).value, retained_share(a, b).value
    assert gap == -point_gap(b, a).value
    assert -100 <= gap <= 100
    if ratio is not None:
        assert (gap > 0, gap == 0) == (ratio > 1, ratio == 1)


@given(st.integers(0, 500), st.integers(0, 500), st.integers(0, 500))
def test_the_win_rates_of_two_sides_and_their_ties_add_up(wins, ties, losses):
    mine, theirs = (win_rate(wins=a, ties=ties, losses=b) for a, b in ((wins, losses), (losses, wins)))
    assert mine.hits + theirs.hits + ties == mine.n == theirs.n
