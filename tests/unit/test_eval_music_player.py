from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from torus_eval.editing.head import make_scored_signal
from torus_eval.errors import EvaluationError
from torus_eval.listening.evidence import measure
from torus_eval.music.player import FOLDERS, SOUNDFONTS, SoundfontPlayer, set_playing_level
from torus_eval.music.score import Note, Score
from torus_eval.scene.head import make_scored_scene
from torus_eval.scene.parse import parse_scene
from torus_eval.signals.filters import rms_db
from torus_eval.signals.spectra import level_contour

RATE = 44100
can_play = shutil.which("fluidsynth") and any(
    (Path(folder) / name).is_file() for folder in FOLDERS for name in SOUNDFONTS
)
needs_player = pytest.mark.skipif(not can_play, reason="fluidsynth or a soundfont is not installed")
needs_voice = pytest.mark.skipif(
    not any(map(shutil.which, ("espeak-ng", "flite"))), reason="neither espeak-ng nor flite is installed"
)


def generate(prompt, seed=0):
    return make_scored_scene().generate(prompt, seed=seed)


def layers_of(prompt):
    return {layer.source: layer for layer in parse_scene(prompt).layers}


def test_missing_program_and_soundfont_are_told_at_once(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EvaluationError) as raised:
        SoundfontPlayer.find((tmp_path.as_posix(),))
    assert "install the package fluidsynth" in str(raised.value)
    assert "timgm6mb-soundfont" in str(raised.value)


def test_small_soundfont_is_taken_before_a_large_one(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    for name in ("FluidR3_GM.sf2", "TimGM6mb.sf2"):
        (tmp_path / name).touch()
    assert SoundfontPlayer.find((tmp_path.as_posix(),)).soundfont.endswith("TimGM6mb.sf2")


def test_program_that_fails_is_told(tmp_path):
    broken = tmp_path / "fluidsynth"
    broken.write_text("#!/bin/sh\necho no such font >&2\nexit 2\n")
    broken.chmod(0o755)
    with pytest.raises(EvaluationError, match="exit status 2: no such font"):
        SoundfontPlayer(str(broken), "font.sf2").render(Score(notes=(), length_s=1.0))


def test_rests_do_not_count_towards_the_level():
    tone = 0.01 * np.sin(np.arange(RATE) / 10)
    once = set_playing_level(np.concatenate([tone, np.zeros(3 * RATE)]))
    assert rms_db(once[:RATE]) == pytest.approx(0.0, abs=0.3)
    assert not set_playing_level(np.zeros(RATE)).any()


def test_instrument_that_follows_begins_when_the_one_before_ends():
    layers = layers_of(
        "A flute plays an ascending scale, then a trumpet plays two long notes, then a dog barks."
    )
    ends = [layer.start_s + layer.duration_s for layer in layers.values()]
    assert layers["trumpet"].start_s > ends[0]
    assert layers["dog"].start_s > ends[1]


def test_instrument_that_joins_comes_later_and_the_first_goes_on():
    layers = layers_of("A piano plays. A cello joins.")
    assert layers["piano"].duration_s is None
    assert layers["cello"].start_s > layers["piano"].start_s + 1.0


def test_instruments_named_together_share_what_is_told():
    layers = layers_of("A flute and a cello play five staccato notes.")
    assert layers["flute"].start_s == layers["cello"].start_s
    assert layers["flute"].about == layers["cello"].about


def test_drone_or_arpeggio_of_an_instrument_is_no_other_instrument():
    assert list(layers_of("A harmonium drone.")) == ["harmonium"]
    assert list(layers_of("A piano plays an arpeggio.")) == ["piano"]
    assert list(layers_of("An arpeggio.")) == ["plucked-string"]


@needs_player
def test_score_is_rendered_the_same_way_each_time_and_at_its_pitch():
    player = SoundfontPlayer.find()
    score = Score(notes=(Note(program=73, pitch=69, start_s=0.0, duration_s=1.0),), length_s=1.5)
    signal = player.render(score)
    assert np.array_equal(signal, player.render(score))
    power = np.abs(np.fft.rfft(signal[:RATE]))
    assert np.argmax(power) == pytest.approx(440, abs=4)


@needs_player
@needs_voice
def test_counted_notes_are_as_many_onsets():
    assert len(measure(generate("A xylophone plays four notes.").clip.mono, RATE).onsets_s) == 4


@needs_player
@needs_voice
def test_crescendo_rises_and_soft_is_below_loud():
    levels = level_contour(generate("An organ chord grows louder to the end.").clip.mono, RATE, hop_s=0.5)
    assert levels[-4] > levels[1] + 8
    soft, loud = (rms_db(generate(f"A {word} trumpet plays.").clip.mono) for word in ("soft", "loud"))
    assert loud > soft + 5


@needs_player
@needs_voice
def test_stand_in_is_noted_and_the_same_seed_gives_the_same_sound():
    made = generate("A ukulele plays.")
    assert "nylon-string guitar for ukulele" in made.note
    assert np.array_equal(made.clip.samples, generate("A ukulele plays.").clip.samples)


@needs_player
@needs_voice
def test_editor_lets_an_added_instrument_be_played():
    clip = generate("Soft rain.").clip
    made = make_scored_signal().edit(clip, "Keep the rain and add a harmonium drone.", seed=1)
    assert "reed organ for harmonium" in made.note
    assert rms_db(made.clip.mono) > rms_db(clip.mono) + 4
