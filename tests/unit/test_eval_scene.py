from __future__ import annotations

import numpy as np
import pytest

from torus_eval.listening.evidence import measure
from torus_eval.scene.head import NoiseGenerator, RandomSceneGenerator, make_scene
from torus_eval.scene.lexicon import find_phrases, load_lexicon
from torus_eval.scene.model import Layer
from torus_eval.scene.parse import parse_scene, split_phrases
from torus_eval.scene.render import render_layer
from torus_eval.scene.synthesis import SYNTHS
from torus_eval.signals.filters import band_pass, rms_db
from torus_eval.signals.spectra import level_contour

RATE = 44100


def render(prompt, seed=0):
    return make_scene().generate(prompt, seed=seed).clip


def listen(prompt):
    return measure(render(prompt).mono, RATE)


def layers_of(prompt):
    return [(layer.source, layer.count) for layer in parse_scene(prompt).layers]


def find_layer(prompt, source):
    return next(layer for layer in parse_scene(prompt).layers if layer.source == source)


@pytest.mark.parametrize(("word", "count"), [("Two", 2), ("Three", 3), ("Five", 5)])
def test_counted_knocks_are_as_many_onsets(word, count):
    assert len(listen(f"{word} knocks.").onsets_s) == count


@pytest.mark.parametrize(
    ("prompt", "count"),
    [("A dog barks twice.", 2), ("A bell rings three times.", 3), ("A clap, four times as loud.", 1)],
)
def test_times_after_a_sound_are_its_count(prompt, count):
    assert parse_scene(prompt).layers[0].count == count


def test_repeats_come_at_the_time_stated():
    steps = np.diff(listen("Four claps half a second apart.").onsets_s)
    assert steps == pytest.approx([0.5, 0.5, 0.5], abs=0.03)


def test_metronome_ticks_at_the_rate_stated():
    assert listen("A metronome ticks three times a second.").measures["pulse_hz"] == pytest.approx(
        3.0, abs=0.1
    )


def test_harder_is_louder_and_gentle_stays_below_in_another_clip():
    peaks = [listen(f"A {manner} thud.").measures["peak_db"] for manner in ("gentle", "plain", "hard")]
    assert peaks[0] < peaks[1] - 4 < peaks[2] - 8


def test_sounds_come_in_the_order_told():
    starts = [layer.start_s for layer in parse_scene("A click, then a thud, then a bell.").layers]
    assert starts == sorted(starts)
    assert len(set(starts)) == 3


def test_stated_gap_lies_between_two_sounds():
    first, second = listen("A clap. Two seconds later a clap.").onsets_s
    assert second - first == pytest.approx(2.2, abs=0.25)


def test_stated_length_is_kept():
    (event,) = listen("A roll for 2 seconds.").events
    assert event.span.duration_s == pytest.approx(2.0, abs=0.15)


def test_sound_with_another_starts_with_it():
    layers = {layer.source: layer for layer in parse_scene("A bang with a click inside it.").layers}
    assert layers["click"].start_s == layers["bang"].start_s


def test_colon_brings_the_details_in_place_of_the_summary():
    assert layers_of("A drawer is pushed shut gently: a soft roll, a click.") == [("roll", 1), ("click", 1)]


def test_manner_before_a_colon_reaches_the_details():
    assert find_layer("It is pushed hard: a bang.", "bang").force > 0


def test_absent_sounds_are_left_out():
    assert layers_of("Rain. No thunder, no bell. The dog does not bark.") == [("rain", 1)]


def test_attribute_is_no_second_sound():
    assert layers_of("The click of the catch.") == [("click", 1)]


def test_echo_in_the_text_is_a_room_and_not_a_sound():
    scene = parse_scene("A clap in a hall with a long rumbling echo.")
    assert [layer.source for layer in scene.layers] == ["clap"]
    assert scene.echo > 1


def test_roll_of_a_banjo_is_music():
    assert layers_of("A banjo plays a roll of four notes a second.") == [("banjo", 1)]
    assert find_layer("A banjo plays a roll, about four notes a second.", "banjo").rate_hz == 4.0


def test_note_named_by_its_letter_is_played():
    heard = listen("A harmonium holds the note of G.").measures
    assert heard["pitch_hz"] == pytest.approx(196, rel=0.03)
    assert find_layer("A harmonium holds an A.", "harmonium").note_hz == pytest.approx(220, abs=0.1)


@pytest.mark.parametrize(
    ("room", "low_s", "high_s"),
    [("a carpeted room", 0.0, 0.4), ("a tiled bathroom", 1.2, 2.0), ("a hall", 2.0, 3.5)],
)
def test_room_rings_for_its_time(room, low_s, high_s):
    heard = listen(f"In {room}, three claps 1.5 seconds apart.").measures
    assert low_s < heard["decay_s"] < high_s


def test_shut_door_leaves_only_the_low_range():
    heard = [listen(f"{place} a guitar plays.").measures for place in ("Close by", "Behind a closed door")]
    assert heard[1]["high_share"] < 0.1 * heard[0]["high_share"]
    assert heard[1]["level_db"] < heard[0]["level_db"] - 8


def test_near_sound_is_not_behind_the_door():
    prompt = "Through an open doorway a guitar plays. A fridge hums close by."
    assert find_layer(prompt, "guitar").barriers == ("open-door",)
    assert find_layer(prompt, "hum").barriers == ()


def test_bed_lasts_from_the_first_moment_to_the_last():
    levels = level_contour(render("Rain.").mono, RATE, hop_s=0.1, window_s=0.4)[1:-5]
    assert levels.min() > levels.max() - 8


def test_text_without_known_sounds_is_silence_and_noted():
    made = make_scene().generate("Something nobody can name.", seed=0)
    assert not made.clip.samples.any()
    assert "lexicon" in made.note


def test_clip_length_is_what_the_text_says():
    assert render("A 7-second clip of rain.").duration_s == pytest.approx(7.0, abs=0.01)


@pytest.mark.parametrize(
    "prompt", ["A violently loud crash, a violently loud bang, a violently loud clang.", "Rain.", "A banjo."]
)
def test_clip_stays_below_full_scale_and_in_length(prompt):
    clip = render(prompt)
    assert np.abs(clip.samples).max() <= 0.89 + 1e-9
    assert 5.0 <= clip.duration_s <= 12.0


def test_clip_that_would_clip_is_turned_down_and_noted():
    prompt = 'A woman shouts: "Stop it now!" In a cathedral a man shouts: "Never ever!"'
    made = make_scene().generate(prompt, seed=3)
    assert ("turned down" in made.note) == (np.abs(made.clip.samples).max() > 0.889)


def test_same_seed_gives_the_same_sound_and_another_seed_does_not():
    assert np.array_equal(render("Rain. A bang.").samples, render("Rain. A bang.").samples)
    assert not np.array_equal(render("Rain. A bang.").samples, render("Rain. A bang.", seed=1).samples)


@pytest.mark.parametrize("name", [name for name, s in load_lexicon().sources.items() if s.kind != "voice"])
def test_every_source_of_the_lexicon_sounds(name):
    source = load_lexicon().sources[name]
    assert source.synth in SYNTHS
    layer = Layer(source=name, duration_s=0.5)
    signal = render_layer(layer, source, length_s=0.6, rng=np.random.default_rng(0))
    assert -55 < rms_db(signal) < 0
    assert find_phrases(source.words[0], load_lexicon().sources)[0].id == name


def test_hum_is_low_and_rain_is_high():
    def low_share(prompt):
        signal = render(prompt).mono
        return rms_db(band_pass(signal, RATE, 40, 500)) - rms_db(signal)

    assert low_share("A fridge hums.") > -1
    assert low_share("Rain.") < -10


def test_phrases_part_at_stops_and_dashes():
    assert split_phrases("Take - the left. Now! Why? so") == ["Take", "the left.", "Now!", "Why?", "so"]


@pytest.mark.parametrize("make", [RandomSceneGenerator, NoiseGenerator])
def test_control_does_not_read_its_prompt(make):
    clips = [make().generate(prompt, seed=9).clip.samples for prompt in ("rain", "a dog barks")]
    assert np.array_equal(*clips)
    assert rms_db(clips[0][:, 0]) > -70
