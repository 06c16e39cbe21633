"""What an anonymous site must not tell: where its makers are to be found, and their names."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OUTWARD = r"""(?:href|src|data|action|poster)\s*=\s*["']?(?:(?:[a-z][a-z0-9+.-]*:)?//|mailto:)"""
_ANCHOR = re.compile(rf"<a\s(?:[^>]*\s)?{_OUTWARD}[^>]*>(.*?)</a\s*>", re.IGNORECASE | re.DOTALL)
_ATTRIBUTE = re.compile(rf"<[a-z][^<>]*\s{_OUTWARD}[^\s\"'>]*", re.IGNORECASE)
_ADDRESS = re.compile(r"://|@|^www\.")
_CODE = re.compile(r"\\u([0-9a-f]{4})")
_TEXT = (".html", ".json", ".csv", ".css", ".js", ".svg")


def disable_links(html: Markup, reason: str) -> Markup:
    """Turn links outward into disabled ones that say why; one that shows its address no longer does.

    Args:
        html: A page's content.
        reason: Why they are disabled.

    >>> disable_links(Markup('<a href="https://example.org/me">Code</a>'), "hidden")
    Markup('<a role="link" aria-disabled="true" class="off">Code <small>(hidden)</small></a>')
    """

    def disable(match: re.Match[str]) -> str:
        text = "Link" if _ADDRESS.search(unescape(match[1])) else match[1]
        return f'<a role="link" aria-disabled="true" class="off">{text} <small>({escape(reason)})</small></a>'

    return Markup(_ANCHOR.sub(disable, html))  # noqa: S704  it was HTML before


def is_telling(path: str) -> bool:
    """Tell whether a published file is text that its makers' names could stand in."""
    return path.endswith(_TEXT)


def find_identity(files: Iterable[tuple[str, bytes]], names: Iterable[str]) -> Iterator[Problem]:
    """Find what tells who made a site; a name that stands in many files is told once.

    Args:
        files: Path and content of published texts.
        names: Authors, affiliations, addresses.

    Returns:
        An error for each name and for each link outward that is left.
    """
    patterns = {name: re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in names}
    places: dict[str, list[tuple[str, int]]] = {}
    for path, content in files:
        text = _read(content)
        for name, pattern in patterns.items():
            if match := pattern.search(text):
                places.setdefault(name, []).append((path, _line(text, match)))
        for match in _ATTRIBUTE.finditer(text) if path.endswith(".html") else ():
            yield Problem(
                path,
                f"line {_line(text, match)}",
                f"{match[0]!r}",
                "no link outward in an anonymous build",
                "take it out",
            )
    for name, found in places.items():
        path, line = found[0]
        others = f", and in {len(found) - 1} more files" if len(found) > 1 else ""
        yield Problem(
            path,
            f"line {line}",
            f"{name!r}{others}",
            "no author, affiliation or address in an anonymous build",
            "take it out of what this is made from",
        )


def _read(content: bytes) -> str:
    """Return text as a reader sees it: without the escapes of HTML and JSON."""
    return unescape(_CODE.sub(lambda match: chr(int(match[1], 16)), content.decode(errors="replace")))


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1
