"""Every page opens from a host below a sub-path and from disk, asks nothing else, and is accessible."""

from __future__ import annotations

import pytest

from support.places import DESKTOP, PHONE

pytestmark = pytest.mark.browser

LOOKS = {
    f"{size[0]}-{scheme}": {"size": size, "scheme": scheme}
    for size in (PHONE, DESKTOP)
    for scheme in ("light", "dark")
}


@pytest.fixture(params=["served", "opened"])
def place(request):
    return request.getfixturevalue(request.param)


def choose_pages(site):
    """Return a page of every kind: home, an item, the results, about."""
    return ["index.html", site.items[0], site.results, "about/index.html"]


def test_every_page_opens_and_asks_nothing_elsewhere(site, place, open_page, requests_log):
    for page in site.pages:
        assert open_page(place, page).title()
    assert len(requests_log) == len(site.pages) > 5
    assert [url for watch in requests_log for url in watch.outside] == []


def test_chart_library_is_not_loaded_unasked(site, place, open_page, requests_log):
    for page in choose_pages(site):
        open_page(place, page)
    assert [url for watch in requests_log for url in watch.requested if "plotly" in url] == []


def test_nothing_sounds_and_no_clip_loads_unasked(site, place, open_page, requests_log):
    for page in choose_pages(site):
        open_page(place, page)
    assert [url for watch in requests_log for url in watch.requested if "/media/" in url] == []


@pytest.mark.npm
@pytest.mark.parametrize("look", LOOKS)
def test_pages_have_no_axe_violation(site, served, open_page, axe, look):
    found = {page: axe(open_page(served, page, **LOOKS[look])) for page in choose_pages(site)}
    assert {page: lines for page, lines in found.items() if lines} == {}


def test_no_page_scrolls_sideways(site, opened, open_page):
    wider = []
    for page in site.pages:
        tab = open_page(opened, page)
        for width in (320, 360, 768, 1440):
            tab.set_viewport_size({"width": width, "height": 780})
            excess = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            if excess > 0:
                wider.append(f"{page} at {width} px by {excess} px")
    assert wider == []


def test_pages_are_complete_without_script(site, opened, open_page):
    for page in choose_pages(site):
        tab = open_page(opened, page, script=False)
        assert tab.locator("h1").first.is_visible(), page
        assert tab.locator("main").inner_text().strip(), page
        for chart in tab.locator("figure svg[role=img]").all():
            assert chart.evaluate("it => it.getBoundingClientRect().width >= 0")


def test_links_between_pages_can_be_followed(site, place, open_page):
    page = open_page(place, "index.html")
    page.locator(f"a[href='{site.items[0]}']").first.click()
    page.wait_for_url(place.at(site.items[0]))
    page.locator("header a.brand").click()
    page.wait_for_url(place.at("index.html"))
    assert page.locator("h1").first.is_visible()


def test_keyboard_reaches_every_control(site, served, open_page):
    page = open_page(served, site.items[0])
    count = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, summary, input, select, [tabindex="0"]')]
            .filter((it) => it.checkVisibility() && !it.disabled && it.tabIndex >= 0).length"""
    )
    reached = set()
    for _ in range(count + 5):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                """() => { const it = document.activeElement;
                    it.dataset.reached ||= String(document.querySelectorAll('[data-reached]').length + 1);
                    return it.localName === 'body' ? '' : it.dataset.reached; }"""
            )
        )
    assert len(reached - {""}) >= count


def test_focus_can_be_seen(site, served, open_page):
    page = open_page(served, site.items[0])
    for _ in range(6):
        page.keyboard.press("Tab")
        style = page.evaluate(
            """() => { const s = getComputedStyle(document.activeElement);
                return [s.outlineStyle, s.outlineWidth, s.boxShadow]; }"""
        )
        assert (style[0] != "none" and style[1] != "0px") or style[2] != "none"
