"""A build that remembers gives the site of one that does not, and makes only what changed."""

from __future__ import annotations

import json
import shutil
from random import Random

import pytest

from support.projects import small_files, write_files
from torus_site.errors import TorusError
from torus_site.memory import Memory
from torus_site.records.model import RESULTS
from torus_site.records.store import dump
from torus_site.run import CACHE, MEMORY, Request, run

ITEM = "site_src/toy/tests/bell.toml"
RUN = "results/toy/cascade.json"


class Silent:
    """Takes what a build says and keeps it."""

    def __init__(self):
        self.said = []

    def progress(self, what, done, total):
        """Take progress."""

    def problems(self, problems):
        self.said += map(str, problems)

    def say(self, text):
        self.said.append(text)

    detail = say


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """A built project whose runs are in canonical form; copies of it start where its build ended."""
    root = tmp_path_factory.mktemp("laid") / "project"
    files = small_files()
    for name, content in files.items():
        if name.startswith("results/") and not isinstance(content, bytes | str):
            files[name] = dump(RESULTS.validate_json(json.dumps(content)))
    write_files(root, files)
    build(root)
    return root


@pytest.fixture
def project(laid, tmp_path):
    """A copy of the built project of which neither stamps nor memory are lost."""
    shutil.copytree(laid, tmp_path / "project")
    moved = tmp_path / "elsewhere"
    laid.rename(moved)
    (tmp_path / "project").rename(laid)
    yield laid
    shutil.rmtree(laid)
    moved.rename(laid)


def build(root, memory=None):
    told = Silent()
    run(Request(root, root / "build"), report=told, memory=memory)
    return told.said


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def stamps(folder):
    return {path.relative_to(folder).as_posix(): path.stat().st_mtime_ns for path in folder.rglob("*.*")}


def change(root, name, old, new):
    path = root / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def build_afresh(root, tmp_path):
    """Build a copy that remembers nothing and return its site."""
    other = tmp_path / "afresh"
    shutil.copytree(root, other, ignore=shutil.ignore_patterns("build", CACHE))
    build(other)
    return contents(other / "build")


CHANGES = {
    "the words of an item": (ITEM, "The bell", "The <big> bell"),
    "an option": (ITEM, "two", "ten"),
    "a page": ("site_src/about.md", "title: ", "title: All "),
    "the name of a system": ("site_src/toy/benchmark.toml", "Cascade", "Water"),
    "what a system said": (RUN, '"caption": null', '"caption": "a bell"'),
    "the form of results": (RUN, "\n", "\n "),
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("is_same_process", [True, False])
def test_after_a_change_the_site_is_that_of_a_build_from_nothing(project, tmp_path, what, is_same_process):
    memory = Memory(project / CACHE / MEMORY)
    if is_same_process:
        change(project, "site_src/index.md", "title: ", "title:  ")
        build(project, memory)
    change(project, *CHANGES[what])
    build(project, memory)
    assert contents(project / "build") == build_afresh(project, tmp_path)


def test_a_changed_item_is_made_again_and_nothing_else(project):
    before = stamps(project / "build")
    change(project, ITEM, "What is S1.1?", "What was S1.1?")
    build(project)
    after = stamps(project / "build")
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"toy/bell/index.html", "toy/bell/data.json", "toy/bell/data.csv", "manifest.json"}


def test_results_are_not_read_again_when_only_words_change(project, monkeypatch):
    def refuse(*_, **__):
        pytest.fail("read again")

    monkeypatch.setattr("torus_site.records.store.parse_results", refuse)
    monkeypatch.setattr("torus_site.reading.check_results", refuse)
    change(project, ITEM, "What is S1.1?", "What was S1.1?")
    assert build(project)[-1].startswith("Built ")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ((ITEM, 'key = "A"', 'key = "B"'), "as the key of"),
        ((ITEM, "title", "titel"), "did you mean 'title'"),
        ((RUN, '"correct": true', '"correct": false'), "as the key of"),
        (("site_src/toy/benchmark.toml", 'id = "cascade"', 'id = "casks"'), "expected a system"),
    ],
)
def test_what_becomes_wrong_is_told_as_by_a_build_from_nothing(project, tmp_path, edit, message):
    change(project, *edit)
    before = contents(project / "build")
    with pytest.raises(TorusError, match=message) as told:
        build(project)
    with pytest.raises(TorusError) as told_afresh:
        build_afresh(project, tmp_path)
    assert told.value.problems == told_afresh.value.problems
    assert contents(project / "build") == before


def test_what_is_mended_builds_again(project):
    before = contents(project / "build")
    change(project, ITEM, "schema", "shema")
    with pytest.raises(TorusError):
        build(project)
    change(project, ITEM, "shema", "schema")
    build(project)
    assert contents(project / "build") == before


def test_warnings_are_told_by_every_build(project):
    (project / "audio" / "toy" / "unused.wav").write_bytes(b"")
    first = build(project)
    change(project, ITEM, "What is S1.1?", "What was S1.1?")
    assert [line for line in build(project) if "unused.wav" in line] == [
        line for line in first if "unused.wav" in line
    ]
    assert any("unused.wav" in line for line in first)


@pytest.mark.parametrize("seed", range(4))
def test_a_damaged_cache_is_harmless(project, tmp_path, seed):
    dice = Random(seed)  # noqa: S311  damage, not a secret
    for path in sorted((project / CACHE).rglob("*")):
        if path.is_file():
            data = bytearray(path.read_bytes())
            for _ in range(3):
                at = dice.randrange(max(1, len(data)))
                data[at : at + 8] = dice.randbytes(8)
            path.write_bytes(data)
    change(project, ITEM, "What is S1.1?", "What was S1.1?")
    build(project)
    assert contents(project / "build") == build_afresh(project, tmp_path)


def test_a_build_into_another_folder_knows_what_was_read(project, monkeypatch):
    monkeypatch.setattr("torus_site.records.store.parse_results", lambda *_, **__: pytest.fail("read again"))
    run(Request(project, project / "other"), report=Silent())
    assert contents(project / "other") == contents(project / "build")
