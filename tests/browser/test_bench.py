"""The browser fixtures themselves, on a stand-in folder: what they let pass and what they catch."""

from __future__ import annotations

import wave

import pytest

from support.places import Place
from support.programs import CHROMIUM_FLAGS, find_chromium
from support.watch import Watch

pytestmark = pytest.mark.browser

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Stand-in</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"></head>
<body><main><h1>A stand-in page</h1><noscript>No script here.</noscript>
<audio controls preload="none" src="media/tone.wav"></audio>BODY</main></body>
</html>
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "media").mkdir()
    with wave.open(str(tmp_path / "media" / "tone.wav"), "wb") as tone:
        tone.setnchannels(1)
        tone.setsampwidth(2)
        tone.setframerate(8000)
        tone.writeframes(b"\0\0" * 8000 * 20)
    (tmp_path / "index.html").write_text(PAGE.replace("BODY", ""), encoding="utf-8")
    return tmp_path


@pytest.fixture(params=["http", "file"])
def place(request, folder, host):
    return host(folder) if request.param == "http" else Place(folder.as_uri() + "/")


def watch_page(chromium, place):
    """Open a page whose faults are for the test to read, not for the fixture to fail on."""
    watch = Watch(within=place.base)
    tab = chromium.new_page()
    watch.follow(tab)
    tab.goto(place.at("index.html"), wait_until="networkidle")
    tab.close()
    return watch


def test_page_opens_in_the_asked_size_and_scheme(open_page, place):
    page = open_page(place, size=(360, 780), scheme="dark")
    assert page.evaluate("innerWidth") == 360
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")


def test_page_can_be_opened_without_script(open_page, place):
    assert open_page(place, script=False).locator("noscript").is_visible()
    assert not open_page(place, script=True).locator("noscript").is_visible()


def test_audio_plays_and_seeks(open_page, place):
    page = open_page(place)
    seconds = page.evaluate(
        """async () => {
            const player = document.querySelector('audio');
            await player.play();
            player.currentTime = 15;
            await new Promise(done => player.addEventListener('seeked', done, { once: true }));
            return player.currentTime;
        }"""
    )
    assert seconds >= 15


def test_requests_are_logged(open_page, place, requests_log):
    open_page(place)
    assert requests_log[0].requested[0] == place.at("index.html")
    assert requests_log[0].outside == []


def test_request_that_leaves_the_place_is_caught(chromium, folder, place, host):
    other = host(folder, "/other/")
    body = f'<img alt="" src="{other.at("media/tone.wav")}">'
    (folder / "index.html").write_text(PAGE.replace("BODY", body), encoding="utf-8")
    watch = watch_page(chromium, place)
    assert watch.outside == [other.at("media/tone.wav")]
    assert any("request left" in fault for fault in watch.list_faults())


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<script>console.error('so it goes')</script>", "so it goes"),
        ("<script>undefinedName()</script>", "undefinedName"),
        ('<script src="missing.js"></script>', "missing.js"),
    ],
)
def test_error_on_a_page_is_caught(chromium, folder, place, body, fault):
    (folder / "index.html").write_text(PAGE.replace("BODY", body), encoding="utf-8")
    assert fault in "\n".join(watch_page(chromium, place).list_faults())


@pytest.mark.npm
def test_axe_names_the_rule_and_the_element(open_page, folder, place, axe):
    assert axe(open_page(place)) == []
    (folder / "index.html").write_text(PAGE.replace("BODY", '<img src="data:,">'), encoding="utf-8")
    (line,) = axe(open_page(place))
    assert line.startswith("image-alt (critical)")
    assert '<img src="data:,">' in line


def test_flags_keep_the_browser_from_asking_hosts():
    assert find_chromium()
    assert "--disable-background-networking" in CHROMIUM_FLAGS
