"""Compose a score for one instrument from the figures it plays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.music.patterns import PATTERNS, Ground, Step
from torus_eval.music.score import Note, Score, Swell

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from torus_eval.music.figures import Figure, Piece

_RATES_HZ = {
    "melody": 2.0,
    "arpeggio": 3.5,
    "chords": 0.8,
    "strum": 2.0,
    "scale": 3.0,
    "hold": 0.7,
    "repeat": 2.0,
    "tremolo": 11.0,
    "trill": 11.0,
    "roll": 16.0,
    "glissando": 12.0,
    "bass": 2.0,
    "beat": 3.4,
}
_PER_BEAT = {"arpeggio": 2.0, "beat": 2.0, "chords": 0.5, "hold": 0.5, "scale": 2.0}
_UNMETERED = {"tremolo", "trill", "roll", "glissando"}
_HELD = {"arpeggio": 1.6, "strum": 0.9, "bass": 0.85, "tremolo": 1.0, "trill": 1.0, "roll": 1.0, "beat": 0.5}
_COUNTED_HZ, _LONG_NOTES = 1.7, 0.6
_SPREAD_S = 0.016
_RELEASE_S = 0.35
_RING_S = 2.5
_MIDDLE_VELOCITY, _STEP_VELOCITY = 84, 14
_SWELL_VELOCITY = 34.0
_LEAST_S, _LEAST_LEFT, _OVERHANG_S = 0.05, 0.25, 0.1
_FULL, _LOW = 127, 28
_PER_SWELL_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One instrument and how it plays.

    Args:
        program: Its General MIDI program; ``None`` for percussion.
        key: Its percussion key, if it has one.
        style: The figure it plays when none is told.
        steps: Semitones of its usual arpeggio.
        base_pitch: The MIDI number about which it plays.
        exact: Whether the base is a note that the text names.
        rate_hz: Notes or beats a second, if stated.
        pace: Factor on speed.
        force: Steps above or below the ordinary.
        cents: How far it is out of tune.
    """

    program: int | None
    key: int | None = None
    style: str = "melody"
    steps: tuple[int, ...] = (0, 4, 7, 12)
    base_pitch: int = 60
    exact: bool = False
    rate_hz: float | None = None
    pace: float = 1.0
    force: float = 0.0
    cents: float = 0.0


def measure_figures_s(figures: tuple[Figure, ...], part: Part, piece: Piece) -> float | None:
    """Tell how long figures last together.

    Returns:
        Seconds, or ``None`` where one of them lasts as long as there is time.
    """
    total_s = 0.0
    for figure in figures:
        own_s = _measure_s(figure, part, piece)
        if own_s is None:
            return None
        total_s += own_s
    return total_s


def compose(
    figures: tuple[Figure, ...], part: Part, piece: Piece, *, length_s: float, rng: np.random.Generator
) -> Score:
    """Compose a score.

    Args:
        figures: What is played, one after the other; those without a length share the time that is left.
        part: Who plays.
        piece: Key, beat and meter.
        length_s: When the last note has to be released.
        rng: Draws the turns of a melody.

    Returns:
        The score; it is longer than ``length_s`` by the ring of its last note.
    """
    ground = _lay_ground(part, piece, rng)
    own_s = [_measure_s(figure, part, piece) for figure in figures]
    fixed_s = sum(seconds for seconds in own_s if seconds is not None)
    open_count = sum(seconds is None for seconds in own_s)
    share_s = max(1.0, length_s - _RELEASE_S - fixed_s) / max(1, open_count)
    notes: list[Note] = []
    swells: list[Swell] = []
    start_s = 0.0
    for figure, seconds in zip(figures, own_s, strict=True):
        stretch_s = min(share_s if seconds is None else seconds, length_s - start_s)
        if stretch_s <= 0.0:
            break
        swells += _swell(figure, start_s, stretch_s)
        notes += _play(figure, part, piece, ground=ground, start_s=start_s, stretch_s=stretch_s)
        start_s += stretch_s
    return Score(
        notes=tuple(sorted(notes, key=lambda note: (note.start_s, note.pitch))),
        swells=tuple(swells),
        cents=part.cents,
        length_s=start_s + _RING_S,
    )


def _lay_ground(part: Part, piece: Piece, rng: np.random.Generator) -> Ground:
    base = part.base_pitch
    if piece.tonic is not None and not part.exact:
        base += (piece.tonic - base + 6) % 12 - 6
    return Ground(
        base=base,
        scale=piece.scale,
        steps=part.steps,
        meter=piece.meter,
        key=part.key,
        rng=rng,
    )


def _kind_of(figure: Figure, part: Part) -> str:
    kind = figure.kind or part.style or "melody"
    if part.key is not None:
        # A drum has no melody: it rolls, or does what it usually does.
        return kind if kind == "roll" else part.style
    if kind == "beat":
        return "bass" if part.style == "bass" else "chords"
    # The roll of a plucked string is an arpeggio.
    if kind == "roll":
        return part.style if part.style in {"arpeggio", "repeat"} else "tremolo"
    return kind


def _rate_of(figure: Figure, part: Part, piece: Piece) -> float:
    kind = _kind_of(figure, part)
    if kind in _UNMETERED:
        return part.rate_hz or _RATES_HZ[kind]
    if part.rate_hz is not None and piece.beat_hz is None:
        return part.rate_hz
    if piece.beat_hz is not None:
        return piece.beat_hz * (1.0 if figure.count else _PER_BEAT.get(kind, 1.0))
    rate_hz = _COUNTED_HZ if figure.count and kind != "scale" else _RATES_HZ[kind]
    if figure.count and (figure.held or 0.0) > 1.0:
        rate_hz *= _LONG_NOTES
    return rate_hz * part.pace


def _measure_s(figure: Figure, part: Part, piece: Piece) -> float | None:
    if figure.duration_s is not None:
        return figure.duration_s
    kind = _kind_of(figure, part)
    held = kind == "hold" and figure.count in {None, 1} and part.style == "hold"
    if figure.open_end or held or (figure.count is None and kind != "glissando"):
        return None
    if figure.count is None:
        return 1.5
    rate_hz = _rate_of(figure, part, piece)
    if kind in _UNMETERED:
        return figure.count / _COUNTED_HZ
    average = 0.5 + 0.5 / figure.hurry
    last_s = 0.9 if kind in {"hold", "chords"} and part.key is None else 0.3
    return figure.count * average / rate_hz + last_s


def _play(
    figure: Figure, part: Part, piece: Piece, *, ground: Ground, start_s: float, stretch_s: float
) -> Iterator[Note]:
    kind = _kind_of(figure, part)
    rate_hz = _rate_of(figure, part, piece)
    limit = None if kind in _UNMETERED else figure.count
    held = figure.held or _HELD.get(kind, 0.97)
    now_s = 0.0
    for index, step in enumerate(_choose_steps(figure, kind, ground, stretch_s * rate_hz)):
        left_s = stretch_s - now_s
        if left_s <= _LEAST_LEFT / rate_hz or (limit is not None and index >= limit):
            break
        progress = index / (limit - 1) if limit and limit > 1 else now_s / stretch_s
        slower = 1.0 + (1.0 / figure.hurry - 1.0) * min(1.0, progress) ** 1.5
        step_s = (1.0 if limit else step.length) * slower / rate_hz
        # The last of a number of notes is held to the end, unless all are short.
        long_s = left_s if limit and index == limit - 1 and held >= _HELD["bass"] else step_s * held
        long_s = min(long_s, left_s + (_OVERHANG_S if kind == "arpeggio" else 0.0))
        velocity = _MIDDLE_VELOCITY + _STEP_VELOCITY * part.force + step.accent
        velocity += _SWELL_VELOCITY * figure.swell * (progress - 0.5)
        for place, pitch in enumerate(step.pitches):
            late_s = place * _SPREAD_S * step.spread
            yield Note(
                program=part.program if part.key is None else None,
                pitch=min(max(pitch if part.key is not None else ground.base + pitch, 0), 127),
                start_s=start_s + now_s + late_s,
                duration_s=max(long_s - late_s, _LEAST_S),
                velocity=int(min(max(velocity, 20.0), 126.0)),
            )
        now_s += step_s


def _choose_steps(figure: Figure, kind: str, ground: Ground, length: float) -> Iterator[Step]:
    if kind == "hold" and figure.count in {None, 1}:
        return iter([Step((0,), length=length)])
    return PATTERNS[kind](ground, figure.rise)


def _swell(figure: Figure, start_s: float, stretch_s: float) -> Iterator[Swell]:
    """Give the curve of a crescendo or diminuendo, for notes that are held through it."""
    if not figure.swell:
        yield Swell(time_s=start_s, level=_FULL)
        return
    count = math.ceil(stretch_s / _PER_SWELL_S)
    for index in range(count + 1):
        share = index / count
        share = share if figure.swell > 0 else 1.0 - share
        yield Swell(time_s=start_s + index * stretch_s / count, level=round(_LOW + (_FULL - _LOW) * share))
