"""The outline of a clip."""

from __future__ import annotations

import numpy as np
import pytest

from torus_site.media.peaks import PEAK_SCALE, measure_peaks


def test_each_part_gives_its_greatest_magnitude():
    samples = np.array([[0.0], [0.5], [-1.0], [0.2], [0.1], [-0.25]])
    assert measure_peaks(samples, points=3) == (50, 100, 25)


def test_height_is_relative_to_the_clip():
    samples = np.array([[0.001], [0.0005]])
    assert measure_peaks(samples, points=2) == (100, 50)


def test_greatest_channel_decides():
    assert measure_peaks(np.array([[0.1, -0.4], [0.8, 0.0]]), points=2) == (50, 100)


def test_most_negative_16_bit_number_is_a_peak():
    assert measure_peaks(np.array([[-32768], [16384]], dtype=np.int16), points=2) == (100, 50)


@pytest.mark.parametrize("frames", [0, 5])
def test_silence_is_flat(frames):
    assert measure_peaks(np.zeros((frames, 2)), points=4) == (0, 0, 0, 0)


def test_fewer_frames_than_points_repeat():
    assert measure_peaks(np.array([[0.5], [1.0]]), points=5) == (50, 50, 50, 100, 100)


def test_smallest_numbers_do_not_overflow_the_scale():
    assert max(measure_peaks(np.array([[5e-324], [0.0]]), points=2)) == PEAK_SCALE
