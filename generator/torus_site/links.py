"""What a page of HTML refers to, and which of it leads nowhere or asks another host."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import join, normpath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_LINKS = {
    "a": ("href",),
    "link": ("href",),
    "script": ("src",),
    "img": ("src",),
    "audio": ("src",),
    "video": ("src", "poster"),
    "source": ("src",),
    "iframe": ("src",),
    "object": ("data",),
}
_FILE_NAME = re.compile(r"[^\s?#]*[^\s./?#]\.(?:css|csv|flac|html|js|json|mp3|mp4|ogg|png|svg|wav|webm|webp)")
_CSS_LINK = re.compile(r"""url\(\s*['"]?([^'")]+?)\s*['"]?\s*\)|@import\s*['"]([^'"]+)""", re.IGNORECASE)
_ID = re.compile(r"""\sid\s*=\s*["']?([^\s"'>]+)""")
_OUTWARD_TAGS = {"a"}
_NO_HOST = {"data", "blob", "mailto"}
_STATEMENTS = {"alternate", "author", "canonical", "license", "me"}
"""What a link element may say about another host without asking it for anything."""


@dataclass(slots=True)
class Document:
    """What a page of HTML refers to and defines.

    Args:
        ids: Every id with its line.
        doubled: Ids that stand a second time, with their lines.
        links: Element, address and line of every link and request.
        references: Attribute, id and line of what names an id of the page.
    """

    ids: dict[str, int] = field(default_factory=dict)
    doubled: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[str, str, int]] = field(default_factory=list)
    references: list[tuple[str, str, int]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = Document()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        named = {name: value for name, value in attrs if value is not None}
        if tag == "link" and named.get("rel", "").lower() in _STATEMENTS:
            return
        for name, value in named.items():
            if name == "id":
                if value in self.document.ids:
                    self.document.doubled.append((value, line))
                self.document.ids.setdefault(value, line)
            elif name == "name" and tag == "a":
                self.document.ids.setdefault(value, line)
            elif name in _LINKS.get(tag, ()) or (name.startswith("data-") and _FILE_NAME.fullmatch(value)):
                self.document.links.append((tag, value, line))
            elif name == "srcset":
                sources = (part.split() for part in value.split(","))
                self.document.links.extend((tag, source[0], line) for source in sources if source)
            elif name == "style":
                self.document.links.extend((tag, link, line) for link, _ in find_css_links(value))
            elif name in {"for", "aria-labelledby", "aria-describedby", "aria-controls", "headers"}:
                self.document.references.extend((name, part, line) for part in value.split())


def read_document(text: str) -> Document:
    """Read a page of HTML, or a part of one.

    >>> read_document('<p id="a"><a href="b.html">b</a></p>').links
    [('a', 'b.html', 1)]
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.document


def find_ids(text: str) -> set[str]:
    """Find the ids of a page quickly; at worst it takes some text for one.

    >>> find_ids('<h2 id="why">Why</h2>')
    {'why'}
    """
    return set(_ID.findall(text))


def find_requests(name: str, document: Document) -> Iterator[Problem]:
    """Find what a page would ask another host for.

    Args:
        name: The page's path from the site's root.
        document: What it refers to.
    """
    for tag, link, line in document.links:
        if _is_outward(link) and tag not in _OUTWARD_TAGS:
            expected, action = "no request to another host", "publish the file with the site"
            yield Problem(name, f"line {line}", f"{link!r}", expected, action)


def find_broken(
    name: str, document: Document, files: Collection[str], ids: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, Problem]]:
    """Find the links of a page that lead nowhere, each with its problem.

    Args:
        name: The page's path from the site's root.
        document: What it refers to.
        files: The paths of all files of the site.
        ids: The ids of the pages whose anchors are known.
    """
    for _, link, line in document.links:
        parts = _split(link)
        if _is_outward(link) or parts.scheme:
            continue
        place = f"line {line}"
        if link.startswith("/"):
            action = "a link from the root breaks from disk"
            yield link, Problem(name, place, f"{link!r}", "a relative link", action)
            continue
        target = normpath(join(name, "..", unquote(parts.path))) if parts.path else name
        if target not in files:
            hint = "name index.html" if f"{target}/index.html" in files else "mend or remove it"
            yield link, Problem(name, place, f"a link to {link!r}", "a file of the site", hint)
        elif parts.fragment and target in ids and not _has_anchor(ids[target], parts.fragment):
            expected, action = "an anchor that is there", "mend or remove it"
            yield link, Problem(name, place, f"a link to {link!r}", expected, action)


def _split(link: str) -> SplitResult:
    try:
        return urlsplit(link)
    except ValueError:
        # No browser can follow it, so it is told as a link to no file.
        return SplitResult("", "", link, "", "")


def _is_outward(link: str) -> bool:
    parts = _split(link)
    return bool(parts.scheme or parts.netloc) and parts.scheme not in _NO_HOST


def _has_anchor(ids: Collection[str], fragment: str) -> bool:
    # Browsers take "top" for the start of a page that has no such id.
    return unquote(fragment) in ids or fragment == "top"


def find_css_links(text: str) -> Iterator[tuple[str, int]]:
    """Find what a style sheet asks for, each with its line."""
    for match in _CSS_LINK.finditer(text):
        yield match[1] or match[2], text.count("\n", 0, match.start()) + 1
