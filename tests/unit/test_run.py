from __future__ import annotations

import pytest

from support.projects import make_clip, small_files
from torus_site.errors import TorusError
from torus_site.run import CACHE, Request, run


class Recorder:
    """Keeps what a build tells."""

    def __init__(self):
        self.steps, self.told, self.said, self.details = [], [], [], []

    def progress(self, what, done, total):
        self.steps.append((what, done, total))

    def problems(self, problems):
        self.told += problems

    def say(self, text):
        self.said.append(text)

    def detail(self, text):
        self.details.append(text)


@pytest.fixture
def build():
    """A function that builds and returns whether anything was written, and what was told."""

    def go(project, **options):
        recorder = Recorder()
        return run(Request(project, project / "build", **options), report=recorder), recorder

    return go


def test_a_build_tells_its_steps_to_their_end_and_one_closing_line(make_site, build):
    written, told = build(make_site(small_files()))
    assert written
    ends = {what: (done, total) for what, done, total in told.steps}
    assert set(ends) == {"clips", "files"}
    assert all(done == total > 0 for done, total in ends.values())
    assert len(told.said) == 1
    assert told.told == []


def test_progress_never_goes_back(make_site, build):
    _, told = build(make_site(small_files()))
    for name in ("clips", "files"):
        done = [count for what, count, _ in told.steps if what == name]
        assert done == sorted(done)


def test_nothing_to_do_is_no_build_and_says_nothing(make_site, build):
    project = make_site(small_files())
    build(project)
    written, told = build(project)
    assert not written
    assert (told.steps, told.told, told.said, told.details) == ([], [], [], [])


def test_a_change_of_any_input_is_a_build(make_site, build):
    project = make_site(small_files())
    build(project)
    for name in ("site_src/about.md", "results/toy/cascade.json", "audio/toy/cascade/bell-S1.wav"):
        (project / name).touch()
        assert build(project)[0]
    (project / "templates").mkdir()
    (project / "templates/extra.html").touch()
    assert build(project)[0]
    assert not build(project)[0]


def test_what_is_no_input_is_no_reason_to_build(make_site, build):
    project = make_site(small_files())
    build(project)
    for name in ("README.md", "site_src/.index.md.swp", "site_src/__pycache__/x.pyc", ".git/HEAD"):
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).touch()
    assert not build(project)[0]


def test_warnings_are_told_after_the_build_and_stop_a_strict_one(make_site, build):
    project = make_site(small_files() | {"audio/toy/left-over.wav": make_clip(90.0)})
    with pytest.raises(TorusError) as caught:
        build(project, strict=True)
    assert [problem.severity for problem in caught.value.problems] == ["warning"]
    assert not (project / "build").exists()
    written, told = build(project)
    assert written
    assert [problem.file for problem in told.told] == ["audio/toy/left-over.wav"]


def test_problems_are_raised_and_nothing_is_said(make_site, tmp_path):
    recorder = Recorder()
    project = make_site(small_files() | {"site_src/site.toml": "schema = 1"})
    with pytest.raises(TorusError):
        run(Request(project, tmp_path / "out"), report=recorder)
    assert (recorder.told, recorder.said) == ([], [])
    assert not (tmp_path / "out").exists()


def test_builds_into_two_folders_do_not_disturb_each_other(make_site, tmp_path):
    project = make_site(small_files())
    for name in ("one", "two"):
        assert run(Request(project, tmp_path / name), report=Recorder())
    for name in ("one", "two"):
        assert not run(Request(project, tmp_path / name), report=Recorder())


def test_a_cache_that_was_deleted_does_no_harm(make_site, build):
    project = make_site(small_files())
    build(project)
    before = {path: path.read_bytes() for path in (project / "build").rglob("*") if path.is_file()}
    for path in sorted((project / CACHE).rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    assert build(project)[0]
    assert {path: path.read_bytes() for path in before} == before


def test_a_link_to_the_project_is_the_project(make_site, build, tmp_path):
    project = make_site(small_files())
    (tmp_path / "link").symlink_to(project)
    assert build(tmp_path / "link")[0]
    assert not build(tmp_path / "link")[0]


def test_files_behind_a_linked_folder_are_inputs(make_site, build, tmp_path):
    project = make_site(small_files())
    (project / "audio/toy/cascade").rename(tmp_path / "clips")
    (project / "results/toy/reported").rename(tmp_path / "reported")
    (project / "audio/toy/cascade").symlink_to(project / "elsewhere")
    (tmp_path / "clips").rename(project / "elsewhere")
    (project / "results/toy/reported").symlink_to(tmp_path / "reported")
    build(project)
    assert not build(project)[0]
    (project / "elsewhere/bell-S1.wav").touch()
    assert build(project)[0]
    assert not build(project)[0]


@pytest.mark.parametrize("garbage", [b"", b"{", b"\x00\xff garbage"])
def test_what_is_kept_between_builds_may_be_torn(garbage, make_site, build):
    project = make_site(small_files())
    build(project)
    before = {path: path.read_bytes() for path in (project / "build").rglob("*") if path.is_file()}
    kept = [path for path in (project / CACHE).rglob("*") if path.is_file() and path.parent.name != "files"]
    assert kept
    for path in kept:
        path.write_bytes(garbage)
    assert build(project)[0]
    assert {path: path.read_bytes() for path in before} == before
    assert not build(project)[0]
