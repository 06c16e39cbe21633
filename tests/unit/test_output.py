from __future__ import annotations

import hashlib
import json
import os
from functools import partial

import pytest

from torus_site.errors import BuildError
from torus_site.output import MANIFEST, Entry, refuse_foreign, write


def entry(path, content, digest=None):
    return Entry(path, digest or content, partial(bytes, content.encode()))


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_first_write_makes_every_file_and_a_manifest(tmp_path):
    into = tmp_path / "build"
    report = write([entry("index.html", "a"), entry("x/index.html", "b")], into, previous={})
    assert names(into) == ["index.html", MANIFEST, "x/index.html"]
    assert (report.written, report.unchanged, report.removed) == (3, 0, 0)
    listed = json.loads((into / MANIFEST).read_bytes())
    assert listed["tool"] == "torus-site"
    assert sorted(listed["files"]) == ["index.html", "x/index.html"]


def test_a_second_write_makes_nothing_again(tmp_path):
    into = tmp_path / "build"
    made = []

    def make():
        made.append(1)
        return b"a"

    first = write([Entry("index.html", "d", make)], into, previous={})
    before = (into / "index.html").stat().st_mtime_ns
    second = write([Entry("index.html", "d", make)], into, previous=first.outputs)
    assert (second.written, second.unchanged, second.removed) == (0, 2, 0)
    assert len(made) == 1
    assert (into / "index.html").stat().st_mtime_ns == before


def test_the_same_content_under_a_new_digest_leaves_the_file_alone(tmp_path):
    into = tmp_path / "build"
    first = write([entry("index.html", "a", "one")], into, previous={})
    before = (into / "index.html").stat().st_mtime_ns
    second = write([entry("index.html", "a", "two")], into, previous=first.outputs)
    assert second.written == 0
    assert second.outputs["index.html"].digest == "two"
    assert (into / "index.html").stat().st_mtime_ns == before


def test_a_file_changed_by_hand_is_written_again(tmp_path):
    into = tmp_path / "build"
    first = write([entry("index.html", "a")], into, previous={})
    (into / "index.html").write_text("changed")
    write([entry("index.html", "a")], into, previous=first.outputs)
    assert (into / "index.html").read_text() == "a"


def test_what_is_stale_is_removed_and_what_is_foreign_stays(tmp_path):
    into = tmp_path / "build"
    first = write([entry("index.html", "a"), entry("old/page/index.html", "b")], into, previous={})
    (into / "notes.txt").write_text("mine")
    second = write([entry("index.html", "a")], into, previous=first.outputs)
    assert names(into) == ["index.html", MANIFEST, "notes.txt"]
    assert second.removed == 1
    assert not (into / "old").exists()


def test_stale_files_are_known_without_any_state(tmp_path):
    into = tmp_path / "build"
    write([entry("index.html", "a"), entry("old.html", "b")], into, previous={})
    write([entry("index.html", "a")], into, previous={})
    assert names(into) == ["index.html", MANIFEST]


def test_a_failing_entry_leaves_the_previous_site(tmp_path):
    into = tmp_path / "build"
    first = write([entry("index.html", "a")], into, previous={})

    def fail():
        raise BuildError([])

    with pytest.raises(BuildError):
        write([entry("index.html", "new"), Entry("x.html", "x", fail)], into, previous=first.outputs)
    assert (into / "index.html").read_text() == "a"
    assert names(tmp_path) == ["build/index.html", f"build/{MANIFEST}"]


def test_a_folder_of_someone_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("ten years of work")
    with pytest.raises(BuildError, match="did not write"):
        write([entry("index.html", "a")], tmp_path, previous={})
    assert names(tmp_path) == ["thesis.tex"]


@pytest.mark.parametrize("content", ["", "[]", '{"tool": "other"}'])
def test_a_manifest_of_another_tool_does_not_open_the_folder(tmp_path, content):
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(BuildError, match="choose another --output"):
        write([entry("index.html", "a")], tmp_path, previous={})


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "build").write_text("")
    with pytest.raises(BuildError, match="found a file"):
        write([], tmp_path / "build", previous={})


@pytest.mark.parametrize("output", [".", "..", "site_src", "audio/out"])
def test_the_output_may_not_hold_or_sit_in_what_the_site_is_made_from(tmp_path, output):
    project = tmp_path / "project"
    (project / "audio" / "out").mkdir(parents=True)
    with pytest.raises(BuildError, match="made from"):
        refuse_foreign((project / output).resolve(), project=project)


def test_a_manifest_that_points_outside_removes_nothing_there(tmp_path):
    into = tmp_path / "build"
    write([entry("index.html", "a")], into, previous={})
    (tmp_path / "precious.txt").write_text("mine")
    manifest = json.loads((into / MANIFEST).read_bytes())
    manifest["files"] |= {"../precious.txt": "", str(tmp_path / "precious.txt"): ""}
    (into / MANIFEST).write_text(json.dumps(manifest))
    write([entry("index.html", "a")], into, previous={})
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_staging_left_by_a_killed_build_is_cleared_once_it_is_old(tmp_path):
    old = tmp_path / ".build.staging-1"
    old.mkdir()
    os.utime(old, (1, 1))
    write([entry("index.html", "a")], tmp_path / "build", previous={})
    assert not old.exists()


def test_staging_left_by_a_killed_build_of_the_same_number_is_not_published(tmp_path):
    left = tmp_path / f".build.staging-{os.getpid()}"
    left.mkdir()
    (left / "old.html").write_text("old")
    write([entry("index.html", "a")], tmp_path / "build", previous={})
    assert names(tmp_path) == ["build/index.html", f"build/{MANIFEST}"]


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_new_and_an_empty_folder_are_filled_alike_whatever_the_number_of_jobs(tmp_path, is_there, jobs):
    into = tmp_path / "build"
    if is_there:
        into.mkdir()
    pages = {f"a/{number % 7}/{number}.html": str(number) for number in range(200)}
    report = write([entry(*page) for page in pages.items()], into, previous={}, jobs=jobs)
    assert {name: (into / name).read_text() for name in names(into) if name != MANIFEST} == pages
    assert {name: known.sha256 for name, known in report.outputs.items() if name != MANIFEST} == {
        name: hashlib.sha256(text.encode()).hexdigest() for name, text in pages.items()
    }
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BuildError, match="can be written"):
        write([entry("index.html", "a")], tmp_path / "build", previous={})
