"""The run directory on the disk: locked by its owner, appended to record by record."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from torus_eval.clips import SUFFIX, hash_clip
from torus_eval.errors import EvaluationError
from torus_eval.runlog.record import read_line, write_line
from torus_eval.runlog.spec import RUN_FILE, RunSpec, merge_specs
from torus_site.errors import Problem
from torus_site.records.parse import parse, read_json
from torus_site.records.store import write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO

    from torus_eval.calls import Slot
    from torus_eval.runlog.record import CallRecord

RECORDS_FILE = "records.jsonl"
_LOCK_FILE = "lock"
_CLIPS = "clips"
_MAKE_AGAIN = f"delete the line of {RECORDS_FILE} that names it to have it made again"
_REPLACE = "put the file back as it was, or run into another directory"


@dataclass(slots=True)
class RunFolder:
    """A run directory that this process owns.

    Args:
        path: The directory.
        spec: What the run was asked to do.
        records: The last record of each call.
        file: The file of the records, opened for appending without a buffer.
    """

    path: Path
    spec: RunSpec
    records: dict[Slot, CallRecord]
    file: FileIO = field(repr=False)
    _size: int = 0

    def append(self, record: CallRecord) -> None:
        """Add a record and wait until it is on the disk.

        Raises:
            EvaluationError: It cannot be written. What was there before stays whole.
        """
        line = write_line(record)
        try:
            _write_all(self.file, line)
            os.fsync(self.file.fileno())
        except OSError as error:
            self._take_back()
            raise _explain(self.path / RECORDS_FILE, error) from error
        self._size += len(line)
        self.records[record.slot] = record

    def keep_clip(self, data: bytes) -> str:
        """Write a clip under its sha256, whole or not at all, and return the sha256.

        Raises:
            EvaluationError: It cannot be written.
        """
        sha256 = hash_clip(data)
        place = find_clip(self.path, sha256)
        beside = place.with_name(f".{sha256}.tmp")
        try:
            if place.exists() and place.read_bytes() == data:
                return sha256
            place.parent.mkdir(exist_ok=True)
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(place)
            _sync_folder(place.parent)
        except OSError as error:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise _explain(place, error) from error
        return sha256

    def _take_back(self) -> None:
        """Cut off what was written of a line, so that the records before it stay readable."""
        try:
            os.ftruncate(self.file.fileno(), self._size)
        except OSError:
            # The torn line is dropped when the directory is next opened.
            return


def find_clip(path: Path, sha256: str) -> Path:
    """Return where a run directory keeps a clip."""
    return path / _CLIPS / f"{sha256}{SUFFIX}"


def read_clip(path: Path, sha256: str) -> bytes:
    """Read a clip of a run directory.

    Raises:
        EvaluationError: It is gone, or is no longer what it was.
    """
    place = find_clip(path, sha256)
    try:
        data = place.read_bytes()
    except OSError as error:
        raise _explain(place, error, action=_MAKE_AGAIN) from error
    if hash_clip(data) != sha256:
        expected = f"the clip whose sha256 is {sha256[:12]}…"
        raise EvaluationError(
            Problem(place.as_posix(), found="other bytes", expected=expected, action=_MAKE_AGAIN)
        )
    return data


def read_run(path: Path) -> tuple[RunSpec, dict[Slot, CallRecord]]:
    """Read a run directory without owning it; a run may be writing to it.

    Raises:
        EvaluationError: It is no run directory, or a record cannot be read.
    """
    spec = read_spec(path)
    try:
        records, _ = _read_records(path / RECORDS_FILE)
    except OSError as error:
        raise _explain(path / RECORDS_FILE, error, action=_REPLACE) from error
    return spec, records


def read_spec(path: Path) -> RunSpec:
    """Read what a run was asked to do.

    Raises:
        EvaluationError: The folder is no run directory, or the file cannot be read.
    """
    file = path / RUN_FILE
    if not file.is_file():
        expected = f"a run directory with {RUN_FILE}"
        raise EvaluationError(
            Problem(
                path.as_posix(),
                found="no such directory" if not path.is_dir() else f"no {RUN_FILE}",
                expected=expected,
                action="name one that `torus-eval run` made",
            )
        )
    name = file.as_posix()
    return parse(RunSpec, read_json(file, file=name, error=EvaluationError), file=name, error=EvaluationError)


def is_owned(path: Path) -> bool:
    """Tell whether a run is writing to a directory at this moment."""
    try:
        with FileLock(path / _LOCK_FILE, timeout=0):
            return False
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False


@contextmanager
def open_run(path: Path, spec: RunSpec) -> Iterator[RunFolder]:
    """Open a run directory for one run, making it or going on with it.

    Args:
        path: The directory.
        spec: What is asked of it now.

    Yields:
        The directory, owned until the block ends or the process dies.

    Raises:
        EvaluationError: Another run owns it, its records are of another benchmark or system, or it cannot be
            written.
    """
    with ExitStack() as held:
        # What goes wrong in the block is not the directory's fault.
        try:
            path.mkdir(parents=True, exist_ok=True)
            # The system gives the lock back when the process dies, however it dies.
            held.enter_context(FileLock(path / _LOCK_FILE, timeout=0))
            folder = _open_locked(path, spec)
        except Timeout:
            found, action = "another run that is writing here", "wait until it has ended, or stop it"
            raise EvaluationError(Problem(path.as_posix(), found=found, action=action)) from None
        except NotImplementedError:
            found, action = "a file system that has no locks", "run into another directory"
            raise EvaluationError(Problem(path.as_posix(), found=found, action=action)) from None
        except OSError as error:
            raise _explain(Path(error.filename or path), error) from error
        with folder.file:
            yield folder


def _open_locked(path: Path, spec: RunSpec) -> RunFolder:
    if (path / RUN_FILE).exists():
        spec = merge_specs(read_spec(path), spec, file=(path / RUN_FILE).as_posix())
    records, size = _read_records(path / RECORDS_FILE)
    _sweep(path)
    write(spec, path / RUN_FILE)
    # Without a buffer nothing of a record that could not be written is left to be written later.
    file = (path / RECORDS_FILE).open("ab", buffering=0)
    try:
        file.truncate(size)
        _sync_folder(path)
    except OSError:
        file.close()
        raise
    return RunFolder(path, spec, records, file, size)


def _sweep(path: Path) -> None:
    """Drop the files that a killed run had begun and not yet put into their places."""
    for begun in (*path.glob(f".{RUN_FILE}.*.tmp"), *(path / _CLIPS).glob(".*.tmp")):
        begun.unlink(missing_ok=True)


def _read_records(path: Path) -> tuple[dict[Slot, CallRecord], int]:
    """Read the records and tell how many bytes of the file are whole lines."""
    if not path.exists():
        return {}, 0
    records: dict[Slot, CallRecord] = {}
    problems: list[Problem] = []
    whole = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            try:
                record = read_line(line, file=path.as_posix(), number=number)
            except EvaluationError as error:
                problems += error.problems
            else:
                records[record.slot] = record
    if problems:
        raise EvaluationError(problems)
    return records, whole


def _write_all(file: FileIO, data: bytes) -> None:
    """Write all of some bytes: a disk that is nearly full takes a part of them without an error."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, so that no record names a file that is lost."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _explain(path: Path, error: OSError, *, action: str = "") -> EvaluationError:
    todo = (
        action or "make room or choose another directory, then run again: nothing that was recorded is lost"
    )
    return EvaluationError(Problem(path.as_posix(), found=str(error.strerror or error), action=todo))
