"""axe-core in a live page, its findings as lines that a person can act on."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from support.programs import need_npm_file

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUN = """async () => await axe.run(document, {
  resultTypes: ["violations"],
  preload: location.protocol !== "file:", // axe fetches style sheets, which no page from disk may do
})"""


@cache
def _read_axe() -> str:
    return need_npm_file("axe-core/axe.min.js").read_text(encoding="utf-8")


def find_violations(page: Page) -> list[str]:
    """Run every default rule of axe-core on a page.

    Returns:
        One line for each element at fault: rule, impact, advice, where, and the element's start.
    """
    page.evaluate(_read_axe())
    found: dict[str, Any] = page.evaluate(RUN)
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}; at {' '.join(map(str, node['target']))}: "
        f"{node['html'][:160]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]
