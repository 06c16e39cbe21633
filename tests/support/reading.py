"""Reads pages as a browser would: elements, attributes, and the text a person sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    """An element with its attributes and all text inside it, that of inner elements included."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: tuple[str, ...] = field(default=())


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self._open = []

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), inside=tuple(outer.tag for outer in self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag, attrs):
        element = Element(tag, dict(attrs), inside=tuple(outer.tag for outer in self._open))
        self.elements.append(element)

    def handle_endtag(self, tag):
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at].tag == tag:
                del self._open[at:]
                break

    def handle_data(self, data):
        for element in self._open:
            element.text += data


def parse_elements(html):
    """Return every element of a page in the order of their starts."""
    reader = _Reader()
    reader.feed(str(html))
    reader.close()
    return reader.elements


def read_elements(path):
    """Return every element of a page's file in the order of their starts."""
    return parse_elements(path.read_text(encoding="utf-8"))
