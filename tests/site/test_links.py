"""Every link of the built site leads somewhere inside it, by a relative address that also works from disk."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

LINKING = {"href", "src", "poster", "data"}
FILE_NAME = re.compile(r"[^\s.]\.(?:css|csv|flac|html|js|json|mp3|mp4|ogg|png|svg|wav|webm|webp)$")
ASKING = re.compile(r"""(?:url\(|@import|fetch\(|import\()\s*["']?(?:https?:)?//""")
OUTWARD = ("https://", "http://", "mailto:")


@dataclass
class PageParts:
    """What a page links to and can be linked at."""

    ids: list[str] = field(default_factory=list)
    links: list[tuple[str, str, str]] = field(default_factory=list)


class Reader(HTMLParser):
    """Reads ids and addresses, those in data attributes that name files as well."""

    def __init__(self):
        super().__init__()
        self.parts = PageParts()

    def handle_starttag(self, tag, attrs):
        for name, text in attrs:
            if name == "id":
                self.parts.ids.append(text)
            elif name in LINKING or (name.startswith("data-") and FILE_NAME.search(text or "")):
                self.parts.links.append((tag, name, text or ""))


def read_page(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.parts


@pytest.fixture(scope="module")
def parts(site):
    """The parts of every page by its path in the folder."""
    return {page: read_page(site.folder / page) for page in site.pages}


def test_no_id_stands_twice_on_a_page(parts):
    twice = {page: {name for name in found.ids if found.ids.count(name) > 1} for page, found in parts.items()}
    assert {page: names for page, names in twice.items() if names} == {}


def test_every_inward_link_leads_somewhere(site, parts):
    broken = []
    for page, found in parts.items():
        for _, _, link in found.links:
            address = urlsplit(link)
            if address.scheme or link.startswith("//"):
                continue
            goal = (site.folder / page).parent / unquote(address.path) if address.path else site.folder / page
            inside = goal.resolve().is_relative_to(site.folder.resolve())
            if not inside or not goal.is_file():
                broken.append(f"{page}: {link}")
            elif address.fragment and goal.suffix == ".html":
                name = goal.resolve().relative_to(site.folder.resolve()).as_posix()
                if unquote(address.fragment) not in parts[name].ids:
                    broken.append(f"{page}: {link}")
    assert broken == []


def test_addresses_work_from_disk_and_below_any_path(parts):
    wrong = [
        f"{page}: <{tag} {name}={link!r}>"
        for page, found in parts.items()
        for tag, name, link in found.links
        if link.startswith("/") or (not link.startswith(OUTWARD) and urlsplit(link).path.endswith("/"))
    ]
    assert wrong == []


def test_only_anchors_lead_outward(parts):
    wrong = [
        f"{page}: <{tag} {name}={link!r}>"
        for page, found in parts.items()
        for tag, name, link in found.links
        if link.startswith(OUTWARD) and (tag, name) != ("a", "href")
    ]
    assert wrong == []


def test_style_sheets_and_scripts_ask_no_host(site):
    asking = [
        path.name
        for path in sorted((site.folder / "assets").iterdir())
        if path.suffix in {".css", ".js"} and not path.name.startswith("plotly")
        if ASKING.search(path.read_text(encoding="utf-8"))
    ]
    assert asking == []


def test_published_names_are_plain(site):
    names = [path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*") if path.is_file()]
    assert [name for name in names if not re.fullmatch(r"[A-Za-z0-9._/-]+", name)] == []


def test_published_data_is_strict_json(site):
    def refuse(constant):
        pytest.fail(f"{constant} in JSON")

    files = sorted(site.folder.rglob("*.json"))
    for path in files:
        json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert len(files) >= len(site.items)
