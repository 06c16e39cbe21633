"""The K-weighting against the standard's table and against a filter run sample by sample."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from support.clips import make_noise
from torus_site.media.weighting import make_high_pass, make_shelf, weigh

# The 48 kHz tables of ITU-R BS.1770: numerator and denominator of both stages.
SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (-1.69065929318241, 0.73248077421585))
HIGH_PASS = ((1.0, -2.0, 1.0), (-1.99004745483398, 0.99007225036621))


def test_filters_are_those_of_the_standard_at_48_khz():
    np.testing.assert_allclose(np.concatenate(make_shelf(48000)), np.concatenate(SHELF), atol=1e-12)
    np.testing.assert_allclose(np.concatenate(make_high_pass(48000)), np.concatenate(HIGH_PASS), atol=1e-12)


@pytest.mark.parametrize("rate_hz", [4000, 8000, 11025, 16000, 44100, 48000, 96000, 192000])
def test_weighting_equals_the_two_filters_run_sample_by_sample(rate_hz):
    noise = (
        make_noise(duration_s=1.3, rate_hz=rate_hz)[:, 0].astype(float) + 0.2
    )  # an offset, which must vanish
    (b, a), (g, e) = make_shelf(rate_hz), make_high_pass(rate_hz)
    expected = signal.lfilter(g, [1, *e], signal.lfilter(b, [1, *a], noise))
    got = np.concatenate(list(weigh(noise, rate_hz)))
    np.testing.assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize("frames", [0, 1, 63, 64, 65, 36863, 36864, 36865])
def test_any_length_comes_back(frames):
    assert sum(len(part) for part in weigh(np.ones(frames), 44100)) == frames
