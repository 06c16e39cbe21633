"""Read a layer of a scene as the part of one instrument."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.music.compose import Part, measure_figures_s
from torus_eval.music.figures import Figure, Piece, read_cents, read_figures, read_piece

if TYPE_CHECKING:
    from torus_eval.scene.lexicon import Source
    from torus_eval.scene.model import Layer

_CONCERT_HZ, _CONCERT_PITCH = 440.0, 69


@dataclass(frozen=True, slots=True, kw_only=True)
class PartReading:
    """What an instrument plays.

    Args:
        figures: One after the other.
        part: Who plays, where and how hard.
        piece: Key, beat and meter.
    """

    figures: tuple[Figure, ...]
    part: Part
    piece: Piece

    @property
    def length_s(self) -> float | None:
        """How long the figures last; ``None`` for as long as there is time."""
        return measure_figures_s(self.figures, self.part, self.piece)


def read_part(layer: Layer, source: Source, text: str) -> PartReading:
    """Read what an instrument of a scene plays.

    Args:
        layer: The instrument in the scene, with the text about it.
        source: Its entry in the lexicon.
        text: The whole text, normalised.
    """
    base_hz = layer.note_hz or source.params.get("base_hz", _CONCERT_HZ) * layer.pitch
    part = Part(
        program=source.program,
        key=source.key,
        style=source.style,
        steps=source.steps,
        base_pitch=to_pitch(base_hz),
        exact=layer.note_hz is not None,
        rate_hz=layer.rate_hz,
        pace=layer.pace,
        force=layer.force,
        cents=read_cents(layer.about),
    )
    return PartReading(figures=read_figures(layer.about), part=part, piece=read_piece(text))


def to_pitch(hz: float) -> int:
    """Give the MIDI number nearest to a frequency.

    >>> to_pitch(440.0), to_pitch(196.0)
    (69, 55)
    """
    return round(_CONCERT_PITCH + 12.0 * math.log2(hz / _CONCERT_HZ))
