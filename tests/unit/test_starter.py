from __future__ import annotations

import json
import shutil

import pytest

from support.console import run_site
from torus_site import starter
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import BuildError
from torus_site.records.store import load_results
from torus_site.starter import BENCHMARK, make_project


def read_tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A project as ``torus-site new`` makes it; no test writes into it."""
    folder = tmp_path_factory.mktemp("made") / "project"
    make_project(folder)
    return folder


def test_it_builds_strictly_and_has_no_problem(made, tmp_path):
    project = shutil.copytree(made, tmp_path / "project")
    assert run_site("check", "--strict", "--project", project).out == "No problems.\n"
    told = run_site("build", "--strict", "--project", project)
    assert (told.code, told.err) == (0, "")
    assert run_site("check", "--strict", project / "build").out == "No problems.\n"


def test_it_shows_every_kind_of_file_a_project_has(made):
    names = set(read_tree(made))
    assert {"site_src/site.toml", "site_src/index.md", "site_src/about.md", "site_src/404.md"} <= names
    assert {f"site_src/{BENCHMARK}/benchmark.toml", f"results/{BENCHMARK}/counter.json"} <= names
    assert sum(name.endswith(".wav") for name in names) == 8


def test_answers_are_measured_on_the_clips(made):
    results = load_results(made, BENCHMARK)
    totals = {
        run.system: next((s.correct, s.n) for s in run.scores if not s.at and not s.where)
        for run in results.runs
    }
    assert totals == {"counter": (4, 4), "first-option": (1, 4)}


def test_results_are_in_their_canonical_form(made):
    for path in (made / "results").rglob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert text == json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_two_projects_are_equal(made, tmp_path):
    make_project(tmp_path / "other name")
    assert read_tree(tmp_path / "other name") == read_tree(made)


def test_an_empty_folder_may_become_the_project(made, tmp_path):
    (tmp_path / "empty").mkdir()
    make_project(tmp_path / "empty")
    assert read_tree(tmp_path / "empty") == read_tree(made)


def test_the_folder_one_stands_in_may_become_the_project(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run_site("new", ".")
    assert (told.code, told.out) == (0, "Made a project here. Build it with: torus-site build\n")
    assert read_tree(tmp_path) == read_tree(made)
    assert run_site("build", "-q").code == 0


def test_git_is_told_to_leave_out_what_commands_make(made):
    assert (made / ".gitignore").read_text().split() == ["/build/", "/.cache/", "/.torus-eval/"]
    assert not (made / "gitignore").exists()


def test_systems_have_names_short_enough_for_charts(made):
    shorts = [system.short or system.title for system in load_benchmark(made, BENCHMARK).descriptor.systems]
    assert max(map(len, shorts)) <= 12


def test_folders_above_are_made(tmp_path):
    make_project(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a/b/c/site_src/site.toml").is_file()


@pytest.mark.parametrize("name", ["notes.txt", ".hidden", "sub/file"])
def test_a_folder_that_holds_anything_is_refused_and_left_alone(name, tmp_path):
    path = tmp_path / "mine" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(BuildError, match="files that are there already"):
        make_project(tmp_path / "mine")
    assert read_tree(tmp_path) == {f"mine/{name}": b"mine"}


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("mine")
    for folder in ("file", "file/below"):
        with pytest.raises(BuildError):
            make_project(tmp_path / folder)
    assert read_tree(tmp_path) == {"file": b"mine"}


def test_a_failure_half_way_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(starter, "write", fail)
    for folder in (tmp_path / "project", tmp_path):
        with pytest.raises(BuildError, match="no space left on device; expected a folder that can be"):
            make_project(folder)
        assert list(tmp_path.iterdir()) == []


def test_a_path_with_spaces_is_quoted_in_the_advice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run_site("new", "my project")
    assert told.out == "Made my project. Build it with: torus-site build --project 'my project'\n"
