from __future__ import annotations

import hashlib

import pytest

from support.projects import write_files
from torus_site.check import check_site
from torus_site.errors import BuildError
from torus_site.output import MANIFEST

HEAD = "<!doctype html>\n<html lang='en'><head><title>t</title></head>\n"


def page(body):
    return f"{HEAD}<body>{body}</body></html>\n"


def right_site():
    """A site without a problem that uses every kind of reference."""
    return {
        "index.html": page(
            "<h1 id='top'>Home</h1><a href='a/index.html#here'>a</a> <a href='#top'>up</a>"
            "<a href='https://example.org/'>out</a> <a href='mailto:me@example.org'>mail</a>"
            "<label for='field'>x</label><input id='field' aria-describedby='top field'>"
            "<img src='img/dot%20one.png' alt=''><button data-src='media/one.mp3'></button>"
            "<script src='js/site.js' data-tables='js/site.js'></script>"
        ),
        "a/index.html": page("<p id='here'>a</p><audio src='../media/one.mp3'></audio>"),
        "css/site.css": "a { background: url(../img/dot%20one.png) }\nb { mask: url('data:image/png,x') }",
        "js/site.js": "",
        "img/dot one.png": b"png",
        "media/one.mp3": b"mp3",
    }


@pytest.fixture
def find(tmp_path):
    """A function that lays a site with its manifest and returns what is wrong with it as text."""

    def lay(files, listed=None):
        write_files(tmp_path, files)
        hashes = {path: sha256((tmp_path / path).read_bytes()) for path in files}
        write_files(tmp_path, {MANIFEST: {"files": hashes if listed is None else listed}})
        return [str(problem) for problem in check_site(tmp_path)]

    return lay


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def with_body(body):
    return right_site() | {"a/index.html": page(f"<p id='here'>a</p>\n{body}")}


def test_a_right_site_has_no_problem(find):
    assert find(right_site()) == []


FILE = "expected a file of the site; mend or remove it"
ANCHOR = "expected an anchor that is there; mend or remove it"
HOST = "expected no request to another host; publish the file with the site"
ELEMENT = "expected the id of an element on the page"
FAULTS = {
    "a broken link": ("<a href='../b.html'>", "a link to '../b.html'", FILE),
    "a link to a folder": (
        "<a href='../a/'>",
        "a link to '../a/'",
        "expected a file of the site; name index.html",
    ),
    "a link above the site": ("<a href='../../b.html'>", "a link to '../../b.html'", FILE),
    "a broken anchor": ("<a href='../index.html#tpo'>", "a link to '../index.html#tpo'", ANCHOR),
    "a broken anchor of the page itself": ("<a href='#gone'>", "a link to '#gone'", ANCHOR),
    "a link from the root": (
        "<a href='/index.html'>",
        "'/index.html'",
        "expected a relative link; a link from the root breaks from disk",
    ),
    "an id twice": ("<p id='here'>", "id 'here' twice", "expected every id once; rename one"),
    "a script from another host": (
        "<script src='https://cdn.example/x.js'></script>",
        "'https://cdn.example/x.js'",
        HOST,
    ),
    "an image of another host, without a scheme": (
        "<img src='//cdn.example/x.png'>",
        "'//cdn.example/x.png'",
        HOST,
    ),
    "a style sheet of another host": (
        "<link rel='stylesheet' href='http://cdn.example/x.css'>",
        "'http://cdn.example/x.css'",
        HOST,
    ),
    "a frame of another host": (
        "<iframe src='https://example.org/'></iframe>",
        "'https://example.org/'",
        HOST,
    ),
    "an inline style that asks another host": (
        "<p style='background: url(https://cdn.example/y.png)'>",
        "'https://cdn.example/y.png'",
        HOST,
    ),
    "one of several images that is missing": (
        "<img srcset='../img/dot%20one.png 1x, ../img/two.png 2x'>",
        "a link to '../img/two.png'",
        FILE,
    ),
    "a missing clip": ("<audio src='../media/two.mp3'></audio>", "a link to '../media/two.mp3'", FILE),
    "a missing clip of a button": (
        "<button data-src='../media/three.mp3'></button>",
        "a link to '../media/three.mp3'",
        FILE,
    ),
    "a missing script that is loaded late": (
        "<script src='../js/site.js' data-bench='../js/bench.js'></script>",
        "a link to '../js/bench.js'",
        FILE,
    ),
    "a missing poster": ("<video poster='x.webp'></video>", "a link to 'x.webp'", FILE),
    "a label for nothing": ("<label for='nothing'>", "for='nothing'", ELEMENT),
    "a missing description": ("<p aria-describedby='here gone'>", "aria-describedby='gone'", ELEMENT),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_a_page_is_found(name, find):
    body, found, rest = FAULTS[name]
    assert find(with_body(body)) == [f"a/index.html at line 4: found {found}; {rest}"]


def test_what_a_page_says_of_its_other_address_is_no_request(find):
    assert find(with_body("<link rel='canonical' href='https://example.org/a/'>")) == []


def test_an_old_anchor_name_counts_as_an_anchor(find):
    assert (
        find(with_body("<a name='old'></a><a href='#old'>x</a><a href='#'>y</a><a href='#top'>z</a>")) == []
    )


STYLES = {
    "url(https://cdn.example/a.woff2)": "'https://cdn.example/a.woff2'; expected no request to another host",
    "url( '//cdn.example/a.woff2' )": "'//cdn.example/a.woff2'; expected no request to another host",
    'url("lost.png")': "'lost.png'; expected a file of the site",
}


@pytest.mark.parametrize("link", STYLES)
def test_a_fault_of_a_style_sheet_is_found(link, find):
    files = right_site() | {"css/site.css": f"a {{}}\nb {{ background: {link} }}"}
    assert find(files) == [f"css/site.css at line 2: found {STYLES[link]}"]


@pytest.mark.parametrize("link", ["'https://cdn.example/a.css'", "url(https://cdn.example/a.css)"])
def test_an_import_from_another_host_is_found(link, find):
    files = right_site() | {"css/site.css": f"@import {link};"}
    assert find(files) == [
        "css/site.css at line 1: found 'https://cdn.example/a.css'; expected no request to another host"
    ]


def test_an_imported_style_sheet_that_is_missing_is_found(find):
    files = right_site() | {"css/site.css": '@import "other.css";'}
    assert find(files) == ["css/site.css at line 1: found 'other.css'; expected a file of the site"]


def test_a_folder_without_a_manifest_is_told(tmp_path):
    write_files(tmp_path, right_site())
    assert [str(problem) for problem in check_site(tmp_path)] == [
        "manifest.json: found no list of files; expected the manifest of a build; build again"
    ]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 3}', '{"files": ["index.html"]}', "{"])
def test_a_manifest_that_is_none_is_told(content, tmp_path):
    write_files(tmp_path, right_site() | {MANIFEST: content})
    assert [problem.found for problem in check_site(tmp_path)] == ["no list of files"]


def test_what_differs_from_the_manifest_is_found(find, tmp_path):
    files = right_site()
    listed = {path: sha256(c if isinstance(c, bytes) else c.encode()) for path, c in files.items()}
    listed |= {"media/one.mp3": sha256(b"other"), "gone.csv": sha256(b"")}
    assert find(files | {"notes.txt": "mine"}, listed) == [
        "gone.csv: found no such file; expected a file the manifest lists; build again",
        "media/one.mp3: found content that differs from the manifest; expected what was built; build again",
        "notes.txt: found a file the build did not write; remove it",
    ]
    severities = {problem.file: problem.severity for problem in check_site(tmp_path)}
    assert severities == {"gone.csv": "error", "media/one.mp3": "error", "notes.txt": "warning"}


def test_all_problems_are_told_at_once(find):
    bodies = [body for body, *_ in FAULTS.values()]
    assert len(find(with_body("\n".join(bodies)))) == len(FAULTS)


@pytest.mark.parametrize("files", [{}, {"a/index.html": ""}, {"index.html/x": ""}])
def test_a_folder_without_a_site_is_an_error(files, tmp_path):
    write_files(tmp_path, files)
    with pytest.raises(BuildError, match=r"no index\.html"):
        check_site(tmp_path)


def test_pages_that_are_hardly_html_are_read(find):
    odd = (
        b"<p id>\xff<a href=<b \x00></p <!-- <a href='lost.html'> --><script>'<a href=\"no.html\">'</script>"
    )
    assert find(right_site() | {"odd.html": odd}) != []
