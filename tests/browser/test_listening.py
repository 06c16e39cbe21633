"""A clip can be heard: from a host, from disk, and without script through the browser's own controls."""

from __future__ import annotations

import pytest

from support.listening import listen, wait_for_sound

pytestmark = pytest.mark.browser

PLAY = ".bench button[data-src]"


@pytest.fixture(params=["own", "starter"])
def listened(request):
    """A built site with clips."""
    site = request.getfixturevalue("site" if request.param == "own" else "starter")
    assert list((site.folder / "media").glob("*.mp3"))
    return site


@pytest.fixture(params=["http", "file"])
def place(request, listened, host):
    if request.param == "http":
        return host(listened.folder)
    name = "opened" if listened == request.getfixturevalue("site") else "opened_starter"
    return request.getfixturevalue(name)


def test_press_on_a_player_gives_sound(listened, place, open_page):
    page = open_page(place, listened.items[0])
    page.locator(PLAY).first.click()
    heard = wait_for_sound(page)
    assert heard.is_audible
    assert heard.decoded_bytes > 0
    assert "/media/" in heard.address


def test_one_clip_sounds_at_a_time(listened, place, open_page):
    page = open_page(place, listened.items[0])
    page.locator(PLAY).first.click()
    first = wait_for_sound(page)
    page.locator(PLAY).nth(1).click()
    page.wait_for_function(
        "(old) => window.heardMedia.some((it) => !it.paused && it.currentSrc !== old)", arg=first.address
    )
    assert [heard.is_playing for heard in listen(page)].count(True) == 1


def test_native_controls_stand_in_without_script(listened, place, open_page):
    count = open_page(place, listened.items[0]).locator(PLAY).count()
    page = open_page(place, listened.items[0], script=False)
    players = page.locator("audio[controls], video[controls]")
    assert players.count() == count > 0
    assert players.first.is_visible()
    assert {players.nth(place).get_attribute("preload") for place in range(count)} == {"none"}
    assert not page.locator(PLAY).first.is_visible()
