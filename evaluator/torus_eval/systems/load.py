"""Find system files, check them, and make running systems from them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, cast

from torus_eval.errors import EvaluationError
from torus_eval.systems.base import Answerer, CaptionEditor, Captioner, Editor, Generator, System
from torus_eval.systems.heads import HEADS, Kind, make_head
from torus_eval.systems.model import ANY, SystemFile
from torus_site.errors import Problem, nearest
from torus_site.records.parse import parse, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_site.records.model import Point

_FOLDER = Path(__file__).parent


def list_systems(folder: Path = _FOLDER) -> tuple[SystemFile, ...]:
    """Read every system file of a folder, sorted by id.

    Args:
        folder: Where the ``*.toml`` files are; the package's own by default.

    Raises:
        EvaluationError: Every problem of every file.

    >>> [system.arm for system in list_systems() if system.id == "chance"]
    ['native-edit']
    """
    problems: list[Problem] = []
    found: list[SystemFile] = []
    for path in sorted(folder.glob("*.toml")):
        try:
            found.append(load_system(path))
        except EvaluationError as error:
            problems += error.problems
    if problems:
        raise EvaluationError(problems)
    return tuple(found)


def load_system(path: Path) -> SystemFile:
    """Read one system file.

    Raises:
        EvaluationError: Every problem of the file: its shape, an unknown head, an id that is not its name.
    """
    system = parse(
        SystemFile,
        read_toml(path, file=path.name, error=EvaluationError),
        file=path.name,
        error=EvaluationError,
    )
    problems = [
        Problem(path.name, place, repr(name), f"one of {', '.join(HEADS[kind])}", nearest(name, HEADS[kind]))
        for place, kind, name in _list_heads(system)
        if name not in HEADS[kind]
    ]
    if system.id != path.stem:
        problems.append(
            Problem(path.name, "/id", repr(system.id), repr(path.stem), "the id is the file's name")
        )
    if problems:
        raise EvaluationError(problems)
    return system


def select_systems(wanted: tuple[str, ...], known: tuple[SystemFile, ...]) -> tuple[SystemFile, ...]:
    """Choose systems by id, all of them when none is named.

    Raises:
        EvaluationError: Every unknown id.
    """
    ids = [system.id for system in known]
    unknown = [
        Problem("--system", found=repr(name), expected=f"one of {', '.join(ids)}", action=nearest(name, ids))
        for name in wanted
        if name not in ids
    ]
    if unknown:
        raise EvaluationError(unknown)
    return tuple(system for system in known if not wanted or system.id in wanted)


def assemble(system: SystemFile, facets: Point) -> System:
    """Make a running system for an item, with the specialists that its facets call for.

    Args:
        system: The system's file.
        facets: The item's facets; only the one named by ``route`` is looked at.

    Raises:
        EvaluationError: A program that a head needs is missing.
    """
    value = facets.get(system.route, ANY) if system.route else ANY
    generator = cast("Generator", make_head("generate", _route(system.generate, value)))
    if system.caption is None:
        editor = cast("Editor", make_head("edit", _route(system.edit, value)))
    else:
        editor = CaptionEditor(cast("Captioner", make_head("caption", system.caption)), generator)
    return System(generator, editor, cast("Answerer", make_head("answer", system.answer)))


def hash_system(system: SystemFile) -> str:
    """Give the sha256 of what a system file says, whatever its layout and comments."""
    return hashlib.sha256(system.model_dump_json(by_alias=True).encode()).hexdigest()


def _route(table: dict[str, str], value: str) -> str:
    return table.get(value, table[ANY])


def _list_heads(system: SystemFile) -> Iterator[tuple[str, Kind, str]]:
    for value, name in system.generate.items():
        yield f"/generate/{value}", "generate", name
    for value, name in system.edit.items():
        yield f"/edit/{value}", "edit", name
    if system.caption is not None:
        yield "/caption", "caption", system.caption
    yield "/answer", "answer", system.answer
