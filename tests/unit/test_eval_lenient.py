from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from torus_eval.answering.lenient import read_leniently
from torus_eval.answering.questions import read_strictly

ROOT = Path(__file__).parents[2]
VECTORS = Path(os.environ.get("TORUS_ANSWER_VECTORS", ROOT.parent / "shared/vectors/answer_letters.jsonl"))
SIX = {
    "A": "a dog barking",
    "B": "rain falling",
    "C": "a violin melody",
    "D": "a car engine",
    "E": "people laughing",
    "F": "none of the above",
}
NO_PICK = {
    "refusal",
    "ambiguous",
    "conflict",
    "echo",
    "article",
    "out_of_range",
    "truncated",
    "empty",
    "none",
}
PICK = {"exact", "letter", "cue", "text_match"}


def load_table(path):
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()][1:]


TABLE = load_table(ROOT / "tests/golden/answers.jsonl")
GIVEN = load_table(VECTORS)


@pytest.mark.parametrize("case", TABLE, ids=[f"{index}-{case['reason']}" for index, case in enumerate(TABLE)])
def test_response_of_the_table_is_read_with_its_reason(case):
    reading = read_leniently(case["response"], SIX)
    assert (reading.pick, reading.reason) == (case["pick"], case["reason"]), case["response"]


@pytest.mark.skipif(
    not GIVEN, reason="the right values are not beside this checkout; set TORUS_ANSWER_VECTORS"
)
def test_responses_of_the_right_values_are_read():
    for case in GIVEN:
        reading = read_leniently(case["response"], SIX)
        assert reading.pick == case["pick"], case["response"]
        if case["pick"] is None or case["note"] in PICK:
            assert reading.reason == case["note"], case["response"]


def test_table_holds_every_reason():
    assert {case["reason"] for case in TABLE} == PICK | NO_PICK
    assert {case["reason"] for case in TABLE if case["pick"]} == PICK


def test_letters_of_the_options_decide_what_is_in_range():
    two = {"A": "yes", "B": "no"}
    assert read_leniently("Answer: C", two).reason == "out_of_range"
    assert read_leniently("The answer is c", {"A": "x", "C": "y"}).pick == "C"
    nine = {letter: f"piece {letter * 3}" for letter in "ABCDEFGHI"}
    assert read_leniently("I", nine).pick == "I"
    assert read_leniently("I think it is H.", nine).pick == "H"
    assert read_leniently("I am thinking.", nine).pick is None
    assert read_leniently("Q.", {"P": "p", "Q": "q"}).pick == "Q"


def test_everyday_words_are_texts_only_where_they_are_the_answer():
    two = {"A": "yes", "B": "no"}
    assert read_leniently("No.", two).pick == "B"
    assert read_leniently("The answer is yes.", two).pick == "A"
    assert read_leniently("No, it was not heard.", two).pick == "B"
    assert read_leniently("There is no sound in it", two).pick is None
    counts = {"A": "1", "B": "2", "C": "3"}
    assert read_leniently("2", counts).pick == "B"
    assert read_leniently("I heard 2 dogs", counts).pick is None


def test_longest_text_counts_where_options_contain_each_other():
    options = {"A": "rain", "B": "rain falling", "C": "heavy rain falling"}
    assert read_leniently("I hear rain.", options).pick == "A"
    assert read_leniently("I hear rain falling.", options).pick == "B"
    assert read_leniently("I hear heavy rain falling.", options).pick == "C"
    assert read_leniently("rain, then heavy rain falling", options).reason == "ambiguous"


def test_equal_texts_are_ambiguous():
    assert read_leniently("rain", {"A": "rain", "B": "Rain."}).reason == "ambiguous"
    assert read_leniently("I hear rain there", {"A": "rain", "B": "Rain."}).reason == "ambiguous"


def test_options_without_words_are_read_by_letter_alone():
    marks = {"A": "\u266a", "B": "?"}
    assert read_leniently("?", marks).pick is None
    assert read_leniently("(b)", marks).pick == "B"
    assert read_leniently("B", {}).pick is None


def test_texts_in_other_scripts_are_found():
    options = {"A": "\u4e0b\u96e8", "B": "\u72d7\u53eb"}
    assert read_leniently("\u6211\u542c\u5230\u4e0b\u96e8\u7684\u58f0\u97f3", options).pick == "A"
    assert read_leniently("\u6211\u542c\u5230\u4e0b\u96e8\u548c\u72d7\u53eb", options).pick is None


def test_strict_reading_takes_one_capital_letter_alone():
    strict = [case["response"] for case in TABLE if read_strictly(case["response"], "ABCDEF").pick]
    assert [response.strip() for response in strict] == ["B"] * len(strict)
    assert strict


def test_end_of_a_long_response_counts():
    filler = "The sound goes on and on. " * 4000
    assert read_leniently(f"{filler}\nThe answer is B.", SIX).pick == "B"
    assert read_leniently(f"<think>{filler}</think>B", SIX).pick == "B"


def test_words_inside_an_option_text_say_nothing_about_it():
    options = {
        "A": "One strike, with no other",
        "B": "An open place without walls",
        "C": "Metal, then not a click",
        "D": "A click or two",
    }
    for letter, option in options.items():
        assert read_leniently(option, options) == read_leniently(option.upper(), options)
        assert read_leniently(f"The answer is {option}", options).pick == letter
        assert read_leniently(f"{letter}. {option}", options).reason == "letter"
        for other in set(options) - {letter}:
            assert read_leniently(f"{other}. {option}", options).reason == "conflict"
            assert read_leniently(f"Answer: {other}) {option}", options).reason == "conflict"
            assert read_leniently(f"{options[other]} or {option}", options).reason == "ambiguous"


def test_letter_before_a_stop_is_no_article():
    options = {"A": "thunder", "B": "a gong"}
    assert read_leniently("A. Gong", options).reason == "conflict"
    assert read_leniently("A gong", options).pick == "B"
    assert read_leniently("The gong!", options).pick == "B"
