from __future__ import annotations

import pytest

from torus_site.errors import ConfigError, Problem, TorusError, nearest


def test_a_problem_tells_file_place_found_expected_and_action():
    problem = Problem("a.toml", "/x", "1", "2", "mend it")
    assert str(problem) == "a.toml at /x: found 1; expected 2; mend it"


def test_a_problem_without_a_place_names_the_file_alone():
    assert str(Problem("a.wav", action="convert it")) == "a.wav: convert it"


def test_a_problem_shows_signs_that_a_terminal_would_obey():
    problem = Problem("a.json", "/\x1b[2J", "\nerror: \u202eb", "é", "\udcff")
    assert str(problem) == "a.json at /\\x1b[2J: found \\nerror: \\u202eb; expected é; \\udcff"


def test_what_is_too_long_to_be_read_is_cut():
    assert len(str(Problem("a.json", "x" * 9999, "y" * 9999))) < 2100


def test_an_error_carries_every_problem_sorted_and_once():
    first, second = Problem("a"), Problem("b")
    error = ConfigError([second, first, second])
    assert error.problems == (first, second)
    assert isinstance(error, TorusError)
    assert str(error) == "a: \nb: "


@pytest.mark.parametrize(
    ("name", "allowed", "expected"),
    [("fmaily", ["family", "stage"], "did you mean 'family'?"), ("q", ["family"], "")],
)
def test_nearest(name, allowed, expected):
    assert nearest(name, allowed) == expected
