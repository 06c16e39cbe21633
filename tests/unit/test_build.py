from __future__ import annotations

import hashlib
import os

import pytest

from support.projects import make_clip, small_files
from torus_site.build import check_project, plan
from torus_site.errors import BuildError, ContentError, TorusError
from torus_site.theme import Theme


def tell_nobody(*_):
    """Take progress and keep it."""


@pytest.fixture
def make_plan(make_site, tmp_path):
    """A function that plans the site of a project given as files."""

    def make(files):
        return plan(make_site(files), cache=tmp_path / "cache", jobs=1, progress=tell_nobody)

    return make


@pytest.fixture
def find_problems(make_site, tmp_path):
    """A function that checks a project given as files."""

    def find(files):
        return check_project(make_site(files), cache=tmp_path / "cache", jobs=1, progress=tell_nobody)

    return find


def contents(site):
    return {entry.path: entry.make() for entry in site.entries}


def test_a_plan_holds_every_file_once(make_plan, tmp_path):
    site = make_plan(small_files())
    paths = [entry.path for entry in site.entries]
    assert len(paths) == len(set(paths))
    pages = {path for path in paths if path.endswith(".html")}
    assert pages == {
        "404.html",
        "about/index.html",
        "index.html",
        "toy/bell/index.html",
        "toy/results/index.html",
    }
    assert {"toy/bell/data.json", "toy/bell/data.csv"} <= set(paths)
    assert {asset.path for asset in Theme.of(tmp_path).assets()} <= set(paths)
    assert sum(path.startswith("media/") for path in paths) == 2


def test_every_table_a_page_shows_has_its_numbers_as_a_file(make_plan):
    tables = {entry.path for entry in make_plan(small_files()).entries if "/tables/" in entry.path}
    names = ("main", "paper", "figure-by-stage", "figure-families", "figure-wins", "figure-heads")
    assert tables == {f"toy/tables/{name}.csv" for name in names}


def test_planning_writes_nothing_but_the_cache(make_plan, tmp_path):
    make_plan(small_files())
    assert {path.name for path in tmp_path.iterdir()} == {"project", "cache"}
    assert {path.name for path in (tmp_path / "project").iterdir()} == {"site_src", "results", "audio"}


def test_an_entry_makes_the_same_bytes_each_time(make_plan):
    site = make_plan(small_files())
    assert contents(site) == contents(site)


def test_an_equal_digest_means_equal_bytes(make_plan):
    changes = [
        {},
        {"site_src/about.md": "title: Other\nnav: Other\n"},
        {"site_src/toy/tests/bell.toml": small_files()["site_src/toy/tests/bell.toml"] | {"title": "Gong"}},
        {"templates/item.html": "{{ item.title }}"},
        {"site_src/site.toml": small_files()["site_src/site.toml"] | {"title": "Other"}},
    ]
    seen = {}
    for change in changes:
        for entry in make_plan(small_files() | change).entries:
            content = hashlib.sha256(entry.make()).hexdigest()
            assert seen.setdefault((entry.path, entry.digest), content) == content


def test_the_digest_of_an_item_follows_what_is_said_about_it(make_plan):
    def digest(files):
        return next(entry.digest for entry in make_plan(files).entries if entry.path == "toy/bell/index.html")

    plain = digest(small_files())
    assert digest(small_files()) == plain
    files = small_files()
    files["results/toy/cascade.json"]["items"][0]["cells"][0]["answers"][0]["response"] = "Well, A"
    assert digest(files) != plain


def test_warnings_come_with_the_plan(make_plan):
    site = make_plan(small_files() | {"audio/toy/left-over.wav": make_clip(90.0)})
    assert [problem.file for problem in site.warnings] == ["audio/toy/left-over.wav"]


LINKS = {
    "[a](gone.html)": "a link to 'gone.html'; expected a file of the site; mend or remove it",
    "[a](../index.md)": "a link to '../index.md'; expected a file of the site; mend or remove it",
    "[a](index.md)": "a link to 'index.md'; expected a file of the site; write '../index.html'",
    "[a](toy/results.md#x)": (
        "a link to 'toy/results.md#x'; expected a file of the site; write '../toy/results/index.html#x'"
    ),
    "[a](../toy/results/)": "a link to '../toy/results/'; expected a file of the site; name index.html",
    "[a](/index.html)": "'/index.html'; expected a relative link; a link from the root breaks from disk",
    "[a](#gone)": "a link to '#gone'; expected an anchor that is there; mend or remove it",
    "![a](cat.png)": "a link to 'cat.png'; expected a file of the site; mend or remove it",
    "[a](http://[x)": "a link to 'http://[x'; expected a file of the site; mend or remove it",
}


@pytest.mark.parametrize("markdown", LINKS)
def test_a_link_of_a_page_that_leads_nowhere_is_warned_of(markdown, make_plan):
    site = make_plan(small_files() | {"site_src/about.md": f"title: About\n\n{markdown}\n"})
    assert [(str(problem), problem.severity) for problem in site.warnings] == [
        (f"site_src/about.md: found {LINKS[markdown]}", "warning")
    ]


def test_links_of_a_page_that_lead_somewhere_are_not_told(make_plan):
    links = ("../toy/bell/index.html", "../toy/tables/main.csv", "../index.html#here", "#top", "#there")
    outward = ("https://example.org/", "mailto:me@example.org")
    text = "".join(f"[a]({link})\n\n" for link in (*links, *outward)) + "## There\n"
    files = small_files() | {"site_src/about.md": f"title: About\n\n{text}"}
    files["site_src/index.md"] += "\n## Here\n"
    assert make_plan(files).warnings == ()


def test_a_picture_of_another_host_is_refused(make_plan):
    files = small_files() | {"site_src/about.md": "title: About\n\n![a](https://example.org/a.png)\n"}
    with pytest.raises(
        ContentError, match=r"site_src/about\.md: found 'https://example\.org/a\.png'; expected no"
    ):
        make_plan(files)


def test_a_page_in_the_place_of_an_item_is_refused(make_plan):
    with pytest.raises(ContentError, match=r"toy/bell/index\.html: found 2 pages or files for this place"):
        make_plan(small_files() | {"site_src/toy/bell.md": "title: Bell\n"})


def test_two_tables_for_one_file_are_refused(make_plan):
    files = small_files()
    tables = files["site_src/toy/benchmark.toml"]["tables"]
    tables.append(tables[0] | {"id": "figure-by-stage"})
    files["site_src/index.md"] += "\n::: table figure-by-stage\n"
    with pytest.raises(ContentError, match=r"toy/tables/figure-by-stage\.csv: found two tables"):
        make_plan(files)


def test_a_block_in_a_code_fence_is_text(make_plan):
    files = small_files() | {"site_src/about.md": "title: About\n\n```\n::: table nothing\n```\n"}
    about = next(entry for entry in make_plan(files).entries if entry.path == "about/index.html")
    assert b"::: table nothing" in about.make()


def test_facts_name_the_results_the_site_was_built_from(make_plan, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    about = contents(make_plan(small_files()))["about/index.html"].decode()
    assert "SHA-256 of all results" in about
    assert ">4<" in about
    files = small_files()
    files["results/toy/human.json"]["raters"] = 6
    assert contents(make_plan(files))["about/index.html"].decode() != about


def test_hidden_results_are_no_results(make_plan):
    plain = contents(make_plan(small_files()))
    assert contents(make_plan(small_files() | {"results/toy/.old.json": "{"})) == plain


def test_a_wrong_template_is_told(make_plan):
    with pytest.raises(BuildError, match=r"templates/page\.html at line 2: found 'nothing' is undefined"):
        make_plan(small_files() | {"templates/page.html": "\n{{ nothing }}"})


def test_a_check_gives_what_a_build_would_raise(make_plan, find_problems):
    files = small_files()
    files["site_src/toy/tests/bell.toml"]["tittle"] = "x"
    files["site_src/index.md"] += "\n::: tabel main\n"
    with pytest.raises(TorusError) as caught:
        make_plan(files)
    assert find_problems(files) == caught.value.problems
    assert {problem.file for problem in caught.value.problems} == {
        "site_src/index.md",
        "site_src/toy/tests/bell.toml",
    }


def test_a_check_of_a_right_project_gives_nothing(find_problems):
    assert find_problems(small_files()) == ()


def test_a_date_needs_a_whole_number(make_plan, monkeypatch):
    for epoch in ("", "0", "1700000000"):
        monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", epoch)
        assert make_plan(small_files()).entries
    monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", "today")
    with pytest.raises(BuildError, match="'today'; expected seconds since 1970"):
        make_plan(small_files())
