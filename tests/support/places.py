"""Where a page stands: below a loopback host's sub-path, or in a folder opened from disk."""

from __future__ import annotations

from dataclasses import dataclass

PHONE = (360, 780)
DESKTOP = (1440, 900)
"""Window sizes in CSS pixels."""


@dataclass(frozen=True, slots=True)
class Place:
    """A base address that holds a whole site.

    Args:
        base: The address of the site's folder, with a slash at its end.
    """

    base: str

    def at(self, page: str) -> str:
        """Return the address of a page of the site.

        >>> Place("file:///else/where/").at("about/index.html")
        'file:///else/where/about/index.html'
        """
        return self.base + page
