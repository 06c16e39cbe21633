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
    from collections.abc import Iterable
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
        self.spans = spans
        # A page asks for its few items again and again.
        self._recall = lru_cache(_RECENT)(self._read)

    def __getitem__(self, item: str) -> ItemRecord:
        return self._recall(item)

    def __iter__(self) -> Iterator[str]:
        return iter(self.spans)

    def __len__(self) -> int:
        return len(self.spans)

    def __contains__(self, item: object) -> bool:
        return item in self.spans

    def _read(self, item: str) -> ItemRecord:
        start, end = self.spans[item]
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
    files: list[tuple[str, str, Mapping[str, Span] | None]] = []
    for run in results.runs:
        file = results.file_of(run)
        stored = results.stored.get(key_of(run))
        found = None if stored else find_items((root / file).read_bytes())
        if isinstance(stored, StoredItems):
            files.append((file, dump(run).decode(), stored.spans))
        elif found and [*found[1]] == [record.item for record in run.items]:
            files.append((file, found[0].decode(), found[1]))
        else:
            files.append((file, dump(run).decode(), None))
    others: list[StudyRecord | CompositionRecord] = [*results.studies, *results.compositions]
    files += [(results.file_of(record), dump(record).decode(), None) for record in others]
    first: dict[str, ClipUse] = {}
    for use in results.clips():
        first.setdefault(use.path, use)
    return json.dumps({"files": files, "uses": [astuple(use) for use in first.values()]}).encode()


def unpack_results(packs: Iterable[bytes], root: Path) -> Results:
    """Return the results that :func:`pack_results` wrote down; their files have not changed since.

    Args:
        packs: What it gave, for a part of the results each.
        root: The project's folder.

    Raises:
        ValueError: Something else was written down, or two parts hold one record or two contents of one clip.
    """
    records: list[Any] = []
    files: dict[tuple[str, ...], str] = {}
    stored: dict[tuple[str, ...], StoredItems] = {}
    uses: dict[str, ClipUse] = {}
    for pack in packs:
        content: dict[str, Any] = json.loads(pack)
        for file, document, spans in content["files"]:
            record = RESULTS.validate_json(document)
            records.append(record)
            if files.setdefault(key_of(record), file) != file:
                message = f"two files for {' '.join(key_of(record))}"
                raise ValueError(message)
            if spans is not None:
                stored[key_of(record)] = StoredItems(root / file, file=file, spans=spans)
        for part in content["uses"]:
            use = ClipUse(*part)
            if uses.setdefault(use.path, use).sha256 != use.sha256:
                message = f"two contents for {use.path}"
                raise ValueError(message)
    return gather(records, files=files, stored=stored, uses=tuple(uses.values()))
