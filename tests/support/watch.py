"""A page under watch: what it asked for, what it complained about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request, Response

INLINE = ("data:", "blob:", "about:")
GIVEN_UP = "net::ERR_ABORTED"
"""What Chromium reports when a page drops a download it no longer needs, as a player does on a switch."""


@dataclass
class Watch:
    """What one page asked for and complained about, from its first request on.

    Args:
        within: The only address prefix that the page may ask for anything.
    """

    within: str
    requested: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Listen to everything that the page does from here on."""
        page.on("request", self._on_request)
        page.on("requestfailed", self._on_failed)
        page.on("response", self._on_response)
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught error: {error}"))

    @property
    def outside(self) -> list[str]:
        """Every address asked for that lies outside the folder or host."""
        return [url for url in self.requested if not url.startswith((self.within, *INLINE))]

    def list_faults(self) -> list[str]:
        """Return what must fail a test: outside requests, failed requests, errors in the console."""
        return [f"request left {self.within}: {url}" for url in self.outside] + self.complaints

    def _on_request(self, request: Request) -> None:
        self.requested.append(request.url)

    def _on_failed(self, request: Request) -> None:
        if request.failure != GIVEN_UP:
            self.complaints.append(f"request failed: {request.url} ({request.failure})")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:  # where HTTP's error codes begin
            self.complaints.append(f"answered {response.status}: {response.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"console {message.type}: {message.text}")
