"""The lexicon of sounds, rooms and manners, read once from the TOML files beside this module."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from torus_eval.words import compile_phrase
from torus_site.records.model import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDER = Path(__file__).parent
_SOURCES = (
    "sources.toml",
    *(f"instruments/{family}.toml" for family in ("plucked", "beaten", "blown", "bowed")),
)


class Source(Record):
    """A sound that words can name. See ``sources.toml`` and ``instruments/`` for what the fields mean."""

    id: str
    words: tuple[str, ...]
    kind: Literal["event", "bed", "pattern", "voice"]
    synth: str
    level_db: float
    duration_s: float = 1.0
    repeat: int = 1
    spacing_s: float = 0.45
    music: bool = False
    yields_to_music: bool = False
    style: str = ""
    program: int | None = None
    key: int | None = None
    nearest: str = ""
    params: dict[str, float] = {}
    steps: tuple[int, ...] = (0,)


class Room(Record):
    """A place that echoes."""

    id: str
    words: tuple[str, ...]
    decay_s: float
    bright_hz: float
    wet_db: float
    delay_s: float


class Barrier(Record):
    """Something between a sound and the listener, or a distance."""

    id: str
    words: tuple[str, ...]
    cutoff_hz: float
    loss_db: float


class _Sources(Record):
    source: tuple[Source, ...]


class _Places(Record):
    room: tuple[Room, ...]
    barrier: tuple[Barrier, ...]
    distance: tuple[Barrier, ...]


class Manner(Record):
    """Words of manner: steps of force, factors of pace and of pitch."""

    force: dict[str, float]
    pace: dict[str, float]
    pitch: dict[str, float]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything that words can name."""

    sources: dict[str, Source]
    rooms: dict[str, Room]
    barriers: dict[str, Barrier]
    distances: dict[str, Barrier]
    manner: Manner


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase of the lexicon found in text, by characters."""

    id: str
    start: int
    end: int


_Phrased = TypeVar("_Phrased", Source, Room, Barrier)


@lru_cache(maxsize=1)
def load_lexicon() -> Lexicon:
    """Read the lexicon."""
    sources = [
        source for file in _SOURCES for source in _Sources.model_validate(_read(file), strict=False).source
    ]
    places = _Places.model_validate(_read("rooms.toml"), strict=False)
    return Lexicon(
        sources={source.id: source for source in sources},
        rooms={room.id: room for room in places.room},
        barriers={barrier.id: barrier for barrier in places.barrier},
        distances={distance.id: distance for distance in places.distance},
        manner=Manner.model_validate(_read("manner.toml"), strict=False),
    )


def find_phrases(text: str, table: dict[str, _Phrased]) -> tuple[Hit, ...]:
    """Find the phrases of a table in normalised text; where phrases overlap, the longest stands.

    >>> [hit.id for hit in find_phrases("two knocks and a loud bang", load_lexicon().sources)]
    ['knock', 'bang']
    """
    hits = [
        Hit(name, match.start(), match.end())
        for name, entry in table.items()
        for phrase in entry.words
        for match in compile_phrase(phrase).finditer(text)
    ]
    return _keep_longest(hits)


def _keep_longest(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start - hit.end, hit.start, hit.id)):
        if all(hit.end <= other.start or other.end <= hit.start for other in kept):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda hit: hit.start))


def _read(name: str) -> dict[str, object]:
    return tomllib.loads((_FOLDER / name).read_text(encoding="utf-8"))
