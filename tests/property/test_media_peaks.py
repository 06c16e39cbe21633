"""Laws of waveform peaks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from torus_site.media.peaks import PEAK_SCALE, measure_peaks

levels = st.floats(-1, 1, width=32)
clips = npst.arrays(np.float32, npst.array_shapes(min_dims=2, max_dims=2, max_side=60), elements=levels)
counts = st.integers(1, 80)


@given(clips, counts)
def test_heights_are_bounded_and_as_many_as_asked(samples, points):
    peaks = measure_peaks(samples, points=points)
    assert len(peaks) == points
    assert all(0 <= height <= PEAK_SCALE for height in peaks)


@given(clips, counts)
def test_greatest_sample_always_shows(samples, points):
    assert max(measure_peaks(samples, points=points)) == (PEAK_SCALE if samples.any() else 0)


@given(clips, counts)
def test_sign_and_channel_order_do_not_matter(samples, points):
    assert measure_peaks(samples, points=points) == measure_peaks(-samples[:, ::-1], points=points)


@given(clips, counts)
def test_turning_down_by_a_power_of_two_changes_nothing(samples, points):
    halved = samples.astype(np.float64) / 8
    assert measure_peaks(halved, points=points) == measure_peaks(samples.astype(np.float64), points=points)


@given(clips, st.integers(1, 20))
def test_coarser_outline_is_the_greatest_of_a_finer_one(samples, points):
    fine = measure_peaks(samples, points=3 * points)
    coarse = measure_peaks(samples, points=points)
    if len(samples) % (3 * points) == 0:
        assert coarse == tuple(max(fine[3 * index : 3 * index + 3]) for index in range(points))
