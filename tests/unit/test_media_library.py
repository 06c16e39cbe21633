"""Clips of a project as assets: what is published, what is remembered, what is refused."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from support.clips import make_noise, make_sine, measure_lag, read_bytes, write_bytes
from torus_site.errors import MediaError
from torus_site.media import MediaLibrary, MediaSettings, prepare


@pytest.fixture
def root(tmp_path):
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def make_clip(root):
    """Write a clip of noise, or of given samples, into the project and return its path."""

    def make(clip, *, samples=None, subtype="PCM_16", **shape):
        path = root / clip
        path.parent.mkdir(parents=True, exist_ok=True)
        container = {".flac": "FLAC"}.get(path.suffix, "WAV")
        samples = make_noise(**shape) if samples is None else samples
        path.write_bytes(write_bytes(samples, container=container, subtype=subtype))
        return path

    return make


@pytest.fixture
def open_library(root):
    def open_it(*, jobs=2, cache=None, **settings):
        return MediaLibrary(root, cache or root / ".cache" / "media", MediaSettings(**settings), jobs)

    return open_it


def test_clip_becomes_an_asset(root, open_library, make_clip):
    sine = make_sine(997, rate_hz=44100, amplitude=0.5).astype(np.float32)
    path = make_clip("audio/a.wav", samples=sine)
    asset = open_library().publish(["audio/a.wav"])["audio/a.wav"]
    assert asset.source == "audio/a.wav"
    assert asset.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (asset.kind, asset.suffix, asset.mime, asset.codec) == (
        "audio",
        ".mp3",
        "audio/mpeg",
        "MP3 96 kb/s",
    )
    assert (asset.duration_s, asset.channels, asset.rate_hz) == (1.0, 1, 44100)
    assert len(asset.peaks) == 300
    assert set(asset.peaks) <= {99, 100}
    assert asset.loudness_lufs == pytest.approx(-9.03, abs=0.02)
    assert asset.true_peak_db == pytest.approx(-6.02, abs=0.1)
    assert asset.file.parent == root / ".cache" / "media" / "files"
    assert asset.name == hashlib.sha256(asset.file.read_bytes()).hexdigest()[:20]
    assert asset.spectrogram.read_bytes()[8:12] == b"WEBP"
    assert measure_lag(sine, read_bytes(asset.file.read_bytes())[0]) == 0


@pytest.mark.parametrize(
    ("settings", "suffix", "codec"),
    [
        ({"bitrate_kbps": 64}, ".mp3", "MP3 64 kb/s"),
        ({"format": "flac"}, ".flac", "FLAC 16 bit"),
        ({"format": "copy"}, ".wav", "WAV 16 bit"),
    ],
)
def test_settings_decide_what_is_published(open_library, make_clip, settings, suffix, codec):
    make_clip("a.wav")
    asset = open_library(**settings, spectrogram=False, peaks_points=7).publish(["a.wav"])["a.wav"]
    assert (asset.suffix, asset.codec, len(asset.peaks), asset.spectrogram) == (suffix, codec, 7, None)


def test_published_mp3_is_not_encoded_again(open_library, make_clip, root):
    make_clip("a.wav")
    made = open_library().publish(["a.wav"])["a.wav"].file.read_bytes()
    (root / "b.mp3").write_bytes(b"ID3\x04\0\0\0\0\0\x04name" + made)
    assert open_library().publish(["b.mp3"])["b.mp3"].file.read_bytes() == made


@pytest.mark.parametrize("name", ["a#1.wav", "50%.wav", "a b.wav", "größe-試験.wav"])
def test_any_name_is_published(open_library, make_clip, name):
    make_clip(f"audio/{name}")
    asset = open_library().publish([f"audio/{name}"])[f"audio/{name}"]
    assert asset.file.name.isascii()
    assert asset.file.stat().st_size > 1000


def test_assets_come_in_the_order_asked_each_once(open_library, make_clip):
    names = [f"{name}.wav" for name in "dbca"]
    for seed, name in enumerate(names):
        make_clip(name, seed=seed, duration_s=0.1 * (seed + 1))
    assert list(open_library(jobs=4).publish([*names, "d.wav"])) == names


def test_no_clips_are_no_assets_and_leave_no_trace(open_library, root):
    assert open_library().publish([]) == {}
    assert list(root.iterdir()) == []


def test_progress_counts_what_is_not_known(open_library, make_clip):
    for seed, name in enumerate("abc"):
        make_clip(f"{name}.wav", seed=seed)
    told = []
    open_library().publish(["a.wav"])
    open_library().publish(["a.wav", "b.wav", "c.wav"], progress=lambda *count: told.append(count))
    assert told == [(1, 2), (2, 2)]


def test_known_clips_are_not_opened_and_nothing_is_written(open_library, make_clip, read_names, root):
    make_clip("a.wav")
    make_clip("b.flac", seed=1)
    first = open_library().publish(["a.wav", "b.flac"])
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    read_names.clear()
    assert open_library().publish(["a.wav", "b.flac"]) == first
    assert read_names == ["ledger.json"]
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_touched_clip_is_read_but_not_made_again(open_library, make_clip, monkeypatch, read_names):
    path = make_clip("a.wav")
    first = open_library().publish(["a.wav"])
    os.utime(path, ns=(1, 1))
    monkeypatch.setattr(prepare, "prepare", None)
    read_names.clear()
    assert open_library().publish(["a.wav"]) == first
    assert read_names.count("a.wav") == 1
    read_names.clear()
    open_library().publish(["a.wav"])
    assert "a.wav" not in read_names


def test_changed_clip_of_the_same_size_is_noticed(open_library, make_clip):
    make_clip("a.wav")
    first = open_library().publish(["a.wav"])["a.wav"]
    make_clip("a.wav", seed=1)
    second = open_library().publish(["a.wav"])["a.wav"]
    assert second.sha256 != first.sha256
    assert second.file.read_bytes() != first.file.read_bytes()


def test_each_setting_has_its_own_entry(open_library, make_clip):
    make_clip("a.wav")
    first = open_library().publish(["a.wav"])["a.wav"]
    small = open_library(bitrate_kbps=32).publish(["a.wav"])["a.wav"]
    assert small.file.stat().st_size < first.file.stat().st_size
    assert open_library().publish(["a.wav"])["a.wav"] == first


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"torn"), lambda path: path.unlink()])
@pytest.mark.parametrize("part", ["file", "spectrogram"])
def test_damaged_cache_is_made_again(open_library, make_clip, damage, part):
    make_clip("a.wav")
    first = open_library().publish(["a.wav"])["a.wav"]
    whole = getattr(first, part).read_bytes()
    damage(getattr(first, part))
    assert open_library().publish(["a.wav"])["a.wav"] == first
    assert getattr(first, part).read_bytes() == whole


def test_two_runs_give_the_same_bytes_with_any_number_of_jobs(open_library, make_clip, tmp_path):
    names = [f"{name}.wav" for name in "abcdef"]
    for seed, name in enumerate(names):
        make_clip(name, seed=seed, channels=1 + seed % 2)

    def gather(folder):
        return {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.name != "ledger.json"
        }

    for jobs in (1, 4):
        open_library(jobs=jobs, cache=tmp_path / f"cache-{jobs}").publish(names)
    assert gather(tmp_path / "cache-1") == gather(tmp_path / "cache-4")


def test_equal_clips_are_made_once(open_library, make_clip, monkeypatch, root):
    make_clip("a.wav")
    for name in "bcd":
        shutil.copy(root / "a.wav", root / f"{name}.wav")
    made = []
    real = prepare.prepare

    def spy(data, *, clip, **how):
        made.append(clip)
        return real(data, clip=clip, **how)

    monkeypatch.setattr(prepare, "prepare", spy)
    assets = open_library(jobs=4).publish([f"{name}.wav" for name in "abcd"])
    assert len(made) == 1
    assert len({asset.file for asset in assets.values()}) == 1
    assert [asset.source for asset in assets.values()] == ["a.wav", "b.wav", "c.wav", "d.wav"]


def test_everything_wrong_is_told_at_once_and_the_rest_is_kept(open_library, make_clip, root, read_names):
    broken = make_noise()
    broken[0] = np.nan
    make_clip("nan.wav", samples=broken, subtype="FLOAT")
    make_clip("good.wav")
    (root / "zero.wav").write_bytes(b"")
    (root / "zero too.wav").write_bytes(b"")
    (root / "pointer.wav").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    (root / "text.wav").write_bytes(b"hello\n")
    names = sorted(path.name for path in root.iterdir())
    with pytest.raises(MediaError) as caught:
        open_library().publish([*names, "gone.wav", "../out.wav"])
    told = {problem.file: problem.found for problem in caught.value.problems}
    assert told == {
        "nan.wav": "NaN or infinity in 1 of 22050 frames",
        "zero.wav": "an empty file",
        "zero too.wav": "an empty file",
        "pointer.wav": "a Git LFS pointer instead of the clip",
        "text.wav": "text",
        "gone.wav": "no such file",
        "../out.wav": "a path that leaves the project",
    }
    read_names.clear()
    open_library().publish(["good.wav"])
    assert "good.wav" not in read_names


def test_clip_that_cannot_be_read_is_a_problem(open_library, make_clip, monkeypatch):
    make_clip("a.wav")
    read = Path.read_bytes

    def refuse(path):
        if path.name == "a.wav":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(MediaError, match=r"a\.wav: found permission denied"):
        open_library().publish(["a.wav"])


def test_bug_in_the_making_is_not_hidden(open_library, make_clip, monkeypatch):
    make_clip("a.wav")
    monkeypatch.setattr(prepare, "prepare", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        open_library().publish(["a.wav"])


def test_warnings_are_told_under_each_name_and_again_from_the_cache(open_library, make_clip, root):
    make_clip("silent.wav", samples=np.zeros((4410, 1)))
    shutil.copy(root / "silent.wav", root / "twin.wav")
    make_clip("long.wav", duration_s=1.5)
    names = ["silent.wav", "twin.wav", "long.wav"]
    for _ in range(2):
        library = open_library(spectrogram_span_s=1.0)
        assets = library.publish(names)
        assert [(each.severity, each.file, each.found) for each in library.warnings] == [
            ("warning", "silent.wav", "silence"),
            ("warning", "twin.wav", "silence"),
            ("warning", "long.wav", "1.50 s of audio"),
        ]
    silent = assets["silent.wav"]
    assert (silent.loudness_lufs, silent.true_peak_db, set(silent.peaks)) == (None, None, {0})


@pytest.mark.parametrize(
    ("name", "mime"), [("a.mp4", "video/mp4"), ("a.m4v", "video/mp4"), ("a.webm", "video/webm")]
)
def test_video_is_published_as_it_is(open_library, root, name, mime):
    data = b"\x1aE\xdf\xa3 a film" if name.endswith("webm") else b"\0\0\0\x10ftypisom\0\0\0\0 a film"
    (root / name).write_bytes(data)
    asset = open_library().publish([name])[name]
    assert asset.file.read_bytes() == data
    assert (asset.kind, asset.mime, asset.peaks, asset.spectrogram) == ("video", mime, (), None)
    assert (asset.duration_s, asset.channels, asset.rate_hz) == (0.0, 0, 0)
    assert (asset.loudness_lufs, asset.true_peak_db) == (None, None)


def test_tags_are_not_published_in_any_format(open_library, root):
    secret = b"Someone-We-Must-Not-Name"
    listed = b"INFOIART" + len(secret).to_bytes(4, "little") + secret
    data = write_bytes(make_noise()) + b"LIST" + len(listed).to_bytes(4, "little") + listed
    (root / "a.wav").write_bytes(data[:4] + (len(data) - 8).to_bytes(4, "little") + data[8:])
    for chosen in ("mp3", "flac", "copy"):
        assert secret not in open_library(format=chosen).publish(["a.wav"])["a.wav"].file.read_bytes()
