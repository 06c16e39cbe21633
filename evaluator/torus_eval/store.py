"""Where a run is written: beside the old one first, then into its place as a whole.

Clips and the record of a system wait in ``.torus-eval/<benchmark>/<system>/``. When all of them are on the
disk, a file named ``ready`` is written and they are moved. A run killed before that leaves the old results as
they were; one killed while moving is finished by the next run.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem
from torus_site.records.parse import parse_results
from torus_site.records.store import dump

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torus_site.records.model import RunRecord

_WAITING = ".torus-eval"
_READY = "ready"
_LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Store:
    """The results and clips of one benchmark under one folder.

    Args:
        root: The folder that holds ``results/`` and ``audio/``, usually the project.
        benchmark: The benchmark's id.
    """

    root: Path
    benchmark: str

    @property
    def waiting(self) -> Path:
        """The folder where unfinished systems wait."""
        return self.root / _WAITING / self.benchmark

    def keep(self, system: str, path: str, data: bytes) -> None:
        """Write a clip where it waits.

        Args:
            system: The system it belongs to.
            path: Its place under the root, with forward slashes.
            data: The file.
        """
        file = self.waiting / system / path
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, data)

    def publish(self, record: RunRecord) -> Path:
        """Put a system's record and its waiting clips into their places, all of them or none.

        Returns:
            The record's file.
        """
        place = self._place(record.system)
        file = self.waiting / record.system / place
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, dump(record))
        _write(self.waiting / record.system / _READY, b"")
        self._move(record.system)
        return self.root / place

    def held_items(self, system: str) -> frozenset[str]:
        """Tell which items the published record of a system holds; none where there is no record."""
        place = self._place(system)
        if not (self.root / place).exists():
            return frozenset()
        record = parse_results(self.root / place, file=place)
        return frozenset(item.item for item in getattr(record, "items", ()))

    def _place(self, system: str) -> str:
        return f"results/{self.benchmark}/{system}.json"

    def _move(self, system: str) -> None:
        waiting = self.waiting / system
        (waiting / _READY).stat()
        files = sorted(path for path in waiting.rglob("*") if path.is_file() and path.name != _READY)
        # The record goes last: a reader never sees a record before its clips.
        files.sort(key=lambda path: path.suffix == ".json")
        for path in files:
            target = self.root / path.relative_to(waiting)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.replace(target)
        record = parse_results(self.root / self._place(system), file=self._place(system))
        named = {
            cell.clip.path
            for item in getattr(record, "items", ())
            for cell in item.cells
            if cell.clip is not None
        }
        for path in sorted((self.root / "audio" / self.benchmark / system).glob("*")):
            if path.is_file() and path.relative_to(self.root).as_posix() not in named:
                path.unlink()
        shutil.rmtree(waiting)

    def recover(self) -> None:
        """Finish the moves that a killed run began, and drop what it left half made."""
        for folder in sorted(path for path in self.waiting.glob("*") if path.is_dir()):
            if (folder / _READY).exists():
                self._move(folder.name)
            else:
                shutil.rmtree(folder)


@contextmanager
def open_store(root: Path, benchmark: str) -> Iterator[Store]:
    """Open the store for one run; a second run into the same place is refused while this one lives.

    Args:
        root: The folder that holds ``results/`` and ``audio/``.
        benchmark: The benchmark's id.

    Yields:
        The store, with what a killed run left behind already finished or dropped.

    Raises:
        EvaluationError: Another run is writing there, or the folder cannot be written.
    """
    store = Store(root, benchmark)
    try:
        store.waiting.mkdir(parents=True, exist_ok=True)
        with FileLock(store.waiting / _LOCK, timeout=0):
            store.recover()
            yield store
            shutil.rmtree(store.waiting)
        if not any(store.waiting.parent.iterdir()):
            store.waiting.parent.rmdir()
    except Timeout:
        found, action = "another torus-eval writing here", "wait until it has ended"
        raise EvaluationError(Problem(str(root), found=found, action=action)) from None
    except OSError as error:
        raise EvaluationError(
            Problem(
                str(error.filename or root),
                found=str(error.strerror or error),
                expected="a folder to write into",
            )
        ) from error


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
