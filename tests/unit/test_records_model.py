"""Records refuse what one file can tell is wrong."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

import factories
from torus_site.records.model import (
    Answer,
    CellRecord,
    ClipRef,
    CountsRecord,
    Difference,
    IntervalRecord,
    Lenient,
    RunRecord,
    Score,
)
from torus_site.records.store import dump

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


CLIP = ClipRef(path="audio/a.flac", sha256=DIGEST)
RIGHT = Answer(question="S1.1", reason="letter", pick="A", correct=True)
WRONG = Answer(question="S1.1", reason="not-asked", correct=False)


@pytest.mark.parametrize(
    "changes",
    [
        {"clip": CLIP, "answers": (RIGHT,)},
        {"status": "failed", "reason": "no_audio"},
        {"status": "failed", "reason": "no_audio", "answers": (WRONG,)},
        {"status": "not_reached", "reason": "stage 1 failed"},
        {"status": "owed", "reason": "the server was away"},
        {"status": "owed", "reason": "the server was away", "clip": CLIP, "answers": (RIGHT,)},
    ],
)
def test_right_cell_is_taken(changes):
    assert CellRecord(**changes).clip == changes.get("clip")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": "a whim"}, "null where the status is made"),
        ({"status": "failed"}, "why the cell is failed"),
        ({"status": "owed", "reason": ""}, "why the cell is owed"),
        ({"status": "failed", "reason": "x", "clip": CLIP}, "null where the status is failed"),
        ({"status": "not_reached", "reason": "x", "clip": CLIP}, "null where the status is not_reached"),
        ({"status": "not_reached", "reason": "x", "answers": (WRONG,)}, "none where no clip was made"),
        ({"status": "failed", "reason": "x", "answers": (RIGHT,)}, "answers that count as wrong"),
        (
            {"status": "failed", "reason": "x", "answers": (WRONG.model_copy(update={"again": (RIGHT,)}),)},
            "answers that count as wrong",
        ),
        ({"status": "lost", "reason": "x"}, "Input should be 'made', 'failed'"),
    ],
)
def test_cell_says_what_became_of_it(changes, message):
    with pytest.raises(ValidationError, match=message):
        CellRecord(**changes)


def test_run_is_incomplete_as_long_as_calls_are_owed():
    data = factories.run_data(status="incomplete", owed=2)
    assert RunRecord.model_validate_json(json.dumps(data)).owed == 2
    for wrong in ({"status": "incomplete"}, {"owed": 1}, {"status": "complete", "owed": 1}):
        with pytest.raises(ValidationError, match="calls are owed"):
            RunRecord.model_validate_json(json.dumps(factories.run_data(**wrong)))


def test_difference_has_a_value_or_says_why_not():
    assert Difference(metric="m", baseline="b", value=-3.0, reason="too few for an interval").reason
    assert Difference(metric="m", baseline="b", reason="nothing in common").value is None
    with pytest.raises(ValidationError, match="the reason why there is none"):
        Difference(metric="m", baseline="b")
    interval = IntervalRecord(half_width=1.0, method="m")
    with pytest.raises(ValidationError, match="null where there is no value"):
        Difference(metric="m", baseline="b", reason="none", interval=interval)


def test_answer_in_all_orders_begins_with_the_first():
    again = Answer(question="S1.1", reason="x", correct=False, again=(RIGHT,)).again
    assert [each.correct for each in RIGHT.model_copy(update={"again": again}).orders] == [True, True]
    assert RIGHT.orders == (RIGHT,)


def test_later_fields_are_written_only_where_they_say_something():
    plain = json.loads(dump(factories.make_run()))
    assert not {"status", "owed", "differences"} & {*plain}
    assert not {"status", "reason"} & {*plain["items"][0]["cells"][0]}
    assert not {"lenient", "again"} & {*plain["items"][0]["cells"][0]["answers"][0]}
    assert "parameters" not in plain["scores"][0]
    reading = Lenient(pick="B", reason="cue", correct=True)
    told = json.loads(dump(RIGHT.model_copy(update={"lenient": reading, "again": (RIGHT,)})))
    assert told["lenient"] == {"pick": "B", "reason": "cue", "correct": True}
    assert len(told["again"]) == 1
