"""What was made before is found again, and nothing broken is believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from torus_site.media.cache import Cache
from torus_site.media.places import Place

KEY = "ab" + "0" * 62


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache"


def keep(folder, *, save=True):
    cache = Cache(folder)
    record = cache.keep(
        KEY, {"codec": "MP3"}, {"file": (".mp3", b"sound"), "spectrogram": (".webp", b"light")}
    )
    if save:
        cache.save()
    return record


def test_kept_record_is_found_with_its_files(folder):
    record = keep(folder)
    again = Cache(folder)
    assert again.find(KEY) == record
    assert again.locate(record["file"]).read_bytes() == b"sound"
    assert again.locate(record["spectrogram"]).read_bytes() == b"light"
    assert record["codec"] == "MP3"


def test_record_survives_a_run_that_never_saved(folder):
    record = keep(folder, save=False)
    assert Cache(folder).find(KEY) == record


def test_known_record_opens_nothing_but_the_ledger(folder, read_names):
    keep(folder)
    read_names.clear()
    assert Cache(folder).find(KEY)
    assert read_names == ["ledger.json"]


def test_unknown_key_is_none(folder):
    assert Cache(folder).find(KEY) is None


@pytest.mark.parametrize("role", ["file", "spectrogram"])
@pytest.mark.parametrize("content", [b"", b"soun", b"sounds", b"SOUND", None])
def test_damaged_or_missing_file_counts_as_absent(folder, role, content):
    path = Cache(folder).locate(keep(folder)[role])
    path.unlink()
    if content is not None:
        path.write_bytes(content)
        os.utime(path, ns=(1, 1))
    assert Cache(folder).find(KEY) is None


def test_file_with_a_new_time_but_the_same_content_is_believed(folder):
    record = keep(folder)
    os.utime(Cache(folder).locate(record["file"]), ns=(1, 1))
    assert Cache(folder).find(KEY) == record


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: data[:0], lambda data: data.replace(b"MP3", b"MP4")]
)
def test_torn_or_altered_record_counts_as_absent(folder, damage):
    keep(folder)
    (folder / "ledger.json").unlink()
    (path,) = (folder / "records").rglob("*.json")
    path.write_bytes(damage(path.read_bytes()))
    assert Cache(folder).find(KEY) is None


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-9], lambda data: data[:0], lambda data: data.replace(b"MP3", b"MP4")]
)
def test_torn_or_altered_ledger_is_not_believed(folder, damage):
    record = keep(folder)
    path = folder / "ledger.json"
    path.write_bytes(damage(path.read_bytes()))
    assert Cache(folder).find(KEY) == record


def test_made_again_replaces_what_was_broken(folder):
    path = Cache(folder).locate(keep(folder)["file"])
    path.write_bytes(b"broken")
    record = keep(folder)
    assert path.read_bytes() == b"sound"
    assert Cache(folder).find(KEY) == record


def test_nothing_is_left_beside_and_files_are_readable_by_all(folder):
    keep(folder)
    left = list(folder.rglob(".part-*"))
    assert left == []
    umask = os.umask(0)
    os.umask(umask)
    assert all(path.stat().st_mode & 0o777 == 0o666 & ~umask for path in (folder / "files").iterdir())


def test_failed_write_leaves_nothing(folder, monkeypatch):
    def fail(*_):
        raise OSError(28, "disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        keep(folder)
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_nothing_new_writes_nothing(folder):
    keep(folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    cache = Cache(folder)
    cache.find(KEY)
    cache.save()
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def test_cache_that_was_never_used_makes_no_folder(folder):
    Cache(folder).save()
    assert not folder.exists()


def test_content_is_recalled_by_size_and_time_alone(folder, tmp_path):
    place = Place(tmp_path / "a.wav", 10, 1000)
    cache = Cache(folder)
    cache.settle(place.mtime_ns)
    cache.remember("a.wav", place, "f" * 64)
    cache.save()
    again = Cache(folder)
    assert again.recall("a.wav", place) == "f" * 64
    assert again.recall("b.wav", place) is None
    assert again.recall("a.wav", Place(place.path, 11, 1000)) is None
    assert again.recall("a.wav", Place(place.path, 10, 1001)) is None


def test_file_from_the_future_is_not_remembered(folder, tmp_path):
    place = Place(tmp_path / "a.wav", 10, 1 << 62)
    cache = Cache(folder)
    cache.settle(place.mtime_ns)
    cache.remember("a.wav", place, "f" * 64)
    assert cache.recall("a.wav", place) is None
