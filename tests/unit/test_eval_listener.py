from __future__ import annotations

import re
import zlib

import numpy as np
import pytest

from support.listener_probes import HELD_OUT, PROBES
from support.probe_clips import AbsentError, hush, row, tone
from torus_eval.answering.questions import Asked
from torus_eval.backbones.base import Segment, Tags, Transcript, Word
from torus_eval.backbones.opening import open_tagger, open_text_embedder, open_transcriber
from torus_eval.clips import Clip
from torus_eval.errors import EvaluationError
from torus_eval.listening.asking import find_place, split_claims, split_steps, take_apart
from torus_eval.listening.evidence import Evidence
from torus_eval.listening.figures import read_count, weigh_counts, weigh_rates, weigh_times
from torus_eval.listening.heard_words import make_captioner, write_caption
from torus_eval.listening.hearing import Heard, Moment, Turn, hear
from torus_eval.listening.line import measure_line
from torus_eval.listening.listener import Listener, combine, load_weights, make_listener
from torus_eval.listening.meaning import Meaning, load_usual
from torus_eval.listening.properties import load_properties, weigh_properties
from torus_eval.listening.sayings import weigh_sayings
from torus_eval.listening.sentences import weigh_similarity, write_sentences
from torus_eval.listening.sounds import weigh_order, weigh_presence
from torus_eval.scene.parse import parse_scene
from torus_eval.signals.segments import Span

RATE = 44100
LETTERS = "ABCDEF"
LABELS = ("Speech", *(f"kind {index}" for index in range(1, 519)), "bell", "dog")
BELL, DOG = 519, 520


class WordsAsVectors:
    """Texts are near each other when they share words: enough to test what is made of nearness."""

    name = "words"

    def embed_texts(self, texts):
        rows = np.zeros((len(texts), 512), dtype=np.float32)
        for index, text in enumerate(texts):
            for word in re.findall(r"[a-z]+", text.lower()) or ["-"]:
                rows[index, zlib.crc32(word.encode()) % 512] += 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Silent:
    name = "silent"
    labels = LABELS

    def transcribe(self, mono, rate_hz):
        pytest.fail(f"nobody speaks in {len(mono) / rate_hz} s, so nothing is to be written down")

    def tag(self, mono, rate_hz):
        count = max(1, int(len(mono) / rate_hz / 0.48))
        return Tags(np.arange(count) * 0.48 + 0.48, np.full((count, 521), -9.0, np.float32), LABELS, 0.96)


class Talking(Silent):
    """Hears one real line and one that a transcriber makes up."""

    def transcribe(self, mono, rate_hz):
        assert len(mono) > rate_hz
        words = (Word("Hello", 0.2, 0.6, 0.9), Word("there", 0.6, 1.0, 0.9))
        loop = tuple(Word("la", 1.0 + 0.1 * index, 1.1 + 0.1 * index, 0.5) for index in range(12))
        return Transcript(
            "",
            (
                Segment("Hello there", 0.2, 1.0, words, -0.3, 0.1),
                Segment(" ".join(["la"] * 12), 1.0, 2.2, loop, -0.3, 0.1),
                Segment("Thank you", 2.2, 2.5, (Word("Thank", 2.2, 2.4, 0.5),), -0.3, 0.95),
            ),
        )

    def tag(self, mono, rate_hz):
        tags = super().tag(mono, rate_hz)
        tags.logits[:, 0] = 3.0
        return tags


MEANING = Meaning(WordsAsVectors())


def moment(start_s, end_s, *kinds, peak_db=-20.0, centroid_hz=1000.0):
    mean, spread = load_usual()
    logits = mean - spread
    for kind in kinds:
        logits[kind] = mean[kind] + 3.0 * spread[kind]
    return Moment(
        Span(start_s, end_s),
        logits,
        {"peak_db": peak_db, "centroid_hz": centroid_hz, "event_s": end_s - start_s},
    )


def heard(*moments, turns=(), gaps=(), **measures):
    duration_s = max([m.span.end_s for m in moments] + [t.span.end_s for t in turns] + [1.0])
    spans = tuple(m.span for m in moments)
    evidence = Evidence(duration_s, dict(measures), spans, tuple(moments), (), tuple(gaps), ())
    frames = np.array([m.logits for m in moments]) if moments else np.full((1, 521), -9.0)
    return Heard(
        evidence, tuple(moments), tuple(turns), frames, np.arange(len(frames)) * 0.48, LABELS, dict(measures)
    )


def turn(text, start_s, *, is_high):
    words = tuple(
        Word(word, start_s + 0.3 * index, start_s + 0.3 * (index + 1), 0.9)
        for index, word in enumerate(text.split())
    )
    return Turn(words, Span(start_s, words[-1].end_s), is_high)


def ask(text, *options):
    return take_apart(Asked(text, dict(zip(LETTERS, options, strict=False))))


def best(scores):
    return LETTERS[int(np.argmax(scores))]


@pytest.mark.parametrize(
    ("option", "steps"),
    [
        ("a bell, then a dog", ("a bell", "a dog")),
        ("a dog before a bell", ("a dog", "a bell")),
        ("a bell after a dog", ("a dog", "a bell")),
        ("a bell followed by a dog", ("a bell", "a dog")),
        ("a bell first and a dog afterwards", ("a bell", "a dog")),
        ("a bell, a dog, then rain", ("a bell", "a dog", "rain")),
        ("a bell", ("a bell",)),
    ],
)
def test_wording_of_order_is_read_as_steps(option, steps):
    assert split_steps(option) == steps


def test_commas_tell_order_only_where_the_question_asks_for_one():
    assert split_steps("a bell, a dog") == ("a bell, a dog",)
    assert split_steps("a bell, a dog", is_list=True) == ("a bell", "a dog")
    assert ask("In what sequence?", "a bell, a dog").steps == (("a bell", "a dog"),)


def test_option_is_split_into_claims_and_denials():
    claims = split_claims("deep, with a low ring but without an echo")
    assert [(claim.text, claim.is_denied) for claim in claims] == [
        ("deep", False),
        ("with a low ring", False),
        ("without an echo", True),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("what is heard at the very end?", "end"),
        ("which sound closes the clip?", "end"),
        ("what comes first?", "start"),
        ("what is in the background?", "back"),
        ("what makes up the loudest moment?", "loudest"),
        ("which instrument is it?", ""),
    ],
)
def test_question_names_a_part_of_the_clip(text, place):
    assert find_place(text) == place


def test_question_for_what_is_not_there_is_turned_round():
    sound = heard(moment(0, 1, BELL))
    options = ("bell", "dog")
    assert best(weigh_presence(ask("What do you hear?", *options), sound, MEANING)) == "A"
    assert best(weigh_presence(ask("What do you not hear?", *options), sound, MEANING)) == "B"


def test_denied_sound_counts_against_an_option_when_it_is_there():
    question = ask("Which is true?", "there is no bell", "there is a bell")
    assert best(weigh_presence(question, heard(moment(0, 1, BELL)), MEANING)) == "B"
    assert best(weigh_presence(question, heard(moment(0, 1, DOG)), MEANING)) == "A"


def test_sound_is_looked_for_in_the_part_that_is_asked_about():
    sound = heard(*[moment(index, index + 1, BELL) for index in range(4)], moment(4, 5, DOG))
    assert best(weigh_presence(ask("What comes last?", "bell", "dog"), sound, MEANING)) == "B"
    assert best(weigh_presence(ask("What comes first?", "bell", "dog"), sound, MEANING)) == "A"


def test_order_of_sounds_decides_between_the_same_sounds():
    options = ("bell, then dog", "dog, then bell")
    question = ask("What happens?", *options)
    assert best(weigh_order(question, heard(moment(0, 1, BELL), moment(1, 2, DOG)), MEANING)) == "A"
    assert best(weigh_order(question, heard(moment(0, 1, DOG), moment(1, 2, BELL)), MEANING)) == "B"


def test_no_order_is_judged_where_none_is_told():
    assert weigh_order(ask("What?", "bell", "dog"), heard(moment(0, 1), moment(1, 2)), MEANING) is None


def test_words_that_were_said_pick_the_option():
    said = heard(turns=[turn("the train leaves at nine from platform two", 0, is_high=True)])
    question = ask(
        "What does she say about the train?", "it leaves at nine", "it leaves at ten", "it is late"
    )
    scores, sure = weigh_sayings(question, said, MEANING)
    assert best(scores) == "A"
    assert sure > 0.5


def test_answer_is_looked_for_in_the_turn_that_is_asked_about():
    said = heard(
        turns=[
            turn("who took my red hat", 0, is_high=True),
            turn("perhaps the blue dog did", 3, is_high=False),
        ]
    )
    options = ("red hat", "blue dog")
    assert best(weigh_sayings(ask("What is the reply?", *options), said, MEANING)[0]) == "B"
    assert best(weigh_sayings(ask("What does the first line say?", *options), said, MEANING)[0]) == "A"


def test_nothing_said_says_nothing():
    scores, sure = weigh_sayings(ask("What is said?", "a", "b"), heard(), MEANING)
    assert not scores.any()
    assert sure == 0


@pytest.mark.parametrize(
    ("option", "count"),
    [
        ("three", 3),
        ("twice, quickly", 2),
        ("a single stroke", 1),
        ("nobody", 0),
        ("12 of them", 12),
        ("many", None),
    ],
)
def test_number_is_read_from_an_option(option, count):
    assert read_count(option) == count


def test_events_are_counted():
    sound = heard(*[moment(index, index + 0.2, BELL) for index in range(3)])
    question = ask("How many times is it struck?", "two", "three", "five", "once")
    assert best(weigh_counts(question, sound, MEANING)) == "B"


def test_numbers_beside_names_are_held_against_what_is_counted():
    sound = heard(*[moment(index, index + 0.2, BELL) for index in range(3)])
    question = ask("What is it?", "three strokes", "six strokes", "one stroke")
    assert best(weigh_counts(question, sound, MEANING)) == "A"
    assert weigh_counts(ask("What is it?", "a bell", "a dog"), sound, MEANING) is None


def test_time_of_a_pause_and_of_an_event_is_found():
    sound = heard(moment(0, 1, BELL), moment(3, 3.4, DOG, peak_db=-5), gaps=[Span(1.0, 3.0)])
    question = ask("How long is the pause?", "two seconds", "half a second", "five seconds")
    assert best(weigh_times(question, sound, MEANING)) == "A"
    question = ask("When is the dog heard?", "after three seconds", "right at the start", "after ten seconds")
    assert best(weigh_times(question, sound, MEANING)) == "A"


def test_rate_is_held_against_beating_and_pace():
    question = ask("How does it go?", "twice every second", "four times a second", "nine times a second")
    assert best(weigh_rates(question, heard(moment(0, 4), beat_depth_db=3.0, beat_hz=4.1))) == "B"
    assert best(weigh_rates(question, heard(moment(0, 4), beat_hz=0.0, pulse_hz=2.0))) == "A"
    assert weigh_rates(ask("What?", "a", "b"), heard()) is None


def test_property_is_read_from_wording_and_held_against_its_measure():
    question = ask("How does the loudness change?", "the volume increases", "the volume decreases")
    assert best(weigh_properties(question, {"level_trend_db": 10.0}, MEANING)) == "A"
    assert best(weigh_properties(question, {"level_trend_db": -10.0}, MEANING)) == "B"
    assert not weigh_properties(question, {}, MEANING).any()


def test_every_property_has_two_ends_within_range():
    for item in load_properties():
        places = [pole.at for pole in item.poles]
        assert places == sorted(places)
        assert set(places) <= {-1.0, 0.0, 1.0}
        assert len(places) >= 2
        assert item.low < item.high
        assert 0 < item.weight <= 1
        assert item.place(item.low) == -1.0


def test_sentences_name_what_was_heard_and_pull_the_likeness():
    said = heard(moment(0, 1, BELL), turns=[turn("good morning", 1, is_high=False)])
    sentences = write_sentences(said)
    assert any("bell" in sentence for sentence in sentences)
    assert 'a man says: "good morning"' in sentences
    assert best(weigh_similarity(ask("What?", "a purple bell", "a purple dog"), said, MEANING)) == "A"


def test_weights_name_every_test_and_are_positive():
    assert all(weight > 0 for weight in load_weights().values())
    assert combine({name: np.array([1.0, 0.0]) for name in load_weights()}, 2)[0] == pytest.approx(
        sum(load_weights().values())
    )


def test_line_of_a_melody_has_a_direction():
    rising = measure_line(row(*[tone(440 * 2 ** (step / 6), 0.4) for step in range(8)]), RATE)["melody_st"]
    falling = measure_line(tone(900, 3, to_hz=300), RATE)["melody_st"]
    assert rising > 8
    assert falling < -8
    assert measure_line(np.random.default_rng(0).standard_normal(2 * RATE), RATE) == {}
    assert measure_line(np.zeros(100), RATE) == {}


def test_words_are_not_asked_for_where_nobody_speaks():
    clip = Clip.from_mono(row(hush(0.5), tone(500, 1.0), hush(0.5)))
    found = hear(clip, transcriber=Silent(), tagger=Silent())
    assert found.turns == ()
    assert found.measures["speech_share"] < 0.01


def test_made_up_words_are_left_out():
    clip = Clip.from_mono(0.2 * np.random.default_rng(0).standard_normal(3 * RATE))
    assert hear(clip, transcriber=Talking(), tagger=Talking()).text == "Hello there"


@pytest.mark.parametrize("duration_s", [0.01, 0.3, 2.0])
def test_silence_of_any_length_is_answered_with_a_letter(duration_s):
    listener = Listener(Silent(), Silent(), MEANING)
    clip = Clip.from_mono(np.zeros(int(duration_s * RATE)))
    asked = Asked(
        "What is it?", dict(zip(LETTERS, ("a bell", "a dog", "x", "y", "z", "two bells"), strict=True))
    )
    assert listener.answer(clip, asked, seed=0) in LETTERS


def test_clip_is_heard_once_for_all_its_questions():
    listener = Listener(Silent(), Silent(), MEANING)
    clip = Clip.from_mono(tone(500, 1.0))
    first = listener.hear(clip)
    assert listener.hear(clip) is first
    assert listener.hear(Clip.from_mono(tone(500, 1.0))) is not first


def test_equal_options_are_drawn_by_the_seed():
    listener = Listener(Silent(), Silent(), MEANING)
    clip = Clip.from_mono(tone(500, 1.0))
    asked = Asked("What?", dict.fromkeys(LETTERS, "a bell"))
    drawn = [listener.answer(clip, asked, seed=seed) for seed in range(40)]
    assert len(set(drawn)) > 3
    assert drawn == [listener.answer(clip, asked, seed=seed) for seed in range(40)]


def test_caption_quotes_what_was_said_and_reads_back():
    said = heard(
        turns=[turn("good morning.", 0.5, is_high=True), turn("hello.", 3, is_high=False)],
        floor_db=-70.0,
    )
    caption = write_caption(said)
    assert 'woman says: "good morning."' in caption
    assert [layer.source for layer in parse_scene(caption).layers] == ["woman", "man"]


def test_halves_of_the_probes_share_no_question_and_no_clip():
    assert not {probe.question for probe in PROBES} & {probe.question for probe in HELD_OUT}
    assert not {probe.clip for probe in PROBES} & {probe.clip for probe in HELD_OUT}
    assert all(len(set(probe.options)) == 6 for probe in (*PROBES, *HELD_OUT))


@pytest.fixture(scope="module")
def listener():
    try:
        open_text_embedder("minilm"), open_tagger("yamnet"), open_transcriber("whisper-tiny.en")
    except EvaluationError:
        pytest.skip("the models are not installed")
    return make_listener()


def answer(listener, probe, seed):
    order = np.random.default_rng(seed).permutation(6)
    asked = Asked(probe.question, {LETTERS[place]: probe.options[index] for place, index in enumerate(order)})
    try:
        clip = probe.make()
    except AbsentError:
        return None
    return int(order[LETTERS.index(listener.answer(clip, asked, seed=0))])


@pytest.mark.models
def test_listener_is_far_above_chance_on_probes(listener):
    picks = [answer(listener, probe, seed) for seed, probe in enumerate((*PROBES[::8], *HELD_OUT[::8]))]
    asked = [pick for pick in picks if pick is not None]
    assert len(asked) >= 4
    assert sum(pick == 0 for pick in asked) > 0.5 * len(asked)


@pytest.mark.models
def test_order_of_the_options_does_not_matter(listener):
    probe = next(probe for probe in PROBES if probe.clip == "stairs")
    assert len({answer(listener, probe, seed) for seed in range(5)}) == 1


@pytest.mark.models
@pytest.mark.usefixtures("listener")
def test_caption_of_speech_holds_its_words():
    clip = next(probe for probe in PROBES if probe.clip == "talk")
    try:
        sound = clip.make()
    except AbsentError as absent:
        pytest.skip(str(absent))
    caption = make_captioner().caption(sound, seed=0)
    assert "north pier" in caption
    assert {"man", "woman"} <= {layer.source for layer in parse_scene(caption).layers}
