"""Turns what pydantic found wrong into problems a file's owner can mend.

Pydantic says where by a tuple that also names union members and says what in its own words. Here both
become a JSON pointer and plain English, with the nearest allowed name for anything mistyped.
"""

from __future__ import annotations

import datetime as dt
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_LONGEST_QUOTE = 60
_PLAIN = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_GROUP = "keys and values"
_LIST = "a list"
_BOUNDS = {
    "greater_than": ("gt", "a number above"),
    "greater_than_equal": ("ge", "a number of at least"),
    "less_than": ("lt", "a number below"),
    "less_than_equal": ("le", "a number of at most"),
    "too_short": ("min_length", "a list no shorter than"),
    "string_too_long": ("max_length", "text no longer than"),
}


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
        return _LIST
    if isinstance(value, dict):
        return _GROUP
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
    return texts[0] if len(texts) == 1 else "one of " + ", ".join(texts)


def unknown(file: str, place: str, name: str, allowed: Iterable[str], *, what: str = "") -> Problem:
    """Tell of a name that nothing declares, with the nearest one that is.

    >>> print(unknown("a.json", "/system", "csacade", ["cascade"], what="a system"))
    a.json at /system: found 'csacade'; expected a system, one of cascade; did you mean 'cascade'?
    """
    names = list(allowed)
    choice = "one of " + ", ".join(names) if names else one_of(names)
    return Problem(
        file=file,
        place=place,
        found=quote(name),
        expected=f"{what}, {choice}" if what else choice,
        action=nearest(name, names),
    )


def explain(error: ValidationError, shape: Any, *, file: str) -> list[Problem]:  # noqa: ANN401 - any annotation
    """Turn every error of a failed validation into a problem.

    Args:
        error: What pydantic raised.
        shape: The annotation that was validated against: a model or a tagged union of models.
        file: The file's name in the problems.
    """
    return [
        _explain_one(details, shape, file)
        for details in error.errors(include_url=False, include_context=True)
    ]


class _Place:
    """Where an error is: pointer parts, the model around it and the annotation that was expected."""

    def __init__(self, shape: Any, loc: tuple[str | int, ...]) -> None:  # noqa: ANN401 - any annotation
        self.parts: list[str | int] = []
        self.model: type[BaseModel] | None = None
        self.shape: Any = shape
        around: Any = None
        for part in loc:
            bare = _bare(self.shape)
            if members := _members(bare):
                self.shape = next(member for member in members if part in _tags(member))
                continue
            if part == "[key]":
                self.shape = get_args(around)[0]
                continue
            around = bare
            self.parts.append(part)
            self._step(bare, part)
        if members := _members(_bare(self.shape)):
            self.model = members[0]
        elif isinstance(model := _bare(self.shape), type) and issubclass(model, BaseModel):
            self.model = model

    def _step(self, bare: Any, part: str | int) -> None:  # noqa: ANN401 - any annotation
        if isinstance(bare, type) and issubclass(bare, BaseModel):
            self.model = bare
            self.shape = next(
                (info for name, info in bare.model_fields.items() if part in (name, info.alias)), None
            )
        else:
            self.shape = get_args(bare)[1 if get_origin(bare) is dict else 0]


def _bare(shape: Any) -> Any:  # noqa: ANN401 - any annotation
    """Strip field information, ``Annotated`` and ``None`` from an annotation."""
    if isinstance(shape, FieldInfo):
        return _bare(shape.annotation)
    if get_origin(shape) is Annotated:
        return _bare(get_args(shape)[0])
    if get_origin(shape) in (Union, UnionType):
        left = [arg for arg in get_args(shape) if arg is not NoneType]
        return _bare(left[0]) if len(left) == 1 else shape
    return shape


def _members(bare: Any) -> tuple[type[BaseModel], ...]:  # noqa: ANN401 - any annotation
    return get_args(bare) if get_origin(bare) in (Union, UnionType) else ()


def _tags(member: type[BaseModel]) -> tuple[str, ...]:
    return get_args(member.model_fields["kind"].annotation)


def _keys(model: type[BaseModel]) -> list[str]:
    return [info.alias or name for name, info in model.model_fields.items()]


def _expected(shape: Any) -> str:  # noqa: ANN401 - any annotation
    """Say in words what an annotation asks for."""
    if isinstance(shape, FieldInfo):
        return shape.description or _expected(shape.annotation)
    if get_origin(shape) is Annotated:
        inner, *notes = get_args(shape)
        said = [note.description for note in notes if isinstance(note, FieldInfo) and note.description]
        return said[0] if said else _expected(inner)
    bare = _bare(shape)
    if bare is not shape:
        return _expected(next(arg for arg in get_args(shape) if arg is not NoneType))
    if get_origin(bare) is Literal:
        return one_of(get_args(bare))
    if get_origin(bare) is tuple:
        return _LIST
    return _PLAIN.get(bare, _GROUP)


def _explain_one(details: ErrorDetails, shape: Any, file: str) -> Problem:  # noqa: ANN401 - any annotation
    kind, context = details["type"], details.get("ctx", {})
    place = _Place(shape, details["loc"])
    found, expected, action = quote(details["input"]), _expected(place.shape), ""
    if kind == "extra_forbidden" and place.model is not None:
        keys, name = _keys(place.model), str(place.parts[-1])
        found, expected, action = f"the unknown key {name!r}", one_of(keys), nearest(name, keys)
    elif kind == "missing":
        found = "nothing"
    elif kind == "literal_error":
        action = nearest(str(details["input"]), [str(name) for name in get_args(_bare(place.shape))])
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        tags = [tag for member in _members(_bare(place.shape)) for tag in _tags(member)]
        place.parts.append("kind")
        tag = context.get("tag")
        found, expected = quote(tag) if tag else "nothing", one_of(tags)
        action = nearest(str(tag), tags)
    elif kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        expected = f"{words} {context[key]}"
    elif kind == "string_too_short":
        found, expected = "empty text", "text that is not empty"
    elif kind == "finite_number":
        expected = "a finite number"
    elif kind == "json_invalid":
        found, expected, action = "", "valid JSON", str(context["error"])
    elif kind == "rule":
        found, expected, action = context["found"], context["expected"], context["action"]
        place.parts += context["inside"]
    return Problem(file, pointer(*place.parts), found, expected, action)


def broken(
    *, found: str, expected: str, action: str = "", inside: tuple[str, ...] = ()
) -> PydanticCustomError:
    """Make the error that a model raises for a rule of its own; :func:`explain` passes its words on.

    Args:
        found: What stands there.
        expected: The rule.
        action: What to do about it.
        inside: Where in the model, if not as a whole.
    """
    context = {"found": found, "expected": expected, "action": action, "inside": inside}
    return PydanticCustomError("rule", "found {found}; expected {expected}", context)
