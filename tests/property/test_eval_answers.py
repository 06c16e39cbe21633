from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torus_eval.answering.cleaning import clean_response
from torus_eval.answering.lenient import read_leniently
from torus_eval.answering.questions import read_strictly

OPTIONS = {
    "A": "a dog barking",
    "B": "rain falling",
    "C": "a violin melody",
    "D": "rain",
    "E": "people laughing",
    "F": "none of the above",
}
REASONS = {"exact", "letter", "cue", "text_match"}
NO_REASONS = {
    *("refusal", "ambiguous", "conflict", "echo", "article"),
    *("out_of_range", "truncated", "empty", "none"),
}
VOCABULARY = """
A B C D E F G I a b c ( ) [ ] { } ** ` $ " ' . , : ; ? ! / & - or and not but so is answer The final
option I think it it's pick none <think> </think> <|im_end|> </s> <answer> </answer> \\boxed{ sorry can't
audio because wrong correct rain falling dog barking violin melody people laughing of the above a
"""
PIECES = VOCABULARY.split()
SENTENCES = st.lists(st.sampled_from([*PIECES, "\n", "a dog barking", "rain falling"]), max_size=25).map(
    " ".join
)
TEXTS = st.one_of(
    st.text(max_size=80), SENTENCES, st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
)
FORMS = (
    "{}", "{}.", "({})", "{})", "**{}**", "${}$", '"{}"', "`{}`", "\\boxed{{{}}}", "[{}]", "Answer: {}",
    "The answer is {}", "The correct answer is ({}).", "I would pick {}.", "Option {}", "It must be {}!",
    "<think>hm</think>{}", "Answer: {}<|im_end|>", "Not sure, but my guess is {}.", "{} is correct.",
)  # fmt: skip
WRAPPERS = (
    ("", "<|im_end|>"), ("", "</s>"), ("<s>", "</s>"), ("<|im_start|>assistant\n", "<|im_end|>\n"),
    ("<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>"), ("<bos>", "<eos>"),
    ("<start_of_turn>model\n", "<end_of_turn>"), ("", "<|endoftext|>"), ("<think>A or B</think>\n", ""),
)  # fmt: skip
TOKENLESS = TEXTS.filter(lambda text: not set("<>[]|{}\u25c1\u25b7\uff1c\uff1e\uff5c") & set(text))


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_any_text_is_read_to_one_option_or_to_a_reason(response):
    reading = read_leniently(response, OPTIONS)
    if reading.pick is None:
        assert reading.reason in NO_REASONS
    else:
        assert reading.pick in OPTIONS
        assert reading.reason in REASONS


@settings(deadline=None)
@given(st.one_of(TEXTS, st.sampled_from([" B\n", "A", "F ", "G", ""])))
def test_strict_pick_is_the_lenient_pick(response):
    strict = read_strictly(response, "".join(OPTIONS))
    lenient = read_leniently(response, OPTIONS)
    assert strict.pick is None or strict == lenient
    assert (lenient.reason == "exact") is (strict.reason == "exact")


@given(st.sampled_from(FORMS), st.sampled_from("ABCDEF"), st.permutations("ABCDEF"))
def test_new_labels_give_the_same_option(form, letter, labels):
    renamed = dict(zip("ABCDEF", labels, strict=True))
    relabelled = {renamed[label]: text for label, text in OPTIONS.items()}
    first = read_leniently(form.format(letter), OPTIONS)
    second = read_leniently(form.format(renamed[letter]), dict(sorted(relabelled.items())))
    assert first.pick == letter
    assert second.pick == renamed[letter]
    assert first.reason == second.reason


@settings(deadline=None)
@given(TOKENLESS, st.sampled_from(WRAPPERS))
def test_chat_tokens_and_reasoning_change_no_pick(response, wrapper):
    bare = read_leniently(response, OPTIONS)
    wrapped = read_leniently(wrapper[0] + response + wrapper[1], OPTIONS)
    assert wrapped.pick == bare.pick


@settings(deadline=None)
@given(TEXTS)
def test_reading_again_gives_the_same(response):
    assert read_leniently(response, OPTIONS) == read_leniently(response, dict(OPTIONS))


NASTY = (
    *(
        "B ",
        "(",
        "Answer: ",
        "<think>",
        "</think>",
        "<think></think>",
        "not ",
        "A or ",
        "rain falling ",
        "rain",
    ),
    *(" ", "\n", "*", "`", "~~", "<", "[", "answer is ", "I think it is ", "A. a dog barking\n", "\\boxed{"),
    *("<|channel|>analysis", "a" * 50, "it's ", "sorry can't ", "can not ", "<answer>", "1. ", "<b", ",,,"),
    *("\u3000", "rain -", "a dog barking, "),
)


@pytest.mark.parametrize("piece", NASTY)
def test_huge_repetition_is_cut_before_it_is_searched(piece):
    response = piece * (150_000 // len(piece))
    assert len(clean_response(response).text) <= 15_000
    assert read_leniently(response, OPTIONS).reason in REASONS | NO_REASONS


def test_megabyte_of_talk_with_an_answer_is_read():
    talk = "(A or B <b not the answer is rain, " * 30_000
    assert len(talk) > 1_000_000
    assert read_leniently(talk + "\nFinal answer: B", OPTIONS).pick == "B"
