from __future__ import annotations

import pytest

from support.showcase import quiz_lookup
from torus_site.records.model import Again, Answer, Lenient
from torus_site.views.replies import read_reply

SYSTEM = quiz_lookup().systems["wren"]
CUE = Lenient(pick="B", reason="cue", correct=True)


def read(response, **fields):
    answer = Answer(**{"question": "R1.1", "response": response, "reason": "none", "correct": False} | fields)
    return read_reply(SYSTEM, answer, "AB")


@pytest.mark.parametrize("response", ["A", " B\n", None])
def test_bare_letter_and_reported_verdict_need_no_words(response):
    assert read(response, lenient=CUE) is None


@pytest.mark.parametrize("response", ["b", "C", "AB", "The answer is B."])
def test_anything_else_is_shown_with_what_counts(response):
    reply = read(response)
    assert (reply.system, reply.response, reply.lenient, reply.again) == (SYSTEM, response, "", "")
    assert reply.strict == "Strict: wrong; it is not one letter alone"


def test_silence_is_shown_as_such():
    reply = read("  ", reason="empty")
    assert (reply.response, reply.strict) == ("(nothing)", "Strict: wrong; it is empty")


def test_pick_that_counts_is_named_with_its_verdict():
    assert read("B!", pick="B", correct=True).strict == "Strict: B, right"
    assert read("B!", pick="A").strict == "Strict: A, wrong"


def test_lenient_reading_stands_beside_with_its_reason_in_words():
    told = "Lenient: B, right; the letter follows words that announce an answer"
    assert read("The answer is B.", lenient=CUE).lenient == told
    assert read("A, I say", lenient=Lenient(pick="A", reason="odd", correct=False)).lenient == (
        "Lenient: A, wrong; odd"
    )
    refusal = Lenient(reason="refusal", correct=False)
    assert read("No.", lenient=refusal).lenient == "Lenient: no option; it declines to answer"


def test_long_reply_is_cut_and_says_how_long_it_was():
    reply = read("x" * 1_000_000)
    assert reply.response.startswith("x" * 600 + " ")
    assert reply.response.endswith("(1,000,000 characters in all)")
    assert len(reply.response) < 700


def test_further_orders_list_what_was_picked():
    again = (
        Again(response="B", pick="B", reason="exact", correct=True),
        Again(response="It is B", reason="none", correct=False, lenient=CUE),
        Again(response="?", reason="none", correct=False),
    )
    reply = read("A", pick="A", again=again)
    assert (reply.response, reply.strict, reply.lenient) == ("", "Strict: A, wrong", "")
    assert reply.again == (
        "Also asked in 3 other orders: picked B, nothing readable (leniently B), nothing readable"
    )
    assert read("A", pick="A", again=again[:1]).again == "Also asked in 1 other order: picked B"
