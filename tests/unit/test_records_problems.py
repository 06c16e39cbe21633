"""Problems name places, values and choices in one way."""

from __future__ import annotations

import datetime as dt

import pytest
from pydantic_core import PydanticCustomError

from torus_site.records.problems import broken, one_of, pointer, quote, unknown


@pytest.mark.parametrize(
    ("parts", "text"), [((), ""), (("a", 0), "/a/0"), (("a/b", "c~d"), "/a~1b/c~0d"), (("",), "/")]
)
def test_pointer_follows_the_rfc(parts, text):
    assert pointer(*parts) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a'b", '"a\'b"'),
        ("x" * 61, f"'{'x' * 60}…'"),
        (None, "null"),
        (False, "false"),
        (7, "7"),
        (1.5, "1.5"),
        ([], "a list"),
        ((), "a list"),
        ({}, "keys and values"),
        (dt.date(2024, 1, 2), "the date or time 2024-01-02"),
        (dt.time(1, 2), "the date or time 01:02:00"),
        ("\ud800", "'\\ud800'"),
    ],
)
def test_value_is_shown_as_found(value, text):
    assert quote(value) == text


def test_choices_are_listed():
    assert one_of("ABC") == "one of A, B, C"
    assert one_of([1]) == "1"
    assert one_of([]) == "nothing: none is declared"
    assert one_of(range(26)).endswith("22, 23 and 2 more")


def test_unknown_name_comes_with_the_nearest():
    problem = unknown("f", "/x", "stag", ["stage", "take"])
    assert str(problem) == "f at /x: found 'stag'; expected one of stage, take; did you mean 'stage'?"
    assert unknown("f", "/x", "stag", ["stage"], hint=False).action == ""
    assert unknown("f", "/x", "a", [], what="a flag").expected == "a flag, nothing: none is declared"


def test_broken_rule_carries_its_words():
    error = broken(found="3", expected="at most 2", inside=("n",))
    assert isinstance(error, PydanticCustomError)
    assert error.context == {"found": "3", "expected": "at most 2", "action": "", "inside": ("n",)}
