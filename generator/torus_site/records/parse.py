"""Reads JSON and TOML strictly and turns what is wrong into problems, all of them at once."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from torus_site.errors import ConfigError, Problem, ResultsError, TorusError
from torus_site.records.migrate import migrate
from torus_site.records.model import (
    RESULTS,
    SCHEMA_VERSION,
    CompositionRecord,
    ResultsFile,
    RunRecord,
    StudyRecord,
)
from torus_site.records.problems import explain, one_of, pointer, quote

if TYPE_CHECKING:
    from pathlib import Path

M = TypeVar("M", bound=BaseModel)
_BOM = b"\xef\xbb\xbf"
_AT = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)$")


class _Doubled(dict[str, object]):
    """An object of which some keys stood twice; kept until the whole document is read."""

    keys_twice: tuple[str, ...] = ()


class _Constant(str):
    """``NaN``, ``Infinity`` or ``-Infinity``, which Python reads and JSON does not know."""

    __slots__ = ()


def read_json(path: Path, *, file: str, error: type[TorusError] = ResultsError) -> object:
    """Read a JSON file strictly: UTF-8, no byte order mark, no key twice, no NaN or infinity.

    Args:
        path: The file to read.
        file: Its name in problems.
        error: The error to raise.

    Returns:
        Dictionaries, lists, text, numbers, booleans and ``None``.

    Raises:
        TorusError: Of the type ``error``; all problems that can be found at once.
    """
    return _load_json(_read_text(path, file=file, error=error), file=file, error=error)


def read_toml(path: Path, *, file: str, error: type[TorusError] = ConfigError) -> dict[str, object]:
    """Read a TOML file.

    Args:
        path: The file to read.
        file: Its name in problems.
        error: The error to raise.

    Raises:
        TorusError: Of the type ``error``, with line and column.
    """
    text = _read_text(path, file=file, error=error)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as failure:
        message = str(failure)
        match = _AT.search(message)
        if match is None:
            place, line = "", ""
        elif match[1] is None:
            place, line = "the end of the file", ""
        else:
            place = f"line {match[1]}, column {match[2]}"
            line = text.splitlines()[int(match[1]) - 1].strip()
        action = _AT.sub("", message)
        raise error(Problem(file, place, quote(line) if line else "", "valid TOML", action)) from None
    except RecursionError:
        raise error(Problem(file, "", "values nested too deeply", "a few levels")) from None


def parse(model: type[M], data: object, *, file: str, error: type[TorusError]) -> M:
    """Validate what a file holds and list every problem.

    Args:
        model: The shape it must have.
        data: What ``read_toml`` or ``read_json`` returned.
        file: The file's name in problems.
        error: The error to raise.

    Raises:
        TorusError: Of the type ``error``.
    """
    field = model.model_fields.get("schema_version")
    if field is not None:
        _check_version(data, get_args(field.annotation), file=file, error=error)
    try:
        return model.model_validate(_freeze(data))
    except ValidationError as failure:
        raise error(explain(failure, model, file=file)) from None


def parse_results(path: Path, *, file: str) -> RunRecord | StudyRecord | CompositionRecord:
    """Read one results file: a run, a study or a composition, of any schema version that is known.

    Raises:
        ResultsError: Every problem of the file.
    """
    text = _read_text(path, file=file, error=ResultsError)
    data = migrate(_load_json(text, file=file, error=ResultsError))
    _check_version(data, (SCHEMA_VERSION,), file=file, error=ResultsError)
    adapter: TypeAdapter[RunRecord | StudyRecord | CompositionRecord] = RESULTS
    try:
        return adapter.validate_python(_freeze(data))
    except ValidationError as failure:
        raise ResultsError(explain(failure, ResultsFile, file=file)) from None


def _read_text(path: Path, *, file: str, error: type[TorusError]) -> str:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise error(Problem(file, "", "no such file", "a file to read")) from None
    except OSError as failure:
        raise error(Problem(file, "", str(failure.strerror), "a file to read")) from None
    if not data.strip():
        raise error(Problem(file, "", "an empty file", "at least the key 'schema'"))
    if data.startswith(_BOM):
        action = "save it as UTF-8 without a byte order mark"
        raise error(
            Problem(file, "line 1, column 1", "a byte order mark", "text from the first byte", action)
        )
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        column = len(data[data.rfind(b"\n", 0, failure.start) + 1 : failure.start].decode()) + 1
        found = f"the byte 0x{data[failure.start]:02x}"
        raise error(
            Problem(file, f"line {line}, column {column}", found, "UTF-8", "save the file as UTF-8")
        ) from None


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    doubled = _Doubled(pairs)
    names = [name for name, _ in pairs]
    doubled.keys_twice = tuple(sorted({name for name in names if names.count(name) > 1}))
    return doubled


def _load_json(text: str, *, file: str, error: type[TorusError]) -> object:
    odd: list[object] = []

    def pairs_hook(pairs: list[tuple[str, object]]) -> dict[str, object]:
        whole = _pairs(pairs)
        if isinstance(whole, _Doubled):
            odd.append(whole)
        return whole

    def constant_hook(name: str) -> _Constant:
        odd.append(name)
        return _Constant(name)

    try:
        data: object = json.loads(text, object_pairs_hook=pairs_hook, parse_constant=constant_hook)
    except json.JSONDecodeError as failure:
        place = f"line {failure.lineno}, column {failure.colno}"
        line = failure.doc.splitlines()[failure.lineno - 1 : failure.lineno]
        found = quote(line[0].strip()) if line else "the end of the file"
        raise error(Problem(file, place, found, "valid JSON", failure.msg)) from None
    except RecursionError:
        raise error(Problem(file, "", "values nested too deeply", "a few levels")) from None
    except ValueError as failure:
        raise error(Problem(file, "", "a number of too many digits", "valid JSON", str(failure))) from None
    if odd:
        raise error(list(_odd_places(data, (), file)))
    return data


def _odd_places(data: object, at: tuple[str | int, ...], file: str) -> list[Problem]:
    problems: list[Problem] = []
    if isinstance(data, _Constant):
        problems.append(Problem(file, pointer(*at), str(data), "a finite number or null"))
    if isinstance(data, _Doubled):
        problems += [
            Problem(file, pointer(*at, name), f"the key {name!r} more than once", "each key once")
            for name in data.keys_twice
        ]
    if isinstance(data, dict):
        inner: list[tuple[str | int, object]] = list(data.items())
    else:
        inner = list(enumerate(data)) if isinstance(data, list) else []
    for part, value in inner:
        problems += _odd_places(value, (*at, part), file)
    return problems


def _check_version(data: object, known: tuple[int, ...], *, file: str, error: type[TorusError]) -> None:
    """Refuse another schema version before anything else: its other keys may well differ."""
    if not isinstance(data, dict) or (data.get("schema") in known and not isinstance(data["schema"], bool)):
        return
    found = quote(data["schema"]) if "schema" in data else "nothing"
    raise error(
        Problem(file, "/schema", found, one_of(known), "this version of torus-site knows no other schema")
    )


def _freeze(data: object) -> object:
    """Turn lists into tuples, which strict models ask for."""
    if isinstance(data, dict):
        return {key: _freeze(value) for key, value in data.items()}
    return tuple(_freeze(value) for value in data) if isinstance(data, list) else data
