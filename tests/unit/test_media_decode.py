"""Clips as samples."""

from __future__ import annotations

import shutil
import subprocess

import numpy as np
import pytest

from support.clips import make_noise, measure_lag, read_bytes, write_bytes
from torus_site.errors import MediaError
from torus_site.media import decode as decode_module
from torus_site.media.decode import Audio, decode
from torus_site.media.probe import probe_bytes


def read(data, *, clip="a.wav", path=None):
    return decode(data, probe_bytes(data, clip=clip), clip=clip, path=path)


@pytest.mark.parametrize(("container", "subtype"), [("WAV", "PCM_16"), ("WAV", "PCM_U8"), ("FLAC", "PCM_16")])
def test_samples_of_16_bits_stay_exact(container, subtype):
    data = write_bytes(make_noise(channels=2), container=container, subtype=subtype)
    audio = read(data)
    expected, _ = read_bytes(data)
    np.testing.assert_array_equal(audio.samples, expected.astype(np.float32))
    np.testing.assert_array_equal(audio.to_pcm(), np.rint(expected * 32768).astype(np.int16))
    assert (audio.bits, audio.rate_hz, audio.duration_s) == (16, 44100, 0.5)


@pytest.mark.parametrize(
    ("container", "subtype", "bits"),
    [("WAV", "PCM_24", 24), ("WAV", "FLOAT", 24), ("OGG", "VORBIS", 16), ("MP3", "MPEG_LAYER_III", 16)],
)
def test_bits_follow_what_the_source_had_to_say(container, subtype, bits):
    assert read(write_bytes(make_noise(), container=container, subtype=subtype)).bits == bits


def test_whole_numbers_saturate_at_full_scale_only():
    samples = np.array([[1.0], [-1.0], [0.5], [0.0]], dtype=np.float32)
    audio = Audio(samples, 44100, 24)
    assert audio.to_pcm()[:, 0].tolist() == [32767, -32768, 16384, 0]
    assert audio.to_pcm(24)[:, 0].tolist() == [(2**23 - 1) << 8, -(2**31), 2**30, 0]


def test_more_than_two_channels_become_their_mean_with_a_warning():
    noise = make_noise(channels=6)
    audio = read(write_bytes(noise, subtype="FLOAT"))
    np.testing.assert_allclose(audio.samples[:, 0], noise.mean(axis=1), atol=1e-7)
    (warning,) = audio.warnings
    assert (warning.severity, warning.found) == ("warning", "6 channels")


def test_clip_above_full_scale_is_turned_down_whole_with_a_warning():
    noise = make_noise(level=2.0)
    audio = read(write_bytes(noise, subtype="FLOAT"))
    assert np.abs(audio.samples).max() == 1.0
    np.testing.assert_allclose(audio.samples, noise / 2, atol=1e-6)
    (warning,) = audio.warnings
    assert warning.found == "samples 6.02 dB above full scale"


def test_overshoot_of_a_lossy_codec_is_no_warning():
    square = np.sign(make_noise(level=1.0)) * np.float32(0.999)
    audio = read(write_bytes(square, container="OGG", subtype="VORBIS"))
    assert np.abs(audio.samples).max() == 1.0
    assert audio.warnings == ()


def test_silence_is_decoded_with_a_warning():
    audio = read(write_bytes(np.zeros((100, 1))))
    assert [warning.found for warning in audio.warnings] == ["silence"]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_broken_samples_are_refused(value):
    noise = make_noise()
    noise[5] = value
    with pytest.raises(MediaError, match="NaN or infinity in 1 of"):
        read(write_bytes(noise, subtype="FLOAT"))


def test_no_frames_are_refused():
    with pytest.raises(MediaError, match="no samples"):
        read(write_bytes(np.zeros((0, 1))))


def test_compressed_clip_cut_short_is_refused():
    flac = write_bytes(make_noise(duration_s=3), container="FLAC")
    with pytest.raises(MediaError, match=r"damaged FLAC|cut short"):
        read(flac[: len(flac) * 2 // 3])


def test_mp3_that_ends_before_its_header_says_is_refused():
    mp3 = write_bytes(make_noise(duration_s=3), container="MP3", subtype="MPEG_LAYER_III")
    with pytest.raises(MediaError, match="MP3 cut short after"):
        read(mp3[: len(mp3) * 2 // 3])


def test_other_container_names_the_missing_program(monkeypatch, tmp_path):
    monkeypatch.setattr(decode_module.shutil, "which", {}.get)
    with pytest.raises(MediaError, match=r"clips/a\.m4a: found .*ffmpeg and ffprobe.*install ffmpeg"):
        read(b"\0\0\0\x18ftypM4A " + bytes(99), clip="clips/a.m4a", path=tmp_path / "a.m4a")


needs_ffmpeg = pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")), reason="ffmpeg and ffprobe are not installed"
)


@needs_ffmpeg
def test_other_container_is_read_through_ffmpeg(tmp_path):
    noise = make_noise(channels=2)
    path = tmp_path / "a #1 50% ü.mka"
    command = [
        shutil.which("ffmpeg"),
        "-v",
        "error",
        "-i",
        "pipe:",
        "-c:a",
        "pcm_s16le",
        "-f",
        "matroska",
        str(path),
    ]
    subprocess.run(command, input=write_bytes(noise), check=True)
    audio = read(path.read_bytes(), clip=path.name, path=path)
    assert measure_lag(noise, audio.samples) == 0
    np.testing.assert_allclose(audio.samples, noise, atol=1e-4)


@needs_ffmpeg
def test_container_that_ffmpeg_cannot_read_is_refused(tmp_path):
    path = tmp_path / "a.m4a"
    path.write_bytes(b"\0\0\0\x18ftypM4A " + bytes(99))
    with pytest.raises(MediaError, match="nothing that ffmpeg can decode"):
        read(path.read_bytes(), clip="a.m4a", path=path)
