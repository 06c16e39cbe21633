"""A score: notes in seconds, ready to be written as MIDI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note.

    Args:
        program: The General MIDI program from 0; ``None`` is the percussion kit.
        pitch: The MIDI number, 60 being middle C; in the kit, the percussion key.
        start_s: When it begins.
        duration_s: How long it is held.
        velocity: How hard it is struck, 1 to 127.
    """

    program: int | None
    pitch: int
    start_s: float
    duration_s: float
    velocity: int = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Swell:
    """A change of the level of notes that are already sounding.

    Args:
        time_s: When.
        level: 0 to 127, where 127 is the full level.
    """

    time_s: float
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What is played.

    Args:
        notes: In the order of their start.
        swells: Changes of level, for every instrument at once.
        cents: How far above the written pitch everything sounds.
        length_s: When the sound ends, the ring of the last note included.
    """

    notes: tuple[Note, ...]
    swells: tuple[Swell, ...] = ()
    cents: float = 0.0
    length_s: float
