"""The numbers behind pages and tables as files: JSON and CSV, the same bytes for the same content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic_core import to_json

from torus_site.views.format import PLUS_MINUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torus_site.benchmark.items import Item, Question
    from torus_site.records.model import Again, CellRecord
    from torus_site.views.lookup import Lookup, PointKey
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import HeadView, TableCell, TableView

Json = dict[str, object]

_FORMULA_STARTS = frozenset("=+-@\t\r\n")
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
_QUOTED = re.compile(r'[",\r\n]')
_OUTPUT = ("clip", "status", "status_reason", "caption", "note")
_ANSWER = (
    "question",
    "element",
    "text",
    "key",
    "key_text",
    "pick",
    "pick_text",
    "response",
    "reason",
    "correct",
    "lenient_pick",
    "lenient_reason",
    "order",
)
_FIXED = ("system", "source", *_OUTPUT, *_ANSWER)


def item_json(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> bytes:
    """Write everything about an item as strict JSON, one cell, system or output a line.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: A clip of the item is not in ``media``.
    """
    outputs = list(_list_outputs(lookup, item))
    systems = dict.fromkeys(system for system, _, _ in outputs)
    described = {
        "id": item.id,
        "title": item.title,
        "summary": item.summary,
        "notice": item.notice,
        "facets": item.facets,
        "flags": item.flags,
    }
    parts = (
        b'"benchmark": ' + to_json(lookup.descriptor.id),
        b'"item": ' + to_json(described),
        b'"cells": ' + _encode_lines(cell for _, _, cell in lookup.item_cells(item)),
        b'"systems": ' + _encode_lines(_describe_system(lookup, system) for system in systems),
        b'"outputs": ' + _encode_lines(_describe_output(system, cell, media) for system, _, cell in outputs),
    )
    return b"{\n" + b",\n".join(parts) + b"\n}\n"


def item_csv(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> bytes:
    """Write everything systems did on an item as CSV: a row per answer and order, or output without answers.

    Text that a spreadsheet would take for a formula has an apostrophe put before it.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: A clip of the item is not in ``media``.
    """
    letters = lookup.descriptor.letters
    axes = [f"axis_{axis.id}" if axis.id in _FIXED else axis.id for axis in lookup.descriptor.axes]
    head = ["system", "source", *axes, *_OUTPUT, *_ANSWER, *(f"option_{letter}" for letter in letters)]
    asked = {question.id: _Asked.of(question, letters) for cell in item.cells for question in cell.questions}
    unasked = "," * (len(_ANSWER) + len(letters) - 1)
    lines = [_write_row(head)]
    for system, key, cell in _list_outputs(lookup, item):
        clip = media[cell.clip.path].src if cell.clip else ""
        source = lookup.entries[system].source
        told = (clip, cell.status, cell.reason or "", cell.caption or "", cell.note or "")
        output = _write_row([system, source, *key, *told])
        answers = [
            asked[answer.question].write(reply, order)
            for answer in cell.answers
            for order, reply in enumerate(answer.orders, start=1)
        ]
        lines += [f"{output},{answer}" for answer in answers or [unasked]]
    return _join_lines(lines)


def table_csv(table: TableView) -> bytes:
    """Write a table as CSV: raw numbers, half-widths and details in columns of their own.

    A number that is missing is an empty cell, and the detail beside it says why.
    """
    placed = [(group.title, row) for group in table.groups for row in group.rows]
    columns = [[table.row_head, *(row.head for _, row in placed)]]
    if any(group.title for group in table.groups):
        columns.insert(0, ["Group", *(title for title, _ in placed)])
    for index, head in enumerate(table.heads):
        columns += _spread_column(head, [row.cells[index] for _, row in placed])
    return _join_lines(map(_write_row, zip(*columns, strict=True)))


def _spread_column(head: HeadView, cells: Sequence[TableCell]) -> list[list[str]]:
    """Return the value column of a table column, and those of half-widths and details where there are any."""
    name = f"{head.group}: {head.title}" if head.group else head.title
    columns = [[name, *(cell.sort or ("" if cell.missing else cell.text) for cell in cells)]]
    if any(cell.extra for cell in cells):
        columns.append([f"{name}, {head.beside}", *(cell.extra.removeprefix(PLUS_MINUS) for cell in cells)])
    details = ["; ".join(filter(None, (cell.text if cell.missing else "", cell.detail))) for cell in cells]
    if any(details):
        columns.append([f"{name}, detail", *details])
    return columns


def _list_outputs(lookup: Lookup, item: Item) -> Iterator[tuple[str, PointKey, CellRecord]]:
    """Yield every output for an item: systems in their order, each along the axes."""
    for system in lookup.systems:
        cells = lookup.cells(system, item.id)
        yield from ((system, key, cells[key]) for key in lookup.points if key in cells)


def _describe_system(lookup: Lookup, system: str) -> Json:
    entry, run = lookup.entries[system], lookup.runs[system]
    return {"id": entry.id, "title": entry.title, "source": entry.source, "citation": run.citation}


def _describe_output(system: str, cell: CellRecord, media: Mapping[str, ClipAsset]) -> Json:
    return {
        "system": system,
        "at": cell.at,
        "clip": media[cell.clip.path].src if cell.clip else None,
        "sha256": cell.clip.sha256 if cell.clip else None,
        "status": cell.status,
        "status_reason": cell.reason,
        "caption": cell.caption,
        "note": cell.note,
        "answers": cell.answers,
    }


@dataclass(frozen=True, slots=True)
class _Asked:
    """The cells of a question, written once for all its answers."""

    question: str
    options: Mapping[str, str]

    @classmethod
    def of(cls, question: Question, letters: str) -> _Asked:
        options = dict(zip(letters, question.options, strict=True))
        told = (question.id, question.element, question.text, question.key, options[question.key])
        return cls(_write_row(told), {letter: _write_cell(text) for letter, text in options.items()})

    def write(self, answer: Again, order: int) -> str:
        """Write the rest of the row of an answer in one order."""
        picked = f"{answer.pick},{self.options[answer.pick]}" if answer.pick else ","
        lenient = (answer.lenient.pick or "", answer.lenient.reason) if answer.lenient else ("", "")
        verdict = "true" if answer.correct else "false"
        said = _write_row((answer.response or "", answer.reason, verdict, *lenient, str(order)))
        return ",".join((self.question, picked, said, *self.options.values()))


def _write_row(cells: Iterable[str]) -> str:
    return ",".join(map(_write_cell, cells))


def _write_cell(text: str) -> str:
    """Quote a cell where it must be, and keep a spreadsheet from running it; a number stays a number."""
    if text[:1] in _FORMULA_STARTS and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _join_lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\r\n" for line in lines).encode()


def _encode_lines(values: Iterable[object]) -> bytes:
    """Write a list with one value a line, which reads well and is quick to write."""
    lines = b",\n".join(b"  " + to_json(value) for value in values)
    return b"[\n" + lines + b"\n]" if lines else b"[]"
