"""What a file is, and every way to be unfit."""

from __future__ import annotations

import numpy as np
import pytest

from support.clips import make_noise, write_bytes
from torus_site.errors import MediaError
from torus_site.media.probe import inspect_samples, probe_bytes, probe_file, sniff

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n"
ANNEX = b"/annex/objects/SHA256E-s1--abc.wav\n"


@pytest.mark.parametrize(
    ("container", "subtype", "said"),
    [
        ("WAV", "PCM_16", "wav"),
        ("WAV", "FLOAT", "wav"),
        ("FLAC", "PCM_24", "flac"),
        ("OGG", "VORBIS", "ogg"),
        ("MP3", "MPEG_LAYER_III", "mp3"),
        ("AIFF", "PCM_16", "sound"),
        ("CAF", "PCM_16", "sound"),
        ("RF64", "PCM_16", "sound"),
        ("AU", "PCM_16", "sound"),
        ("W64", "PCM_16", "sound"),
    ],
)
def test_audio_is_told_by_its_content(container, subtype, said):
    data = write_bytes(make_noise(channels=2), container=container, subtype=subtype)
    probe = probe_bytes(data, clip="named.mp4")
    assert (probe.kind, probe.container, probe.subtype) == ("audio", said, subtype)
    assert (probe.channels, probe.rate_hz, probe.duration_s) == (2, 44100, 0.5)


@pytest.mark.parametrize(
    ("data", "clip", "kind", "container"),
    [
        (b"\0\0\0\x18ftypmp42", "a.mp4", "video", "mp4"),
        (b"\0\0\0\x18ftypmp42", "a.M4V", "video", "mp4"),
        (b"\x1aE\xdf\xa3webm", "a.webm", "video", "webm"),
        (b"\0\0\0\x18ftypM4A ", "a.m4a", "audio", "other"),
        (b"\x1aE\xdf\xa3matroska", "a.mkv", "audio", "other"),
        (b"\x1aE\xdf\xa3matroska", "a.mp4", "audio", "other"),
        (b"\xff\xf1\x50\x80" + bytes(60), "a.aac", "audio", "other"),
    ],
)
def test_video_is_told_from_a_soundtrack_by_its_suffix(data, clip, kind, container):
    probe = probe_bytes(data, clip=clip)
    assert (probe.kind, probe.container, probe.duration_s) == (kind, container, None)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (LFS, "a Git LFS pointer"),
        (ANNEX, "a git-annex pointer"),
        (b"<!DOCTYPE html><title>404</title>", "an HTML page"),
        (b"not found\n", "found text"),
        ("später\n".encode() * 200, "found text"),
        (bytes(500), "no audio"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "no audio"),
        (b"RIFF\x04\0\0\0WAVE", "damaged WAV"),
        (b"fLaC" + bytes(60), "damaged FLAC"),
        (b"OggS" + bytes(60), "damaged Ogg"),
        (b"ID3" + bytes(60), "damaged MP3"),
    ],
)
def test_unfit_content_is_named(data, found):
    with pytest.raises(MediaError) as caught:
        probe_bytes(data, clip="audio/a#1 50%.wav")
    (problem,) = caught.value.problems
    assert found in str(problem)
    assert problem.file == "audio/a#1 50%.wav"
    assert problem.expected == "WAV, FLAC, Ogg or MP3 audio"


def test_pointers_tell_what_to_run():
    with pytest.raises(MediaError, match="git lfs pull"):
        probe_bytes(LFS, clip="a.wav")
    with pytest.raises(MediaError, match="git annex get"):
        probe_bytes(ANNEX, clip="a.wav")


def test_wav_cut_short_is_refused():
    with pytest.raises(MediaError, match="cut short by 100 bytes"):
        probe_bytes(write_bytes(make_noise())[:-100], clip="a.wav")


def test_wav_of_a_streaming_writer_is_whole():
    data = bytearray(write_bytes(make_noise()))
    at = data.index(b"data") + 4
    data[at : at + 4] = b"\xff\xff\xff\xff"
    assert probe_bytes(bytes(data), clip="a.wav").duration_s == 0.5


def test_file_is_read_and_named(tmp_path):
    path = tmp_path / "a.wav"
    with pytest.raises(MediaError, match=r"a\.wav: found no such file"):
        probe_file(path)
    path.write_bytes(write_bytes(make_noise()))
    assert probe_file(path).frames == 22050


def test_short_data_begin_like_nothing():
    assert sniff(b"") is None
    assert sniff(b"\xff") is None


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_broken_samples_are_an_error_with_their_place(value):
    samples = make_noise(channels=2)
    samples[441:443, 1] = value
    (problem,) = inspect_samples(samples, rate_hz=44100, clip="a.wav")
    assert problem.severity == "error"
    assert problem.place == "0.010 s"
    assert problem.found == "NaN or infinity in 2 of 22050 frames"


def test_no_samples_are_an_error():
    (problem,) = inspect_samples(np.zeros((0, 1), dtype=np.float32), rate_hz=44100, clip="a.wav")
    assert (problem.severity, problem.found) == ("error", "no samples")


def test_silence_is_a_warning_and_a_whisper_is_not():
    silence = np.zeros((100, 1), dtype=np.float32)
    (problem,) = inspect_samples(silence, rate_hz=44100, clip="a.wav")
    assert (problem.severity, problem.found) == ("warning", "silence")
    assert inspect_samples(silence + np.float32(2e-4), rate_hz=44100, clip="a.wav") == ()
