"""What has no clip and what is incomplete can be read, sorted and stepped over in a real browser."""

from __future__ import annotations

import pytest

from support.built import build_once
from support.lapses import lapsed_files
from support.places import DESKTOP, PHONE
from support.projects import write_files

pytestmark = pytest.mark.browser

PAGES = ("index.html", "toy/bell/index.html", "toy/gong/index.html", "toy/horn/index.html")


@pytest.fixture
def lapsed(shared_folder, host):
    """The built site on a loopback host."""
    built = build_once(shared_folder / "lapsed", lambda folder: write_files(folder, lapsed_files()))
    return host(built.folder)


@pytest.mark.npm
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_pages_have_no_axe_violation(lapsed, open_page, axe, size, scheme):
    found = {}
    for name in PAGES:
        page = open_page(lapsed, name, size=size, scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        found[name] = axe(page)
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_nothing_scrolls_sideways_with_everything_unfolded(lapsed, open_page):
    for name in PAGES:
        page = open_page(lapsed, name, size=(320, 780))
        page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name


def test_keys_step_over_cells_without_a_clip(lapsed, open_page):
    page = open_page(lapsed, "toy/horn/index.html")
    page.locator("button[data-src]").first.focus()
    for key, name in (("ArrowDown", "Copy, S1"), ("ArrowUp", "Cascade, S1"), ("ArrowRight", "Cascade, S2")):
        page.keyboard.press(key)
        page.wait_for_function("(name) => (document.activeElement.ariaLabel || '').includes(name)", arg=name)
    page.keyboard.press("ArrowDown")
    assert "Cascade, S2" in page.evaluate("document.activeElement.ariaLabel")


def test_what_became_of_a_clip_is_read_without_script(lapsed, open_page):
    page = open_page(lapsed, "toy/bell/index.html", script=False)
    assert page.get_by_text("No usable clip: it is failed").is_visible()
    assert page.get_by_text("Not reached: S1 failed").is_visible()


def test_differences_are_sorted_by_their_numbers(lapsed, open_page):
    page = open_page(lapsed, "index.html")
    head = page.locator("#table-table-main th", has_text="vs. baseline")
    rows = page.locator("#table-table-main tbody th")
    head.locator("button").click()
    page.locator("th[aria-sort=descending]").wait_for()
    assert rows.first.inner_text().startswith("Cascade")
    head.locator("button").click()
    assert rows.first.inner_text().startswith("Copy")
