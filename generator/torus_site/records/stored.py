"""Results that were read and found right before: what is short stays in memory, items stay in their files.

In the canonical form the items of a run stand one below the other, each from a line of its own to another,
so that one can be read without the rest. A file in any other form is read whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from torus_site.errors import Problem, ResultsError
from torus_site.records.model import RESULTS, ItemRecord
from torus_site.records.store import ClipUse, dump, gather, key_of

if TYPE_CHECKING:
    from pathlib import Path

    from torus_site.records.model import CompositionRecord, StudyRecord
    from torus_site.records.store import Results

Span = tuple[int, int]
_LIST = b'\n  "items": ['
_FIRST, _NEXT, _LAST = b"\n    {\n", b",\n    {\n", b"\n  ]"
_END = b"\n    }"
_NAME = b'\n      "item": "'
_RECENT = 64


class StoredItems(Mapping[str, ItemRecord]):
    """The items of a run by their id, each read from the file when it is asked for.

    Args:
        path: The run's file.
        file: Its name in problems.
        spans: First and last byte of each item.
    """

    def __init__(self, path: Path, *, file: str, spans: Mapping[str, Span]) -> None:
        self._path = path
        self._file = file
        self._spans = spans
        # A page asks for its few items again and again.
        self._recall = lru_cache(_RECENT)(self._read)

    def __getitem__(self, item: str) -> ItemRecord:
        return self._recall(item)

    def __iter__(self) -> Iterator[str]:
        return iter(self._spans)

    def __len__(self) -> int:
        return len(self._spans)

    def __contains__(self, item: object) -> bool:
        return item in self._spans

    def _read(self, item: str) -> ItemRecord:
        start, end = self._spans[item]
        try:
            with self._path.open("rb") as file:
                file.seek(start)
                record = ItemRecord.model_validate_json(file.read(end - start))
        except (OSError, ValueError):
            record = None
        if record is None or record.item != item:
            raise ResultsError(
                Problem(self._file, "", "other content than a moment ago", "", "run the command again")
            )
        return record


def find_items(data: bytes) -> tuple[bytes, dict[str, Span]] | None:
    """Find the items of a run in its file.

    Args:
        data: The file's content, known to hold a run.

    Returns:
        The content without items, and first and last byte of each item; nothing for another form than
        the canonical one.
    """
    head, found, _ = data.partition(_LIST)
    start = len(head) + len(found)
    spans: dict[str, Span] = {}
    at, opening = start, _FIRST
    while found and data.startswith(opening, at):
        first = at + len(opening) - len(_FIRST.lstrip())
        last = data.find(_END, first) + len(_END)
        name = data.find(_NAME, first, last) + len(_NAME)
        spans[data[name : data.find(b'"', name)].decode(errors="replace")] = first, last
        at, opening = last, _NEXT
    if not spans or not data.startswith(_LAST, at):
        return None
    return data[:start] + data[at + len(_LAST) - 1 :], spans


def pack_results(results: Results, root: Path) -> bytes:
    """Write down where results stand and what is short of them.

    Args:
        results: Results as read from their files, without any problem.
        root: The project's folder.
    """
    files: dict[str, object] = {}
    for run in results.runs:
        file = results.file_of(run)
        found = find_items((root / file).read_bytes())
        if found and [*found[1]] == [record.item for record in run.items]:
            files[file] = {"document": found[0].decode(), "spans": found[1]}
        else:
            files[file] = {"document": dump(run).decode(), "spans": None}
    others: list[StudyRecord | CompositionRecord] = [*results.studies, *results.compositions]
    for record in others:
        files[results.file_of(record)] = {"document": dump(record).decode(), "spans": None}
    first: dict[str, ClipUse] = {}
    for use in results.clips():
        first.setdefault(use.path, use)
    return json.dumps({"files": files, "uses": [[*astuple(use)] for use in first.values()]}).encode()


def unpack_results(packed: bytes, root: Path) -> Results:
    """Return the results that :func:`pack_results` wrote down; their files have not changed since.

    Raises:
        ValueError: Something else was written down.
    """
    content: dict[str, Any] = json.loads(packed)
    records = {file: RESULTS.validate_json(part["document"]) for file, part in content["files"].items()}
    return gather(
        records.values(),
        files={key_of(record): file for file, record in records.items()},
        stored={
            key_of(record): StoredItems(root / file, file=file, spans=spans)
            for file, record in records.items()
            if (spans := content["files"][file]["spans"]) is not None
        },
        uses=tuple(ClipUse(*use) for use in content["uses"]),
    )
