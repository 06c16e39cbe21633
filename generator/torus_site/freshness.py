"""Whether anything changed since the last build, from file sizes and times alone.

Nothing here imports more than the standard library: a build with nothing to do ends in this module.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

INPUT_FOLDERS = ("site_src", "templates", "results", "audio")
_FORMAT = 2

Stamp = tuple[int, int]
"""Size in bytes and modification time in ns."""


@dataclass(frozen=True, slots=True)
class Written:
    """An output file as the last build left it: its stamp, what it was made from, and its content."""

    stamp: Stamp
    digest: str
    sha256: str


@dataclass(frozen=True, slots=True)
class State:
    """What a build remembers: its signature, its inputs and its outputs."""

    signature: str = ""
    inputs: dict[str, Stamp] = field(default_factory=dict)
    outputs: dict[str, Written] = field(default_factory=dict)

    def forget_digests(self) -> State:
        """Return the state without what outputs were made from, so that all are made and compared again."""
        outputs = {name: Written(each.stamp, "", each.sha256) for name, each in self.outputs.items()}
        return State(self.signature, self.inputs, outputs)


def signature(**options: object) -> str:
    """Return a short text that changes with the program, the fixed clock and the options given."""
    parts = [
        f"format={_FORMAT}",
        f"program={_tell_program()}",
        f"epoch={os.environ.get('SOURCE_DATE_EPOCH', '')}",
        *(f"{name}={value}" for name, value in sorted(options.items())),
    ]
    return ";".join(parts)


def _tell_program() -> str:
    """Tell this package by its files, and the libraries by their folder, which changes with every install."""
    own = stamps([Path(__file__).parent])
    library = find_spec("jinja2")
    folder = Path(library.origin).parents[1] if library and library.origin else None
    told = repr((sorted(own.items()), stamp_of(str(folder))))
    return hashlib.sha256(told.encode(errors="surrogateescape")).hexdigest()[:16]


def stamps(folders: Iterable[Path], *, skip: Path | None = None) -> dict[str, Stamp]:
    """Return the stamp of every file below some folders, hidden files and byte code left out.

    Links to folders are followed, each folder once.

    Args:
        folders: Where to look; a folder that does not exist is empty.
        skip: A folder left out even when it lies below one of them, such as the output.
    """
    found: dict[str, Stamp] = {}
    pending = [str(folder) for folder in folders if folder.is_dir()]
    left_out = str(skip) if skip else None
    followed: set[str] = set()
    while pending:
        folder = pending.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == "." or name == "__pycache__" or entry.path == left_out:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                    continue
                if entry.is_symlink() and os.path.isdir(entry.path):  # noqa: PTH112  false for a link to itself
                    if (real := os.path.realpath(entry.path)) not in followed:
                        followed.add(real)
                        pending.append(entry.path)
                    continue
                try:
                    info = entry.stat()
                except OSError:
                    # A dangling link is an input too: whoever reads it reports it.
                    info = entry.stat(follow_symlinks=False)
                found[entry.path] = (info.st_size, info.st_mtime_ns)
    return found


def inputs(project: Path, *, theme: Path, skip: Path | None = None) -> dict[str, Stamp]:
    """Return the stamps of everything a build is made from: the project and the theme."""
    own = [project / name for name in INPUT_FOLDERS]
    return stamps([*own, theme], skip=skip)


def state_file(cache: Path, into: Path) -> Path:
    """Return where the state of builds into one folder is kept."""
    key = hashlib.sha256(os.path.realpath(into).encode()).hexdigest()[:16]
    return cache / f"build-{key}.json"


def read_state(path: Path) -> State:
    """Read a state file; one that is missing or torn counts as no earlier build."""
    try:
        raw = json.loads(path.read_bytes())
        return State(
            signature=raw["signature"],
            inputs={name: (size, time) for name, (size, time) in raw["inputs"].items()},
            outputs={
                name: Written((size, time), digest, sha256)
                for name, (size, time, digest, sha256) in raw["outputs"].items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return State()


def write_state(path: Path, state: State) -> None:
    """Write a state file in one step."""
    raw = {
        "signature": state.signature,
        "inputs": state.inputs,
        "outputs": {
            name: (*written.stamp, written.digest, written.sha256) for name, written in state.outputs.items()
        },
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(f".{os.getpid()}.tmp")
    scratch.write_text(json.dumps(raw), encoding="utf-8")
    scratch.replace(path)


def stamp_of(path: str) -> Stamp | None:
    """Return a file's stamp, or None where there is no such file."""
    try:
        info = os.stat(path)  # noqa: PTH116  2,000 of these are on the path of a build with nothing to do
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns


def is_fresh(state: State, *, signature: str, inputs: dict[str, Stamp], into: Path) -> bool:
    """Tell whether the last build's output still stands and nothing it was made from changed."""
    if not state.outputs or state.signature != signature or state.inputs != inputs:
        return False
    base = f"{into}{os.sep}"
    return all(stamp_of(base + name) == written.stamp for name, written in state.outputs.items())
