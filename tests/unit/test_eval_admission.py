from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from torus_eval.admission import LEAST_RATE_HZ, MOST_RATE_HZ, admit
from torus_eval.clips import Clip, decode_clip, encode_clip
from torus_eval.errors import OutputError

RATE_HZ = 16000


class OnAnotherDevice:
    """What a tensor does that does not lie in this machine's memory."""

    def __array__(self, dtype=None, copy=None):
        message = "can't convert cuda:0 device type tensor to numpy"
        raise TypeError(message)


@pytest.mark.parametrize(
    ("samples", "rate_hz", "code"),
    [
        (np.zeros(0), RATE_HZ, "no_samples"),
        (np.zeros((0, 2)), RATE_HZ, "no_samples"),
        ([], RATE_HZ, "no_samples"),
        (None, RATE_HZ, "not_numbers"),
        ("noise", RATE_HZ, "not_numbers"),
        ([True, False], RATE_HZ, "not_numbers"),
        ([1j], RATE_HZ, "not_numbers"),
        ([object()], RATE_HZ, "not_numbers"),
        (OnAnotherDevice(), RATE_HZ, "not_numbers"),
        ([0.0, np.nan], RATE_HZ, "not_finite"),
        ([0.0, -np.inf], RATE_HZ, "not_finite"),
        ([[1.0], [1.0, 2.0]], RATE_HZ, "bad_shape"),
        (0.5, RATE_HZ, "bad_shape"),
        (np.zeros((2, 2, 9)), RATE_HZ, "bad_shape"),
        (np.zeros((3, 900)), RATE_HZ, "bad_shape"),
        (np.zeros((900, 6)), RATE_HZ, "bad_shape"),
        (np.zeros(9), 0, "bad_rate"),
        (np.zeros(9), -RATE_HZ, "bad_rate"),
        (np.zeros(9), LEAST_RATE_HZ - 1, "bad_rate"),
        (np.zeros(9), MOST_RATE_HZ + 1, "bad_rate"),
        (np.zeros(9), float("nan"), "bad_rate"),
        (np.zeros(9), float("inf"), "bad_rate"),
        (np.zeros(9), None, "bad_rate"),
        (np.zeros(9), "fast", "bad_rate"),
        (np.zeros(9), 10**400, "bad_rate"),
        (np.zeros(9), [RATE_HZ, RATE_HZ], "bad_rate"),
        (np.zeros(600 * LEAST_RATE_HZ + 1), LEAST_RATE_HZ, "too_long"),
    ],
)
def test_unusable_samples_are_told_by_a_code(samples, rate_hz, code):
    with pytest.raises(OutputError) as caught:
        admit(samples, rate_hz)
    assert caught.value.code == code
    assert caught.value.message


def test_longest_clip_is_taken_and_one_sample_more_is_not():
    assert admit(np.zeros(5 * RATE_HZ), RATE_HZ, longest_s=5.0).duration_s == 5.0
    with pytest.raises(OutputError, match=r"at most 5 s are taken"):
        admit(np.zeros(5 * RATE_HZ + 1), RATE_HZ, longest_s=5.0)


@pytest.mark.parametrize("shape", [(900,), (900, 1), (1, 900)])
def test_one_channel_stands_in_any_shape(shape):
    ramp = np.linspace(-1, 1, 900)
    assert np.array_equal(admit(ramp.reshape(shape), RATE_HZ).samples, ramp.reshape(-1, 1))


def test_two_channels_stand_first_or_last():
    both = np.stack([np.linspace(0, 1, 900), np.linspace(-1, 0, 900)], axis=1)
    assert np.array_equal(admit(both, RATE_HZ).samples, both)
    assert np.array_equal(admit(both.T, RATE_HZ).samples, both)


def test_silence_is_a_clip():
    assert not admit(np.zeros(900, np.float32), RATE_HZ).samples.any()


@pytest.mark.parametrize(
    ("kind", "low", "middle", "high"),
    [
        (np.uint8, 0, 128, 255),
        (np.int16, -(2**15), 0, 2**15 - 1),
        (np.int32, -(2**31), 0, 2**31 - 1),
        (np.uint16, 0, 2**15, 2**16 - 1),
        (">i2", -(2**15), 0, 2**15 - 1),
    ],
)
def test_whole_numbers_are_read_by_their_width(kind, low, middle, high):
    found = admit(np.array([low, middle, high], dtype=kind), RATE_HZ).mono
    assert found[:2].tolist() == [-1.0, 0.0]
    assert 0.99 < found[2] < 1.0


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, ">f4"])
def test_floats_of_any_width_are_taken_as_they_are(kind):
    given_samples = np.array([-1.0, 0.0, 0.5, 1.0], dtype=kind)
    found = admit(given_samples, RATE_HZ).samples
    assert found.dtype == np.float64
    assert found[:, 0].tolist() == [-1.0, 0.0, 0.5, 1.0]


def test_float_too_great_for_a_clip_is_not_finite():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long doubles are no wider than doubles here")
    widest = np.array([np.finfo(np.longdouble).max, 0.0], dtype=np.longdouble)
    with pytest.raises(OutputError, match="1 of 2 samples are not finite"):
        admit(widest, RATE_HZ)


@pytest.mark.parametrize("rate_hz", [RATE_HZ, 16000.0, np.int64(16000), np.float32(16000.2), "16000"])
def test_rate_may_be_any_number(rate_hz):
    found = admit(np.zeros(9), rate_hz).rate_hz
    assert (found, type(found)) == (RATE_HZ, int)


def test_what_was_given_is_not_changed_with_the_clip():
    given_samples = np.linspace(-1.0, 1.0, 9)
    admit(given_samples, RATE_HZ).samples[:] = 0.0
    assert given_samples.tolist() == np.linspace(-1.0, 1.0, 9).tolist()


def try_to_admit(samples, rate_hz):
    """Return the clip or the code of what was wrong."""
    try:
        return admit(samples, rate_hz), ""
    except OutputError as error:
        return None, error.code


KINDS = (
    arrays.floating_dtypes(endianness="=")
    | arrays.integer_dtypes(endianness="=")
    | arrays.unsigned_integer_dtypes(endianness="=")
    | arrays.complex_number_dtypes(endianness="=")
    | arrays.boolean_dtypes()
)
SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=12)
RATES = st.integers() | st.floats() | st.none() | st.text(max_size=5) | st.sampled_from([8000, 44100])


@settings(max_examples=300)
@given(arrays.arrays(KINDS, SHAPES), RATES)
def test_anything_is_a_whole_clip_or_a_failure_of_the_model(samples, rate_hz):
    clip, code = try_to_admit(samples, rate_hz)
    if clip is None:
        assert code in CODES
        return
    assert isinstance(clip, Clip)
    assert clip.samples.shape[1] in (1, 2)
    assert clip.samples.size == samples.size
    assert np.isfinite(clip.samples).all()
    assert LEAST_RATE_HZ <= clip.rate_hz <= MOST_RATE_HZ
    if samples.dtype.kind in "iu":
        assert np.abs(clip.samples).max() <= 1.0


CODES = {"no_samples", "not_numbers", "not_finite", "bad_shape", "bad_rate", "too_long"}


@settings(max_examples=60, deadline=None)
@given(
    arrays.arrays(np.float64, st.tuples(st.integers(1, 400), st.integers(1, 2)), elements=st.floats(-9, 9)),
    st.integers(LEAST_RATE_HZ, MOST_RATE_HZ),
)
def test_whatever_was_admitted_can_be_published_and_heard(samples, rate_hz):
    clip = admit(samples, rate_hz)
    data = encode_clip(clip)
    heard = decode_clip(data, file="clip")
    assert (heard.samples.shape, heard.rate_hz) == (clip.samples.shape, clip.rate_hz)
    assert encode_clip(clip) == data
