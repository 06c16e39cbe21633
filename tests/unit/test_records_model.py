"""Records refuse what one file can tell is wrong."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

import factories
from torus_site.records.model import ClipRef, CountsRecord, IntervalRecord, Score

DIGEST = "0" * 64


@pytest.mark.parametrize(
    "path",
    [
        "audio/a.flac",
        "a",
        "audio/a b#%é.flac",
        "audio/.../a",
        "audio/..a/b",
        ".a/b",
        "a/b..",
        "clips/S1:2.wav",
    ],
)
def test_path_inside_the_project_is_kept(path):
    assert ClipRef(path=path, sha256=DIGEST).path == path


@pytest.mark.parametrize(
    "path",
    [
        "/a",
        "//a/b",
        "..",
        "../a",
        "a/..",
        "a/../b",
        "./a",
        "a/./b",
        "a//b",
        "a/",
        "C:/a",
        "c:a",
        "a\\b",
        "a\nb",
        ".",
    ],
)
def test_path_that_may_leave_the_project_is_refused(path):
    with pytest.raises(ValidationError, match="a path inside the project"):
        ClipRef(path=path, sha256=DIGEST)


def test_records_are_frozen():
    run = factories.make_run()
    with pytest.raises(ValidationError):
        run.system = "other"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "no value"),
        ({"status": "unscored"}, "why the status is unscored"),
        ({"status": "failed", "reason": ""}, "why the status is failed"),
        ({"status": "failed", "reason": "x", "value": 1.0}, "null where the status is failed"),
        ({"value": 1.0, "correct": 1}, "the n that correct is out of"),
        ({"value": 1.0, "correct": 2, "n": 1}, "at most n, which is 1"),
    ],
)
def test_score_says_what_it_is(changes, message):
    with pytest.raises(ValidationError, match=message):
        Score(metric="wer", **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"value": 1.0},
        {"value": 1.0, "n": 3},
        {"value": 1.0, "n": 3, "correct": 3},
        {"status": "unscored", "reason": "not stated"},
        {"status": "failed", "reason": "no clip", "n": 3, "correct": 0},
    ],
)
def test_right_score_is_taken(changes):
    assert Score(metric="wer", **changes).metric == "wer"


def test_interval_has_both_limits_or_neither():
    assert IntervalRecord(half_width=1.0, method="stated").low is None
    assert IntervalRecord(half_width=1.0, method="m", low=1.0, high=3.0).level == 0.95
    for limits in ({"low": 1.0}, {"high": 1.0}):
        with pytest.raises(ValidationError, match="both low and high"):
            IntervalRecord(half_width=1.0, method="m", **limits)
    with pytest.raises(ValidationError, match="at most high, which is 1"):
        IntervalRecord(half_width=1.0, method="m", low=3.0, high=1.0)


def test_reported_figures_need_a_citation():
    data = factories.reported_data()
    del data["citation"]
    with pytest.raises(ValidationError, match="where the figures were reported"):
        type(factories.make_reported()).model_validate_json(json.dumps(data))


def test_counts_add_up():
    with pytest.raises(ValidationError, match="5, the sum of the counts"):
        CountsRecord(of="items", facet="family", counts={"A": 2, "B": 3}, total=6)
