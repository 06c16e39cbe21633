"""Problems of a built site, found from its files alone: links, anchors, ids, hosts, media, manifest."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from posixpath import join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from torus_site.errors import BuildError, Problem
from torus_site.output import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

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
_OUTWARD_TAGS = {"a"}
_STATEMENTS = {"alternate", "author", "canonical", "license", "me"}
"""What a link element may say about another host without asking it for anything."""


@dataclass(slots=True)
class _Document:
    """What a page of HTML refers to and defines."""

    ids: dict[str, int] = field(default_factory=dict)
    doubled: list[tuple[str, int]] = field(default_factory=list)
    links: list[tuple[str, str, int]] = field(default_factory=list)
    references: list[tuple[str, str, int]] = field(default_factory=list)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.document = _Document()

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
                self.document.links.extend((tag, link, line) for link, _ in _find_css_links(value))
            elif name in {"for", "aria-labelledby", "aria-describedby", "aria-controls", "headers"}:
                self.document.references.extend((name, part, line) for part in value.split())


def check_site(folder: Path) -> tuple[Problem, ...]:
    """Return the problems of a built site.

    Args:
        folder: The output of a build.

    Raises:
        BuildError: The folder is not there or holds no site.
    """
    if not (folder / "index.html").is_file():
        raise BuildError(
            Problem(folder.as_posix(), "", "no index.html", "a built site", "build it: torus-site build")
        )
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    documents = {name: _read(folder / name) for name in sorted(files) if name.endswith(".html")}
    problems = [
        *_check_documents(documents, files),
        *_check_styles(folder, files),
        *_check_manifest(folder, files),
    ]
    return tuple(sorted(set(problems)))


def _read(path: Path) -> _Document:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8", errors="replace"))
    reader.close()
    return reader.document


def _check_documents(documents: Mapping[str, _Document], files: set[str]) -> Iterator[Problem]:
    for name, document in documents.items():
        for value, line in document.doubled:
            yield Problem(name, f"line {line}", f"id {value!r} twice", "every id once", "rename one")
        for attribute, value, line in document.references:
            if value not in document.ids:
                yield Problem(
                    name, f"line {line}", f"{attribute}={value!r}", "the id of an element on the page"
                )
        for link in document.links:
            yield from _check_link(name, link, documents, files)


def _check_link(
    name: str, found: tuple[str, str, int], documents: Mapping[str, _Document], files: set[str]
) -> Iterator[Problem]:
    tag, link, line = found
    place = f"line {line}"
    parts = urlsplit(link)
    if parts.scheme in {"data", "blob", "mailto"}:
        return
    if parts.scheme or parts.netloc:
        if tag not in _OUTWARD_TAGS:
            yield Problem(
                name, place, f"{link!r}", "no request to another host", "publish the file with the site"
            )
        return
    if link.startswith("/"):
        yield Problem(name, place, f"{link!r}", "a relative link", "a link from the root breaks from disk")
        return
    target = normpath(join(name, "..", unquote(parts.path))) if parts.path else name
    if target not in files:
        hint = "name index.html" if f"{target}/index.html" in files else "mend or remove it"
        yield Problem(name, place, f"a link to {link!r}", "a file of the site", hint)
    elif parts.fragment and target in documents and not _has_anchor(documents[target], parts.fragment):
        yield Problem(name, place, f"a link to {link!r}", "an anchor that is there", "mend or remove it")


def _has_anchor(document: _Document, fragment: str) -> bool:
    # Browsers take "top" for the start of a page that has no such id.
    return unquote(fragment) in document.ids or fragment == "top"


def _find_css_links(text: str) -> Iterator[tuple[str, int]]:
    """Find what a style sheet asks for, each with its line."""
    for match in _CSS_LINK.finditer(text):
        yield match[1] or match[2], text.count("\n", 0, match.start()) + 1


def _check_styles(folder: Path, files: set[str]) -> Iterator[Problem]:
    for name in sorted(name for name in files if name.endswith(".css")):
        for link, line in _find_css_links((folder / name).read_text(encoding="utf-8", errors="replace")):
            if link.startswith(("data:", "#")):
                continue
            if "//" in link:
                yield Problem(name, f"line {line}", f"{link!r}", "no request to another host")
            elif normpath(join(name, "..", unquote(link))) not in files:
                yield Problem(name, f"line {line}", f"{link!r}", "a file of the site")


def _check_manifest(folder: Path, files: set[str]) -> Iterator[Problem]:
    try:
        listed = json.loads((folder / MANIFEST).read_bytes())["files"]
    except (OSError, ValueError, KeyError, TypeError):
        listed = None
    if not isinstance(listed, dict):
        yield Problem(MANIFEST, "", "no list of files", "the manifest of a build", "build again")
        return
    for name in sorted(set(listed) - files):
        yield Problem(name, "", "no such file", "a file the manifest lists", "build again")
    for name in sorted(files - set(listed) - {MANIFEST}):
        yield Problem(name, "", "a file the build did not write", action="remove it", severity="warning")
    for name in sorted(files & set(listed)):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != listed[name]:
            yield Problem(name, "", "content that differs from the manifest", "what was built", "build again")
