"""Photograph every page of a built site: phone and desktop width, light and dark, from top to bottom.

python benchmarks/screenshots.py BUILD OUT [--pages GLOB]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from support.loopback import Loopback
from support.programs import CHROMIUM_FLAGS, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = ((360, 780), (1440, 900))
SCHEMES = ("light", "dark")


def list_pages(build: Path, pattern: str) -> list[str]:
    """Return the pages of a built site that match a glob pattern, sorted."""
    return sorted(page.relative_to(build).as_posix() for page in build.glob(pattern))


def photograph(browser: Browser, address: str, into: Path, *, size: tuple[int, int], scheme: str) -> int:
    """Write one picture of a whole page.

    Returns:
        How many pixels the page is wider than the window: more than 0 means it scrolls sideways.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.screenshot(path=into, full_page=True)
    excess: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    context.close()
    return excess


def main() -> int:
    """Run the script and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, help="the built site")
    parser.add_argument("out", type=Path, help="where the pictures go")
    parser.add_argument("--pages", default="**/*.html", help="only pages that match this pattern")
    asked = parser.parse_args()
    chromium, pages = find_chromium(), list_pages(asked.build, asked.pages)
    if chromium is None or not pages:
        print("No Chromium found." if pages else f"No page in {asked.build} matches {asked.pages}.")
        return 1
    asked.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, Loopback(asked.build) as loopback:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_FLAGS))
        for page in pages:
            stem = page.removesuffix(".html").removesuffix("/index").replace("/", "-")
            for size in SIZES:
                for scheme in SCHEMES:
                    into = asked.out / f"{stem}-{size[0]}-{scheme}.png"
                    excess = photograph(browser, loopback.url + page, into, size=size, scheme=scheme)
                    print(into, f"  wider than the window by {excess} px" if excess > 0 else "")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
