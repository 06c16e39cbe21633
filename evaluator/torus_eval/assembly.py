"""From the records of a run to the record that the site shows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

from torus_eval.answering.lenient import read_leniently
from torus_eval.answering.questions import read_strictly
from torus_eval.clips import SUFFIX
from torus_eval.errors import EvaluationError
from torus_eval.protocol import Count, Script
from torus_eval.runlog.folder import read_run
from torus_eval.runlog.spec import RUN_FILE, digest_item, list_changed_items, list_gone_items
from torus_eval.scorers import score_run
from torus_eval.systems.model import SystemFile
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import Problem
from torus_site.records.model import (
    Again,
    Answer,
    CellRecord,
    ClipRef,
    ItemRecord,
    Lenient,
    Provenance,
    RunRecord,
)
from torus_site.records.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from torus_eval.calls import Slot
    from torus_eval.protocol import CellState
    from torus_eval.runlog.record import CallRecord
    from torus_eval.runlog.spec import RunSpec
    from torus_site.benchmark.items import Item, Question
    from torus_site.benchmark.load import Benchmark

_TOOL = "torus-eval"


@dataclass(frozen=True, slots=True)
class Run:
    """A run directory as read: what was asked for, and how far it has come.

    Args:
        path: The run directory.
        spec: What the run was asked to do.
        script: Its calls.
        items: The items of the run, in the order of the benchmark.
        records: The last record of each call.
        states: How far each item's cells have come, by the item's id.
    """

    path: Path
    spec: RunSpec
    script: Script
    items: tuple[Item, ...]
    records: Mapping[Slot, CallRecord]
    states: Mapping[str, list[CellState]]

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark."""
        return self.script.benchmark

    def count(self) -> Count:
        """Count what has become of the run's calls."""
        return sum((self.script.count(states) for states in self.states.values()), Count())

    def cells(self) -> Iterator[tuple[Item, CellState]]:
        """Yield each cell with its item, in order."""
        for item in self.items:
            for state in self.states[item.id]:
                yield item, state

    def losses(self) -> tuple[CallRecord, ...]:
        """List the last records of the calls that failed or were lost, in the order of the items."""
        order = {item.id: index for index, item in enumerate(self.items)}
        lost = [record for record in self.records.values() if record.status != "ok" and record.item in order]
        return tuple(sorted(lost, key=lambda record: (order[record.item], record.point, record.question)))

    def item_records(self) -> tuple[ItemRecord, ...]:
        """Assemble what was made and answered, item by item."""
        return tuple(assemble_item(self, item) for item in self.items)


def load_run(project: Path, path: Path) -> Run:
    """Read a run directory and the benchmark it is of; neither the system file nor the model is needed.

    Raises:
        TorusError: It is no run directory, or the benchmark has changed since; everything that changed.
    """
    spec, records = read_run(path)
    benchmark = load_benchmark(project, spec.benchmark)
    file = (path / RUN_FILE).as_posix()
    problems = list(list_gone_items(spec, [item.id for item in benchmark.items], file=file))
    items = tuple(item for item in benchmark.items if item.id in spec.items)
    problems += list_changed_items(spec, {item.id: digest_item(item) for item in items}, file=file)
    if spec.letters != benchmark.descriptor.letters:
        found, expected = f"records made with {spec.letters!r}", f"{benchmark.descriptor.letters!r}, as now"
        problems.append(Problem(file, "/letters", found, expected, "put the benchmark back as it was"))
    if problems:
        raise EvaluationError(problems)
    system = parse(SystemFile, spec.settings, file=file, error=EvaluationError)
    script = Script(benchmark, system, "", spec.seed, spec.orders, spec.versions)
    states = {item.id: script.follow(item, records) for item in items}
    return Run(path, spec, script, items, records, states)


def assemble_item(run: Run, item: Item) -> ItemRecord:
    """Assemble one item: for each cell its clip, or why there is none, and its answers."""
    cells: list[CellRecord] = []
    failed = ""
    for state in run.states[item.id]:
        cells.append(_assemble_cell(run, item, state, failed))
        failed = failed or (state.point or "the clip" if state.failure else "")
    return ItemRecord(item=item.id, cells=tuple(cells))


def make_run_record(run: Run) -> RunRecord:
    """Assemble a run with its scores, without measures of its clips and without differences."""
    items, owed = run.item_records(), run.count().owed
    spec, system = run.spec, run.script.system
    return RunRecord(
        schema=1,
        kind="run",
        benchmark=spec.benchmark,
        source="computed",
        system=spec.system,
        status="incomplete" if owed else "complete",
        owed=owed,
        provenance=Provenance(
            tool=_TOOL,
            tool_version=version("torus-site"),
            seed=spec.seed,
            model_revision=system.revision or f"{spec.system}-{spec.system_hash[:12]}",
            config_hash=spec.system_hash,
            started=_read_started(),
        ),
        items=items,
        scores=score_run(run.benchmark, items, seed=spec.seed),
    )


def name_clip(benchmark: str, system: str, item: str, point: str) -> str:
    """Name the place of a published clip in the project."""
    return f"audio/{benchmark}/{system}/{'-'.join(filter(None, (item, point)))}{SUFFIX}"


def _assemble_cell(run: Run, item: Item, state: CellState, failed: str) -> CellRecord:
    at = state.cell.at
    if failed:
        return CellRecord(at=at, status="not_reached", reason=f"{failed} failed")
    if state.failure is not None:
        return CellRecord(at=at, status="failed", reason=state.failure.message, caption=_read_caption(state))
    made = state.made
    if made is None or made.clip is None:
        return CellRecord(at=at, status="owed", reason=_tell_owed(run, state))
    place = name_clip(run.benchmark.id, run.spec.system, item.id, state.point)
    is_whole = not state.waiting
    return CellRecord(
        at=at,
        clip=ClipRef(path=place, sha256=made.clip),
        caption=_read_caption(state),
        note=made.note or None,
        status="made" if is_whole else "owed",
        reason=None if is_whole else _tell_owed(run, state),
        answers=tuple(_read_answers(run, state)),
    )


def _read_caption(state: CellState) -> str | None:
    return state.caption.text if state.caption is not None else None


def _tell_owed(run: Run, state: CellState) -> str:
    """Say why a cell is not whole: the first call that was lost in it, or that it was not begun."""
    for call in state.waiting:
        record = run.records.get(call.slot)
        if record is not None and record.status == "error":
            return f"{record.call} was lost: {record.message}"
    return "not asked yet"


def _read_answers(run: Run, state: CellState) -> Iterator[Answer]:
    for question in state.cell.questions:
        read = [
            _read_answer(state.answers[question.id, repeat], question, run.benchmark.descriptor.letters)
            for repeat in range(run.script.orders)
            if (question.id, repeat) in state.answers
        ]
        if read:
            first, *further = read
            data = {name: getattr(first, name) for name in Again.model_fields}
            yield Answer(question=question.id, again=tuple(further), **data)


def _read_answer(record: CallRecord, question: Question, letters: str) -> Again:
    """Read one response, strictly and leniently, and undo the order in which its options were asked."""
    if record.text is None:
        lost = Lenient(pick=None, reason=record.reason, correct=False)
        return Again(response=None, pick=None, reason=record.reason, correct=False, lenient=lost)
    own = dict(zip(letters, record.order, strict=False))
    options = {asked: question.options[letters.index(letter)] for asked, letter in own.items()}
    strict, lenient = read_strictly(record.text, "".join(own)), read_leniently(record.text, options)
    pick, forgiving = own.get(strict.pick or ""), own.get(lenient.pick or "")
    return Again(
        response=record.text,
        pick=pick,
        reason=strict.reason,
        correct=pick == question.key,
        lenient=Lenient(pick=forgiving, reason=lenient.reason, correct=forgiving == question.key),
    )


def _read_started() -> str | None:
    """Return the time given by ``SOURCE_DATE_EPOCH``; without it a record holds none and stays the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(given), tz=UTC).isoformat() if given else None
    except (ValueError, OverflowError, OSError):
        expected = "seconds since 1970 as a whole number"
        raise EvaluationError(Problem("SOURCE_DATE_EPOCH", found=repr(given), expected=expected)) from None
