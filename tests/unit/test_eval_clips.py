from __future__ import annotations

import numpy as np
import pytest

from support.heads import make_tone
from torus_eval.clips import RATE_HZ, Clip, decode_clip, encode_clip, hash_clip
from torus_eval.errors import EvaluationError
from torus_eval.ogg import set_serial


def make_noise_clip(duration_s=1.0, channels=1):
    samples = 0.2 * np.random.default_rng(4).standard_normal((int(duration_s * RATE_HZ), channels))
    return Clip(samples.clip(-1, 1))


def test_equal_clips_are_equal_bytes():
    assert encode_clip(make_noise_clip()) == encode_clip(make_noise_clip())


@pytest.mark.parametrize("duration_s", [0.01, 0.5, 3.3, 60.0])
def test_decoded_clip_has_the_exact_length(duration_s):
    clip = make_tone(duration_s=duration_s)
    assert len(decode_clip(encode_clip(clip), file="clip").samples) == len(clip.samples)


def test_decoded_tone_keeps_its_level():
    heard = decode_clip(encode_clip(make_tone(level=0.25)), file="clip").mono
    assert np.sqrt(np.mean(heard[4410:-4410] ** 2)) == pytest.approx(0.25 / np.sqrt(2), rel=0.02)


def test_stereo_stays_stereo_and_mixes_to_its_mean():
    clip = decode_clip(encode_clip(make_noise_clip(channels=2)), file="clip")
    assert clip.samples.shape[1] == 2
    assert np.allclose(clip.mono, clip.samples.mean(axis=1))


def test_ten_seconds_of_noise_stay_far_below_the_room_there_is():
    assert len(encode_clip(make_noise_clip(10.0))) < 130_000


def test_hash_is_the_sha256_of_the_file():
    assert hash_clip(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("data", [b"", b"no sound", b"OggS" + bytes(60)])
def test_what_is_no_sound_is_told_by_its_name(data):
    with pytest.raises(EvaluationError, match=r"take\.ogg"):
        decode_clip(data, file="take.ogg")


@pytest.mark.parametrize(
    "samples", [np.zeros((0, 1)), np.zeros(10), np.array([[np.nan]]), np.array([[np.inf]])]
)
def test_clip_needs_finite_samples_in_two_dimensions(samples):
    with pytest.raises(ValueError, match="samples"):
        Clip(samples)


def test_serial_number_is_set_on_every_page_and_the_file_still_plays():
    data = encode_clip(make_noise_clip(2.0))
    changed = set_serial(data, 77)
    assert changed != data
    assert set_serial(changed, 1) == data
    assert changed.count((77).to_bytes(4, "little")) >= changed.count(b"OggS")
    heard, again = decode_clip(data, file="a").samples, decode_clip(changed, file="b").samples
    assert np.array_equal(heard, again)


@pytest.mark.parametrize("cut", [1, 20, 300])
def test_file_cut_short_is_no_ogg(cut):
    data = encode_clip(make_tone(duration_s=0.2))
    with pytest.raises(ValueError, match="Ogg page"):
        set_serial(data[:-cut], 5)
