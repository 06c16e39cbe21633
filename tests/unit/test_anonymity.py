from __future__ import annotations

import pytest
from markupsafe import Markup

from torus_site.anonymity import disable_links, find_identity, is_telling


def disable(html):
    return disable_links(Markup(html), "hidden & gone")  # noqa: S704  a test's own HTML


OFF = '<a role="link" aria-disabled="true" class="off">{} <small>(hidden &amp; gone)</small></a>'


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<a href="https://example.org/me">Code</a>', "Code"),
        ("<a href='HTTP://example.org'>Code</a>", "Code"),
        ("<a href=//example.org>Code</a>", "Code"),
        ('<a class="x" title="by Jane"\n href="https://example.org">the <b>code</b></a>', "the <b>code</b>"),
        ('<A HREF="mailto:jane@example.org">Write</A >', "Write"),
        ('<a href="https://example.org">https://example.org</a>', "Link"),
        ('<a href="mailto:x@example.org">x&#64;example.org</a>', "Link"),
        ('<a href="https://example.org">www.example.org</a>', "Link"),
    ],
)
def test_a_link_outward_is_disabled_and_says_why(html, text):
    assert disable("a " + html + " b") == f"a {OFF.format(text)} b"


@pytest.mark.parametrize(
    "html",
    [
        '<a href="index.html">x</a>',
        '<a href="#top">x</a>',
        '<a href="a.html?to=https://example.org">x</a>',
        '<abbr title="https://example.org">x</abbr>',
        '<a id="x">https://example.org</a>',
    ],
)
def test_other_links_stay(html):
    assert disable(html) == html


def test_two_links_are_two():
    link = '<a href="https://example.org">{}</a>'
    text = disable(f"{link.format('a')}{link.format('b')}<a href='c.html'>c</a>")
    assert text == f"{OFF.format('a')}{OFF.format('b')}<a href='c.html'>c</a>"


def find(files, *names):
    return [str(problem) for problem in find_identity(files.items(), names)]


ADVICE = (
    "expected no author, affiliation or address in an anonymous build; take it out of what this is made from"
)


def test_a_name_is_found_once_with_its_first_place():
    files = {"a.html": b"one\ntwo Jane Doe", "b.json": b'"Jane Doe"', "c.csv": b"Jane Doe"}
    assert find(files, "Jane Doe") == [f"a.html at line 2: found 'Jane Doe', and in 2 more files; {ADVICE}"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("Zoë <O'Hara>", "Zoë &lt;O&#39;Hara&gt;"),
        ("Zoë <O'Hara>", "Zoë &lt;O'Hara&gt;"),
        ("Zoë <O'Hara>", '{"by": "Zo\\u00eb \\u003cO\\u0027Hara\\u003e"}'),
        ("Äpfel & Co.", "by &Auml;pfel &amp; Co., 2026"),
    ],
)
def test_a_name_is_found_however_it_is_escaped(name, content):
    assert len(find({"a.html": content.encode()}, name)) == 1


@pytest.mark.parametrize("content", [b"<li>Liam</li>", b"Lina and Elli", b"xLi Lix"])
def test_a_name_is_a_whole_word_in_its_own_case(content):
    assert find({"a.html": content}, "Li") == []


def test_a_link_that_is_left_is_found_in_pages_alone():
    files = {
        "a.html": b'<img alt="x" src="https://example.org/x.png">\n<p xmlns="http://example.org">https://x.org',
        "a.js": b'x = "<a href=https://example.org>"',
    }
    found = (
        'a.html at line 1: found \'<img alt="x" src="https://example.org/x.png\'; '
        "expected no link outward in an anonymous build; take it out"
    )
    assert find(files) == [found]


@pytest.mark.parametrize(
    ("path", "telling"), [("a/index.html", True), ("a.csv", True), ("media/a.mp3", False)]
)
def test_texts_tell_and_clips_do_not(path, telling):
    assert is_telling(path) is telling
