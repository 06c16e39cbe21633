"""What a page's media elements do, also those that stand in no document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

RECORD = """
(() => {
  const heard = (window.heardMedia = []);
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    if (!heard.includes(this)) heard.push(this);
    return play.call(this);
  };
})();
"""
"""Notes every media element that a page's script ever plays; run before the page's own scripts."""

READ = """() => window.heardMedia.map((it) => ({
  address: it.currentSrc,
  position_s: it.currentTime,
  is_playing: !it.paused && !it.ended,
  is_audible: !it.muted && it.volume > 0,
  decoded_bytes: it.webkitAudioDecodedByteCount,
}))"""


@dataclass(frozen=True, slots=True)
class Heard:
    """One media element at one moment.

    Args:
        address: What it plays.
        position_s: Where it is, in seconds.
        is_playing: It is under way.
        is_audible: Neither muted nor turned down to nothing.
        decoded_bytes: How much sound the browser has decoded: nothing would mean silence.
    """

    address: str
    position_s: float
    is_playing: bool
    is_audible: bool
    decoded_bytes: int


def listen(page: Page) -> list[Heard]:
    """Return every media element that the page's scripts have played so far."""
    return [Heard(**facts) for facts in page.evaluate(READ)]


def wait_for_sound(page: Page, beyond_s: float = 0.05) -> Heard:
    """Wait until a media element plays and has moved beyond a position, and return it."""
    page.wait_for_function(
        "(beyond) => window.heardMedia.some((it) => !it.paused && it.currentTime > beyond)", arg=beyond_s
    )
    return next(heard for heard in listen(page) if heard.is_playing)
