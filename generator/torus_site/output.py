"""The only writer of a site's output folder.

Everything that changed is made in a staging folder beside the output and moved into place file by file
at the end, so that a failed or killed build leaves the previous site as it was. Files the last build
wrote and this one does not are removed; files it never wrote are not touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from torus_site.errors import BuildError, Problem
from torus_site.freshness import INPUT_FOLDERS, Written, stamp_of
from torus_site.workers import share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MANIFEST = "manifest.json"
_TOOL = "torus-site"
_ABANDONED_S = 3600.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One file to publish.

    Args:
        path: Its place from the site's root, with forward slashes.
        digest: Changes whenever the content may change; an entry with the digest of the last build is
            not made again.
        make: Gives the bytes.
    """

    path: str
    digest: str
    make: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Report:
    """What a write did, and the outputs as they stand now."""

    written: int
    unchanged: int
    removed: int
    outputs: dict[str, Written]


def write(
    entries: Iterable[Entry],
    into: Path,
    *,
    previous: dict[str, Written],
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _done: None,
) -> Report:
    """Bring a folder to the state the entries describe.

    Args:
        entries: Every file of the site.
        into: The output folder; made when missing.
        previous: The outputs of the last build, to leave alone what did not change.
        jobs: How many files are made at a time.
        progress: Called with the number of entries done.

    Raises:
        BuildError: The folder holds files of someone else, or cannot be written.
    """
    refuse_foreign(into)
    outputs: dict[str, Written] = {}
    due: list[Entry] = []
    for entry in entries:
        known = _standing(entry.path, into, previous)
        if known and known.digest == entry.digest:
            outputs[entry.path] = known
        else:
            due.append(entry)
    with _staging(into) as staging:
        moves: list[str] = []
        for entry, sha256, is_staged in _make(due, staging, into, previous=previous, jobs=jobs):
            if is_staged:
                moves.append(entry.path)
            stamp = (0, 0) if is_staged else previous[entry.path].stamp
            outputs[entry.path] = Written(stamp, entry.digest, sha256)
            progress(len(outputs))
        moves.sort()
        files = {name: written.sha256 for name, written in outputs.items()}
        manifest = _manifest(files)
        listed = _listed(into)
        stale = sorted(set(listed) - set(outputs) - {MANIFEST})
        outputs[MANIFEST] = Written((0, 0), "", hashlib.sha256(manifest).hexdigest())
        known = previous.get(MANIFEST)
        if moves or stale or known is None or known.sha256 != outputs[MANIFEST].sha256:
            # First, so that a build killed from here on still knows the folder and all in it as its own.
            staging.put(MANIFEST, _manifest(files | {name: listed[name] for name in stale}))
            staging.move([MANIFEST, *moves])
            if stale:
                _prune(stale, into)
                staging.put(MANIFEST, manifest)
                staging.move([MANIFEST])
            moves.append(MANIFEST)
        else:
            outputs[MANIFEST] = known
    for name in moves:
        found = stamp_of(f"{into}/{name}")
        outputs[name] = Written(found or (0, 0), outputs[name].digest, outputs[name].sha256)
    return Report(len(moves), len(outputs) - len(moves), len(stale), outputs)


def refuse_foreign(into: Path, *, project: Path | None = None) -> None:
    """Refuse an output folder that another program or person filled, or that holds the project itself.

    Raises:
        BuildError: It is a file, or holds files and none of them is this tool's manifest.
    """
    if project and _holds_inputs(into, project):
        found = "a folder the site is made from"
    elif into.is_dir():
        if not any(into.iterdir()) or _is_ours(into):
            return
        found = "a folder with files this tool did not write"
    elif into.exists() or into.is_symlink():
        found = "a file"
    else:
        return
    raise BuildError(
        Problem(into.as_posix(), "", found, "an empty folder or an earlier build", "choose another --output")
    )


def _holds_inputs(into: Path, project: Path) -> bool:
    """Tell whether a folder is, holds or is part of what a site is made from, wherever links lead."""
    # Unlike a path's own way to follow links, this takes those that lead to themselves.
    root, *folders = (
        Path(os.path.realpath(path)) for path in (project, *(project / name for name in INPUT_FOLDERS))
    )
    real = Path(os.path.realpath(into))
    return root.is_relative_to(real) or any(real.is_relative_to(folder) for folder in folders)


def _make(
    due: list[Entry], staging: _Staging, into: Path, *, previous: dict[str, Written], jobs: int
) -> Iterator[tuple[Entry, str, bool]]:
    """Make files, stage those whose content is new, and tell of each its SHA-256 and whether it is staged."""

    def make(entry: Entry) -> bytes:
        content = entry.make()
        sha256 = hashlib.sha256(content).hexdigest()
        known = _standing(entry.path, into, previous)
        if known and known.sha256 == sha256:
            return sha256.encode()
        staging.put(entry.path, content)
        return f"{sha256} staged".encode()

    for place, outcome in share(make, due, jobs=jobs):
        sha256, _, staged = outcome.decode().partition(" ")
        yield due[place], sha256, bool(staged)


def _standing(name: str, into: Path, previous: dict[str, Written]) -> Written | None:
    """Return what the last build wrote, if it still stands as it was left."""
    known = previous.get(name)
    return known if known and stamp_of(f"{into}/{name}") == known.stamp else None


def _is_ours(into: Path) -> bool:
    return _read_manifest(into).get("tool") == _TOOL


def _read_manifest(into: Path) -> dict[str, object]:
    try:
        raw = json.loads((into / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return {}
    return raw if isinstance(raw, dict) else {}


def _listed(into: Path) -> dict[str, str]:
    files = _read_manifest(into).get("files", {})
    # A manifest edited by hand must not reach outside the folder.
    return {
        name: str(sha256)
        for name, sha256 in (files.items() if isinstance(files, dict) else ())
        if not Path(name).is_absolute() and ".." not in Path(name).parts
    }


def _manifest(files: dict[str, str]) -> bytes:
    raw = {"tool": _TOOL, "tool_version": version(_TOOL), "files": dict(sorted(files.items()))}
    return json.dumps(raw, indent=1).encode() + b"\n"


@dataclass(frozen=True, slots=True)
class _Staging:
    """A folder beside the output, on the same disk, where files wait until all are made.

    Args:
        folder: The folder.
        into: The output folder.
        is_new: Whether there is no output yet. Then the folder is laid out as the site is and becomes it in
            one step; otherwise its files lie side by side, for one folder is quicker made and removed.
    """

    folder: Path
    into: Path
    is_new: bool

    def put(self, name: str, content: bytes) -> None:
        """Make a file wait."""
        path = self._place(name)
        try:
            path.write_bytes(content)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def move(self, names: list[str]) -> None:
        """Move files to where they belong."""
        if self.is_new:
            self.folder.replace(self.into)
            return
        made: set[Path] = set()
        for name in names:
            target = self.into / name
            if target.parent not in made:
                target.parent.mkdir(parents=True, exist_ok=True)
                made.add(target.parent)
            self._place(name).replace(target)

    def _place(self, name: str) -> Path:
        if self.is_new:
            return self.folder / name
        return (
            self.folder / hashlib.blake2b(name.encode(errors="surrogateescape"), digest_size=12).hexdigest()
        )


@contextmanager
def _staging(into: Path) -> Iterator[_Staging]:
    """Give a staging folder and leave none behind."""
    folder = into.parent / f".{into.name}.staging-{os.getpid()}"
    try:
        into.parent.mkdir(parents=True, exist_ok=True)
        for old in into.parent.glob(f".{into.name}.staging-*"):
            if old == folder or time.time() - old.stat().st_mtime > _ABANDONED_S:
                shutil.rmtree(old, ignore_errors=True)
        folder.mkdir()
        yield _Staging(folder, into, is_new=not into.exists())
    except OSError as error:
        raise BuildError(
            Problem(into.as_posix(), "", str(error.strerror or error).lower(), "a folder that can be written")
        ) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prune(names: list[str], into: Path) -> None:
    for name in names:
        (into / name).unlink(missing_ok=True)
        for folder in (into / name).parents:
            if folder == into:
                break
            with suppress(OSError):
                folder.rmdir()
