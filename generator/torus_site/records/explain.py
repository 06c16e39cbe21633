"""Turns what pydantic found wrong into problems that a file's owner can mend.

Pydantic says where by a tuple that names union members too, and says what in words of its own. Here both
become a JSON pointer and plain English, with the nearest allowed name for anything mistyped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, get_args

from torus_site.errors import Problem, nearest
from torus_site.records.problems import one_of, pointer, quote
from torus_site.records.shapes import Place, bare, describe, keys_of, members, tags

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from torus_site.records.shapes import Shape

_AT = re.compile(r" at line (\d+) column (\d+)$")


class Words(NamedTuple):
    """What a problem says beside its place."""

    found: str
    expected: str
    action: str = ""


def explain(error: ValidationError, shape: Shape, *, file: str) -> list[Problem]:
    """Turn every error of a failed validation into a problem.

    Args:
        error: What pydantic raised.
        shape: The annotation that was validated against: a model, or models told apart by ``kind``.
        file: The file's name in the problems.
    """
    return [_explain_one(details, shape, file) for details in list_errors(error)]


def list_errors(error: ValidationError) -> list[ErrorDetails]:
    """List the errors of a failed validation, without lists called short only for their wrong entries."""
    errors = error.errors(include_url=False)
    around = {details["loc"][:depth] for details in errors for depth in range(len(details["loc"]))}
    return [details for details in errors if details["type"] != "too_short" or details["loc"] not in around]


def _explain_one(details: ErrorDetails, shape: Shape, file: str) -> Problem:
    if details["type"] == "json_invalid":
        message = str(details["ctx"]["error"])
        line, column = _AT.findall(message)[0]
        return Problem(file, f"line {line}, column {column}", "", "valid JSON", _AT.sub("", message))
    place = Place(shape, details["loc"])
    tell = _TELLERS.get(details["type"])
    words = tell(details, place) if tell else Words(quote(details["input"]), describe(place.shape))
    return Problem(file, pointer(*place.parts), *words)


def _tell_unknown_key(_details: ErrorDetails, place: Place) -> Words:
    name = str(place.parts[-1])
    keys = keys_of(place.model) if place.model else []
    return Words(f"the unknown key {name!r}", one_of(keys), nearest(name, keys))


def _tell_missing(_details: ErrorDetails, place: Place) -> Words:
    return Words("nothing", describe(place.shape))


def _tell_choice(details: ErrorDetails, place: Place) -> Words:
    names = [str(name) for name in get_args(bare(place.shape))]
    return Words(quote(details["input"]), one_of(names), nearest(str(details["input"]), names))


def _tell_kind(details: ErrorDetails, place: Place) -> Words:
    names = [tag for member in members(bare(place.shape)) for tag in tags(member)]
    place.parts.append("kind")
    tag = details["ctx"].get("tag")
    return Words(quote(tag) if tag else "nothing", one_of(names), nearest(str(tag), names))


def _tell_bound(words: str, key: str) -> Callable[[ErrorDetails, Place], Words]:
    def tell(details: ErrorDetails, _place: Place) -> Words:
        return Words(quote(details["input"]), words.format(f"{details['ctx'][key]:g}"))

    return tell


def _tell_short_list(details: ErrorDetails, _place: Place) -> Words:
    context = details["ctx"]
    return Words(f"{context['actual_length']} entries", f"at least {context['min_length']}")


def _tell_empty(_details: ErrorDetails, _place: Place) -> Words:
    return Words("empty text", "text that is not empty")


def _tell_infinite(details: ErrorDetails, _place: Place) -> Words:
    return Words(quote(details["input"]), "a finite number")


def _tell_error(details: ErrorDetails, _place: Place) -> Words:
    return Words("", str(details["ctx"]["error"]))


def _tell_rule(details: ErrorDetails, place: Place) -> Words:
    context = details["ctx"]
    place.parts += context["inside"]
    return Words(context["found"], context["expected"], context["action"])


_TELLERS: dict[str, Callable[[ErrorDetails, Place], Words]] = {
    "extra_forbidden": _tell_unknown_key,
    "finite_number": _tell_infinite,
    "greater_than": _tell_bound("a number above {}", "gt"),
    "greater_than_equal": _tell_bound("a number of at least {}", "ge"),
    "less_than": _tell_bound("a number below {}", "lt"),
    "less_than_equal": _tell_bound("a number of at most {}", "le"),
    "literal_error": _tell_choice,
    "missing": _tell_missing,
    "rule": _tell_rule,
    "string_too_long": _tell_bound("text of at most {} characters", "max_length"),
    "string_too_short": _tell_empty,
    "too_short": _tell_short_list,
    "union_tag_invalid": _tell_kind,
    "union_tag_not_found": _tell_kind,
    "value_error": _tell_error,
}
