"""What tells one system from another: everything that a call's result depends on, and no secret."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from torus_eval.systems.python import GROUP, find_target
from torus_eval.systems.route import list_parts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

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
        versions: The version of each class, by its target.
    """
    version = versions.get(part.python.target, "") if part.python is not None else ""
    return _identify(part.model_dump_json(), version)


def read_versions(system: SystemFile, folder: Path) -> dict[str, str]:
    """Read the version of each class that a system is made of: what it states, else that of its package.

    Args:
        system: The system's file.
        folder: Where it lies.

    Raises:
        EvaluationError: A class cannot be imported.
    """
    targets = {part.python.target for _, _, part in list_parts(system) if part.python is not None}
    return {target: _read_version(target, folder) for target in sorted(targets)}


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
    if way == "python":
        kept["version"] = version
    parts = [way, _VERSIONS[way], kept, data["model"], data["revision"], data["sampling"]]
    return json.dumps(parts, sort_keys=True, ensure_ascii=False)


def _read_version(target: str, folder: Path) -> str:
    """Return the version a target states, else that of the package whose entry point it is."""
    stated = getattr(find_target(target, folder), "version", None)
    if isinstance(stated, str):
        return stated
    for entry in entry_points(group=GROUP, name=target):
        return entry.dist.version if entry.dist is not None else ""
    return ""


def _digest(value: str) -> str:
    """Digest a value; one that is a digest already stays, so that a record can be read as a system file."""
    if value.startswith(_DIGEST):
        return value
    return _DIGEST + hashlib.sha256(value.encode()).hexdigest()[:16]
