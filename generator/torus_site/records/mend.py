"""Puts stand-ins where a document is wrong, so that what is right in it can be checked all the same.

A mended document is never used for anything else: its owner gets all problems at once, not the first layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar, cast, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from torus_site.records.explain import explain, list_errors
from torus_site.records.parse import check_version, freeze
from torus_site.records.problems import pointer
from torus_site.records.shapes import Place, bare, is_model, members

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel

    from torus_site.errors import Problem
    from torus_site.records.shapes import Shape

M = TypeVar("M", bound="BaseModel")
_STAND_IN = "mended"
_STAND_INS = (_STAND_IN, "A", 2, 0.5, False)


@dataclass(frozen=True, slots=True)
class Examined(Generic[M]):
    """What a document turned out to be.

    Args:
        record: The document, mended where it was wrong; ``None`` where it is beyond that.
        problems: What is wrong with its shape.
        mended: The places that hold stand-ins, as JSON pointers.
    """

    record: M | None
    problems: tuple[Problem, ...] = ()
    mended: tuple[str, ...] = ()

    def join(self, others: Iterable[Problem]) -> tuple[Problem, ...]:
        """Add the problems of further checks, except those about stand-ins."""
        return (
            *self.problems,
            *(
                other
                for other in others
                if not any(f"{other.place}/".startswith(f"{place}/") for place in self.mended)
                and not (self.mended and _STAND_IN in f"{other.found} {other.expected}")
            ),
        )


def examine(model: type[M], data: object, *, file: str) -> Examined[M]:
    """Validate a document like ``parse``, but raise nothing and mend what is wrong.

    Args:
        model: The shape it must have.
        data: What ``read_toml`` or ``read_json`` returned.
        file: The file's name in the problems.
    """
    if wrong := check_version(model, data, file=file):
        return Examined(None, (wrong,))
    try:
        return Examined(model.model_validate(freeze(data)))
    except ValidationError as failure:
        problems = tuple(explain(failure, model, file=file))
        whole, places = mend(data, failure, model)
    try:
        return Examined(model.model_validate(freeze(whole)), problems, places)
    except ValidationError:
        return Examined(None, problems)


def mend(data: object, error: ValidationError, shape: Shape) -> tuple[object, tuple[str, ...]]:
    """Replace whatever an error names by a value of the right shape.

    Args:
        data: The document; it is left as it is.
        error: What pydantic raised about it.
        shape: The annotation it was validated against.

    Returns:
        The mended document and the places of the stand-ins, as JSON pointers.
    """
    whole: dict[str, Any] = {"": _copy(data)}
    dropped, mended = [], []
    for details in list_errors(error):
        place = Place(shape, details["loc"])
        if details["type"] == "extra_forbidden":
            dropped.append(place)
        else:
            mended.append(pointer(*place.parts))
            holder, last = _find(whole, place)
            holder[last] = _stand_in(place.shape)
    for place in dropped:
        holder, last = _find(whole, place)
        del holder[last]
    return whole[""], tuple(mended)


def _find(whole: dict[str, Any], place: Place) -> tuple[Any, str | int]:
    """Return what holds a place of the document that stands under the empty key, and the last part."""
    holder: Any = whole
    *way, last = ["", *place.parts]
    for part in way:
        holder = holder[part]
    return holder, last


def _copy(data: object) -> object:
    if isinstance(data, dict):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list | tuple) else data


def _stand_in(shape: Shape) -> object:
    """Make a value that an annotation allows."""
    inner = bare(shape)
    if tagged := members(inner):
        return _stand_in(tagged[0])
    if is_model(inner):
        fields = inner.model_fields.items()
        return {info.alias or name: _stand_in(info) for name, info in fields if info.is_required()}
    if get_origin(inner) is Literal:
        return get_args(inner)[0]
    if get_origin(inner) is tuple:
        return [_stand_in(get_args(inner)[0])]
    if get_origin(inner) is dict:
        return {}
    notes = shape.metadata if isinstance(shape, FieldInfo) else []
    adapter: TypeAdapter[object] = TypeAdapter(cast("Any", Annotated[(inner, *notes)] if notes else inner))
    return next((value for value in _STAND_INS if _fits(value, adapter)), None)


def _fits(value: object, adapter: TypeAdapter[object]) -> bool:
    try:
        adapter.validate_python(value)
    except ValidationError:
        return False
    return True
