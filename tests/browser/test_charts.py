"""A chart is a drawing first; touched, it becomes interactive in place and in the same size."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

LIVE = ".fig .box.live .main-svg"
SIZE = "it => { const box = it.getBoundingClientRect(); return [box.width, box.height]; }"


@pytest.fixture(params=["served", "opened"])
def place(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def results(site, place, open_page):
    """The results page with its first chart in sight."""
    page = open_page(place, site.results)
    page.locator(".fig .box").first.scroll_into_view_if_needed()
    return page


def test_drawing_stands_first_and_without_script(site, opened, open_page):
    page = open_page(opened, site.results, script=False)
    drawings = page.locator(".fig .box svg[role=img]:visible")
    assert drawings.count() == page.locator(".fig").count() > 0
    assert all(width > 200 and height > 100 for width, height in map(size_of, drawings.all()))


def test_pointing_at_a_chart_makes_it_interactive_in_the_same_size(results):
    box = results.locator(".fig .box").first
    before = size_of(box)
    box.hover()
    results.wait_for_selector(LIVE)
    assert size_of(box) == pytest.approx(before, abs=1)
    assert size_of(results.locator(LIVE).first) == pytest.approx(before, abs=2)


def test_every_chart_comes_alive_with_one_library(results, requests_log):
    boxes = results.locator(".fig .box")
    for box in boxes.all():
        box.scroll_into_view_if_needed()
        box.hover()
    results.wait_for_function(
        "document.querySelectorAll('.fig .box.live').length === document.querySelectorAll('.fig').length"
    )
    assert len([url for url in requests_log[0].requested if "plotly" in url]) == 1


def test_page_does_not_move_when_a_chart_comes_alive(results):
    height = results.evaluate("document.documentElement.scrollHeight")
    results.locator(".fig .box").first.hover()
    results.wait_for_selector(LIVE)
    assert results.evaluate("document.documentElement.scrollHeight") == height


@pytest.mark.npm
def test_live_charts_have_no_axe_violation(results, axe):
    results.locator(".fig .box").first.hover()
    results.wait_for_selector(LIVE)
    assert axe(results) == []


def test_live_chart_follows_the_colour_scheme(results):
    results.locator(".fig .box").first.hover()
    results.wait_for_selector(LIVE)
    read = "path => getComputedStyle(document.querySelector(path)).fill"
    light = results.evaluate(read, f"{LIVE} text")
    results.locator("[data-scheme-switch]").first.click()
    results.wait_for_function(f"([path, old]) => ({read})(path) !== old", arg=[f"{LIVE} text", light])
    assert results.evaluate(read, f"{LIVE} text") != light


def size_of(locator):
    return locator.evaluate(SIZE)
