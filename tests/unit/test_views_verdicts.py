from __future__ import annotations

import pytest

from support.showcase import (
    footage_lookup,
    lapse,
    make_answers,
    make_run,
    owing,
    publish_clips,
    quiz_lookup,
)
from torus_site.records.store import Results
from torus_site.views.gallery import item_grid
from torus_site.views.verdicts import gather_answers, verdict_matrix


def build(lookup, index=0):
    item = lookup.items[index]
    answers = gather_answers(lookup, item)
    return verdict_matrix(lookup, item, answers, item_grid(lookup, item, publish_clips(lookup)))


@pytest.fixture(name="matrix")
def _matrix():
    return build(quiz_lookup())


def test_columns_are_the_questions_under_their_points(matrix):
    assert [(point.id, [link.title for link in links]) for point, links in matrix.points] == [
        (name, [f"{name}.1", f"{name}.2"]) for name in ("R1", "R2", "R3")
    ]
    assert matrix.points[0][1][0].href == "#q-R1-1"


def test_open_run_and_reported_stand_apart_with_their_notes(matrix):
    assert [(group.title, group.note) for group in matrix.groups] == [
        ("Open run", "From this run."),
        ("As reported", "From a paper."),
    ]
    assert [[row.system.id for row in group.rows] for group in matrix.groups] == [
        ["rook", "wren", "lark"],
        ["hen"],
    ]


def test_score_counts_every_question_of_the_page(matrix):
    assert [row.score for group in matrix.groups for row in group.rows] == ["4/6", "4/6", "4/6", "3/6"]


def test_unanswered_question_stays_in_the_denominator():
    run = make_run("wren", items={"bell": {"R1": "A", "R3": "AB"}})
    (group,) = build(quiz_lookup(results=Results(runs=(run,)))).groups
    (row,) = group.rows
    assert row.score == "3/6"
    assert [verdict.state for verdict in row.verdicts] == ["correct", *["none"] * 3, "correct", "correct"]
    assert row.verdicts[1].word == "Not answered"
    assert row.verdicts[1].label == "Wren, question R1.2: not answered"


def test_verdict_leads_to_its_question_and_its_clip(matrix):
    verdict = matrix.groups[0].rows[1].verdicts[5]
    assert (verdict.question, verdict.clip) == ("q-R3-2", "clip-wren--R3")
    assert matrix.groups[1].rows[0].verdicts[0].clip == ""


def test_label_says_what_the_sign_shows(matrix):
    rook = matrix.groups[0].rows[0].verdicts
    assert rook[0].label == "Rook, question R1.1: correct, picked A"
    assert rook[3].label == "Rook, question R2.2: wrong, no letter could be read"
    assert rook[4].label == "Rook, question R3.1: wrong, picked B, key A"
    assert (rook[4].word, rook[4].pick) == ("Wrong", "B")
    hen = matrix.groups[1].rows[0].verdicts
    assert hen[0].label == "Hen, question R1.1: correct"
    assert hen[1].label == "Hen, question R1.2: wrong"


def test_item_without_questions_has_no_matrix():
    assert build(footage_lookup()) is None


def test_item_without_answers_has_a_matrix_without_rows():
    matrix = build(quiz_lookup(results=Results()))
    assert matrix.groups == ()
    assert len(matrix.points) == 3


def judge(run):
    matrix = build(quiz_lookup(results=Results(runs=(run,))))
    return matrix, matrix.groups[0].rows[0]


def test_questions_without_a_clip_count_as_wrong_and_say_so():
    cells = {"R1": "AB", "R2": lapse("failed"), "R3": lapse("not_reached", "upstream")}
    _, row = judge(make_run("wren", items={"bell": cells}))
    assert [verdict.state for verdict in row.verdicts] == [
        *["correct"] * 2,
        *["failed"] * 2,
        *["not_reached"] * 2,
    ]
    assert [verdict.word for verdict in row.verdicts[2::2]] == ["No clip", "Not reached"]
    assert row.verdicts[2].label == ("Wren, question R2.1: no clip, counts as wrong: no audio")
    assert row.verdicts[4].label == "Wren, question R3.1: not reached, counts as wrong: Round 2 failed"
    assert (row.score, row.owed) == ("2/6", 0)


def test_system_of_which_no_clip_was_usable_has_a_row():
    cells = {"R1": lapse("failed"), "R2": lapse("not_reached"), "R3": lapse("not_reached")}
    _, row = judge(make_run("wren", items={"bell": cells}))
    assert (row.score, row.verdicts[0].clip) == ("0/6", "")


def test_owed_questions_are_in_no_score():
    made = {"clip": {"path": "audio/wren/bell-R3.wav", "sha256": "0" * 64}}
    cells = {"R1": "AB", "R2": "AA", "R3": lapse("owed", "timeout", answers=make_answers("R3", "A"), **made)}
    _, row = judge(owing("wren", items={"bell": cells}))
    assert [verdict.state for verdict in row.verdicts[4:]] == ["owed", "owed"]
    assert row.verdicts[4].label == "Wren, question R3.1: not asked yet"
    assert (row.verdicts[4].word, row.verdicts[4].clip) == ("Not asked yet", "clip-wren--R3")
    assert (row.score, row.owed) == ("3/4", 2)


def test_score_counts_every_order_and_the_matrix_says_so():
    first, second = make_answers("R1", "AA")
    again = {key: value for key, value in first.items() if key != "question"}
    answers = [{**first, "again": [again]}, {**second, "again": [again | {"pick": "B", "correct": True}]}]
    clip = {"path": "audio/wren/bell-R1.wav", "sha256": "0" * 64}
    matrix, row = judge(make_run("wren", items={"bell": {"R1": {"clip": clip, "answers": answers}}}))
    assert [verdict.state for verdict in row.verdicts[:2]] == ["correct", "wrong"]
    assert row.score == "3/12"
    assert "2 orders" in matrix.note
    assert build(quiz_lookup()).note == ""
