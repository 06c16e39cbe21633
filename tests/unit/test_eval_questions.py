from __future__ import annotations

import numpy as np
import pytest

from torus_eval.answering.floors import ChanceAnswerer, TextPriorAnswerer
from torus_eval.answering.questions import Asked, read_strictly, shuffle_options
from torus_eval.clips import Clip

ASKED = Asked(
    "What falls?",
    {"A": "a cup", "B": "a glass and a cup", "C": "a glass", "D": "one thunderclap", "E": "x", "F": "y"},
)
SILENCE = Clip.from_mono(np.zeros(4410))
NOISE = Clip.from_mono(np.random.default_rng(1).uniform(-1, 1, 4410))


@pytest.mark.parametrize("response", ["B", " B \n", "B\n", "\tB"])
def test_one_upper_case_letter_is_the_pick(response):
    assert read_strictly(response, "ABCDEF").pick == "B"


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("b", "none"),
        ("B.", "none"),
        ("(B)", "none"),
        ("Answer: B", "none"),
        ("AB", "none"),
        ("A or B", "none"),
        ("rain falling", "none"),
        ("\u0412", "none"),
        ("G", "out_of_range"),
        ("Z", "out_of_range"),
        ("7", "none"),
    ],
)
def test_anything_else_is_no_pick_and_says_why(response, reason):
    reading = read_strictly(response, "ABCDEF")
    assert (reading.pick, reading.reason) == (None, reason)


def test_letter_beyond_the_options_asked_is_out_of_range():
    assert read_strictly("D", "ABC").reason == "out_of_range"


def test_order_is_a_permutation_and_every_place_is_drawn():
    places = {
        shuffle_options(tuple("uvwxyz"), "ABCDEF", np.random.default_rng(seed))["A"] for seed in range(60)
    }
    assert places == set("ABCDEF")


def test_text_prior_answers_the_same_whatever_it_is_played():
    answers = [TextPriorAnswerer().answer(clip, ASKED, seed=5) for clip in (SILENCE, NOISE)]
    assert answers[0] == answers[1]


def test_text_prior_takes_the_option_most_like_the_others():
    assert TextPriorAnswerer().answer(SILENCE, ASKED, seed=0) in "ABC"


def test_chance_draws_every_letter_about_as_often():
    drawn = [ChanceAnswerer().answer(NOISE, ASKED, seed=seed) for seed in range(600)]
    assert all(60 < drawn.count(letter) < 140 for letter in "ABCDEF")
