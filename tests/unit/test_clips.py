from __future__ import annotations

import pytest

from support.oddities import make_mp4
from support.projects import CLIPS, clip_ref, make_clip, small_files
from torus_site.clips import publish
from torus_site.project import read_project

RUN = "results/toy/cascade.json"
FIRST, SECOND = CLIPS


@pytest.fixture
def publish_files(make_site, tmp_path):
    """A function that publishes the clips of a project given as files."""

    def go(files, told=lambda *_: None):
        draft = read_project(make_site(files))
        return publish(draft, cache=tmp_path / "cache", jobs=2, progress=told)

    return go


def cells_of(files):
    return files[RUN]["items"][0]["cells"]


def test_every_clip_is_published_under_a_name_from_its_content(publish_files):
    clips = publish_files(small_files())
    assert list(clips.by_path) == [FIRST, SECOND]
    for asset in clips.by_path.values():
        assert asset.src.startswith("media/")
        assert clips.files[asset.src].is_file()
    assert len(clips.files) == 2
    assert clips.problems == ()


def test_spectrograms_are_published_where_they_are_asked_for(publish_files):
    files = small_files()
    files["site_src/site.toml"]["audio"]["spectrograms"] = True
    clips = publish_files(files)
    assert len(clips.files) == 4
    assert all(clips.files[asset.spectrogram].suffix == ".webp" for asset in clips.by_path.values())


def test_the_facts_of_a_clip_are_said_in_words(publish_files):
    facts = dict(publish_files(small_files()).by_path[FIRST].facts)
    assert facts["Signal"] == "8 kHz, mono"
    assert facts["True peak"].startswith("\N{MINUS SIGN}")
    assert facts["True peak"].endswith(" dBTP")


def test_a_video_has_no_facts_of_sound(publish_files):
    files = small_files()
    path = "audio/toy/cascade/bell.mp4"
    files[path] = make_mp4()
    del files[FIRST]
    cells_of(files)[0]["clip"] = clip_ref(path, files[path])
    asset = publish_files(files).by_path[path]
    assert (asset.kind, asset.facts, asset.wave) == ("video", (("Format", "MP4"),), "")


def test_progress_ends_with_all_clips(publish_files):
    told = []
    publish_files(small_files(), lambda *step: told.append(step))
    assert told[-1] == ("clips", 2, 2)


def test_a_missing_clip_and_another_that_changed_are_told_together(publish_files):
    files = small_files()
    del files[FIRST]
    files[SECOND] = make_clip(111.0)
    told = [str(problem) for problem in publish_files(files).problems]
    assert len(told) == 2
    assert told[0].startswith(f"{FIRST} at cascade, bell, stage S1: found no such file")
    assert told[1].startswith(f"{SECOND} at cascade, bell, stage S2: found sha256 ")


def test_a_clip_of_several_cells_is_published_once(publish_files):
    files = small_files()
    cells = cells_of(files)
    cells[1]["clip"] = cells[0]["clip"]
    del files[SECOND]
    assert list(publish_files(files).by_path) == [FIRST]


def test_a_missing_clip_of_several_cells_is_told_of_once(publish_files):
    files = small_files()
    cells = cells_of(files)
    cells[1]["clip"] = cells[0]["clip"]
    del files[FIRST], files[SECOND]
    assert [problem.place for problem in publish_files(files).problems] == ["cascade, bell, stage S1"]


def test_clips_that_no_results_name_are_told_hidden_ones_aside(publish_files):
    files = small_files()
    files |= dict.fromkeys(("audio/toy/.DS_Store", "audio/toy/.hidden/a.wav"), b"x")
    files |= {"audio/toy/cascade/old.wav": make_clip(90.0), "audio/other/a.wav": b"x"}
    problems = publish_files(files).problems
    assert [(problem.file, problem.severity) for problem in problems] == [
        ("audio/toy/cascade/old.wav", "warning")
    ]


def test_clips_are_not_called_unused_where_results_could_not_be_read(publish_files):
    files = small_files()
    files[RUN] = "{"
    clips = publish_files(files)
    assert (clips.by_path, clips.problems) == ({}, ())


def test_a_silent_clip_is_a_warning_beside_the_published_clip(publish_files):
    files = small_files()
    files[FIRST] = make_clip(0.0)
    cells_of(files)[0]["clip"] = clip_ref(FIRST, files[FIRST])
    clips = publish_files(files)
    assert [(problem.file, problem.found, problem.severity) for problem in clips.problems] == [
        (FIRST, "silence", "warning")
    ]
    assert FIRST in clips.by_path
