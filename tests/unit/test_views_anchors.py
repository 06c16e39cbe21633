from __future__ import annotations

import re

import pytest

from torus_site.views.anchors import clip_anchor, question_anchor


@pytest.mark.parametrize(
    ("question", "anchor"),
    [("S1.1", "q-S1-1"), ("a b", "q-a_20_b"), ("Ä#%", "q-_c4__23__25_"), ("<b>", "q-_3c_b_3e_")],
)
def test_question_becomes_an_id_that_needs_no_escaping(question, anchor):
    assert question_anchor(question) == anchor
    assert re.fullmatch(r"[A-Za-z][\w-]*", anchor, re.ASCII)


def test_similar_questions_have_ids_of_their_own():
    questions = ["S1.1", "S1-1", "S1_1", "S1 1", "S11", "S1_2e_1"]
    assert len({question_anchor(question) for question in questions}) == len(questions)


def test_clip_id_keeps_system_and_point_apart():
    assert clip_anchor("clip", "a", "b-c") != clip_anchor("clip", "a-b", "c")
    assert clip_anchor("clip", "a", "") == "clip-a"
