from __future__ import annotations

import pytest

from torus_site.benchmark.descriptor import Metric, Noun
from torus_site.records.model import Difference, IntervalRecord, Score
from torus_site.views.format import (
    MINUS,
    describe_difference,
    describe_interval,
    describe_score,
    format_count,
    format_duration,
    format_half_width,
    format_level,
    format_number,
    format_percent,
    format_raw,
    format_signed,
)

RATE = Metric(id="right", title="Right", kind="rate")


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (63.24, 1, "63.2"),
        (1.115, 3, "1.115"),
        (-3.0, 0, f"{MINUS}3"),
        (-0.26, 1, f"{MINUS}0.3"),
        (-0.04, 1, "0.0"),
        (-0.4, 0, "0"),
        (1234567.0, 0, "1234567"),
    ],
)
def test_number_is_written_with_its_decimals_and_a_true_minus(value, decimals, text):
    assert format_number(value, decimals=decimals) == text


def test_half_width_never_breaks_from_its_sign():
    assert format_half_width(7.61, decimals=1) == "\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}7.6"


def test_percent_comes_from_counts():
    assert format_percent(1, 3) == "33.3 %"


def test_raw_number_reads_back_as_itself():
    assert float(format_raw(0.1 + 0.2)) == 0.1 + 0.2


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (59.94, "59.9 s"), (59.96, "1:00"), (61.7, "1:02"), (600, "10:00")]
)
def test_duration_turns_to_minutes_before_it_reads_sixty_seconds(seconds, text):
    assert format_duration(seconds) == text


def test_count_takes_a_noun_or_a_pair():
    assert format_count(1, Noun(one="scene", many="scenes")) == "1 scene"
    assert format_count(0, ("question", "questions")) == "0 questions"


def test_level_is_written_without_needless_digits():
    assert [format_level(level) for level in (0.95, 0.9, 0.999)] == ["95 %", "90 %", "99.9 %"]


def test_interval_tells_limits_method_and_seed():
    interval = IntervalRecord(
        low=55.25, high=70.45, half_width=7.6, method="cluster bootstrap", clusters=48, resamples=5000, seed=0
    )
    assert describe_interval(interval, decimals=1) == (
        "95 % interval 55.2 to 70.5, cluster bootstrap, clusters 48, resamples 5000, seed 0"
    )


def test_number_that_the_method_tells_is_not_told_twice():
    interval = IntervalRecord(
        low=1,
        high=9,
        half_width=4,
        method="bootstrap over 48 tests, 5000 resamples",
        clusters=48,
        resamples=500,
    )
    assert describe_interval(interval, decimals=0) == (
        "95 % interval 1 to 9, bootstrap over 48 tests, 5000 resamples, resamples 500"
    )


def test_interval_without_limits_says_so():
    interval = IntervalRecord(half_width=7.6, method="cluster bootstrap", level=0.9)
    text = describe_interval(interval, decimals=1).replace("\N{NO-BREAK SPACE}", " ")
    assert text == "90 % half-width \N{PLUS-MINUS SIGN} 7.6, limits not stated, cluster bootstrap"


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Score(metric="right", value=50.0), ""),
        (Score(metric="right", value=50.0, n=10), "n = 10"),
        (Score(metric="right", value=50.0, n=10, correct=5), "5 of 10"),
        (Score(metric="right", status="failed", reason="the judge was away"), "the judge was away"),
    ],
)
def test_score_tells_its_counts_or_its_reason(score, text):
    assert describe_score(score, RATE) == text


def test_score_tells_its_interval_after_its_counts():
    score = Score(
        metric="right", value=50.0, n=10, interval=IntervalRecord(low=1, high=99, half_width=49, method="m")
    )
    assert describe_score(score, RATE) == "n = 10; 95 % interval 1.0 to 99.0, m"


@pytest.mark.parametrize(
    ("value", "text"), [(12.04, "+12.0"), (-3.0, f"{MINUS}3.0"), (0.0, "0.0"), (0.04, "0.0"), (-0.04, "0.0")]
)
def test_sign_is_written_unless_nothing_is_left_of_the_number(value, text):
    assert format_signed(value, decimals=1) == text


def test_difference_tells_its_baseline_counts_and_interval():
    interval = IntervalRecord(half_width=1.0, method="m")
    whole = Difference(metric="right", baseline="b", value=1.0, reason="few", n=9, interval=interval)
    assert describe_difference(whole, RATE, "Base").startswith(
        "few; paired with Base; n = 9; 95 % half-width"
    )
    bare = Difference(metric="right", baseline="b", reason="none in common")
    assert describe_difference(bare, RATE, "Base") == "none in common; paired with Base"
