"""Changing the rate."""

from __future__ import annotations

import numpy as np
import pytest

from support.clips import make_sine
from torus_site.media.mpeg import MP3_RATES_HZ
from torus_site.media.resample import choose_rate, resample


@pytest.mark.parametrize(
    ("rate_hz", "chosen_hz"),
    [
        (8000, 8000),
        (44100, 44100),
        (96000, 48000),
        (192000, 48000),
        (88200, 44100),
        (176400, 44100),
        (4000, 8000),
        (22254, 24000),
        (50000, 48000),
        (64000, 32000),
    ],
)
def test_rate_is_chosen_within_its_family(rate_hz, chosen_hz):
    assert choose_rate(rate_hz, MP3_RATES_HZ) == chosen_hz


@pytest.mark.parametrize(
    ("rate_hz", "to_hz"), [(96000, 48000), (88200, 44100), (22254, 24000), (50000, 48000), (4000, 8000)]
)
def test_sine_stays_where_it_was(rate_hz, to_hz):
    moved = resample(make_sine(440, duration_s=0.5, rate_hz=rate_hz), rate_hz=rate_hz, to_hz=to_hz)
    expected = make_sine(440, duration_s=0.5, rate_hz=to_hz)
    assert len(moved) == len(expected)
    edge = to_hz // 20
    np.testing.assert_allclose(moved[edge:-edge], expected[edge:-edge], atol=2e-3)


def test_what_the_new_rate_cannot_carry_is_removed():
    moved = resample(make_sine(30000, rate_hz=96000), rate_hz=96000, to_hz=48000)
    assert np.abs(moved[4800:-4800]).max() < 1e-3


@pytest.mark.parametrize("frames", [1, 2, 101])
def test_short_clips_keep_their_length(frames):
    samples = np.ones((frames, 2), dtype=np.float32)
    assert resample(samples, rate_hz=96000, to_hz=44100).shape == (-(-frames * 441 // 960), 2)
