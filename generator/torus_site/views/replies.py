"""How replies were read: what was said, the letter that counts, and what a forgiving reader would take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torus_site.views.model import ReplyView
from torus_site.views.reasons import explain_reason

if TYPE_CHECKING:
    from torus_site.records.model import Again, Answer, Lenient
    from torus_site.views.model import SystemView

ORDERS: Final = ("other order", "other orders")
_LONGEST: Final = 600
"""Characters of a reply that a page shows; the data beside the page has all of it."""


def read_reply(system: SystemView, answer: Answer, letters: str) -> ReplyView | None:
    """Show how a reply was read, or nothing where a bare letter in one order says it all.

    Args:
        system: Who replied.
        answer: What it replied.
        letters: The letters of the options.
    """
    is_bare = answer.response is None or _is_letter(answer.response, letters)
    if is_bare and not answer.again:
        return None
    return ReplyView(
        system=system,
        response="" if is_bare else _shorten(answer.response or ""),
        strict=_tell_strict(answer),
        lenient=_tell_lenient(answer.lenient) if answer.lenient and not is_bare else "",
        again=_tell_again(answer.again),
    )


def _is_letter(response: str, letters: str) -> bool:
    return len(text := response.strip()) == 1 and text in letters


def _shorten(response: str) -> str:
    if len(response) <= _LONGEST:
        return response.strip() or "(nothing)"
    return f"{response[:_LONGEST].strip()} \N{HORIZONTAL ELLIPSIS} ({len(response):,} characters in all)"


def _tell_strict(answer: Again) -> str:
    verdict = "right" if answer.correct else "wrong"
    if answer.pick:
        return f"Strict: {answer.pick}, {verdict}"
    return f"Strict: {verdict}; {explain_reason(answer.reason, strict=True)}"


def _tell_lenient(reading: Lenient) -> str:
    verdict = f"{reading.pick}, {'right' if reading.correct else 'wrong'}" if reading.pick else "no option"
    return f"Lenient: {verdict}; {explain_reason(reading.reason)}"


def _tell_again(again: tuple[Again, ...]) -> str:
    """List what was picked in further orders, by the letters of this page."""
    if not again:
        return ""
    one, many = ORDERS
    picks = ", ".join(_tell_pick(reply) for reply in again)
    return f"Also asked in {len(again)} {one if len(again) == 1 else many}: picked {picks}"


def _tell_pick(reply: Again) -> str:
    if reply.pick:
        return reply.pick
    lenient = reply.lenient.pick if reply.lenient else None
    return f"nothing readable (leniently {lenient})" if lenient else "nothing readable"
