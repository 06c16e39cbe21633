from __future__ import annotations

import shutil

import numpy as np
import pytest

from support.hard_probes import HARD_PROBES
from support.probes import PROBES
from torus_eval.answering.questions import Asked
from torus_eval.clips import Clip, decode_clip, encode_clip
from torus_eval.listening.describe import MeasuredCaptioner
from torus_eval.listening.evidence import measure
from torus_eval.listening.head import make_coarse, make_measuring
from torus_eval.listening.match import score_option
from torus_eval.listening.terms import load_profiles, load_terms, load_topics
from torus_eval.scene.head import make_scene, make_voiced_scene
from torus_eval.scene.lexicon import load_lexicon
from torus_eval.scene.parse import parse_scene
from torus_eval.seeds import seed_generator

RATE = 44100
LETTERS = "ABCDEF"
needs_speech = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def derive_seed(name):
    return int(seed_generator(0, name).integers(1 << 32))


def render(prompt, name="", make=make_scene):
    return make().generate(prompt, seed=derive_seed(name or prompt)).clip


def answer(head, clip, question, options, *, order=range(6)):
    shown = dict(zip(LETTERS, [options[index] for index in order], strict=True))
    letter = head.answer(clip, Asked(question, shown), seed=derive_seed(question))
    return options.index(shown[letter])


@pytest.mark.parametrize(
    "probe",
    [pytest.param(p, marks=needs_speech if '"' in p.prompt else ()) for p in (*PROBES, *HARD_PROBES)],
    ids=lambda p: p.name,
)
def test_probe_is_answered_by_listening(probe):
    make = make_voiced_scene if '"' in probe.prompt else make_scene
    clip = decode_clip(encode_clip(render(probe.prompt, probe.name, make)), file="probe")
    assert LETTERS[answer(make_measuring(), clip, probe.question, probe.options)] == probe.key


def test_answer_does_not_depend_on_the_order_of_the_options():
    probe = PROBES[0]
    clip = render(probe.prompt)
    orders = [np.random.default_rng(seed).permutation(6) for seed in range(5)]
    picks = {answer(make_measuring(), clip, probe.question, probe.options, order=order) for order in orders}
    assert picks == {"ABCDEF".index(probe.key)}


def test_other_sound_gets_another_answer_to_the_same_question():
    options = ("One", "Two", "Three", "Four", "Five", "None")
    for count, word in enumerate(("One", "Two", "Three", "Four"), start=1):
        clip = render(f"{word} knocks.") if count > 1 else render("One knock.")
        assert answer(make_measuring(), clip, "How many knocks are there?", options) == count - 1


def test_options_without_a_claim_are_drawn_and_the_draw_is_seeded():
    options = ("apple", "pear", "plum", "fig", "date", "lime")
    clip = render("Rain.")
    drawn = [answer(make_measuring(), clip, "Which fruit?", options) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_negation_turns_a_claim_round():
    clip = render("In a cathedral, three claps 2 seconds apart.")
    found = measure(clip.mono, RATE)
    scores = [
        score_option("What is the room like?", text, look=lambda _: found)[0] for text in ("echo", "no echo")
    ]
    assert scores[0] > 0 > scores[1]


def test_coarse_listener_tells_loud_from_quiet_and_hears_no_order():
    loud = ("Loud and hard", "Quiet and soft", "Silent, no sound", "x", "y", "z")
    assert answer(make_coarse(), render("A very loud bang."), "How loud is it?", loud) == 0
    assert answer(make_coarse(), render("A very faint knock."), "How loud is it?", loud) == 1
    found = measure(render("A click, then a bell.").mono, RATE)
    narrow = make_coarse()._narrow(found)
    assert (narrow.events, narrow.onsets_s) == ((), ())
    assert set(narrow.measures) < set(found.measures)


def test_silence_is_measured_as_silence():
    found = measure(np.zeros(3 * RATE), RATE)
    assert found.events == ()
    assert found.measures["level_db"] == pytest.approx(-100)
    assert all(np.isfinite(value) for value in found.measures.values())


@pytest.mark.parametrize("duration_s", [0.02, 0.2, 0.5, 1.0])
def test_very_short_clip_is_measured(duration_s):
    signal = np.random.default_rng(0).uniform(-0.5, 0.5, int(duration_s * RATE))
    assert all(np.isfinite(value) for value in measure(signal, RATE).measures.values())


def test_another_rate_measures_alike():
    clip = render("Three knocks.")
    half = Clip.from_mono(clip.mono[::2], RATE // 2)
    assert len(measure(half.mono, half.rate_hz).events) == 3


@needs_speech
def test_speech_is_told_from_music_and_noise():
    speech = measure(render('A woman says: "Good morning to all of you."', make=make_voiced_scene).mono, RATE)
    assert speech.measures["speech"] > 0.5
    for prompt in ("A banjo plays.", "Rain.", "A metronome ticks.", "A loud bang."):
        assert measure(render(prompt).mono, RATE).measures["speech"] < 0.3


def test_caption_names_what_was_measured_in_words_the_grammar_reads():
    caption = MeasuredCaptioner().caption(render("A fridge hums. Two loud bangs."), seed=0)
    assert "hum" in caption
    assert {layer.source for layer in parse_scene(caption).layers} >= {"hum"}


def test_caption_of_silence_says_so():
    caption = MeasuredCaptioner().caption(Clip.from_mono(np.zeros(RATE)), seed=0)
    assert caption == "No background."


def test_every_term_speaks_of_a_measure_that_exists():
    prompts = ("Four claps in a hall.", 'A man says: "Take it or leave it for now."', "Rain.")
    clips = [render(prompt) for prompt in prompts]
    spoken = {name for clip in clips for name in measure(clip.mono, RATE).measures}
    assert {term.measure for term in load_terms()} <= spoken
    assert {term.topic for term in load_terms()} <= load_topics().keys()
    assert load_profiles().keys() <= load_lexicon().sources.keys()
    assert all(sum(v is not None for v in (t.above, t.below, t.near)) == 1 for t in load_terms())
