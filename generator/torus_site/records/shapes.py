"""Walks the annotations of models along the place of an error."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Annotated, Literal, TypeAlias, TypeGuard, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from torus_site.records.problems import GROUP, LIST, one_of

Shape: TypeAlias = object
"""An annotation or a model's field; typing has no name for what both are."""

_PLAIN: dict[object, str] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_TAG = "kind"


class Place:
    """A place in a document, found by the tuple that pydantic gives.

    Args:
        shape: The annotation of the whole document.
        loc: Keys and indices, the tags of union members and ``[key]`` among them.
    """

    def __init__(self, shape: Shape, loc: tuple[str | int, ...]) -> None:
        self.parts: list[str | int] = []
        """The keys and indices alone."""
        self.model: type[BaseModel] | None = None
        """The innermost model, the place itself included."""
        self.shape: Shape = shape
        """What the place should hold; ``None`` where nothing should be."""
        around: Shape = None
        for part in loc:
            inner = bare(self.shape)
            if part == "[key]":
                self.shape = get_args(around)[0]
            elif tagged := members(inner):
                self.shape = next(member for member in tagged if part in tags(member))
            else:
                around = inner
                self.parts.append(part)
                self._step(inner, part)
        if is_model(inner := bare(self.shape)):
            self.model = inner

    def _step(self, around: Shape, part: str | int) -> None:
        if is_model(around):
            self.model = around
            fields = around.model_fields.items()
            self.shape = next((info for name, info in fields if part in (name, info.alias)), None)
        else:
            # Where anything may stand, nothing is known of what stands inside it.
            inside = get_args(around)
            self.shape = inside[-1 if get_origin(around) is dict else 0] if inside else None


def bare(shape: Shape) -> Shape:
    """Strip field information, ``Annotated`` and ``None`` from an annotation."""
    if isinstance(shape, FieldInfo):
        return bare(shape.annotation)
    if get_origin(shape) is Annotated:
        return bare(get_args(shape)[0])
    left = [arg for arg in get_args(shape) if arg is not NoneType]
    return bare(left[0]) if is_union(shape) and len(left) == 1 else shape


def is_model(shape: Shape) -> TypeGuard[type[BaseModel]]:
    """Tell whether a bare annotation is a model."""
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def is_union(shape: Shape) -> bool:
    """Tell whether an annotation is a union, of one member and ``None`` perhaps."""
    return get_origin(shape) in (Union, UnionType)


def members(shape: Shape) -> tuple[type[BaseModel], ...]:
    """Return the models of a bare union that their ``kind`` tells apart; none for anything else."""
    return get_args(shape) if is_union(shape) else ()


def tags(member: type[BaseModel]) -> tuple[str, ...]:
    """Return the kinds that lead to a member of a union."""
    return get_args(member.model_fields[_TAG].annotation)


def keys_of(model: type[BaseModel]) -> list[str]:
    """Return the keys a model has in a file."""
    return [info.alias or name for name, info in model.model_fields.items()]


def describe(shape: Shape) -> str:
    """Say in words what an annotation asks for.

    >>> describe(int | None), describe(Literal["a", "b"]), describe(tuple[str, ...])
    ('a whole number', 'one of a, b', 'a list')
    """
    if isinstance(shape, FieldInfo):
        return shape.description or describe(shape.annotation)
    if get_origin(shape) is Annotated:
        inner, *notes = get_args(shape)
        said = [note.description for note in notes if isinstance(note, FieldInfo) and note.description]
        return said[0] if said else describe(inner)
    inner = bare(shape)
    if inner is not shape:
        return describe(next(arg for arg in get_args(shape) if arg is not NoneType))
    if get_origin(inner) is Literal:
        return one_of(get_args(inner))
    if get_origin(inner) is tuple:
        return LIST
    return _PLAIN.get(inner, GROUP)
