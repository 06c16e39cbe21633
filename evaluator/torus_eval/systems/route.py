"""Which part of a system takes which call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.systems.model import ANY, Part, PythonWay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_eval.systems.base import Capability
    from torus_eval.systems.model import SystemFile
    from torus_site.records.model import Point


def list_calls(system: SystemFile) -> tuple[Capability, ...]:
    """List the kinds of call that a system's arm makes."""
    if system.arm == "self-caption":
        return ("generate", "caption", "answer")
    return ("generate", "edit", "answer")


def choose_part(system: SystemFile, call: Capability, facets: Point) -> Part:
    """Choose the part of a system that takes a call.

    Args:
        system: The system's file.
        call: The kind of call.
        facets: The item's facets; only the one named by ``route`` is looked at.
    """
    if system.ways:
        return Part(**{name: getattr(system, name) for name in Part.model_fields})
    value = facets.get(system.route, ANY) if system.route else ANY
    return find_part(system, _name_part(system, call, value))


def find_part(system: SystemFile, name: str) -> Part:
    """Return the part of that name; a name without a part is an entry point."""
    return system.parts.get(name) or Part(python=PythonWay(target=name))


def list_parts(system: SystemFile) -> Iterator[tuple[str, Capability, Part]]:
    """Yield the parts of a system with their place in the file and the call each must be able to take."""
    if system.ways:
        whole = choose_part(system, "answer", {})
        yield from ((f"/{system.ways[0]}", call, whole) for call in list_calls(system))
        return
    tables: dict[Capability, dict[str, str]] = {"generate": system.generate, "edit": system.edit}
    rows = [(f"/{call}/{value}", call, name) for call in tables for value, name in tables[call].items()]
    singles: dict[Capability, str | None] = {"caption": system.caption, "answer": system.answer}
    rows += [(f"/{call}", call, name) for call, name in singles.items() if name is not None]
    for place, call, name in rows:
        part = find_part(system, name)
        yield (f"/parts/{name}/{part.ways[0]}" if name in system.parts else place), call, part


def _name_part(system: SystemFile, call: Capability, value: str) -> str:
    if call == "answer":
        return system.answer or ""
    if call == "caption":
        return system.caption or ""
    table = system.generate if call == "generate" else system.edit
    return table.get(value, table[ANY])
