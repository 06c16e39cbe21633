"""Loudness and true peak against the values that the standards ask of a meter."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import signal

from support.clips import make_noise, make_sine
from torus_site.media.loudness import measure_loudness, measure_true_peak


def make_stereo(*parts, rate_hz=48000):
    """Sines of 1 kHz, equal in both channels, one after the other: pairs of level in dBFS and seconds."""
    pieces = [
        make_sine(1000, duration_s=duration_s, rate_hz=rate_hz, amplitude=10 ** (level_db / 20))
        for level_db, duration_s in parts
    ]
    return np.repeat(np.concatenate(pieces), 2, axis=1)


@pytest.mark.parametrize("rate_hz", [16000, 22050, 44100, 48000, 96000])
@pytest.mark.parametrize("level_db", [0, -20, -40])
def test_sine_of_997_hz_in_one_channel_reads_3_db_below_its_peak(rate_hz, level_db):
    sine = make_sine(997, duration_s=2, rate_hz=rate_hz, amplitude=10 ** (level_db / 20))
    assert measure_loudness(sine, rate_hz) == pytest.approx(level_db - 3.01, abs=0.1)


@pytest.mark.parametrize(
    ("parts", "expected_lufs"),
    [
        ([(-23, 20)], -23),
        ([(-33, 20)], -33),
        ([(-36, 10), (-23, 60), (-36, 10)], -23),
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23),
    ],
    ids=["case 1", "case 2", "case 3", "case 4", "case 5"],
)
def test_integrated_loudness_of_the_ebu_tech_3341_cases(parts, expected_lufs):
    assert measure_loudness(make_stereo(*parts), 48000) == pytest.approx(expected_lufs, abs=0.1)


def test_halving_lowers_loudness_by_six():
    noise = make_noise(duration_s=3)
    quieter = measure_loudness(noise / 2, 44100)
    assert measure_loudness(noise, 44100) - quieter == pytest.approx(6.02, abs=0.01)


def test_second_equal_channel_adds_three():
    noise = make_noise(duration_s=3)
    both = measure_loudness(np.repeat(noise, 2, axis=1), 44100)
    assert both - measure_loudness(noise, 44100) == pytest.approx(3.01, abs=0.01)


@pytest.mark.parametrize("frames", [0, 1, 17639])
def test_clip_shorter_than_a_block_has_no_loudness(frames):
    assert measure_loudness(make_noise()[:frames], 44100) is None


def test_one_block_is_enough():
    assert measure_loudness(make_noise(duration_s=0.4), 44100) is not None


def test_what_never_passes_the_gate_has_no_loudness():
    assert measure_loudness(make_sine(997, amplitude=1e-4), 48000) is None


@pytest.mark.parametrize(
    ("divisor", "phase_degrees", "amplitude", "expected_db"),
    [(4, 0, 0.5, -6.0), (4, 45, 0.5, -6.0), (6, 60, 0.5, -6.0), (8, 67.5, 0.5, -6.0), (4, 45, 1.41, 3.0)],
    ids=["case 15", "case 16", "case 17", "case 18", "case 19"],
)
def test_true_peak_of_the_ebu_tech_3341_cases(divisor, phase_degrees, amplitude, expected_db):
    sine = make_sine(48000 / divisor, amplitude=amplitude, phase=math.radians(phase_degrees))
    fade = np.minimum(np.minimum(np.arange(48000), np.arange(48000)[::-1]) / 480, 1)[:, None]
    assert measure_true_peak(fade * sine) == pytest.approx(expected_db, abs=0.2)


def test_true_peak_equals_a_search_over_the_whole_clip():
    noise = make_noise(duration_s=1, level=1.0, seed=3)
    whole = signal.resample_poly(noise[:, 0].astype(float), 16, 1, window=("kaiser", 12.0))
    assert measure_true_peak(noise) == pytest.approx(20 * np.log10(np.abs(whole).max()), abs=0.1)


def test_true_peak_is_never_below_the_greatest_sample():
    for seed in range(5):
        noise = make_noise(duration_s=0.2, channels=2, seed=seed)
        assert measure_true_peak(noise) >= 20 * np.log10(np.abs(noise).max()) - 1e-9


def test_louder_channel_decides_the_true_peak():
    noise = make_noise()
    both = np.concatenate([noise / 4, noise], axis=1)
    assert measure_true_peak(both) == measure_true_peak(noise)


def test_silence_has_no_true_peak():
    assert measure_true_peak(np.zeros((100, 2), dtype=np.float32)) is None
    assert measure_true_peak(np.zeros((0, 1), dtype=np.float32)) is None
