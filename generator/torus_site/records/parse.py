"""Reads JSON and TOML strictly and turns what is wrong into problems, all of them at once."""

from __future__ import annotations

import gc
import json
import re
import stat
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar, get_args

import rtoml
from pydantic import BaseModel, ValidationError

from torus_site.errors import ConfigError, Problem, ResultsError, TorusError
from torus_site.records.explain import explain
from torus_site.records.migrate import migrate
from torus_site.records.model import (
    RESULTS,
    CompositionRecord,
    ResultsFile,
    RunRecord,
    StudyRecord,
)
from torus_site.records.problems import one_of, pointer, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

M = TypeVar("M", bound=BaseModel)
_LONGEST_FRAGMENT = 60
_BOM = b"\xef\xbb\xbf"
_BARE_TEXT = re.compile(r"^.[\w.-]+ *= *(?!(?:true|false|inf|nan)\b)[A-Za-z]")
_AT = re.compile(r" at line (\d+) column (\d+)$")


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
    data, odd = _load_json(_read_text(path, file=file, error=error), file=file, error=error)
    if odd:
        raise error(odd)
    return data


def read_toml(path: Path, *, file: str, error: type[TorusError] = ConfigError) -> dict[str, object]:
    """Read a TOML file.

    Args:
        path: The file to read.
        file: Its name in problems.
        error: The error to raise.

    Raises:
        TorusError: Of the type ``error``, with line and column.
    """
    text = _read_text(path, file=file, error=error).replace("\r\n", "\n")
    try:
        return rtoml.loads(text)
    except rtoml.TomlParsingError as failure:
        problem = _locate(str(failure), text, file=file, expected="valid TOML")
        if _BARE_TEXT.search(problem.found):
            problem = replace(problem, action="text stands in quotes")
        raise error(problem) from None


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
    if wrong := check_version(model, data, file=file):
        raise error(wrong)
    try:
        return model.model_validate(freeze(data))
    except ValidationError as failure:
        raise error(explain(failure, model, file=file)) from None
    except RecursionError:
        raise error(_too_deep(file)) from None


def parse_results(path: Path, *, file: str) -> RunRecord | StudyRecord | CompositionRecord:
    """Read one results file: a run, a study or a composition, of any schema version that is known.

    Raises:
        ResultsError: Every problem of the file.
    """
    text = _read_text(path, file=file, error=ResultsError)
    data, problems = _load_json(text, file=file, error=ResultsError)
    moved = migrate(data)
    if wrong := check_version(RunRecord, moved, file=file):
        raise ResultsError(wrong)
    try:
        # Straight from the text is how pydantic is fast; the read above is for what it lets pass.
        record = RESULTS.validate_json(text if moved is data else json.dumps(moved))
    except ValidationError as failure:
        places = {problem.place for problem in problems}
        shape = explain(failure, ResultsFile, file=file)
        raise ResultsError([*problems, *(other for other in shape if other.place not in places)]) from None
    if problems:
        raise ResultsError(problems)
    return record


@contextmanager
def pause_collection() -> Iterator[None]:
    """Stop Python's cycle collector while many records are made.

    They hold no cycles and all of them stay, so each of its passes would find nothing and double the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _locate(message: str, text: str, *, file: str, expected: str) -> Problem:
    """Turn a parser's message that ends in line and column into a problem that shows the place."""
    match = _AT.search(message)
    if match is None:
        return Problem(file, "", "", expected, message)
    line, column = int(match[1]), int(match[2])
    lines = text.split("\n")[line - 1 :]
    if "\n".join(lines)[column - 1 :].strip():
        start = max(0, column - _LONGEST_FRAGMENT // 2)
        found = quote(lines[0][start : start + _LONGEST_FRAGMENT].strip())
    else:
        found = "the end of the file"
    return Problem(file, f"line {line}, column {column}", found, expected, message[: match.start()])


def _too_deep(file: str) -> Problem:
    return Problem(file, "", "values nested too deeply", "a few levels")


def _read_text(path: Path, *, file: str, error: type[TorusError]) -> str:
    try:
        # Reading a pipe or a device might never end.
        if not stat.S_ISREG(mode := path.stat().st_mode) and not stat.S_ISDIR(mode):
            raise error(Problem(file, "", "no ordinary file", "a file to read"))
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


def _load_json(text: str, *, file: str, error: type[TorusError]) -> tuple[object, list[Problem]]:
    """Load JSON and list the keys that stand twice and the constants that JSON does not know."""
    is_odd = False

    def make_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal is_odd
        whole = dict(pairs)
        if len(whole) == len(pairs):
            return whole
        is_odd = True
        names = [name for name, _ in pairs]
        doubled = _Doubled(whole)
        doubled.keys_twice = tuple(sorted({name for name in names if names.count(name) > 1}))
        return doubled

    def make_constant(name: str) -> _Constant:
        nonlocal is_odd
        is_odd = True
        return _Constant(name)

    try:
        data: object = json.loads(text, object_pairs_hook=make_object, parse_constant=make_constant)
        return data, list(_list_odd(data, (), file)) if is_odd else []
    except json.JSONDecodeError as failure:
        message = f"{failure.msg.removesuffix(' at')} at line {failure.lineno} column {failure.colno}"
        raise error(_locate(message, text, file=file, expected="valid JSON")) from None
    except RecursionError:
        raise error(_too_deep(file)) from None
    except ValueError:
        raise error(Problem(file, "", "a number of thousands of digits", "a shorter one")) from None


def _list_odd(data: object, at: tuple[str | int, ...], file: str) -> Iterator[Problem]:
    inner: Iterable[tuple[str | int, object]] = ()
    if isinstance(data, _Constant):
        yield Problem(file, pointer(*at), str(data), "a finite number or null")
    elif isinstance(data, list):
        inner = enumerate(data)
    elif isinstance(data, dict):
        inner = data.items()
    if isinstance(data, _Doubled):
        for name in data.keys_twice:
            yield Problem(file, pointer(*at, name), f"the key {name!r} more than once", "each key once")
    for part, value in inner:
        yield from _list_odd(value, (*at, part), file)


def check_version(model: type[BaseModel], data: object, *, file: str) -> Problem | None:
    """Find a schema version that the model is not made for: then nothing else of the document counts.

    Args:
        model: The model; one without a ``schema_version`` takes any document.
        data: The document.
        file: The file's name in the problem.
    """
    field = model.model_fields.get("schema_version")
    if field is None or not isinstance(data, dict):
        return None
    known, version = get_args(field.annotation), data.get("schema")
    if version in known and not isinstance(version, bool):
        return None
    found = quote(version) if "schema" in data else "nothing"
    return Problem(file, "/schema", found, one_of(known), "this version of torus-site knows no other schema")


def freeze(data: object, *, deepest: int = 100) -> object:
    """Turn lists into tuples, which strict models ask for.

    Raises:
        RecursionError: Values are nested deeper than any model allows.
    """
    if deepest < 0:
        raise RecursionError
    if isinstance(data, dict):
        return {
            key: freeze(value, deepest=deepest - 1) if isinstance(value, list | dict) else value
            for key, value in data.items()
        }
    if isinstance(data, list):
        return tuple(
            [
                freeze(value, deepest=deepest - 1) if isinstance(value, list | dict) else value
                for value in data
            ]
        )
    return data
