"""Find system files and check them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from torus_eval.errors import EvaluationError
from torus_eval.systems.model import SystemFile
from torus_eval.systems.python import find_misfit, find_target, join_options, read_capabilities
from torus_eval.systems.route import list_parts
from torus_site.errors import Problem, nearest
from torus_site.records.parse import parse, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import JsonValue

    from torus_eval.systems.base import Capability
    from torus_eval.systems.model import CommandWay, HttpWay, Part, PythonWay

_FOLDER = Path(__file__).parent
_ENDING = ".toml"


@dataclass(frozen=True, slots=True)
class Found:
    """A system file and where it lies.

    Args:
        system: What it says.
        path: The file.
    """

    system: SystemFile
    path: Path

    @property
    def is_own(self) -> bool:
        """Whether it comes with this tool."""
        return self.path.parent == _FOLDER


def list_systems(folder: Path = _FOLDER) -> tuple[Found, ...]:
    """Read every system file of a folder, sorted by id.

    Args:
        folder: Where the ``*.toml`` files are; the package's own by default.

    Raises:
        EvaluationError: Every problem of every file.

    >>> [found.system.arm for found in list_systems() if found.system.id == "chance"]
    ['native-edit']
    """
    problems: list[Problem] = []
    found: list[Found] = []
    for path in sorted(folder.glob(f"*{_ENDING}")):
        try:
            found.append(Found(load_system(path), path))
        except EvaluationError as error:
            problems += error.problems
    if problems:
        raise EvaluationError(problems)
    return tuple(found)


def find_systems(wanted: tuple[str, ...]) -> tuple[Found, ...]:
    """Find systems by id, or by the path of a system file.

    Raises:
        EvaluationError: Every id that is unknown and every file that cannot be read.
    """
    known = {found.system.id: found for found in list_systems()}
    problems: list[Problem] = []
    chosen: dict[str, Found] = {}
    for name in wanted:
        try:
            found = known[name] if name in known else _find_file(name, known)
        except EvaluationError as error:
            problems += error.problems
            continue
        other = chosen.setdefault(found.system.id, found)
        if other.path != found.path:
            text = f"a second system with the id {found.system.id!r}"
            problems.append(Problem(name, "/id", text, f"another id than that of {other.path.name}"))
    if problems:
        raise EvaluationError(problems)
    return tuple(chosen.values())


def load_system(path: Path) -> SystemFile:
    """Read one system file.

    Raises:
        EvaluationError: Every problem of the file: its shape, an unknown key, an id that is not its name.
    """
    data = read_toml(path, file=path.name, error=EvaluationError)
    named = data.get("id")
    problems = []
    if isinstance(named, str) and named != path.stem:
        problems.append(Problem(path.name, "/id", repr(named), repr(path.stem), "the id is the file's name"))
    try:
        system = parse(SystemFile, data, file=path.name, error=EvaluationError)
    except EvaluationError as error:
        raise EvaluationError([*problems, *error.problems]) from None
    if problems:
        raise EvaluationError(problems)
    return system


def check_system(found: Found, *, environ: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """List what keeps a system from the calls of its arm, as far as can be told without starting it.

    Args:
        found: The system.
        environ: The environment, for the names of keys.
    """
    env = os.environ if environ is None else environ
    problems: list[Problem] = []
    for place, call, part in list_parts(found.system):
        problems += _check_part(found, place, call, part, env)
    return tuple(dict.fromkeys(problems))


def _find_file(name: str, known: Mapping[str, Found]) -> Found:
    path = Path(name)
    if path.suffix != _ENDING:
        expected = f"a system file NAME{_ENDING}, or one of {', '.join(known)}"
        raise EvaluationError(Problem("--system", "", repr(name), expected, nearest(name, known)))
    if not path.is_file():
        raise EvaluationError(Problem(name, found="no such file", expected="a system file"))
    return Found(load_system(path), path.resolve())


def _check_part(
    found: Found, place: str, call: Capability, part: Part, environ: Mapping[str, str]
) -> Iterator[Problem]:
    file, arm = found.path.name, found.system.arm
    can: frozenset[str] | None = None
    try:
        if part.python is not None:
            can = _check_python(part.python, found.path.parent, part.sampling)
        elif part.command is not None:
            _check_command(part.command, found.path.parent)
        elif part.http is not None:
            can = frozenset(part.http.can)
            _check_http(part.http, part.sampling, environ)
    except EvaluationError as error:
        for problem in error.problems:
            # A part that is no more than the name of an entry point has no table to point into.
            where = f"{place}{problem.place}" if place.endswith(f"/{part.ways[0]}") else place
            yield Problem(file, where, problem.found, problem.expected, problem.action)
    if can is not None and call not in can:
        able = ", ".join(sorted(can)) or "nothing"
        yield Problem(
            file, place, f"a model that can {able}", f"one that can {call}, as the arm {arm} needs it"
        )


def _check_python(way: PythonWay, folder: Path, sampling: dict[str, JsonValue]) -> frozenset[str] | None:
    try:
        target = find_target(way.target, folder)
    except EvaluationError as error:
        raise EvaluationError([replace(problem, place="/target") for problem in error.problems]) from error
    lack = find_misfit(target, join_options(way, sampling))
    if lack:
        raise EvaluationError(Problem("", "/options", lack, f"options that {way.target} takes"))
    # What a function makes is not known before it is called.
    return read_capabilities(target) if isinstance(target, type) else None


def _check_command(way: CommandWay, folder: Path) -> None:
    from torus_eval.systems.command import find_program  # noqa: PLC0415 -- only where one is used

    try:
        find_program(way, folder)
    except EvaluationError as error:
        raise EvaluationError(
            [replace(problem, place=problem.file.removeprefix("/command")) for problem in error.problems]
        ) from error


def _check_http(way: HttpWay, sampling: dict[str, JsonValue], environ: Mapping[str, str]) -> None:
    from torus_eval.systems.http import open_http  # noqa: PLC0415 -- only where one is used

    try:
        # Nothing is sent before the first call.
        open_http(way, sampling=sampling, environ=environ).close()
    except EvaluationError as error:
        raise EvaluationError(
            [replace(problem, place=problem.place.removeprefix("/http")) for problem in error.problems]
        ) from error
