"""A built site works wherever its folder is put, and an anonymous one tells nobody's name."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import urldefrag, urljoin, urlsplit
from urllib.request import urlopen

import pytest

from support.console import run_site
from support.loopback import Loopback
from support.oddities import odd_files
from support.projects import small_files, write_files
from support.reading import read_elements
from torus_site.check import check_site

AUTHORS = ("Jane Q. Doe", "Zoë <O'Hara>")
AFFILIATIONS = ("Institute of Äpfel & Co.",)
HOST = "https://jane.example"
REASON = "disabled in the anonymous version"
PROSE = f"""\
title: About
nav: About
order: 3

Read the [paper]({HOST}/paper.pdf "by us"), <a class='x' href='{HOST}/code'>the *code*</a>
or [write](mailto:jane@jane.example), see <{HOST}/auto> and [results](index.html).

::: citation

::: facts
"""


def named_files(**site):
    """The small project with authors, affiliations and links outward wherever an author may put them."""
    files = small_files()
    files["site_src/site.toml"] |= {
        "authors": list(AUTHORS),
        "affiliations": list(AFFILIATIONS),
        "links": [
            {"title": "Code", "url": f"{HOST}/code"},
            {"title": "Mail", "url": "mailto:jane@jane.example"},
        ],
    } | site
    files["site_src/about.md"] = PROSE
    files["site_src/toy/benchmark.toml"]["bibtex"] = (
        f"@misc{{toy, author = {{Doe, Jane Q.}}, url = {{{HOST}}}}}"
    )
    return files


def build(root, files):
    project = write_files(root, files)
    told = run_site("build", "--strict", "--project", project)
    assert (told.code, told.err) == (0, "")
    return project / "build"


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Sites of different kinds, by name."""
    root = tmp_path_factory.mktemp("sites")
    kinds = {
        "small": small_files(),
        "odd": odd_files(),
        "named": named_files(),
        "anonymous": named_files(anonymous=True),
    }
    return {name: build(root / name, files) for name, files in kinds.items()}


@pytest.mark.parametrize("name", ["small", "odd", "named", "anonymous"])
def test_a_copy_elsewhere_has_no_broken_link(name, sites, tmp_path):
    copy = tmp_path / "100% elsewhere #1"
    shutil.copytree(sites[name], copy)
    assert check_site(copy) == ()


class _Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, _tag, attrs):
        named = {"href", "src", "poster", "data-src"}
        self.found += [text for name, text in attrs if name in named and text]


def crawl(start):
    """Follow every link inside a served site and return the addresses that were not answered."""
    pending, seen, lost = [start], {start}, []
    while pending:
        address = pending.pop()
        try:
            with urlopen(address) as answer:  # noqa: S310  an address on the loopback
                body, kind = answer.read(), answer.headers.get_content_type()
        except HTTPError:
            lost.append(address)
            continue
        if kind != "text/html":
            continue
        reader = _Links()
        reader.feed(body.decode())
        goals = {urldefrag(urljoin(address, link)).url for link in reader.found}
        inside = {goal for goal in goals if urlsplit(goal).netloc == urlsplit(start).netloc} - seen
        seen |= inside
        pending += sorted(inside)
    return seen, lost


@pytest.mark.parametrize("sub_path", ["/", "/a%20sub/path/"])
def test_every_link_is_answered_below_any_path(sub_path, sites):
    with Loopback(sites["odd"], sub_path) as host:
        seen, lost = crawl(host.url)
    assert lost == []
    assert len(seen) > 30
    assert all(urlsplit(address).path.startswith(sub_path) for address in seen)


def read_all(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("plotly")
    }


def test_a_site_with_names_shows_them_and_its_links(sites):
    about = sites["named"] / "about/index.html"
    elements = read_elements(about)
    links = {it.attributes.get("href") for it in elements if it.tag == "a"}
    assert {f"{HOST}/code", f"{HOST}/paper.pdf", "mailto:jane@jane.example"} <= links
    footer = next(it for it in elements if it.tag == "footer")
    assert all(name in footer.text for name in (*AUTHORS, *AFFILIATIONS))


def test_an_anonymous_site_tells_no_name_and_no_address(sites):
    tokens = (
        "Jane",
        "Doe",
        "Zoë",
        "Zo\\u00eb",
        "Hara",
        "pfel &amp; Co",
        "Institute",
        "jane.example",
        "mailto:",
    )
    found = {
        (name, token)
        for name, content in read_all(sites["anonymous"]).items()
        for token in tokens
        if token.encode() in content
    }
    assert found == set()


def test_an_anonymous_site_has_no_outward_link(sites):
    pages = sorted(sites["anonymous"].rglob("*.html"))
    links = [
        (page.name, text)
        for page in pages
        for element in read_elements(page)
        for name, text in element.attributes.items()
        if name in {"href", "src", "action", "data"}
        and (urlsplit(text or "").scheme or (text or "")[:2] == "//")
    ]
    assert links == []


def test_disabled_links_say_why(sites):
    elements = read_elements(sites["anonymous"] / "about/index.html")
    disabled = [it.text for it in elements if it.tag == "a" and it.attributes.get("aria-disabled") == "true"]
    words = [text.split(" (")[0] for text in disabled]
    assert words == ["paper", "the code", "write", "Link", "Code", "Mail"]
    assert all(text.endswith(f"({REASON})") for text in disabled)


def test_the_citation_is_left_out_and_that_is_said(sites):
    text = next(it.text for it in read_elements(sites["anonymous"] / "about/index.html") if it.tag == "main")
    assert "The citation is left out of the anonymous version." in text


PLACES = {
    "site_src/about.md": "title: About\n\nWritten by Jane Q. Doe.\n",
    "site_src/toy/results.md": "title: Results\n\n<a href=x>Zoë &lt;O'Hara&gt;</a>\n",
    "site_src/404.md": "title: Lost\n\nSee jane.example/code for more.\n",
    "templates/page.html": '{% extends "base.html" %}{% block main %}{{ body }}Institute of Äpfel &amp; Co.'
    "{% endblock %}",
}


@pytest.mark.parametrize("name", PLACES)
def test_a_name_left_in_an_anonymous_site_stops_the_build(name, make_site):
    project = make_site(named_files(anonymous=True) | {name: PLACES[name]})
    told = run_site("build", "--project", project)
    assert told.code == 1
    (line,) = told.errors
    assert "expected no author, affiliation or address in an anonymous build" in line
    assert not (project / "build").exists()


def test_a_name_in_an_item_or_a_result_stops_the_build(make_site):
    files = named_files(anonymous=True)
    files["site_src/toy/tests/bell.toml"]["notice"] = f"As {AUTHORS[1]} says"
    files["results/toy/reported/paper.json"]["citation"] = f"{AUTHORS[0]}, 2026"
    told = run_site("build", "--project", make_site(files))
    assert told.code == 1
    assert len(told.errors) == 2
    assert all(any(repr(name) in line for line in told.errors) for name in AUTHORS)


def test_a_link_outward_in_a_template_stops_an_anonymous_build(make_site):
    page = '{% extends "base.html" %}{% block main %}<img src="//jane.example/me.png">{% endblock %}'
    told = run_site(
        "build", "--project", make_site(named_files(anonymous=True) | {"templates/page.html": page})
    )
    assert told.code == 1
    assert all("expected no link outward in an anonymous build" in line for line in told.errors)
    assert told.errors
