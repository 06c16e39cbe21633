from __future__ import annotations

import numpy as np
import pytest

from torus_eval.clips import Clip
from torus_eval.editing.head import make_signal
from torus_eval.editing.instruction import read_instruction
from torus_eval.editing.operations import swap_halves
from torus_eval.editing.plain import LevelAndSpeedEditor, UntouchedEditor
from torus_eval.listening.evidence import measure
from torus_eval.listening.pitch import find_beating
from torus_eval.scene.head import make_scene
from torus_eval.signals.background import find_phrases_s
from torus_eval.signals.filters import band_pass, rms_db
from torus_eval.signals.spectra import level_contour

RATE = 44100


def render(prompt):
    return make_scene().generate(prompt, seed=0).clip


def edit(clip, instruction):
    return make_signal().edit(clip, instruction, seed=1)


def heard(clip):
    return measure(clip.mono, RATE).measures


@pytest.mark.parametrize(
    ("instruction", "change_db"),
    [("Make it louder by 4 dB.", 4), ("Make it softer.", -8), ("Turn it down by 12 dB.", -12)],
)
def test_level_changes_by_what_is_asked(instruction, change_db):
    clip = render("Soft rain.")
    assert rms_db(edit(clip, instruction).clip.mono) - rms_db(clip.mono) == pytest.approx(change_db, abs=0.5)


def test_twice_as_fast_halves_what_happens():
    clip = render("A roll for 4 seconds.")
    before, after = (
        find_phrases_s(c.mono, RATE)[0].duration_s for c in (clip, edit(clip, "Twice as fast.").clip)
    )
    assert after == pytest.approx(before / 2, rel=0.15)


def test_pauses_are_cut():
    clip = render("In a carpeted room, four knocks 1.5 seconds apart.")
    assert heard(clip)["longest_gap_s"] > 1.0
    after = edit(clip, "The same knocks without a single pause.").clip
    assert heard(after)["longest_gap_s"] < 0.4


def test_closed_door_makes_it_dull_and_quiet():
    clip = render("A banjo plays.")
    after = edit(clip, "The same banjo behind a closed door.").clip
    assert heard(after)["whole_centroid_hz"] < 0.5 * heard(clip)["whole_centroid_hz"]
    assert heard(after)["level_db"] < heard(clip)["level_db"] - 6


def test_kept_background_stays_as_it_is_when_the_rest_turns_dull():
    clip = render("A fridge hums loudly. A banjo plays.")
    after = edit(clip, "The banjo comes through a closed door. The hum stays as it is.").clip
    low = [rms_db(band_pass(c.mono, RATE, 90, 110)) for c in (clip, after)]
    assert low[1] == pytest.approx(low[0], abs=2.0)


def test_moving_to_a_hall_lets_it_ring():
    clip = render("In a carpeted room, three claps 1.5 seconds apart.")
    after = edit(clip, "The same claps, moved into a large hall.").clip
    assert heard(after)["decay_s"] > heard(clip)["decay_s"] + 1.0


def test_room_that_stays_is_not_added_again():
    asked = read_instruction("Same hall, same voice.")
    assert (asked.room, asked.kept_room) == ("", "hall")


@pytest.mark.parametrize("rate", [2, 3, 5])
def test_detuned_note_beats_at_the_rate_asked(rate):
    words = {2: "twice", 3: "three times", 5: "five times"}
    clip = render("A harmonium holds one note.")
    after = edit(clip, f"The note is slightly flat, so that it beats {words[rate]} a second.").clip
    found = find_beating(after.mono, RATE)
    assert found.rate_hz == pytest.approx(rate, abs=0.2)
    assert found.depth_db > 1.2


def test_note_joins_at_the_time_stated_and_lasts():
    clip = render("Soft rain.")
    after = edit(
        clip, "Keep the rain. After about three seconds let a harmonium come in with one low note."
    ).clip
    low = level_contour(band_pass(after.mono, RATE, 90, 210), RATE, hop_s=0.1, window_s=0.2)
    assert low[5:28].max() < low[35:55].min() - 12


def test_new_events_take_the_place_of_the_old():
    clip = render("A fridge hums. Five soft claps.")
    after = edit(clip, "Same fridge, but now instead of the claps: a loud bang.").clip
    assert len(measure(after.mono, RATE).events) == 1
    assert heard(after)["bed_db"] == pytest.approx(heard(clip)["bed_db"], abs=2.5)


def test_added_events_come_after_what_is_there():
    clip = render("One clap.")
    after = edit(clip, "Keep everything and add two knocks at the end.").clip
    onsets = measure(after.mono, RATE).onsets_s
    assert len(onsets) == 3
    assert onsets[0] == pytest.approx(measure(clip.mono, RATE).onsets_s[0], abs=0.05)


def test_simile_is_no_new_sound():
    assert read_instruction("The door is shut: every note begins as a soft thud.").scene is None


def test_last_third_turns_weak():
    prompt = 'A man says: "This is a long line that goes on and on and never seems to end at all my friends."'
    clip = render(prompt)
    after = edit(clip, "Over the last third the voice turns weak and breathy.").clip
    span = find_phrases_s(clip.mono, RATE)[0]
    third = int(span.duration_s / 3 * RATE)
    start = int(span.start_s * RATE)

    def change_db(first, last):
        piece = slice(start + first, start + last)
        return rms_db(after.mono[piece]) - rms_db(clip.mono[piece])

    assert change_db(0, third) == pytest.approx(0.0, abs=0.5)
    assert change_db(int(2.6 * third), 3 * third) < -4


def test_backwards_is_backwards():
    clip = render("A loud clang.")
    after = edit(clip, "Play it backwards.").clip
    assert np.argmax(np.abs(after.mono)) == pytest.approx(
        len(clip.mono) - np.argmax(np.abs(clip.mono)), abs=0.05 * RATE
    )


def test_halves_are_swapped():
    signal = np.concatenate([np.full(RATE, 0.1), np.zeros(RATE // 2), np.full(RATE, 0.5)])
    swapped = swap_halves(signal, RATE)
    assert swapped[RATE // 2] == pytest.approx(0.5)
    assert swapped[-RATE // 2] == pytest.approx(0.1)


def test_what_cannot_be_done_leaves_the_clip_and_is_noted():
    clip = render("Rain.")
    made = edit(clip, "Make it feel like a Tuesday.")
    assert np.array_equal(made.clip.samples, clip.samples)
    assert "nothing of the instruction" in made.note


def test_sound_that_cannot_be_taken_out_is_noted():
    assert "cannot take bell out" in edit(render("Rain. A bell."), "The same, without the bell.").note


def test_edited_clip_stays_below_full_scale():
    clip = Clip.from_mono(0.85 * np.sin(np.arange(5 * RATE) / 20))
    made = edit(clip, "Much louder, louder by 20 dB.")
    assert np.abs(made.clip.samples).max() <= 0.89 + 1e-9
    assert "turned down" in made.note


def test_same_seed_edits_the_same_way():
    clip = render("Wind. Three knocks.")
    instruction = "Same wind, but instead of the knocks a bell."
    assert np.array_equal(edit(clip, instruction).clip.samples, edit(clip, instruction).clip.samples)


def plain(clip, instruction):
    return LevelAndSpeedEditor().edit(clip, instruction, seed=0)


def test_plain_editor_changes_level_speed_and_dullness_only():
    clip = render("A banjo plays.")
    assert rms_db(plain(clip, "Softer.").clip.mono) - rms_db(clip.mono) == pytest.approx(-8, abs=0.3)
    assert plain(clip, "Twice as fast.").clip.duration_s == pytest.approx(clip.duration_s / 2, rel=0.1)
    assert plain(clip, "Half as fast.").clip.duration_s == pytest.approx(clip.duration_s * 2, rel=0.01)
    dull = plain(clip, "Duller.")
    assert heard(dull.clip)["whole_centroid_hz"] < 0.8 * heard(clip)["whole_centroid_hz"]
    assert dull.note == "changed dullness only"


def test_plain_editor_notes_what_it_does_not_know():
    clip = render("A banjo plays.")
    made = plain(clip, "Add a dog barking.")
    assert "asks for more" in made.note
    assert np.abs(made.clip.mono - clip.mono).max() < 1e-4


def test_untouched_clip_is_the_clip():
    clip = render("Rain.")
    assert UntouchedEditor().edit(clip, "Louder.", seed=0).clip is clip
