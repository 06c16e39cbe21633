"""What tells one system from another: everything that a call's result depends on, and no secret."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torus_eval.systems.python import GROUP, find_target
from torus_eval.systems.route import list_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from torus_eval.systems.model import Part, SystemFile

_VERSIONS = {"python": 1, "command": 1, "http": 1}
"""The version of each adapter; it grows when an adapter asks in another way."""
_DIGEST = "sha256:"
# How long one waits, how often one tries and where a server stands does not change what it says.
_WITHOUT = {
    "python": set[str](),
    "command": {"env", "start_s", "deadline_s", "restarts"},
    "http": {"base_url", "key_env", "tries", "timeout_s", "deadline_s", "stream", "largest_clip_bytes"},
}


def identify_part(part: Part, versions: Mapping[str, str]) -> str:
    """Write down what a part's results depend on, the same for equal parts.

    Args:
        part: The part.
        versions: The versions of classes and programs, as ``read_versions`` gives them.
    """
    return _identify(part.model_dump_json(), versions.get(_name_code(part), ""))


def read_versions(system: SystemFile, folder: Path) -> dict[str, str]:
    """Read the version of each class and program that a system is made of, so far as it can be told.

    Of a class it is what it states and a digest of its module, else the version of the package whose entry
    point it is; of a program, a digest of the files that its words name. What they import is not looked at.

    Args:
        system: The system's file.
        folder: Where it lies.

    Raises:
        EvaluationError: A class cannot be imported.
    """
    versions = {}
    for _, _, part in list_parts(system):
        if part.python is not None:
            versions[_name_code(part)] = _read_version(part.python.target, folder)
        elif part.command is not None:
            files = (folder / part.command.folder / word for word in part.command.argv)
            versions[_name_code(part)] = _digest_files(file for file in files if file.is_file())
    return versions


def describe_system(system: SystemFile) -> dict[str, Any]:
    """Write down a system file for a record; values of the environment stand as digests."""
    data: dict[str, Any] = system.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    for table in (data, *data.get("parts", {}).values()):
        env = table.get("command", {}).get("env")
        if env:
            table["command"]["env"] = {name: _digest(value) for name, value in env.items()}
    return data


def hash_system(system: SystemFile) -> str:
    """Give the sha256 of what a system file says, whatever its layout, comments and sentence about itself."""
    data = {name: value for name, value in describe_system(system).items() if name != "text"}
    return hashlib.sha256(json.dumps(data, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@lru_cache(maxsize=64)
def _identify(dumped: str, version: str) -> str:
    data = json.loads(dumped)
    way = next(name for name in _WITHOUT if data[name] is not None)
    kept = {name: value for name, value in data[way].items() if name not in _WITHOUT[way]}
    if way == "command":
        kept["env"] = {name: _digest(value) for name, value in data[way]["env"].items()}
    if way != "http":
        kept["version"] = version
    parts = [way, _VERSIONS[way], kept, data["model"], data["revision"], data["sampling"]]
    return json.dumps(parts, sort_keys=True, ensure_ascii=False)


def _name_code(part: Part) -> str:
    if part.python is not None:
        return part.python.target
    return " ".join(part.command.argv) if part.command is not None else ""


def _read_version(target: str, folder: Path) -> str:
    found = find_target(target, folder)
    stated = getattr(found, "version", None)
    version = stated if isinstance(stated, str) else ""
    if ":" in target:
        file = getattr(sys.modules.get(target.partition(":")[0]), "__file__", None)
        return " ".join(filter(None, (version, _digest_files([Path(file)] if file else []))))
    if version:
        return version
    for entry in entry_points(group=GROUP, name=target):
        return entry.dist.version if entry.dist is not None else ""
    return ""


def _digest_files(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    names = 0
    for file in files:
        # A file that may not be read cannot be run either, and that is told elsewhere.
        with suppress(OSError):
            digest.update(file.read_bytes())
            names += 1
    return _DIGEST + digest.hexdigest()[:16] if names else ""


def _digest(value: str) -> str:
    """Digest a value; one that is a digest already stays, so that a record can be read as a system file."""
    if value.startswith(_DIGEST):
        return value
    return _DIGEST + hashlib.sha256(value.encode()).hexdigest()[:16]
