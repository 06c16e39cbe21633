"""Writes results in one canonical form and loads all results of a benchmark."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torus_site.errors import Problem, ResultsError
from torus_site.records.model import (
    CompositionRecord,
    ItemRecord,
    Point,
    Record,
    RunRecord,
    Source,
    StudyRecord,
)
from torus_site.records.parse import parse_results, pause_collection
from torus_site.records.problems import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClipUse:
    """A cell of a run that names a clip.

    Args:
        file: The results file.
        system: The run's system.
        item: The item.
        at: The point on the axes.
        path: The clip, as a path in the project.
        sha256: Its content when the answers were given.
    """

    file: str
    system: str
    item: str
    at: Point
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Results:
    """Everything measured or reported about one benchmark.

    Args:
        runs: One per system and source, in the order of their files.
        studies: Human studies.
        compositions: What the benchmark's whole bank is made of.
        files: Which file each record came from, by :func:`key_of`.
        stored: The items of runs that hold none in memory, by :func:`key_of` and the item's id.
        uses: The first cell that names each clip, where not all items are in memory.
    """

    runs: tuple[RunRecord, ...] = ()
    studies: tuple[StudyRecord, ...] = ()
    compositions: tuple[CompositionRecord, ...] = ()
    files: Mapping[Key, str] = field(default_factory=dict)
    stored: Mapping[Key, Mapping[str, ItemRecord]] = field(default_factory=dict)
    uses: tuple[ClipUse, ...] | None = None

    def run(self, system: str, source: Source) -> RunRecord | None:
        """Return the run of a system from one source, if there is one."""
        return next((run for run in self.runs if run.system == system and run.source == source), None)

    def study(self, study_id: str) -> StudyRecord:
        """Return a human study.

        Raises:
            KeyError: No results file holds it.
        """
        return {study.id: study for study in self.studies}[study_id]

    def composition(self, composition_id: str) -> CompositionRecord:
        """Return a composition.

        Raises:
            KeyError: No results file holds it.
        """
        return {composition.id: composition for composition in self.compositions}[composition_id]

    def items_of(self, run: RunRecord) -> Mapping[str, ItemRecord]:
        """Return the items of a run by their id, wherever they are."""
        stored = self.stored.get(key_of(run))
        return {record.item: record for record in run.items} if stored is None else stored

    def clips(self) -> Iterator[ClipUse]:
        """Yield the cells that name clips, in the order of the files; at least the first for each clip."""
        if self.uses is not None:
            yield from self.uses
            return
        for run in self.runs:
            file = self.file_of(run)
            for record in run.items:
                for cell in record.cells:
                    if cell.clip:
                        clip = cell.clip
                        yield ClipUse(file, run.system, record.item, cell.at, clip.path, clip.sha256)

    def file_of(self, record: RunRecord | StudyRecord | CompositionRecord) -> str:
        """Return the file a record came from, or its key where it never was in one."""
        key = key_of(record)
        return self.files.get(key, " ".join(key))


def key_of(record: RunRecord | StudyRecord | CompositionRecord) -> Key:
    """Name a record: no two files of a benchmark may share this key."""
    if isinstance(record, RunRecord):
        return (record.kind, record.system, record.source)
    return (record.kind, record.id)


def dump(record: Record) -> bytes:
    """Write a record as strict JSON in its one canonical form: sorted keys, two spaces, final newline."""
    data = record.model_dump(mode="json", by_alias=True)
    text = json.dumps(data, allow_nan=False, ensure_ascii=False, indent=2, sort_keys=True)
    return text.encode() + b"\n"


def write(record: Record, path: Path) -> None:
    """Write a record to a file, whole or not at all; missing folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        beside.write_bytes(dump(record))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load_results(root: Path, benchmark: str) -> Results:
    """Load every ``*.json`` under ``results/<benchmark>/``; a benchmark without results has none.

    Args:
        root: The project's folder.
        benchmark: The benchmark's id.

    Raises:
        ResultsError: Every problem of every file, two files for one system and source among them.
    """
    results, problems = read_results(root, benchmark)
    if problems:
        raise ResultsError(problems)
    return results


def read_results(root: Path, benchmark: str) -> tuple[Results, tuple[Problem, ...]]:
    """Read results like :func:`load_results`, but return those that are right beside what is wrong.

    So a caller who raises all problems of a project at once can check the rest as well.
    """
    problems: list[Problem] = []
    files: dict[Key, str] = {}
    records: list[RunRecord | StudyRecord | CompositionRecord] = []
    with pause_collection():
        for path in result_paths(root, benchmark):
            file = path.relative_to(root).as_posix()
            try:
                record = parse_results(path, file=file)
            except ResultsError as error:
                problems += error.problems
                continue
            misplaced = list(_check_place(record, benchmark, file, files))
            problems += misplaced
            if not misplaced:
                records.append(record)
    return gather(records, files=files), tuple(problems)


def result_paths(root: Path, benchmark: str) -> list[Path]:
    """List the results files of a benchmark in order of their names."""
    found = (root / "results" / benchmark).rglob("*.json")
    return sorted(path for path in found if not path.name.startswith("."))


def gather(
    records: Iterable[RunRecord | StudyRecord | CompositionRecord],
    *,
    files: Mapping[Key, str],
    stored: Mapping[Key, Mapping[str, ItemRecord]] | None = None,
    uses: tuple[ClipUse, ...] | None = None,
) -> Results:
    """Put records together, each with its kind; the other arguments are as in :class:`Results`."""
    known = tuple(records)
    return Results(
        runs=tuple(record for record in known if isinstance(record, RunRecord)),
        studies=tuple(record for record in known if isinstance(record, StudyRecord)),
        compositions=tuple(record for record in known if isinstance(record, CompositionRecord)),
        files=files,
        stored=stored or {},
        uses=uses,
    )


def _check_place(
    record: RunRecord | StudyRecord | CompositionRecord, benchmark: str, file: str, files: dict[Key, str]
) -> Iterator[Problem]:
    """Note where a record is, unless it belongs elsewhere or another file holds the same."""
    if record.benchmark != benchmark:
        yield Problem(file, "/benchmark", quote(record.benchmark), f"{benchmark!r}, as the folder is called")
    key = key_of(record)
    first = files.setdefault(key, file)
    if first != file:
        found = f"a second {' '.join(key)}"
        yield Problem(file, "", found, "one file for each", f"{first} holds the other; keep one")
