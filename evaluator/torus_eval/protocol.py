"""The protocol: generate, answer, edit, answer, edit, answer; each edit starts from the clip before.

An answering call carries the clip and one question with its options, and nothing else. What is to be called
next follows from what has been recorded, so a run that was killed goes on like one that was not.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torus_eval.answering.questions import Asked, format_question, shuffle_options
from torus_eval.calls import Call, Slot
from torus_eval.seeds import derive_seed, seed_generator
from torus_eval.systems.identity import identify_part
from torus_eval.systems.route import choose_part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torus_eval.runlog.record import CallRecord
    from torus_eval.systems.base import Capability
    from torus_eval.systems.model import SystemFile
    from torus_site.benchmark.items import Item, ItemCell, Question
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import Point

SELF_CAPTION = "self-caption"


@dataclass(slots=True)
class CellState:
    """How far one cell has come.

    Args:
        cell: The cell of the item file.
        point: The name of its point.
        caption: The record of the caption that its clip was made from, in the arm that captions.
        made: The record of the call that made its clip.
        answers: The valid records of its answers, by question and order.
        waiting: The calls that can be made now.
    """

    cell: ItemCell
    point: str
    caption: CallRecord | None = None
    made: CallRecord | None = None
    answers: dict[tuple[str, int], CallRecord] = field(default_factory=dict)
    waiting: list[Call] = field(default_factory=list)

    @property
    def failure(self) -> CallRecord | None:
        """The record of the call that came back with nothing usable instead of a clip."""
        for record in (self.caption, self.made):
            if record is not None and record.status == "failed":
                return record
        return None


@dataclass(frozen=True, slots=True)
class Count:
    """How many calls of an item, or of a run, have come to what.

    Args:
        total: All calls that the protocol asks for.
        done: Calls with a valid record, failed ones among them.
        failed: Calls whose model came back with nothing usable.
        unreached: Calls that follow a failed one and will never be made.
    """

    total: int = 0
    done: int = 0
    failed: int = 0
    unreached: int = 0

    @property
    def owed(self) -> int:
        """Calls that are still to be made."""
        return self.total - self.done - self.unreached

    def __add__(self, other: Count) -> Count:
        """Add the counts of two items."""
        return Count(
            self.total + other.total,
            self.done + other.done,
            self.failed + other.failed,
            self.unreached + other.unreached,
        )

    def __sub__(self, other: Count) -> Count:
        """Take away the counts of an item."""
        return Count(
            self.total - other.total,
            self.done - other.done,
            self.failed - other.failed,
            self.unreached - other.unreached,
        )


@dataclass(frozen=True, slots=True)
class Script:
    """The calls of one system over one benchmark.

    Args:
        benchmark: The benchmark.
        system: The system's file.
        folder: Where that file lies.
        seed: The seed of everything drawn.
        orders: In how many orders of its options each question is asked.
        versions: The version of each class that the system is made of, by its target.
    """

    benchmark: Benchmark
    system: SystemFile
    folder: str
    seed: int
    orders: int = 1
    versions: Mapping[str, str] = field(default_factory=dict)

    def follow(self, item: Item, records: Mapping[Slot, CallRecord]) -> list[CellState]:
        """Follow an item through its cells as far as the records go.

        Args:
            item: The item.
            records: The last record of each call; those that do not fit, or are errors, do not count.

        Returns:
            Each cell in the order of the benchmark's points.
        """
        states: list[CellState] = []
        heard: str | None = ""
        for cell in order_cells(item, self.benchmark):
            state = CellState(cell, name_point(cell.at))
            states.append(state)
            # What follows a cell without a clip cannot be reached yet.
            if heard is not None:
                heard = self._follow_making(item, state, heard, records, is_first=len(states) == 1)
            if heard is not None:
                self._follow_answers(item, state, heard, records)
        return states

    def count(self, states: list[CellState]) -> Count:
        """Count what has become of the calls of an item, from its cells."""
        total = done = failed = unreached = 0
        is_dead = False
        for index, state in enumerate(states):
            makes = 2 if index and self.system.arm == SELF_CAPTION else 1
            own = makes + self.orders * len(state.cell.questions)
            records = [record for record in (state.caption, state.made) if record is not None]
            records += state.answers.values()
            total += own
            done += len(records)
            failed += sum(record.status == "failed" for record in records)
            if is_dead or state.failure:
                is_dead = True
                unreached += own - len(records)
        return Count(total, done, failed, unreached)

    def _follow_making(
        self,
        item: Item,
        state: CellState,
        heard: str,
        records: Mapping[Slot, CallRecord],
        *,
        is_first: bool,
    ) -> str | None:
        """Follow the calls that make the clip of a cell; return its sha256 once there is one."""
        prompt = state.cell.prompt
        if is_first:
            call = self._draft(item, state.point, "generate", prompt)
        elif self.system.arm != SELF_CAPTION:
            call = self._draft(item, state.point, "edit", prompt, heard=heard)
        else:
            caption = self._draft(item, state.point, "caption", "", heard=heard)
            state.caption = find_valid(caption, records)
            if state.caption is None:
                state.waiting.append(caption)
                return None
            if state.caption.status == "failed":
                return None
            call = self._draft(item, state.point, "generate", f"{state.caption.text} {prompt}")
        state.made = find_valid(call, records)
        if state.made is None:
            state.waiting.append(call)
        return state.made.clip if state.made is not None and state.made.status == "ok" else None

    def _follow_answers(
        self, item: Item, state: CellState, heard: str, records: Mapping[Slot, CallRecord]
    ) -> None:
        for question in state.cell.questions:
            for repeat in range(self.orders):
                call = self._draft_answer(item, state.point, question, repeat, heard)
                record = find_valid(call, records)
                if record is None:
                    state.waiting.append(call)
                else:
                    state.answers[question.id, repeat] = record

    def _draft(self, item: Item, point: str, kind: Capability, text: str, *, heard: str = "") -> Call:
        return self._seal(item, Slot(item.id, point, kind), text, heard=heard)

    def _draft_answer(self, item: Item, point: str, question: Question, repeat: int, heard: str) -> Call:
        order = draw_order(
            item.id, question, self.benchmark.descriptor.letters, seed=self.seed, repeat=repeat
        )
        own = self.benchmark.descriptor.letters
        options = tuple((asked, question.options[own.index(letter)]) for asked, letter in order.items())
        slot = Slot(item.id, point, "answer", question.id, repeat)
        return self._seal(
            item, slot, question.text, heard=heard, options=options, order="".join(order.values())
        )

    def _seal(
        self,
        item: Item,
        slot: Slot,
        text: str,
        *,
        heard: str,
        options: tuple[tuple[str, str], ...] = (),
        order: str = "",
    ) -> Call:
        part = choose_part(self.system, slot.call, item.facets)
        place = (slot.item, slot.point, slot.call, slot.question, str(slot.repeat))
        seed = derive_seed(self.seed, self.system.id, *place)
        wording = format_question(Asked(text, dict(options))) if options else text
        parts = [
            identify_part(part, self.versions),
            slot.call,
            wording,
            heard,
            seed,
            slot.repeat,
            self.system.longest_clip_s,
        ]
        key = hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
        return Call(
            slot=slot,
            key=key,
            part=part,
            folder=self.folder,
            seed=seed,
            text=text,
            options=options,
            heard=heard,
            order=order,
            longest_clip_s=self.system.longest_clip_s,
        )


def find_valid(call: Call, records: Mapping[Slot, CallRecord]) -> CallRecord | None:
    """Return the record of a call, if there is one that fits and is not an error."""
    record = records.get(call.slot)
    if record is None or record.status == "error":
        return None
    return record if (record.key, record.order) == (call.key, call.order) else None


def draw_order(item_id: str, question: Question, letters: str, *, seed: int, repeat: int) -> dict[str, str]:
    """Draw the order in which a question's options are asked, the same for every system.

    Returns:
        For each letter asked, the letter of the item file.
    """
    parts = (item_id, question.id, "order", *([str(repeat)] if repeat else []))
    return shuffle_options(question.options, letters, seed_generator(seed, *parts))


def order_cells(item: Item, benchmark: Benchmark) -> list[ItemCell]:
    """Put an item's cells in the order of the benchmark's points."""
    points = benchmark.points
    return sorted(item.cells, key=lambda cell: points.index(cell.at))


def name_point(at: Point) -> str:
    """Name a point for a file, empty where there is only one.

    >>> name_point({"stage": "S1"}), name_point({})
    ('S1', '')
    """
    return "-".join(at.values())
