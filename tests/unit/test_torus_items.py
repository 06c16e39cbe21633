"""The five worked examples: questions that a listener can answer and a reader of the text cannot."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from torus_site.benchmark.load import load_benchmark

ROOT = Path(__file__).resolve().parents[2]
BENCHMARK = load_benchmark(ROOT, "torus")
ITEMS = {item.id: item for item in BENCHMARK.items}
LETTERS = BENCHMARK.descriptor.letters
CELLS = [(item.id, cell) for item in BENCHMARK.items for cell in item.cells]
QUESTIONS = [(name, question) for name, cell in CELLS for question in cell.questions]
CHANCE = 1 / len(LETTERS)
TOO_OFTEN = 0.25
PREVIOUS = re.compile(r'^  id = "(?P<id>[^"]+)"$|^  # previous state: (?P<letter>[A-F])$', re.MULTILINE)
# Words of grammar and of the questions' own framing; none of them tells what is heard.
PLAIN = frozenset(
    re.findall(
        r"[a-z]+",
        "a an any and are as at be by does first for from go goes had has have how if in into is it its last "
        "like long many much not of off on one or other out over own second single some sound sounds that "
        "the then there they this to up was well what when where which who whose with without moment",
    )
)


def words(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def overlap(one, two):
    return len(one & two) / len(one | two)


def key_of(question):
    return LETTERS.index(question.key)


def hit_rate(score):
    """How often the option with the highest score is the key; a tie counts as a draw among its options."""
    hits = []
    for _, question in QUESTIONS:
        scores = [round(score(question, index), 9) for index in range(len(question.options))]
        top = max(scores)
        hits.append((scores[key_of(question)] == top) / scores.count(top))
    return sum(hits) / len(hits)


def likeness(question, index):
    """How much an option shares with the others of its question."""
    sets = [words(option) for option in question.options]
    return sum(overlap(sets[index], other) for place, other in enumerate(sets) if place != index)


def nearness(question, index):
    return overlap(words(question.options[index]), words(question.text))


PICKERS = {
    "longest": lambda question, index: len(question.options[index]),
    "shortest": lambda question, index: -len(question.options[index]),
    "most words": lambda question, index: len(question.options[index].split()),
    "most digits": lambda question, index: sum(letter.isdigit() for letter in question.options[index]),
    "most quotes": lambda question, index: question.options[index].count('"'),
    "nearest the question": nearness,
    "most typical": likeness,
    "least typical": lambda question, index: -likeness(question, index),
    "typical and near": lambda question, index: likeness(question, index) / 5 + nearness(question, index),
}


def test_five_tests_have_three_stages_of_three_questions():
    assert len(ITEMS) == 5
    assert all([len(cell.questions) for cell in item.cells] == [3, 3, 3] for item in ITEMS.values())
    assert len(QUESTIONS) == 45


def test_question_ids_tell_stage_and_place():
    for item in ITEMS.values():
        for cell in item.cells:
            stage = cell.at["stage"]
            assert [question.id for question in cell.questions] == [f"{stage}.{place}" for place in (1, 2, 3)]


def test_every_family_has_one_test_and_every_audio_type_at_least_one():
    assert sorted(item.facets["family"] for item in ITEMS.values()) == list("ABCDE")
    assert Counter(item.facets["audio_type"] for item in ITEMS.values()) == {
        "speech": 2,
        "music": 2,
        "sound": 1,
    }


def test_no_test_claims_a_flag():
    assert all(item.flags == () for item in ITEMS.values())
    assert all(question.flags == () for _, question in QUESTIONS)


def test_elements_of_a_stage_differ():
    for name, cell in CELLS:
        elements = {question.element for question in cell.questions}
        assert len(elements) == 3, (name, cell.at)


def test_options_of_a_question_differ():
    for name, question in QUESTIONS:
        plain = {" ".join(sorted(words(option))) + option.lower() for option in question.options}
        assert len(plain) == 6, (name, question.id)


def test_key_letters_are_spread_evenly():
    counts = Counter(question.key for _, question in QUESTIONS)
    assert sorted(counts[letter] for letter in LETTERS) == [7, 7, 7, 8, 8, 8]


def test_no_two_stages_have_the_same_pattern_of_keys():
    patterns = ["".join(question.key for question in cell.questions) for _, cell in CELLS]
    assert len(set(patterns)) == len(patterns)
    assert all(len(set(pattern)) == 3 for pattern in patterns)


def test_keys_never_repeat_from_one_question_to_the_next():
    for item in ITEMS.values():
        keys = [question.key for cell in item.cells for question in cell.questions]
        assert all(one != two for one, two in itertools.pairwise(keys)), item.id


def test_options_of_a_question_are_of_like_length():
    for name, question in QUESTIONS:
        lengths = [len(option) for option in question.options]
        mean = sum(lengths) / len(lengths)
        assert min(lengths) >= 0.65 * mean, (name, question.id)
        assert max(lengths) <= 1.35 * mean, (name, question.id)


@pytest.mark.parametrize("picker", PICKERS)
def test_the_wording_alone_does_not_give_the_key_away(picker):
    assert hit_rate(PICKERS[picker]) <= TOO_OFTEN


def test_the_key_is_the_longest_or_shortest_no_more_often_than_chance():
    assert hit_rate(PICKERS["longest"]) <= CHANCE
    assert hit_rate(PICKERS["shortest"]) <= CHANCE


def previous_states(item):
    """Read which option of each question is the state before, as noted in the item's file."""
    text = (ROOT / "site_src" / "torus" / "tests" / f"{item}.toml").read_text(encoding="utf-8")
    states, question = {}, ""
    for match in PREVIOUS.finditer(text):
        question = match["id"] or question
        if match["letter"]:
            states[question] = match["letter"]
    return states


def test_every_later_question_offers_the_state_before_as_a_wrong_option():
    for name in ITEMS:
        states = previous_states(name)
        asked = {question.id: question for item, question in QUESTIONS if item == name}
        assert set(states) == {place for place in asked if not place.startswith("S1.")}
        assert all(asked[place].key != letter for place, letter in states.items())


def test_the_state_before_is_spread_over_the_letters():
    letters = Counter(letter for name in ITEMS for letter in previous_states(name).values())
    assert letters == dict.fromkeys(LETTERS, 5)


def test_no_two_questions_are_alike():
    texts = [words(question.text) for _, question in QUESTIONS]
    assert max(overlap(one, two) for one, two in itertools.combinations(texts, 2)) <= 0.5
    assert len({question.text for _, question in QUESTIONS}) == len(QUESTIONS)


def test_no_question_tells_the_answer_to_another_of_its_test():
    for name in ITEMS:
        asked = [question for item, question in QUESTIONS if item == name]
        for question, other in itertools.permutations(asked, 2):
            wrong = [option for place, option in enumerate(other.options) if place != key_of(other)]
            telling = words(other.options[key_of(other)]) - set().union(*map(words, wrong)) - PLAIN
            assert not telling & words(question.text), (name, question.id, other.id)


def test_speech_has_a_transcript_and_the_rest_has_none():
    for item in ITEMS.values():
        spoken = item.facets["audio_type"] == "speech"
        assert all((cell.transcript is not None) == spoken for cell in item.cells), item.id


def test_spoken_words_stand_in_the_prompt_or_were_there_before():
    for item in ITEMS.values():
        told = set()
        for cell in item.cells:
            told |= words(cell.prompt)
            spoken = (line.partition(": ")[2] or line for line in (cell.transcript or "").splitlines())
            assert words(" ".join(spoken)) <= told, (item.id, cell.at)


def test_intended_audio_states_a_length_that_fits_a_clip():
    for name, cell in CELLS:
        stated = re.match(r"(\d+(?:\.\d+)?) s\. ", cell.intended)
        assert stated, (name, cell.at)
        assert 5 <= float(stated[1]) <= BENCHMARK.descriptor.clip_seconds


def test_times_in_the_intended_audio_lie_within_the_clip():
    for name, cell in CELLS:
        times = [float(number) for number in re.findall(r"(?:from|at|From|At) (\d+\.\d+)", cell.intended)]
        length = float(cell.intended.partition(" ")[0])
        assert all(time <= length for time in times), (name, cell.at)
