from __future__ import annotations

import numpy as np
import pytest

from torus_eval.listening.pitch import find_beating, track_pitch
from torus_eval.signals.background import find_phrases_s, find_quiet, loop_bed, split_bed
from torus_eval.signals.filters import band_pass, high_pass, low_pass, rms_db, tilt
from torus_eval.signals.rooms import add_room, make_impulse
from torus_eval.signals.spectra import centroid_hz, level_contour, spectrogram
from torus_eval.signals.timing import change_rate, shift_frequency, stretch, thin_out

RATE = 44100


def tone(frequency_hz, duration_s=1.0, level=0.3):
    return level * np.sin(2 * np.pi * frequency_hz * np.arange(int(duration_s * RATE)) / RATE)


def noise(duration_s=1.0, level=0.1, seed=0):
    return level * np.random.default_rng(seed).standard_normal(int(duration_s * RATE))


def peak_hz(signal):
    return float(np.argmax(np.abs(np.fft.rfft(signal))) * RATE / len(signal))


def mean_hz(signal):
    spectra = spectrogram(signal, size=2048, hop=1024)
    return centroid_hz(np.sqrt((spectra**2).mean(axis=0)), np.fft.rfftfreq(2048, 1 / RATE))


def test_filters_take_6_db_an_octave_and_order():
    assert rms_db(low_pass(tone(4000), RATE, 1000, order=2)) - rms_db(tone(4000)) == pytest.approx(-24, abs=1)
    assert rms_db(high_pass(tone(250), RATE, 1000, order=2)) - rms_db(tone(250)) == pytest.approx(-24, abs=1)
    assert rms_db(band_pass(tone(1000), RATE, 500, 2000)) == pytest.approx(rms_db(tone(1000)), abs=0.3)


def test_low_pass_lowers_the_mean_frequency():
    assert mean_hz(low_pass(noise(), RATE, 800)) < 0.2 * mean_hz(noise())


def test_tilt_of_minus_three_db_makes_octaves_equally_strong():
    pink = tilt(noise(4.0), RATE, -3.0)
    low, high = band_pass(pink, RATE, 200, 400, order=6), band_pass(pink, RATE, 3200, 6400, order=6)
    assert rms_db(low) == pytest.approx(rms_db(high), abs=1.5)


@pytest.mark.parametrize("factor", [0.4, 0.75, 1.5, 2.0])
def test_stretch_changes_length_and_keeps_pitch_and_level(factor):
    longer = stretch(tone(330, 2.0), RATE, factor)
    assert len(longer) == round(2 * RATE * factor)
    assert peak_hz(longer) == pytest.approx(330, abs=2)
    assert rms_db(longer) == pytest.approx(rms_db(tone(330)), abs=0.5)


def test_resampling_keeps_pitch():
    assert np.abs(change_rate(tone(440)[::2], RATE // 2, RATE) - tone(440))[200:-200].max() < 1e-3
    assert len(thin_out(tone(440), RATE, 4)) == pytest.approx(RATE / 4, abs=1)


def test_shifted_copy_lies_off_by_so_many_hz():
    assert peak_hz(shift_frequency(tone(440, 2.0), RATE, -3.0)) == pytest.approx(437, abs=0.6)


def test_shifted_copy_beats_with_the_original_at_the_rate_asked():
    both = tone(220, 6.0) + shift_frequency(tone(220, 6.0), RATE, -3.0)
    found = find_beating(both, RATE)
    assert found.rate_hz == pytest.approx(3.0, abs=0.15)
    assert found.depth_db > 1.5


def test_steady_tone_does_not_beat():
    assert find_beating(tone(220, 6.0), RATE).depth_db < 0.3


@pytest.mark.parametrize("frequency_hz", [85, 120, 210, 330, 480])
def test_pitch_of_a_rich_tone_is_found(frequency_hz):
    rich = sum(tone(frequency_hz * k) / k for k in range(1, 9))
    found = track_pitch(rich, RATE)
    assert np.median(found[found > 0]) == pytest.approx(frequency_hz, rel=0.03)


def test_noise_has_no_pitch_most_of_the_time():
    assert np.mean(track_pitch(noise(2.0), RATE) > 0) < 0.3


@pytest.mark.parametrize("decay_s", [0.3, 1.0, 2.5])
def test_impulse_response_falls_by_60_db_in_its_decay_time(decay_s):
    impulse = make_impulse(np.random.default_rng(1), RATE, decay_s=decay_s, bright_hz=3000, delay_s=0.01)
    low = low_pass(impulse, RATE, 400)
    left = 10 * np.log10(np.cumsum(low[::-1] ** 2)[::-1] + 1e-30)
    fallen = np.argmax(left < left[0] - 25) - np.argmax(left < left[0] - 5)
    assert 3.0 * fallen / RATE == pytest.approx(decay_s, rel=0.2)


def test_room_adds_a_tail_and_keeps_the_direct_sound():
    impulse = make_impulse(np.random.default_rng(1), RATE, decay_s=1.0, bright_hz=4000, delay_s=0.02)
    wet = add_room(tone(500, 0.2), impulse, wet_db=-6)
    assert len(wet) > 1.1 * RATE
    assert rms_db(wet[int(0.4 * RATE) : int(0.5 * RATE)]) > -50
    assert np.allclose(wet[: int(0.01 * RATE)], tone(500, 0.2)[: int(0.01 * RATE)])


def make_scene():
    """Noise with a tone from 1.5 to 2.0 s."""
    signal = noise(4.0, 0.01)
    signal[int(1.5 * RATE) : 2 * RATE] += tone(600, 0.5)
    return signal


def test_background_and_foreground_add_up_and_part():
    bed, front = split_bed(make_scene())
    assert np.allclose(bed + front, make_scene())
    inside, outside = front[int(1.6 * RATE) : int(1.9 * RATE)], front[int(3.0 * RATE) : int(3.9 * RATE)]
    assert rms_db(inside) == pytest.approx(rms_db(tone(600)), abs=1.0)
    assert rms_db(outside) < rms_db(noise(1.0, 0.01)) - 8


def test_what_stands_out_is_found_in_time():
    (span,) = find_phrases_s(make_scene(), RATE)
    assert (span.start_s, span.end_s) == (pytest.approx(1.5, abs=0.08), pytest.approx(2.0, abs=0.08))


def test_background_is_looped_without_what_stands_out():
    longer = loop_bed(make_scene(), RATE, 6 * RATE, rng=np.random.default_rng(0))
    assert len(longer) == 6 * RATE
    assert level_contour(longer, RATE).max() < rms_db(noise(1.0, 0.01)) + 4


def test_dying_echo_is_no_background():
    impulse = make_impulse(np.random.default_rng(1), RATE, decay_s=2.5, bright_hz=4000, delay_s=0.02)
    clip = np.concatenate([np.zeros(RATE // 2), add_room(tone(500, 1.0), impulse, wet_db=0)])[: 4 * RATE]
    assert find_quiet(clip, RATE) is None
    assert not loop_bed(clip, RATE, 1000, rng=np.random.default_rng(0)).any()
