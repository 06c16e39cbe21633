"""Word errors: what counts as the same word, counts that add up, text that loops."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from torus_eval.errors import EvaluationError
from torus_eval.metrics import normalise as normalising
from torus_eval.metrics.normalise import NORMALISERS, find_normaliser, normalise
from torus_eval.metrics.numerals import spell_numerals
from torus_eval.metrics.wer import WordErrors, add_errors, count_errors, is_looping


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Well-known, isn\u2019t it?", "well known isnt it"),
        ("\uff21\uff22 \ufb01ve", "ab five"),
        ("  A\tb\nC ", "a b c"),
        ("R&D rose 5%", "r and d rose five percent"),
        ("'quoted' words", "quoted words"),
        ("snake_case", "snake case"),
        ("", ""),
        ("caf\u00e9", "café"),
        ("10, 11, 12", "ten eleven twelve"),
        ("version .5 or 1.2.3", "version five or one point two three"),
    ],
)
def test_text_is_made_plain(text, plain):
    assert normalise(text) == plain
    assert normalise(plain) == plain


@pytest.mark.parametrize(
    ("numeral", "words"),
    [
        ("0", "zero"),
        ("13", "thirteen"),
        ("20", "twenty"),
        ("21st", "twenty first"),
        ("12th", "twelfth"),
        ("20th", "twentieth"),
        ("100", "one hundred"),
        ("405", "four hundred five"),
        ("1,000", "one thousand"),
        ("999999", "nine hundred ninety nine thousand nine hundred ninety nine"),
        ("2000100", "two million one hundred"),
        ("1,000,000,000,000", "1000000000000"),
        ("0.50", "zero point five zero"),
        ("mp3", "mp3"),
        ("3d", "3d"),
        ("5.", "five."),
    ],
)
def test_numerals_are_spelled(numeral, words):
    assert spell_numerals(numeral) == words


@pytest.mark.parametrize(
    ("reference", "heard", "rate"),
    [
        ("this is a test", "this is test", 0.25),
        ("the cat sat on the mat", "the cat sit on mat", 0.3333),
        ("a b c", "a b c d e f g", 1.3333),
        ("a b", "", 1.0),
        ("a b", "a b", 0.0),
    ],
)
def test_rate_of_a_clip(reference, heard, rate):
    assert round(count_errors(reference, heard).rate, 4) == rate


def test_corpus_rate_is_a_ratio_of_sums():
    counted = [count_errors("i am here", "i am"), count_errors("two words", "two words extra")]
    assert add_errors(counted).rate == 0.4
    assert add_errors(counted) == WordErrors(deletions=1, insertions=1, words=5, clips=2)


def test_kinds_of_error_are_counted_apart():
    found = count_errors("one two three four", "one too three four five")
    assert (found.substitutions, found.deletions, found.insertions) == (1, 0, 1)


def test_clip_with_more_errors_than_words_is_counted():
    assert count_errors("a b c", "a b c d e f g").above_one == 1
    assert count_errors("a b", "").above_one == 0


def test_nothing_to_say_has_no_rate_but_counts_what_was_heard():
    found = count_errors("", "you you")
    assert (found.rate, found.insertions, found.above_one) == (None, 2, 1)


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("thank you so much " * 4, True),
        ("thank you so much " * 3, False),
        ("you you you you", True),
        ("one two three four five six seven eight nine " * 4, False),
        ("", False),
        ("a", False),
    ],
)
def test_text_that_repeats_itself_loops(text, loops):
    assert is_looping(text.split()) is loops


def test_repeats_of_the_reference_are_no_loop():
    assert not count_errors("no no no no no", "no no no no no").looping
    assert count_errors("no no no no", "no no no no no").looping


def test_unknown_normaliser_suggests_the_nearest():
    with pytest.raises(EvaluationError, match="did you mean 'plain-english'"):
        find_normaliser("plain-englsh")
    assert find_normaliser(NORMALISERS[0]) is normalise


def test_whisper_normaliser_comes_from_either_package(monkeypatch):
    normalising._open_whisper.cache_clear()
    monkeypatch.setitem(sys.modules, "whisper_normalizer", None)
    monkeypatch.setitem(sys.modules, "whisper_normalizer.english", None)
    monkeypatch.setitem(sys.modules, "whisper", None)
    monkeypatch.setitem(sys.modules, "whisper.normalizers", None)
    with pytest.raises(EvaluationError, match="run: pip install whisper-normalizer"):
        find_normaliser("whisper-english")
    module = SimpleNamespace(EnglishTextNormalizer=lambda: str.upper)
    monkeypatch.setitem(sys.modules, "whisper", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "whisper.normalizers", module)
    assert find_normaliser("whisper-english")("a") == "A"
    normalising._open_whisper.cache_clear()
