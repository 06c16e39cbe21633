"""What a run was asked to do, written to ``run.json``: enough to tell whether a record still fits."""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
from functools import cache
from importlib.metadata import distributions
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from torus_eval.errors import EvaluationError
from torus_eval.systems.model import Json
from torus_site.errors import Problem
from torus_site.records.model import Count, Record, Sha256, Slug, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from torus_site.benchmark.items import Item

RUN_FILE = "run.json"
_ACTION = "run into another directory with --runs, or undo the change"


class Environment(Record):
    """Where calls were made: interpreter, system, packages by version, and the revision of the code."""

    python: Text
    platform: Text
    packages: dict[str, str]
    revision: str | None = None


class RunSpec(Record):
    """What a run was asked to do.

    ``items`` holds for each item a short digest of every prompt and question, so that a change can be named.
    ``settings`` is the system file as it was, values of the environment as digests, and ``versions`` those of
    the classes it names: with both, a run can be scored where neither the file nor the model is.
    ``system_file`` is the path from the run directory, or the id of a system that comes with the tool.
    """

    schema_version: Literal[1] = Field(default=1, alias="schema")
    benchmark: Slug
    system: Slug
    system_file: Text
    system_hash: Sha256
    settings: dict[str, Json]
    versions: dict[str, str] = {}
    seed: Count
    orders: Count = 1
    letters: Text
    items: dict[Slug, dict[str, str]]
    environments: tuple[Environment, ...] = ()


def digest_item(item: Item) -> dict[str, str]:
    """Give a short digest of each prompt and question of an item, by its place."""
    return dict(_list_digests(item))


def merge_specs(old: RunSpec, new: RunSpec, *, file: str) -> RunSpec:
    """Join what a run directory was made for with what is asked of it now.

    Returns:
        A spec with the items of both and the environments of both.

    Raises:
        EvaluationError: Records made for the old one do not fit the new one; each thing that changed.
    """
    problems = list(_list_changes(old, new, file))
    if problems:
        raise EvaluationError(problems)
    environments = old.environments + tuple(each for each in new.environments if each not in old.environments)
    return new.model_copy(update={"items": {**old.items, **new.items}, "environments": environments})


def list_gone_items(spec: RunSpec, items: Iterable[str], *, file: str) -> Iterator[Problem]:
    """Yield the items that a run was made for and the benchmark no longer has.

    Args:
        spec: What the run was made for.
        items: The ids of the benchmark's items.
        file: The file's name in messages.
    """
    for item in sorted(spec.items.keys() - set(items)):
        found = "records made for an item that the benchmark no longer has"
        yield Problem(file, f"/items/{item}", found, "the item as it was", _ACTION)


def list_changed_items(
    spec: RunSpec, items: Mapping[str, Mapping[str, str]], *, file: str
) -> Iterator[Problem]:
    """Yield the items whose prompts or questions are no longer those that a run was made for.

    Args:
        spec: What the run was made for.
        items: The digests of items as they are now; those that the run does not have are no problem.
        file: The file's name in messages.
    """
    for item in sorted(spec.items.keys() & items.keys()):
        changed = ", ".join(_list_differences(spec.items[item], items[item]))
        if changed:
            found = f"records made for another version of the benchmark: {changed} changed"
            yield Problem(file, f"/items/{item}", found, "the item as it was", _ACTION)


def describe_environment(folder: Path) -> Environment:
    """Describe this interpreter, its packages, and the revision of the code in a folder."""
    return Environment(
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        packages=dict(_list_packages()),
        revision=_read_revision(folder),
    )


def _list_digests(item: Item) -> Iterator[tuple[str, str]]:
    yield "facets", _digest(sorted(item.facets.items()))
    for cell in item.cells:
        point = " ".join(cell.at.values())
        yield f"{point} prompt".strip(), _digest(cell.prompt)
        for question in cell.questions:
            yield f"question {question.id}", _digest([question.text, list(question.options)])


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()[:16]


def _list_changes(old: RunSpec, new: RunSpec, file: str) -> Iterator[Problem]:
    action = _ACTION
    for name in ("benchmark", "system", "seed", "orders", "letters"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield Problem(
                file, f"/{name}", f"records made with {before!r}", f"{after!r}, as asked now", action
            )
    if old.system_hash != new.system_hash:
        before, after = (dict(_flatten(spec.settings)) for spec in (old, new))
        named = [name for name in _list_differences(before, after) if name != "text"]
        changed = ", ".join(named) or "system file"
        yield Problem(
            file, "/settings", f"records made with another {changed}", "the system file as it was", action
        )
    yield from list_changed_items(old, new.items, file=file)


def _list_differences(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    return sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))


def _flatten(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Yield what stands at the leaves of nested tables, by its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flatten(inner, f"{place}/{name}" if place else name)
    else:
        yield place, value


@cache
def _list_packages() -> tuple[tuple[str, str], ...]:
    # What is left of a package that was taken away by half has no name or no version.
    found = {each.metadata["Name"]: each.metadata["Version"] for each in distributions() if each.metadata}
    named = ((name, number) for name, number in found.items() if name and number)
    return tuple(sorted(named, key=lambda pair: pair[0].lower()))


def _read_revision(folder: Path) -> str | None:
    # A run directory that is not there yet lies in the nearest folder that is.
    folder = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.is_dir())
    try:
        found = subprocess.run(  # noqa: S603 -- nothing of it is a user's
            ["git", "-C", str(folder), "rev-parse", "HEAD"],  # noqa: S607 -- whichever git the user has
            capture_output=True,
            text=True,
            check=False,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() if found.returncode == 0 else None
