"""What became of clips before: records and files, found again by content and settings.

A folder of the cache holds ``files/`` (published bytes, named by their content), ``records/`` (one JSON for
each clip content and settings, naming its files) and ``ledger.json``, which only saves time: it repeats the
records of the last run and remembers the size and time of every file whose content is known, so that nothing
unchanged is opened. Each is written beside its place and moved there. A record that is torn or altered, and a
file whose content is not what its record says, count as absent and are made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torus_site.media.places import Place

Record = dict[str, Any]
"""Facts as JSON; ``files`` maps the names of the record's files to the SHA-256 of their content."""

_NAME_LENGTH: Final = 20
_TICK_S: Final = 0.002
_MOST_TICKS: Final = 25


class Cache:
    """One folder of the cache.

    Args:
        root: The folder; it is made when something is first kept.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = root / "files"
        self._ledger_file = root / "ledger.json"
        ledger = _read_sealed(self._ledger_file) or {}
        self._sources: dict[str, list[Any]] = ledger.get("sources", {})
        self._known: dict[str, Record] = ledger.get("records", {})
        self._files: dict[str, list[int]] = ledger.get("files", {})
        self._used: dict[str, Record] = {}
        self._now_ns = -1
        self._changed = False

    def locate(self, name: str) -> Path:
        """Tell where a kept file is."""
        return self._folder / name

    def recall(self, clip: str, place: Place) -> str | None:
        """Give the SHA-256 of a clip whose size and time are those it was last read with."""
        size, mtime_ns, sha256 = self._sources.get(clip, (None, None, None))
        return sha256 if (size, mtime_ns) == (place.size, place.mtime_ns) else None

    def remember(self, clip: str, place: Place, sha256: str) -> None:
        """Note the content of a clip that was read after :meth:`settle`.

        A file changed so lately that another change could leave it with the same time is not noted.
        """
        if place.mtime_ns < self._now_ns:
            self._sources[clip] = [place.size, place.mtime_ns, sha256]
            self._changed = True

    def settle(self, latest_ns: int) -> None:
        """Wait, a few hundredths of a second at most, until the file system's clock has passed ``latest_ns``.

        A file read before that could change afterwards and keep both its size and its time.
        """
        self._root.mkdir(parents=True, exist_ok=True)
        for _ in range(_MOST_TICKS):
            with tempfile.NamedTemporaryFile(dir=self._root) as stamp:
                self._now_ns = os.fstat(stamp.fileno()).st_mtime_ns
            if self._now_ns > latest_ns:
                return
            time.sleep(_TICK_S)

    def find(self, key: str) -> Record | None:
        """Find a record whose files are all there and sound."""
        record = self._known.get(key) or _read_sealed(self._place_record(key))
        if record is None or not all(
            self._is_sound(name, sha256) for name, sha256 in record["files"].items()
        ):
            self._known.pop(key, None)
            return None
        self._note(key, record)
        return record

    def keep(self, key: str, facts: Mapping[str, Any], files: Mapping[str, tuple[str, bytes]]) -> Record:
        """Keep a record and its files.

        Args:
            key: What the record is found by.
            facts: What the record holds, as JSON values.
            files: Suffix and bytes by role; the record's entry of that name becomes the file's name.

        Returns:
            The record as :meth:`find` would give it.
        """
        record: Record = {**facts, "files": {}}
        for role, (suffix, data) in files.items():
            sha256 = hashlib.sha256(data).hexdigest()
            name = f"{sha256[:_NAME_LENGTH]}{suffix}"
            _write(self.locate(name), data)
            self._is_sound(name, sha256, trust=True)
            record[role] = name
            record["files"][name] = sha256
        _write(self._place_record(key), _seal(record))
        self._note(key, record)
        return record

    def save(self) -> None:
        """Write the ledger, if it changed."""
        if not self._changed:
            return
        names = {name for record in self._used.values() for name in record["files"]}
        ledger = {
            "sources": self._sources,
            "records": self._used,
            "files": {name: state for name, state in self._files.items() if name in names},
        }
        _write(self._ledger_file, _seal(ledger))
        self._known, self._changed = dict(self._used), False

    def _note(self, key: str, record: Record) -> None:
        self._changed = self._changed or key not in self._known
        self._used[key] = record

    def _place_record(self, key: str) -> Path:
        return self._root / "records" / key[:2] / f"{key}.json"

    def _is_sound(self, name: str, sha256: str, *, trust: bool = False) -> bool:
        path = self.locate(name)
        try:
            status = path.stat()
            state = [status.st_size, status.st_mtime_ns]
            if self._files.get(name) == state:
                return True
            if not trust and hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
                return False
        except OSError:
            return False
        self._files[name] = state
        self._changed = True
        return True


def _seal(content: Mapping[str, Any]) -> bytes:
    body = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _read_sealed(path: Path) -> Record | None:
    """Read what ``_seal`` made; anything else, or nothing, is ``None``."""
    try:
        seal, _, body = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(body).hexdigest().encode() != seal:
        return None
    content: Record = json.loads(body)
    return content


def _write(path: Path, data: bytes) -> None:
    beside = path.with_name(f".part-{os.getpid()}-{threading.get_ident()}-{path.name}")
    try:
        try:
            beside.write_bytes(data)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(data)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
