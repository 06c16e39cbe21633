"""What reading and drawing gave before, kept for the next build.

Everything is kept under a place, such as a file, and with a key that changes whenever it could come out
differently, such as the file's stamp. Within one process, as while serving, the thing itself is kept; what
can be written as bytes is also kept on disk, so that the next build need not make it again. What is torn,
altered or made by another version is not remembered; all that costs is the time to make it again.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

T = TypeVar("T")
_TABLE = "CREATE TABLE IF NOT EXISTS things (place TEXT PRIMARY KEY, key TEXT, seal BLOB, content BLOB)"
# A long-lived process may meet what a newer program kept: in another shape, it is not remembered.
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)
_MAKER = ""
"""The place of whoever made the rest."""


class Codec(NamedTuple, Generic[T]):
    """How a thing becomes bytes and comes back; ``load`` raises ``ValueError`` for bytes it cannot read."""

    dump: Callable[[T], bytes]
    load: Callable[[bytes], T]


class Memory:
    """What is remembered of one project.

    Args:
        file: Where it is kept between processes; without a file it ends with this one.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._maker = ""
        self._stamps: Mapping[str, tuple[int, int]] = {}
        self._things: dict[str, tuple[str, object]] = {}
        self._used: set[str] = set()
        self._database: sqlite3.Connection | None = None

    @contextmanager
    def build(self, stamps: Mapping[str, tuple[int, int]], *, maker: str) -> Iterator[None]:
        """Remember during one build; after one that succeeds, forget what it had no use for.

        Args:
            stamps: The stamp of every file it may read, by its path, taken before any is read.
            maker: Changes with the program; what another one made is forgotten.
        """
        if maker != self._maker:
            self._things.clear()
        self._maker, self._stamps = maker, stamps
        self._used = {_MAKER}
        # Nothing is made on disk before there is something to keep.
        self._database = self._open() if self._file and self._file.exists() else None
        try:
            yield
            self._forget_unused()
        finally:
            if self._database:
                self._database.close()
                self._database = None

    def stamp(self, path: Path) -> str:
        """Return what changes whenever a file does; the same for all that are missing."""
        stamp = self._stamps.get(str(path))
        if stamp is None:
            try:
                info = path.stat()
            except OSError:
                return "missing"
            stamp = info.st_size, info.st_mtime_ns
        return f"{stamp[0]}:{stamp[1]}"

    def once(self, place: str, key: str, make: Callable[[], T], codec: Codec[T] | None = None) -> T:
        """Return what is remembered, or make and remember it.

        Args:
            place: What the thing is kept under; there is one for each place.
            key: Changes whenever the thing could.
            make: Makes it.
            codec: How it is kept between processes; without one it is not.
        """
        thing = self.recall(place, key, codec)
        if thing is None:
            thing = make()
            self.keep(place, key, thing, codec)
        return thing

    def recall(self, place: str, key: str, codec: Codec[T] | None = None) -> T | None:
        """Return what is remembered for a place and key, if anything is."""
        self._used.add(place)
        known, thing = self._things.get(place, (None, None))
        if known == key:
            return cast("T", thing)
        if codec is None or (content := self._read(place, key)) is None:
            return None
        with suppress(*_UNREADABLE):
            loaded = codec.load(content)
            self._things[place] = key, loaded
            return loaded
        return None

    def keep(self, place: str, key: str, thing: T, codec: Codec[T] | None = None) -> None:
        """Remember a thing."""
        self._used.add(place)
        self._things[place] = key, thing
        if codec and self._file and not self._file.exists():
            self._database = self._open()
        if codec and self._database:
            content = codec.dump(thing)
            row = (place, key, _seal(key, content), content)
            self._ask("INSERT OR REPLACE INTO things VALUES (?, ?, ?, ?)", row)

    def _forget_unused(self) -> None:
        self._things = {place: thing for place, thing in self._things.items() if place in self._used}
        for (place,) in self._ask("SELECT place FROM things"):
            if place not in self._used:
                self._ask("DELETE FROM things WHERE place = ?", (place,))
        self._ask("COMMIT")

    def _read(self, place: str, key: str) -> bytes | None:
        for seal, content in self._ask(
            "SELECT seal, content FROM things WHERE place = ? AND key = ?", (place, key)
        ):
            if isinstance(content, bytes) and seal == _seal(key, content):
                return content
        return None

    def _ask(self, question: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        """Ask the database; one that is in use is not asked again, a torn one is removed."""
        import sqlite3  # noqa: PLC0415  not needed when nothing changed

        if self._database is None:
            return []
        try:
            return self._database.execute(question, values).fetchall()
        except sqlite3.Error as error:
            self._database.close()
            self._database = None
            if self._file and not isinstance(error, sqlite3.OperationalError):
                self._file.unlink(missing_ok=True)
            return []

    def _open(self) -> sqlite3.Connection | None:
        import sqlite3  # noqa: PLC0415  not needed when nothing changed

        file = cast("Path", self._file)
        for _ in range(2):
            with suppress(OSError, sqlite3.OperationalError):
                file.parent.mkdir(parents=True, exist_ok=True)
                database = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
                try:
                    self._prepare(database)
                except sqlite3.OperationalError:
                    # Another build is at it: this one does without.
                    database.close()
                    return None
                except sqlite3.DatabaseError:
                    database.close()
                    file.unlink()
                else:
                    return database
        return None

    def _prepare(self, database: sqlite3.Connection) -> None:
        # Were the whole machine to fail, what was written last might be torn, and so not be remembered.
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN IMMEDIATE")
        database.execute(_TABLE)
        found = database.execute("SELECT key FROM things WHERE place = ?", (_MAKER,)).fetchall()
        if found != [(self._maker,)]:
            database.execute("DELETE FROM things")
            database.execute("INSERT INTO things VALUES (?, ?, ?, ?)", (_MAKER, self._maker, b"", b""))


def _seal(key: str, content: bytes) -> bytes:
    return hashlib.blake2b(key.encode() + b"\0" + content, digest_size=16).digest()
