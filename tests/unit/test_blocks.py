from __future__ import annotations

import pytest

from support.projects import small_files
from torus_site.blocks import Finder
from torus_site.content import Page
from torus_site.project import read_project


def make_page(folder=""):
    return Page("site_src/x.md", folder, "x", "X", "", "", 1, "", "")


def two_benchmarks():
    """The small project with a second benchmark of the same tables beside the first."""
    files = small_files()
    files["site_src/site.toml"]["benchmarks"] = ["toy", "other"]
    descriptor = files["site_src/toy/benchmark.toml"] | {"id": "other", "figures": []}
    del descriptor["comparator"]
    return files | {"site_src/other/benchmark.toml": descriptor}


@pytest.fixture
def make_finder(make_site):
    """A function that gives a finder for a page of a project with two benchmarks."""

    def make(folder="", files=None):
        draft = read_project(make_site(files or two_benchmarks()))
        return Finder(make_page(folder), draft.names, draft.loaded)

    return make


RIGHT = {
    "hero": "",
    "comparator": "",
    "protocol": "",
    "figure": "by-stage",
    "table": "main",
    "cards": "family",
    "tiles": "family",
    "study": "human",
    "citation": "",
    "facts": "",
}


@pytest.mark.parametrize("kind", RIGHT)
def test_every_kind_of_block_is_found(kind, make_finder):
    find = make_finder()
    found = find(kind, RIGHT[kind])
    assert (found.benchmark, find.problems) == ("toy", [])
    if kind != "comparator":
        assert getattr(found.part, "id", "") == RIGHT[kind]


def test_a_comparator_may_name_its_item(make_finder):
    assert make_finder()("comparator", "bell").part.item == "bell"


def test_a_name_means_the_benchmark_of_its_page_or_the_one_it_gives(make_finder):
    assert make_finder()("table", "main").benchmark == "toy"
    assert make_finder()("table", "other:main").benchmark == "other"
    assert make_finder("other")("table", "main").benchmark == "other"
    assert make_finder("other")("table", "toy:main").benchmark == "toy"


WRONG = [
    ("tabel", "main", "'tabel'; expected a kind of block; did you mean 'table'?"),
    ("xyz", "", "'xyz'; expected a kind of block; known: hero, comparator, protocol, figure, table, cards, "),
    ("table", "mian", "'mian'; expected a table; did you mean 'main'?"),
    ("table", "", "''; expected a table; known: main, paper"),
    ("table", "othr:main", "'othr'; expected a benchmark; did you mean 'other'?"),
    ("figure", "other:by-stage", "'by-stage'; expected a figure; known: none"),
    ("cards", "arm", "'arm'; expected a facet of items; known: family"),
    ("tiles", "famly", "'famly'; expected a facet of items; did you mean 'family'?"),
    ("study", "humans", "'humans'; expected a study; did you mean 'human'?"),
    ("comparator", "bel", "'bel'; expected a test; did you mean 'bell'?"),
    ("comparator", "other:", "no [comparator]; expected one in benchmark.toml; add it"),
]


@pytest.mark.parametrize(("kind", "name", "rest"), WRONG)
def test_what_is_not_there_is_told_with_the_nearest_name(kind, name, rest, make_finder):
    find = make_finder()
    assert find(kind, name) is None
    (problem,) = find.problems
    assert str(problem).startswith(f"site_src/x.md at {f'::: {kind} {name}'.strip()}: found {rest}")


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("table", "main", "toy:main"),
        ("figure", "by-stage", "by-stage"),
        ("comparator", "", "bell"),
        ("citation", "", "toy:"),
    ],
)
def test_a_piece_with_an_anchor_stands_once_on_a_page(kind, first, second, make_finder):
    find = make_finder()
    assert find(kind, first)
    assert find(kind, second) is None
    assert [problem.found for problem in find.problems] == ["a second one"]


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("table", "main", "paper"),
        ("table", "main", "other:main"),
        ("citation", "", "other:"),
        ("hero", "", ""),
        ("cards", "family", "family"),
    ],
)
def test_other_pieces_may_stand_beside_each_other(kind, first, second, make_finder):
    find = make_finder()
    assert find(kind, first)
    assert find(kind, second)


def test_ids_of_two_benchmarks_never_meet(make_finder):
    find = make_finder()
    own, other = find("table", "main"), find("table", "other:main")
    assert (find.anchor(own, "main"), find.anchor(other, "main")) == ("main", "other--main")


def test_names_of_a_benchmark_that_is_wrong_are_not_held_against_it(make_finder):
    files = two_benchmarks()
    files["site_src/other/benchmark.toml"]["titel"] = "x"
    files["results/toy/human.json"] = "{"
    find = make_finder(files=files)
    assert find("table", "other:nothing") is None
    assert find("study", "human") is None
    assert find.problems == []
    find("tabel", "other:main")
    assert len(find.problems) == 1
