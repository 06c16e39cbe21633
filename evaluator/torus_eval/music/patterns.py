"""Patterns: endless runs of notes and chords that an instrument can play."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OCTAVE = 12
_PROGRESSION = (0, 4, 5, 3)
_KICK, _SNARE, _CLOSED_HAT, _OPEN_HAT = 36, 38, 42, 46


@dataclass(frozen=True, slots=True)
class Step:
    """What begins at one moment.

    Args:
        pitches: Semitones above the base, or percussion keys; in the order in which they are struck.
        length: Time to the next step, in steps.
        accent: Velocity added.
        spread: Times the usual delay between its notes; 0 strikes them at once.
    """

    pitches: tuple[int, ...]
    length: float = 1.0
    accent: float = 0.0
    spread: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a pattern is built on.

    Args:
        base: The MIDI number of the tonic.
        scale: Semitones of the scale above it.
        steps: Semitones of the usual arpeggio.
        meter: Beats in a bar.
        key: The percussion key.
        rng: Draws the turns of a melody.
    """

    base: int
    scale: tuple[int, ...]
    steps: tuple[int, ...]
    meter: int = 4
    key: int | None = None
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def degree(self, number: int) -> int:
        """Give the semitones of a degree of the scale, 0 being the tonic; degrees go on over the octaves.

        >>> Ground(base=60, scale=(0, 2, 4, 5, 7, 9, 11), steps=(0,)).degree(8)
        14
        """
        octave, place = divmod(number, len(self.scale))
        return _OCTAVE * octave + self.scale[place]

    def chord(self, root: int) -> tuple[int, ...]:
        """Give the three notes of a chord on a degree of the scale."""
        return tuple(self.degree(root + step) for step in (0, 2, 4))


def play_melody(ground: Ground, rise: int) -> Iterator[Step]:
    """Walk about the scale in bars that end on a longer note; or straight up or down."""
    if rise:
        yield from play_scale(ground, rise)
        return
    place = int(ground.rng.choice([0, 2, 4]))
    for bar in count():
        for beat in range(ground.meter):
            accent = 8.0 if beat == 0 else 0.0
            if beat == ground.meter - 1 and bar % 2:
                place = 0 if bar % 4 == 3 else 4  # noqa: PLR2004 -- the fourth bar comes home
                yield Step((ground.degree(place),), 2.0, accent)
            elif beat and ground.rng.random() < 0.3:  # noqa: PLR2004 -- share of beats split in two
                yield Step((ground.degree(place),), 0.5, accent)
                place = _move(ground, place)
                yield Step((ground.degree(place),), 0.5)
            else:
                yield Step((ground.degree(place),), 1.0, accent)
            place = _move(ground, place)


def _move(ground: Ground, place: int) -> int:
    moved = place + int(ground.rng.choice([-2, -1, -1, 1, 1, 2, 3]))
    return moved if -2 <= moved <= 8 else place + (1 if place < 3 else -1)  # noqa: PLR2004 -- about an octave


def play_arpeggio(ground: Ground, rise: int) -> Iterator[Step]:
    """Break a chord into its notes, in the instrument's usual order or straight up or down."""
    steps = ground.steps if len(ground.steps) > 1 else (0, 4, 7, _OCTAVE)
    third = ground.degree(2)
    # The third follows the mode, in every octave.
    steps = tuple(step - step % _OCTAVE + third if step % _OCTAVE in {3, 4} else step for step in steps)
    if rise:
        steps = tuple(sorted(set(steps), reverse=rise < 0))
    for index in count():
        yield Step((steps[index % len(steps)],), 1.0, 8.0 if index % len(steps) == 0 else 0.0)


def play_chords(ground: Ground, rise: int) -> Iterator[Step]:
    """Move from chord to chord."""
    roots = _PROGRESSION if not rise else tuple(range(8)) if rise > 0 else tuple(range(7, -1, -1))
    for index in count():
        chord = ground.chord(roots[index % len(roots)])
        yield Step((chord[0] - _OCTAVE, *chord) if not rise else chord)


def strum(ground: Ground, rise: int) -> Iterator[Step]:
    """Strike chords down and up across the strings, four strokes a chord."""
    del rise
    for index in count():
        root = _PROGRESSION[index // 4 % len(_PROGRESSION)]
        chord = (*ground.chord(root), ground.degree(root) + _OCTAVE)
        down = index % 2 == 0
        yield Step(chord if down else chord[:0:-1], 1.0, 8.0 if index % 4 == 0 else 0.0, spread=1.0)


def play_scale(ground: Ground, rise: int) -> Iterator[Step]:
    """Run along the scale; up, down, or up and down again."""
    size = len(ground.scale)
    up, down = tuple(range(size + 1)), tuple(range(size, -1, -1))
    run = up + down[1:-1] if not rise else up if rise > 0 else down
    for index in count():
        yield Step((ground.degree(run[index % len(run)]),))


def hold_notes(ground: Ground, rise: int) -> Iterator[Step]:
    """Hold one long note after the other."""
    for index in count():
        place = (0, 2, 4, 2)[index % 4] if not rise else index if rise > 0 else 7 - index
        yield Step((ground.degree(place),))


def repeat_note(ground: Ground, rise: int) -> Iterator[Step]:
    """Strike one note or drum again and again."""
    del rise
    for index in count():
        pitch = 0 if ground.key is None else ground.key
        yield Step((pitch,), 1.0, 8.0 if index % ground.meter == 0 else 0.0)


def play_trill(ground: Ground, rise: int) -> Iterator[Step]:
    """Change quickly between neighbours."""
    del rise
    for index in count():
        yield Step((ground.degree(index % 2),))


def slide(ground: Ground, rise: int) -> Iterator[Step]:
    """Run through every semitone of two octaves, up unless it is said to fall."""
    del ground
    for index in count():
        place = index % (2 * _OCTAVE + 1)
        yield Step((place if rise >= 0 else 2 * _OCTAVE - place,))


def walk_bass(ground: Ground, rise: int) -> Iterator[Step]:
    """Walk from root to root."""
    del rise
    for index in count():
        root = _PROGRESSION[index // 4 % len(_PROGRESSION)]
        yield Step((ground.degree(root + (0, 2, 4, 5)[index % 4]),), 1.0, 6.0 if index % 4 == 0 else 0.0)


def keep_beat(ground: Ground, rise: int) -> Iterator[Step]:
    """Keep a beat on a kit, two steps a beat."""
    del rise
    size = 2 * ground.meter
    for index in count():
        place = index % size
        hat = _OPEN_HAT if place == size - 1 else _CLOSED_HAT
        drums = [hat]
        if place in {0, size // 2 + 1} or (ground.meter == 4 and place == size // 2):  # noqa: PLR2004 -- common time
            drums.insert(0, _KICK)
        if place % 4 == 2:  # noqa: PLR2004 -- the backbeat
            drums.insert(0, _SNARE)
        yield Step(tuple(drums), 1.0, 8.0 if place == 0 else 0.0)


PATTERNS: dict[str, Callable[[Ground, int], Iterator[Step]]] = {
    "arpeggio": play_arpeggio,
    "bass": walk_bass,
    "beat": keep_beat,
    "chords": play_chords,
    "glissando": slide,
    "hold": hold_notes,
    "melody": play_melody,
    "repeat": repeat_note,
    "roll": repeat_note,
    "scale": play_scale,
    "strum": strum,
    "tremolo": repeat_note,
    "trill": play_trill,
}
