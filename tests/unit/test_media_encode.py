"""Clips as the bytes a browser plays, decoded again."""

from __future__ import annotations

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import soundfile

from support.clips import RECORDINGS, make_noise, make_sine, measure_lag, read_bytes, write_bytes
from torus_site.errors import MediaError
from torus_site.media.decode import Audio, decode
from torus_site.media.encode import copy, encode_flac, encode_mp3, encode_wav, pass_mp3
from torus_site.media.probe import probe_bytes


def make_audio(samples, rate_hz=44100, bits=24):
    return Audio(samples.astype(np.float32), rate_hz, bits)


def copy_bytes(data, clip="a.wav"):
    probe = probe_bytes(data, clip=clip)
    return copy(data, decode(data, probe, clip=clip, path=None), probe, clip=clip)


def measure_error_db(reference, heard):
    return 10 * np.log10(((heard - reference) ** 2).mean() / (reference**2).mean())


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("rate_hz", [8000, 16000, 44100, 48000])
def test_mp3_comes_back_at_its_rate_whole_and_without_lag(rate_hz, channels):
    noise = make_noise(rate_hz=rate_hz, channels=channels, duration_s=1.0)
    encoded = encode_mp3(make_audio(noise, rate_hz), bitrate_kbps=128)
    heard, heard_hz = read_bytes(encoded.data)
    assert (heard_hz, heard.shape) == (rate_hz, noise.shape)
    assert (encoded.rate_hz, encoded.channels) == (rate_hz, channels)
    assert measure_lag(noise, heard) == 0


def test_mp3_sounds_like_its_source():
    chord = sum(make_sine(frequency, rate_hz=44100, amplitude=0.2) for frequency in (220, 277, 330))
    heard, _ = read_bytes(encode_mp3(make_audio(chord), bitrate_kbps=96).data)
    # LAME turns everything down by 0.45 dB at this bitrate.
    assert measure_error_db(0.95 * chord[4000:-4000], heard[4000:-4000]) < -40


@pytest.mark.parametrize(("rate_hz", "published_hz"), [(96000, 48000), (88200, 44100), (22254, 24000)])
def test_rate_that_mp3_lacks_is_resampled_without_lag(rate_hz, published_hz):
    noise = make_noise(rate_hz=rate_hz, duration_s=1.0)
    encoded = encode_mp3(make_audio(noise, rate_hz), bitrate_kbps=128)
    heard, heard_hz = read_bytes(encoded.data)
    assert heard_hz == encoded.rate_hz == published_hz
    assert len(heard) == -(-len(noise) * published_hz // rate_hz)
    time = np.arange(len(heard)) / published_hz
    expected = np.interp(time, np.arange(len(noise)) / rate_hz, noise[:, 0])[:, None]
    assert measure_lag(expected, heard) == 0


def test_resampling_never_clips():
    square = np.sign(make_sine(1000, rate_hz=96000, duration_s=0.3, phase=0.1))
    heard, _ = read_bytes(encode_mp3(make_audio(square, 96000), bitrate_kbps=320).data)
    assert 0.5 < np.abs(heard).max() < 1.5
    middle = np.sort(np.abs(heard[2000:-2000, 0]))
    assert (middle[-200:] < middle[-1]).any()  # no plateau of equal greatest samples


@pytest.mark.parametrize(
    ("rate_hz", "wish", "label"), [(44100, 96, "96"), (12000, 320, "64"), (22050, 320, "160")]
)
def test_label_states_the_bitrate_that_came_out(rate_hz, wish, label):
    encoded = encode_mp3(make_audio(make_noise(rate_hz=rate_hz), rate_hz), bitrate_kbps=wish)
    assert encoded.codec == f"MP3 {label} kb/s"
    assert (encoded.suffix, encoded.mime) == (".mp3", "audio/mpeg")


def test_two_encodings_are_the_same_bytes_in_any_thread():
    clips = [make_audio(make_noise(seed=seed, channels=2)) for seed in range(4)]
    alone = [encode_mp3(clip, bitrate_kbps=96).data for clip in clips]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda clip: encode_mp3(clip, bitrate_kbps=96).data, clips * 3))
    assert together == alone * 3


@pytest.mark.parametrize("bits", [16, 24])
def test_flac_is_exact(bits):
    full = 1 << (bits - 1)
    samples = np.rint(make_noise(channels=2) * full) / full
    encoded = encode_flac(make_audio(samples, bits=bits))
    heard, _ = read_bytes(encoded.data)
    np.testing.assert_array_equal(heard, samples)
    assert encoded.codec == f"FLAC {bits} bit"


def test_full_scale_does_not_wrap():
    samples = np.array([[1.0], [-1.0]] * 500)
    for encoded in (encode_flac(make_audio(samples)), encode_wav(make_audio(samples))):
        heard, _ = read_bytes(encoded.data)
        np.testing.assert_allclose(heard, samples, atol=1e-4)


@pytest.mark.parametrize(
    ("container", "subtype", "codec", "suffix"),
    [
        ("WAV", "PCM_U8", "WAV 8 bit", ".wav"),
        ("WAV", "PCM_16", "WAV 16 bit", ".wav"),
        ("WAV", "PCM_24", "WAV 24 bit", ".wav"),
        ("FLAC", "PCM_24", "FLAC 24 bit", ".flac"),
        ("OGG", "VORBIS", "Ogg Vorbis", ".ogg"),
    ],
)
def test_copy_keeps_samples_and_channels(container, subtype, codec, suffix):
    data = write_bytes(make_noise(channels=4), container=container, subtype=subtype)
    copied = copy_bytes(data)
    np.testing.assert_array_equal(read_bytes(copied.data)[0], read_bytes(data)[0])
    assert (copied.codec, copied.suffix, copied.channels) == (codec, suffix, 4)


def test_copy_of_mp3_is_the_same_frames():
    mp3 = encode_mp3(make_audio(make_noise()), bitrate_kbps=64).data
    copied = copy_bytes(mp3 + b"TAG" + bytes(125))
    assert (copied.data, copied.codec) == (mp3, "MP3 64 kb/s")


@pytest.mark.parametrize(
    ("container", "subtype"),
    [
        ("WAV", "FLOAT"),
        ("WAV", "DOUBLE"),
        ("WAV", "PCM_32"),
        ("WAV", "ULAW"),
        ("AIFF", "PCM_16"),
        ("CAF", "PCM_16"),
    ],
)
def test_copy_of_what_browsers_may_refuse_becomes_16_bit_wav(container, subtype):
    noise = make_noise()
    copied = copy_bytes(write_bytes(noise, container=container, subtype=subtype))
    heard, _ = read_bytes(copied.data)
    assert (copied.codec, copied.suffix) == ("WAV 16 bit", ".wav")
    np.testing.assert_allclose(heard, noise, atol=0.02 if subtype == "ULAW" else 1e-4)


def test_copy_of_a_damaged_structure_is_refused():
    ogg = write_bytes(make_noise(), container="OGG", subtype="VORBIS")
    with pytest.raises(MediaError, match=r"a\.ogg: found an Ogg page is cut short"):
        copy_bytes(ogg[:-5], clip="a.ogg")


def test_mp3_that_is_small_and_exact_is_passed_on():
    mp3 = encode_mp3(make_audio(make_noise()), bitrate_kbps=64)
    passed = pass_mp3(b"ID3\x04\0\0\0\0\0\x04name" + mp3.data, bitrate_kbps=96)
    assert passed == mp3


def test_mp3_that_is_large_or_says_nothing_of_its_delay_is_not():
    mp3 = encode_mp3(make_audio(make_noise()), bitrate_kbps=128).data
    assert pass_mp3(mp3, bitrate_kbps=96) is None
    assert pass_mp3(mp3.replace(b"Info", bytes(4)), bitrate_kbps=320) is None
    assert pass_mp3(b"ID3", bitrate_kbps=320) is None


@pytest.mark.parametrize("name", ["guit_e_fifths.flac", "misc_crow.flac", "speech_0880.wav"])
def test_recording_comes_back_without_lag(name):
    if not RECORDINGS.is_dir():
        pytest.skip(f"no recordings in {RECORDINGS.name} beside the repository")
    samples, rate_hz = soundfile.read(RECORDINGS / name, dtype="float32", always_2d=True)
    heard, _ = read_bytes(encode_mp3(make_audio(samples, rate_hz), bitrate_kbps=96).data)
    assert heard.shape == samples.shape
    assert measure_lag(samples, heard) == 0
    assert measure_error_db(samples, heard) < -10


@pytest.mark.skipif(shutil.which("mpg123") is None, reason="mpg123 is not installed")
@pytest.mark.parametrize("channels", [1, 2])
def test_another_decoder_agrees(channels):
    noise = make_noise(channels=channels)
    mp3 = encode_mp3(make_audio(noise), bitrate_kbps=96).data
    told = subprocess.run(
        [shutil.which("mpg123"), "-q", "-s", "-"], input=mp3, capture_output=True, check=True
    )
    heard = np.frombuffer(told.stdout, dtype="<i2").reshape(-1, channels) / 32768
    assert told.stderr == b""
    assert heard.shape == noise.shape
    assert measure_lag(noise, heard) == 0
