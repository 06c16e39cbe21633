from __future__ import annotations

import pytest

from support.showcase import lapse, make_run, quiz_lookup
from torus_site.records.store import Results
from torus_site.views.reasons import WORDS, explain_reason, tell_lapse

FAILED, BEHIND, OWED = lapse("failed"), lapse("not_reached", "upstream"), lapse("owed", "timeout")


def tell(point, **cells):
    """Say why wren's cell at a point was not made."""
    lookup = quiz_lookup(results=Results(runs=(make_run("wren", items={"bell": cells}),)))
    return tell_lapse((point,), lookup.cells("wren", "bell"), lookup.points)


@pytest.mark.parametrize("code", WORDS)
def test_every_known_code_has_words_that_follow_it(code):
    assert explain_reason(code).startswith(("it ", "its ", "the "))


def test_strict_reading_has_a_word_of_its_own():
    assert explain_reason("none") != explain_reason("none", strict=True)
    assert explain_reason("empty") == explain_reason("empty", strict=True)


def test_unknown_code_and_sentence_are_shown_as_they_are():
    assert explain_reason("odd_case") == "odd case"
    assert explain_reason("The server said 503.") == "The server said 503."


def test_cell_that_was_made_has_nothing_to_tell():
    assert tell("R1", R1="AB") == ""


def test_failed_cell_gives_its_reason():
    assert tell("R1", R1=FAILED) == "No usable clip: no audio"


def test_cell_that_was_not_reached_names_the_one_that_failed():
    assert tell("R3", R1=FAILED, R2=BEHIND, R3=BEHIND) == "Not reached: Round 1 failed"
    assert tell("R3", R2=FAILED, R3=BEHIND) == "Not reached: Round 2 failed"


def test_cell_that_was_not_reached_after_none_that_failed_gives_its_reason():
    assert tell("R2", R1="AB", R2=BEHIND, R3=FAILED) == "Not reached: upstream"


def test_owed_cell_is_not_asked_yet():
    assert tell("R2", R2=OWED) == "Not asked yet"
