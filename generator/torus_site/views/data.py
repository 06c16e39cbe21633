"""The numbers behind pages and tables as files: JSON and CSV, the same bytes for the same content."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

from torus_site.views.format import PLUS_MINUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torus_site.benchmark.items import Item, Question
    from torus_site.records.model import Answer, CellRecord
    from torus_site.views.lookup import Lookup, PointKey
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import HeadView, TableCell, TableView

Json = dict[str, object]

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
_OUTPUT = ("clip", "caption", "note")
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
)
_FIXED = ("system", "source", *_OUTPUT, *_ANSWER)


def item_json(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> bytes:
    """Write everything about an item as strict JSON, one cell, clip or answer a line.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: A clip of the item is not in ``media``.
    """
    cells = list(_list_cells(lookup, item))
    parts = {
        "benchmark": _encode(lookup.descriptor.id),
        "item": _encode(
            {
                "id": item.id,
                "title": item.title,
                "summary": item.summary,
                "notice": item.notice,
                "facets": item.facets,
                "flags": item.flags,
            }
        ),
        "cells": _encode_lines(cell.model_dump(mode="json") for _, _, cell in lookup.item_cells(item)),
        "systems": _encode_lines(
            _describe_system(lookup, system) for system in dict.fromkeys(s for s, _, _ in cells)
        ),
        "outputs": _encode_lines(
            {
                "system": system,
                "at": cell.at,
                "clip": media[cell.clip.path].src if cell.clip else None,
                "sha256": cell.clip.sha256 if cell.clip else None,
                "caption": cell.caption,
                "note": cell.note,
            }
            for system, _, cell in cells
        ),
        "answers": _encode_lines(
            {"system": system, "at": cell.at, **answer.model_dump(mode="json")}
            for system, _, cell in cells
            for answer in cell.answers
        ),
    }
    body = ",\n".join(f"{_encode(name)}: {text}" for name, text in sorted(parts.items()))
    return f"{{\n{body}\n}}\n".encode()


def item_csv(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> bytes:
    """Write everything systems did on an item as CSV: a row per answer, or per output without answers.

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
    questions = {question.id: question for cell in item.cells for question in cell.questions}
    unasked = [[""] * (len(_ANSWER) + len(letters))]
    rows = [head]
    for system, key, cell in _list_cells(lookup, item):
        clip = media[cell.clip.path].src if cell.clip else ""
        output = [system, lookup.entries[system].source, *key, clip, cell.caption or "", cell.note or ""]
        answered = [_flatten(answer, questions[answer.question], letters) for answer in cell.answers]
        rows += [[*output, *answer] for answer in answered or unasked]
    return _write_csv(rows)


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
    return _write_csv(zip(*columns, strict=True))


def _spread_column(head: HeadView, cells: Sequence[TableCell]) -> list[list[str]]:
    """Return the value column of a table column, and those of half-widths and details where there are any."""
    name = f"{head.group}: {head.title}" if head.group else head.title
    columns = [[name, *(cell.sort or ("" if cell.missing else cell.text) for cell in cells)]]
    if any(cell.extra for cell in cells):
        columns.append([f"{name}, half-width", *(cell.extra.removeprefix(PLUS_MINUS) for cell in cells)])
    details = ["; ".join(filter(None, (cell.text if cell.missing else "", cell.detail))) for cell in cells]
    if any(details):
        columns.append([f"{name}, detail", *details])
    return columns


def _list_cells(lookup: Lookup, item: Item) -> Iterator[tuple[str, PointKey, CellRecord]]:
    """Yield every output for an item: systems in their order, each along the axes."""
    for system in lookup.systems:
        cells = lookup.cells(system, item.id)
        yield from ((system, key, cells[key]) for key in lookup.points if key in cells)


def _describe_system(lookup: Lookup, system: str) -> Json:
    entry, run = lookup.entries[system], lookup.runs[system]
    return {"id": entry.id, "title": entry.title, "source": entry.source, "citation": run.citation}


def _flatten(answer: Answer, question: Question, letters: str) -> list[str]:
    options = dict(zip(letters, question.options, strict=True))
    return [
        question.id,
        question.element,
        question.text,
        question.key,
        options[question.key],
        answer.pick or "",
        options[answer.pick] if answer.pick else "",
        answer.response or "",
        answer.reason,
        "true" if answer.correct else "false",
        *question.options,
    ]


def _write_csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    # The module quotes only those line ends it writes itself, so both its characters are needed.
    csv.writer(text, lineterminator="\r\n").writerows([_guard(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def _guard(text: str) -> str:
    """Keep a spreadsheet from running a cell; a number stays a number."""
    if not text.startswith(_FORMULA_STARTS) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


def _encode(value: object) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False, sort_keys=True)


def _encode_lines(values: Iterable[object]) -> str:
    """Write a list with one value a line, which reads well and is quick to write."""
    lines = ",\n".join(f"  {_encode(value)}" for value in values)
    return f"[\n{lines}\n]" if lines else "[]"
