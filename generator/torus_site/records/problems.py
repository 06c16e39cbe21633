"""The words of problems: places, values as found, names as expected."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from pydantic_core import PydanticCustomError

from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

LIST = "a list"
GROUP = "keys and values"
_LONGEST_QUOTE = 60
_MOST_NAMES = 24


def pointer(*parts: str | int) -> str:
    """Write a place in a document as a JSON pointer (RFC 6901).

    >>> pointer("cells", 0, "at/where")
    '/cells/0/at~1where'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def quote(value: object) -> str:
    """Show a value as found in a file, shortened when long.

    >>> quote("mp4"), quote(True), quote(None), quote([1, 2]), quote({})
    ("'mp4'", 'true', 'null', 'a list', 'keys and values')
    """
    if isinstance(value, str):
        return repr(value if len(value) <= _LONGEST_QUOTE else value[:_LONGEST_QUOTE] + "…")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return LIST
    if isinstance(value, dict):
        return GROUP
    if isinstance(value, dt.date | dt.time):
        return f"the date or time {value}"
    return str(value)


def one_of(names: Iterable[object]) -> str:
    """List what is allowed.

    >>> one_of(["mp3", "flac"]), one_of([1]), one_of([])
    ('one of mp3, flac', '1', 'nothing: none is declared')
    """
    texts = [str(name) for name in names]
    if not texts:
        return "nothing: none is declared"
    more = f" and {len(texts) - _MOST_NAMES} more" if len(texts) > _MOST_NAMES else ""
    return texts[0] if len(texts) == 1 else "one of " + ", ".join(texts[:_MOST_NAMES]) + more


def unknown(
    file: str, place: str, name: str, allowed: Iterable[str], *, what: str = "", hint: bool = True
) -> Problem:
    """Tell of a name that nothing declares, with the nearest one that is unless no hint is wanted.

    >>> print(unknown("a.json", "/system", "csacade", ["cascade"], what="a system"))
    a.json at /system: found 'csacade'; expected a system, one of cascade; did you mean 'cascade'?
    """
    names = list(allowed)
    choice = one_of(names) if len(names) != 1 else f"one of {names[0]}"
    return Problem(
        file=file,
        place=place,
        found=quote(name),
        expected=f"{what}, {choice}" if what else choice,
        action=nearest(name, names) if hint else "",
    )


def broken(
    *, found: str, expected: str, action: str = "", inside: tuple[str, ...] = ()
) -> PydanticCustomError:
    """Make the error that a model raises for a rule of its own; ``explain`` passes its words on.

    Args:
        found: What stands there.
        expected: The rule.
        action: What to do about it.
        inside: Where in the model, if not as a whole.
    """
    context = {"found": found, "expected": expected, "action": action, "inside": inside}
    return PydanticCustomError("rule", "found {found}; expected {expected}", context)
