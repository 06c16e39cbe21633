"""Problems of a built site, found from its files alone: links, anchors, ids, hosts, media, manifest."""

from __future__ import annotations

import hashlib
import json
from posixpath import join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from torus_site.errors import BuildError, Problem
from torus_site.links import find_broken, find_css_links, find_requests, read_document
from torus_site.output import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from torus_site.links import Document


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


def _read(path: Path) -> Document:
    return read_document(path.read_text(encoding="utf-8", errors="replace"))


def _check_documents(documents: Mapping[str, Document], files: set[str]) -> Iterator[Problem]:
    ids = {name: document.ids for name, document in documents.items()}
    for name, document in documents.items():
        for value, line in document.doubled:
            yield Problem(name, f"line {line}", f"id {value!r} twice", "every id once", "rename one")
        for attribute, value, line in document.references:
            if value not in document.ids:
                yield Problem(
                    name, f"line {line}", f"{attribute}={value!r}", "the id of an element on the page"
                )
        yield from find_requests(name, document)
        yield from (problem for _, problem in find_broken(name, document, files, ids))


def _check_styles(folder: Path, files: set[str]) -> Iterator[Problem]:
    for name in sorted(name for name in files if name.endswith(".css")):
        for link, line in find_css_links((folder / name).read_text(encoding="utf-8", errors="replace")):
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
