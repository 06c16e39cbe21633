from __future__ import annotations

import shutil

import numpy as np
import pytest

from torus_eval.errors import EvaluationError
from torus_eval.listening.evidence import measure
from torus_eval.listening.pitch import track_pitch
from torus_eval.scene.head import make_voiced_scene
from torus_eval.scene.voices import BabbleVoice, Line, ProgramVoice, count_syllables, weaken
from torus_eval.signals.filters import high_pass, rms_db

RATE = 44100
PROGRAMS = [
    pytest.param(
        name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed")
    )
    for name in ("espeak-ng", "flite")
]
needs_a_program = pytest.mark.skipif(
    not any(map(shutil.which, ("espeak-ng", "flite"))), reason="neither espeak-ng nor flite is installed"
)


def make_line(text="Take the left fork at the bridge.", speaker="man", base_hz=112.0, **how):
    return Line(text=text, speaker=speaker, base_hz=base_hz, **how)


def say(voice, line):
    return voice.say(line, rng=np.random.default_rng(0))


def pitch_of(signal):
    found = track_pitch(0.1 * signal, RATE)
    return float(np.median(found[found > 0]))


@pytest.fixture(params=PROGRAMS)
def voice(request):
    return ProgramVoice(shutil.which(request.param), request.param)


def test_program_says_the_same_line_the_same_way(voice):
    assert np.array_equal(say(voice, make_line()), say(voice, make_line()))


def test_woman_speaks_higher_than_man(voice):
    assert pitch_of(say(voice, make_line(speaker="woman"))) > 1.3 * pitch_of(say(voice, make_line()))


@pytest.mark.parametrize("pace", [0.5, 2.0, 3.0])
def test_pace_changes_the_length(voice, pace):
    plain, paced = say(voice, make_line()), say(voice, make_line(pace=pace))
    assert len(plain) / len(paced) == pytest.approx(pace, rel=0.2)


def test_question_ends_higher_than_a_statement(voice):
    ends = []
    for rising in (False, True):
        found = track_pitch(0.1 * say(voice, make_line("You are going home now", rising=rising)), RATE)
        ends.append(np.median(found[found > 0][-8:]))
    assert ends[1] > 1.15 * ends[0]


def test_line_is_at_its_level(voice):
    assert rms_db(say(voice, make_line())) == pytest.approx(0.0, abs=0.3)


def test_text_that_looks_like_an_option_is_said(voice):
    assert len(say(voice, make_line("--help me"))) > 0.2 * RATE


def test_babble_has_its_pitch_and_one_vowel_a_syllable():
    signal = say(BabbleVoice(), make_line(speaker="woman", base_hz=205))
    assert pitch_of(signal) == pytest.approx(205, rel=0.08)
    assert len(signal) / RATE == pytest.approx(0.19 * 7, abs=0.01)


def test_babble_rises_where_a_question_ends():
    ends = []
    for rising in (False, True):
        found = track_pitch(0.1 * say(BabbleVoice(), make_line(rising=rising)), RATE)
        voiced = found[found > 0]
        ends.append(np.median(voiced[-6:]) / np.median(voiced))
    assert ends[1] > 1.1 * ends[0]


@pytest.mark.parametrize(
    ("text", "count"),
    [("Run.", 1), ("Wake everyone", 4), ("the river rises", 5), ("", 0), ("- -", 0), ("rhythm", 1)],
)
def test_syllables_are_counted(text, count):
    assert count_syllables(text) == count


def test_missing_programs_are_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EvaluationError, match=r"flite.*espeak-ng.*install the package flite"):
        ProgramVoice.find()


def test_espeak_serves_where_flite_is_missing(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "espeak-ng" else None)
    assert ProgramVoice.find().name == "espeak-ng"


def test_program_that_fails_is_told(tmp_path):
    broken = tmp_path / "espeak-ng"
    broken.write_text("#!/bin/sh\necho out of voice >&2\nexit 3\n")
    broken.chmod(0o755)
    with pytest.raises(EvaluationError, match="exit status 3: out of voice"):
        say(ProgramVoice(str(broken), "espeak-ng"), make_line())


def test_weak_voice_sinks_and_turns_to_breath():
    times = np.arange(2 * RATE) / RATE
    voiced = sum(np.sin(2 * np.pi * 120 * k * times) / k for k in range(1, 12)) * 0.1
    weak = weaken(voiced, RATE, rng=np.random.default_rng(0))
    start, end = slice(0, RATE // 4), slice(-RATE // 4, None)
    assert rms_db(weak[end]) < rms_db(weak[start]) - 4
    high = high_pass(weak, RATE, 2500)
    assert rms_db(high[end]) - rms_db(weak[end]) > rms_db(high[start]) - rms_db(weak[start]) + 6


@needs_a_program
def test_quoted_text_is_said_with_the_pauses_stated():
    prompt = (
        'A man says, with a silence of one and a half seconds after each phrase: "Come in. Sit down. Wait."'
    )
    prompt = prompt.replace("one and a half seconds", "1.5 seconds")
    clip = make_voiced_scene().generate(prompt, seed=1).clip
    gaps = [gap.duration_s for gap in measure(clip.mono, RATE).gaps]
    assert len(gaps) == 2
    assert gaps == pytest.approx([1.6, 1.6], abs=0.25)


@needs_a_program
def test_two_speakers_follow_one_another_and_do_not_overlap():
    prompt = 'A woman says: "The train is late today." A second later a man says: "It always is."'
    heard = measure(make_voiced_scene().generate(prompt, seed=1).clip.mono, RATE)
    assert heard.measures["phrase_count"] == 2
    assert heard.measures["longest_gap_s"] == pytest.approx(1.0, abs=0.15)
    assert heard.measures["voice_gap_st"] > 6
