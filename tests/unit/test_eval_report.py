from __future__ import annotations

from types import SimpleNamespace

import pytest

from factories import make_benchmark, make_run, score_data
from torus_eval.errors import EvaluationError
from torus_eval.report import check_comparable, render_scores

LIMITS = {"half_width": 8.75, "low": -7.5, "high": 10.0, "method": "bootstrap", "level": 0.95}


def difference(**changes):
    return {"metric": "coherence", "baseline": "paper", "value": -2.25} | changes


def render(**changes):
    return render_scores(make_benchmark(), make_run(**changes)).splitlines()


def test_scores_stand_in_aligned_columns_with_counts_and_limits():
    lines = render(
        scores=[
            score_data(at={}, correct=3, n=4, value=75.0),
            score_data(at={"stage": "S1"}, subset="clear", correct=12, n=12, value=100.0),
        ]
    )
    assert lines[0] == "cascade on toy"
    right_edges = {
        line.index(count) + len(count) for line, count in zip(lines[2:], ("3/4", "12/12"), strict=True)
    }
    assert len(right_edges) == 1
    assert lines[1].split()[:3] == ["metric", "where", "right/asked"]
    assert lines[2].split()[:4] == ["coherence", "total", "3/4", "75.0"]
    assert "S1, clear" in lines[3]


def test_score_without_a_value_says_why():
    reason = "all 4 questions are still owed"
    lines = render(
        scores=[score_data(at={}, status="unscored", reason=reason, value=None, correct=None, n=4)]
    )
    assert lines[2] == f"coherence  total                      {reason}"


def test_metric_of_clips_has_its_own_decimals_and_no_counts():
    lines = render(scores=[score_data(metric="wer", at={}, value=0.125, correct=None, n=None)])
    assert lines[2].split() == ["wer", "total", "0.12"]


def test_incomplete_run_says_so_first():
    lines = render(status="incomplete", owed=3, scores=[])
    assert lines[:2] == ["cascade on toy", "incomplete: 3 calls are still owed"]


def test_differences_in_total_stand_below_with_their_sign():
    lines = render(
        scores=[],
        differences=[
            difference(),
            difference(subset="clear", value=4.0),
            difference(at={"stage": "S1"}),
            difference(value=None, reason="no common questions"),
            difference(metric="wer", value=-0.04, interval=LIMITS),
        ],
    )
    assert lines[1:] == [
        "no metric of the benchmark is computed from answers",
        "coherence: -2.2 points against paper",
        "coherence, clear: +4.0 points against paper",
        "wer: +0.0 points against paper (-7.5 to +10.0)",
    ]


def make_read(path, benchmark="toy"):
    return SimpleNamespace(
        path=path,
        spec=SimpleNamespace(benchmark=benchmark),
        benchmark=make_benchmark(),
    )


def test_runs_of_two_benchmarks_are_not_compared(tmp_path):
    one, two = make_read(tmp_path / "a"), make_read(tmp_path / "b", "other")
    with pytest.raises(EvaluationError, match=r"b: found a run of 'other'; expected one of 'toy', like .*a$"):
        check_comparable(one, two, "all")


def test_subset_that_there_is_not_is_told(tmp_path):
    one = make_read(tmp_path)
    with pytest.raises(
        EvaluationError, match="found 'clera'; expected one of all, clear; did you mean 'clear'"
    ):
        check_comparable(one, one, "clera")
    assert check_comparable(one, one, "clear") is None
