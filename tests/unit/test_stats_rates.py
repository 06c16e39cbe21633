from __future__ import annotations

import pytest
from scipy.stats import norm
from statsmodels.stats.proportion import proportion_confint

from torus_site.stats import Rate, dprime, point_gap, retained_share, wilson_interval, win_rate


def test_rates_add_counts_and_not_shares():
    assert (Rate(4, 4) + Rate(0, 1)).value == 0.8
    assert sum([Rate(1, 2), Rate(2, 3)], Rate()) == Rate(3, 5)


def test_percent_is_not_rounded():
    assert Rate(49, 105).percent == pytest.approx(46.666666666666664, abs=1e-12)


def test_a_rate_of_nothing_has_no_value_but_a_reason():
    empty = Rate()
    assert (empty.value, empty.percent, empty.reason) == (None, None, "nothing was counted")
    assert Rate(0, 3).reason is None


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_an_impossible_rate_is_refused(hits, n):
    with pytest.raises(ValueError, match=f"a rate cannot be {hits} out of {n}"):
        Rate(hits, n)


def test_a_rate_adds_to_nothing_but_a_rate():
    with pytest.raises(TypeError):
        Rate(1, 2) + 1


def test_a_tie_is_a_win_for_neither():
    assert win_rate(wins=10, ties=2, losses=9) == Rate(10, 21)
    assert win_rate(wins=0, ties=5, losses=0).value == 0


def test_win_rate_refuses_a_negative_count():
    with pytest.raises(ValueError, match="a count below 0 in 3 wins, -1 ties, 2 losses"):
        win_rate(wins=3, ties=-1, losses=2)


@pytest.mark.parametrize(("hits", "n", "low", "high"), [(81, 263, 0.2553, 0.3662), (0, 20, 0, 0.1611)])
def test_wilson_gives_the_known_limits(hits, n, low, high):
    interval = wilson_interval(Rate(hits, n))
    assert (interval.low, interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert (interval.estimate, interval.n, interval.method, interval.level) == (
        hits / n,
        n,
        "Wilson score",
        0.95,
    )


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (1, 7), (49, 105), (33, 105), (431, 432)])
def test_wilson_agrees_with_statsmodels(hits, n, level):
    interval = wilson_interval(Rate(hits, n), level=level)
    low, high = proportion_confint(hits, n, alpha=1 - level, method="wilson")
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))


def test_wilson_limits_are_exact_at_the_ends_of_the_scale():
    assert wilson_interval(Rate(0, 7)).low == 0
    assert wilson_interval(Rate(7, 7)).high == 1


def test_wilson_of_nothing_is_none():
    assert wilson_interval(Rate()) is None


def test_wilson_refuses_a_level_in_percent_even_of_nothing():
    with pytest.raises(ValueError, match="level is 95"):
        wilson_interval(Rate(), level=95)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((84, 100, 16, 100), 1.9889),
        ((9, 10, 1, 10), 2.5631),
        ((5, 10, 5, 10), 0),
        ((487, 510, 53, 510), 2.95),
        ((510, 510, 0, 510), 6.19),
        ((510, 510, 510, 510), 0),
        ((459, 510, 0, 510), 4.38),
    ],
)
def test_dprime_gives_the_known_values(counts, expected):
    assert dprime(*counts).value == pytest.approx(expected, abs=5e-5 if len(str(expected)) > 4 else 5e-3)


def test_dprime_of_equal_rates_is_exactly_0():
    assert dprime(373, 510, 373, 510).value == 0


def test_dprime_agrees_with_scipy_and_is_not_corrected_inside():
    found = dprime(1, 510, 509, 510)
    assert found.value == pytest.approx(norm.ppf(1 / 510) - norm.ppf(509 / 510), abs=1e-12)
    assert found.method == "d' = z(hits) - z(false alarms)"


def test_dprime_moves_only_the_count_at_the_end_of_the_scale():
    found = dprime(20, 20, 3, 12)
    assert found.value == pytest.approx(norm.ppf(19.5 / 20) - norm.ppf(3 / 12), abs=1e-12)
    assert found.method.endswith("a count of 0 or n moved by 0.5")
    assert (found.first, found.second, found.n) == (Rate(20, 20), Rate(3, 12), 32)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((0, 0, 1, 2), "no signal trials"),
        ((1, 2, 0, 0), "no noise trials"),
        ((0, 0, 0, 0), "no signal and no noise trials"),
    ],
)
def test_dprime_without_trials_is_undefined(counts, reason):
    found = dprime(*counts)
    assert (found.value, found.reason) == (None, reason)


def test_dprime_refuses_more_hits_than_trials():
    with pytest.raises(ValueError, match="11 out of 10"):
        dprime(11, 10, 0, 10)


def test_point_gap_comes_from_counts_and_not_from_rounded_percentages():
    # 397 and 306 of 510 are 77.8 and 60.0 percent; 91 of 510 is 17.843 points.
    found = point_gap(Rate(397, 510), Rate(306, 510))
    assert found.value == 100 * 91 / 510
    assert (found.reason, found.n) == (None, 1020)
    # 117 and 37 of 510 are 22.9 and 7.3 percent, 15.6 apart once rounded; 80 of 510 is 15.686 points.
    assert round(point_gap(Rate(117, 510), Rate(37, 510)).value, 1) == 15.7


def test_point_gap_of_different_denominators():
    assert point_gap(Rate(1, 2), Rate(3, 4)).value == -25


@pytest.mark.parametrize(("first", "second"), [(Rate(), Rate(1, 2)), (Rate(1, 2), Rate()), (Rate(), Rate())])
def test_a_contrast_with_an_empty_rate_is_undefined(first, second):
    for found in (point_gap(first, second), retained_share(first, second)):
        assert (found.value, found.reason) == (None, "nothing was counted")


def test_retained_share_is_a_ratio_of_aggregates():
    assert retained_share(Rate(306, 510), Rate(397, 510)).value == 306 / 397
    assert retained_share(Rate(1, 2), Rate(1, 4)).value == 2


def test_retained_share_of_nothing_is_undefined_and_not_0():
    found = retained_share(Rate(0, 510), Rate(0, 510))
    assert (found.value, found.reason) == (None, "the rate to compare with is 0")
