"""The same project gives the same bytes, and a build touches nothing but what changed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.built import find_command
from support.console import run_site
from support.oddities import odd_files
from support.projects import clip_ref, make_clip, small_files, write_files
from support.repository import ROOT
from torus_site.output import MANIFEST

HOME = "site_src/index.md"
ABOUT = "site_src/about.md"


def read_files(folder):
    """Content by path, without what builds keep for one another."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def read_times(folder):
    return {path: path.stat().st_mtime_ns for path in sorted(folder.rglob("*"))}


def find_changes(before, after):
    """The paths of what was written, made or removed."""
    return sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))


def build(project, *words):
    told = run_site("build", "--project", project, *words)
    assert (told.code, told.err) == (0, "")
    return project / "build"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """The odd project, and its site as one process built it."""
    project = write_files(tmp_path_factory.mktemp("first") / "project", odd_files())
    words = ("build", "-q", "--jobs", "1", "--project", str(project))
    environment = os.environ | {"TZ": "UTC", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
    subprocess.run([find_command(), *words], check=True, env=environment)
    return project, read_files(project / "build")


def test_another_place_zone_language_order_and_number_of_jobs_give_the_same_bytes(odd, tmp_path):
    files = dict(reversed(odd_files().items()))
    write_files(tmp_path / "a longer" / "näme", files)
    words = ("build", "-q", "--jobs", "2", "--project", "a longer/näme", "--output", "out/site")
    environment = os.environ | {"TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7", "LC_ALL": "C", "LANG": "de_DE"}
    subprocess.run([find_command(), *words], check=True, cwd=tmp_path, env=environment)
    assert read_files(tmp_path / "out/site") == odd[1]


def test_a_known_and_an_unknown_cache_give_the_same_bytes(odd, tmp_path):
    project, expected = odd
    assert build(project, "--output", tmp_path / "warm") == project / "build"
    shutil.copytree(project, tmp_path / "cold", ignore=shutil.ignore_patterns(".cache", "build"))
    build(tmp_path / "cold")
    assert read_files(tmp_path / "warm") == expected
    assert read_files(tmp_path / "cold/build") == expected


class _Listing(list):
    """A directory listing that can be left like the real one."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def test_the_order_of_directories_does_not_matter(odd, tmp_path, monkeypatch):
    scan, list_names = os.scandir, os.listdir
    monkeypatch.setattr(os, "scandir", lambda *at: _Listing(sorted(scan(*at), key=lambda it: it.name)[::-1]))
    monkeypatch.setattr(os, "listdir", lambda *at: sorted(list_names(*at), reverse=True))
    project, expected = odd
    build(project, "--output", tmp_path / "out")
    monkeypatch.undo()
    assert read_files(tmp_path / "out") == expected


def test_no_output_tells_where_it_was_built(odd):
    project, files = odd
    places = [project.parent, project.resolve(), ROOT, Path(sys.prefix), Path.home(), Path(sys.base_prefix)]
    assert [
        (name, place) for name, content in files.items() for place in places if str(place).encode() in content
    ] == []


def test_a_build_with_nothing_changed_writes_nothing(make_site):
    project = make_site(small_files())
    build(project)
    before = read_times(project)
    told = run_site("build", "--project", project)
    assert (told.code, told.out) == (0, f"Nothing changed in {project / 'build'}.\n")
    assert find_changes(before, read_times(project)) == []


def test_a_build_with_nothing_changed_imports_nothing_heavy(make_site):
    project = make_site(small_files())
    build(project)
    code = (
        "import sys\n"
        "from torus_site.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "print([name for name in ('numpy', 'pandas', 'plotly', 'pydantic', 'jinja2') if name in sys.modules])"
    )
    words = [sys.executable, "-c", code, "build", "-q", "--project", str(project)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_options_that_change_no_byte_touch_no_file(make_site):
    project = make_site(small_files())
    into = build(project)
    before = read_times(into)
    build(project, "--strict", "--jobs", "2")
    assert find_changes(before, read_times(into)) == []


def test_saving_a_file_unchanged_touches_no_output(make_site):
    project = make_site(small_files())
    into = build(project)
    before = read_times(into)
    for name in (HOME, "site_src/toy/benchmark.toml", "results/toy/cascade.json"):
        (project / name).touch()
    build(project)
    assert find_changes(before, read_times(into)) == []


def test_editing_one_page_rewrites_that_page_alone(make_site):
    project = make_site(small_files())
    into = build(project)
    before = read_files(into)
    times = read_times(into)
    with (project / ABOUT).open("a") as page:
        page.write("\nOne more line.\n")
    build(project)
    written = {"about/index.html", MANIFEST}
    assert find_changes(before, read_files(into)) == sorted(written)
    touched = {path.relative_to(into).as_posix() for path in find_changes(times, read_times(into))}
    assert {name for name in touched if (into / name).is_file()} == written


def test_editing_one_item_leaves_every_other_page_alone(make_site):
    files = odd_files()
    project = make_site(files)
    before = read_files(build(project))
    files["site_src/orchard/tests/silent-row.toml"]["notice"] = "Something else"
    write_files(project, files)
    changed = find_changes(before, read_files(build(project)))
    assert changed == sorted(
        [MANIFEST, *(f"orchard/silent-row/{name}" for name in ("data.json", "index.html"))]
    )


def test_what_goes_from_the_project_goes_from_the_site(make_site):
    project = make_site(small_files())
    into = build(project)
    before = read_files(into)
    (project / ABOUT).unlink()
    build(project)
    assert set(before) - set(read_files(into)) == {"about/index.html"}
    assert not (into / "about").exists()


def test_a_file_lost_or_changed_in_the_site_comes_back(make_site):
    project = make_site(small_files())
    into = build(project)
    before = read_files(into)
    (into / "index.html").write_text("changed by hand")
    (into / "toy/bell/index.html").unlink()
    build(project)
    assert read_files(into) == before


def test_a_changed_clip_is_published_anew(make_site):
    files = small_files()
    project = make_site(files)
    into = build(project)
    before = {path.name for path in (into / "media").iterdir()}
    path = "audio/toy/cascade/bell-S1.wav"
    clip = files["results/toy/cascade.json"]["items"][0]["cells"][0]["clip"]
    files[path] = make_clip(123.0)
    assert clip["path"] == path
    files["results/toy/cascade.json"]["items"][0]["cells"][0]["clip"] = clip_ref(path, files[path])
    write_files(project, files)
    build(project)
    after = {path.name for path in (into / "media").iterdir()}
    assert (len(before - after), len(after - before)) == (1, 1)


def test_a_date_is_shown_where_the_clock_is_fixed_and_nowhere_else(make_site, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    project = make_site(small_files())
    into = build(project)
    undated = read_files(into)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    dated = read_files(build(project))
    assert find_changes(undated, dated) == ["about/index.html", MANIFEST]
    assert b"1970-01-02" in dated["about/index.html"]
    assert b"1970-01-02" not in undated["about/index.html"]
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert read_files(build(project)) == undated


def test_a_theme_of_the_project_changes_the_pages_and_goes_again(make_site):
    project = make_site(small_files())
    plain = read_files(build(project))
    write_files(project, {"templates/page.html": "<!doctype html>\n<title>mine</title>{{ body }}"})
    assert b"<title>mine</title>" in read_files(build(project))["index.html"]
    shutil.rmtree(project / "templates")
    assert read_files(build(project)) == plain


def test_the_manifest_lists_every_file(odd):
    listed = json.loads(odd[1][MANIFEST])["files"]
    assert sorted(listed) == sorted(set(odd[1]) - {MANIFEST})


KILLER = """
import os, pathlib, signal, sys
from torus_site import output
from torus_site.cli import main

name, count = sys.argv[1], int(sys.argv[2])
original = getattr(pathlib.Path, name)

def count_down(self, *more, **named):
    global count
    if output.__file__ == sys._getframe(1).f_code.co_filename:
        count -= 1
        if count < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return original(self, *more, **named)

setattr(pathlib.Path, name, count_down)
main(sys.argv[3:])
"""
POINTS = [("write_bytes", 3), ("replace", 1), ("replace", 4), ("unlink", 0)]


@pytest.mark.parametrize(("name", "count"), POINTS)
def test_a_killed_build_leaves_whole_files_and_can_be_completed(name, count, make_site, tmp_path):
    files = small_files()
    project = make_site(files)
    before = read_files(build(project))
    files["site_src/site.toml"]["title"] = "Other toys"
    del files[ABOUT]
    (project / ABOUT).unlink()
    write_files(project, files)
    expected = read_files(build(write_files(tmp_path / "again", files)))

    words = [sys.executable, "-c", KILLER, name, str(count), "build", "--project", str(project)]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL

    left = read_files(project / "build")
    if name == "write_bytes":
        assert left == before
    torn = [
        path
        for path, content in left.items()
        if path != MANIFEST and content not in (before.get(path), expected.get(path))
    ]
    assert torn == []
    told = run_site("build", "--project", project)
    assert told.code == 0
    assert read_files(project / "build") == expected
