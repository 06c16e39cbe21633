"""A real Chromium for the tests: pages under watch, on a loopback host and from disk."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from support.accessibility import find_violations
from support.listening import RECORD
from support.loopback import Loopback
from support.places import DESKTOP, Place
from support.programs import CHROMIUM_FLAGS, need_chromium
from support.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

PATIENCE_MS = 30_000


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A headless Chromium. A module's own: Playwright keeps an event loop running as long as it lives."""
    path = need_chromium()
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the Python package playwright")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """A function that opens a page of a place; what the page does wrong fails the test at its end.

    Wrong is a request outside the place, a failed request, an uncaught error, a line in the console.
    """
    watches: list[Watch] = []
    contexts = []

    def open_in(
        place: Place,
        page: str = "index.html",
        *,
        size: tuple[int, int] = DESKTOP,
        scheme: str = "light",
        script: bool = True,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            java_script_enabled=script,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(RECORD)
        contexts.append(context)
        watch = Watch(within=place.base)
        watches.append(watch)
        tab = context.new_page()
        watch.follow(tab)
        tab.goto(place.at(page), wait_until="load")
        return tab

    open_in.watches = watches
    yield open_in
    for context in contexts:
        context.close()
    faults = [fault for watch in watches for fault in watch.list_faults()]
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


@pytest.fixture
def requests_log(open_page) -> list[Watch]:
    """What the pages of this test asked for so far, one watch a page."""
    return open_page.watches


@pytest.fixture
def host() -> Iterator[Callable[[Path], Place]]:
    """A function that serves a folder on the loopback address below a sub-path."""
    running: list[Loopback] = []

    def serve(folder: Path, sub_path: str = "/some/deep%20path/") -> Place:
        running.append(Loopback(folder, sub_path).__enter__())
        return Place(running[-1].url)

    yield serve
    for loopback in running:
        loopback.__exit__()


@pytest.fixture
def served(site, host) -> Place:
    """The site of this repository on a loopback host below a sub-path."""
    return host(site.folder)


@pytest.fixture(scope="module")
def opened(site, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The site of this repository, copied elsewhere and opened from disk."""
    return open_copy(site.folder, tmp_path_factory)


@pytest.fixture(scope="module")
def opened_starter(starter, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """The starter project's site, copied elsewhere and opened from disk."""
    return open_copy(starter.folder, tmp_path_factory)


def open_copy(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Copy a built site to a folder with an awkward name, as an unzipped supplement has, and point there."""
    elsewhere = tmp_path_factory.mktemp("else where") / "unzipped (1)"
    shutil.copytree(folder, elsewhere)
    return Place(elsewhere.as_uri() + "/")


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """A function that returns axe-core's findings on a page, one line for each element at fault."""
    return find_violations
