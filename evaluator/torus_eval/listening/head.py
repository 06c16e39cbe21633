"""Answering heads that listen: one that measures everything it can, one that knows only level and length."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torus_eval.listening.evidence import Evidence, measure
from torus_eval.listening.match import Part, score_option

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip

_COARSE = frozenset({"level_db", "peak_db", "level_trend_db", "start_db", "end_db", "duration_s"})
_LEAST_S = 0.3


@dataclass(slots=True)
class MeasuringAnswerer:
    """Measures the clip and picks the option whose wording fits the measurements best."""

    _clip: Clip | None = field(default=None, init=False)
    _seen: dict[Part, Evidence] = field(default_factory=dict, init=False)

    def answer(self, clip: Clip, asked: Asked, *, rng: np.random.Generator) -> str:
        """Return the letter of the best option; a tie is drawn."""
        return pick_best(asked, look=lambda part: self._look(clip, part), rng=rng)

    def _look(self, clip: Clip, part: Part) -> Evidence:
        if clip is not self._clip:
            self._clip, self._seen = clip, {}
        if part not in self._seen:
            self._seen[part] = measure_part(clip, part)
        return self._seen[part]


@dataclass(frozen=True, slots=True)
class CoarseAnswerer:
    """Knows the level of a clip over time and its length, and nothing else."""

    def answer(self, clip: Clip, asked: Asked, *, rng: np.random.Generator) -> str:
        """Return the letter of the option that fits level and length best; a tie is drawn."""

        def look(part: Part) -> Evidence:
            full = measure_part(clip, part)
            kept = {name: value for name, value in full.measures.items() if name in _COARSE}
            return Evidence(full.duration_s, kept, (), (), (), ())

        return pick_best(asked, look=look, rng=rng)


def measure_part(clip: Clip, part: Part) -> Evidence:
    """Measure a part of a clip, from 0 to 1 of its length."""
    signal = clip.mono
    first, last = int(part[0] * len(signal)), int(part[1] * len(signal))
    if last - first < _LEAST_S * clip.rate_hz:
        first, last = 0, len(signal)
    return measure(signal[first:last], clip.rate_hz)


def pick_best(asked: Asked, *, look: Callable[[Part], Evidence], rng: np.random.Generator) -> str:
    """Score every option and return the letter of the best."""
    letters = sorted(asked.options)
    scores = {
        letter: round(score_option(asked.text, asked.options[letter], look=look)[0], 9) for letter in letters
    }
    best = max(scores.values())
    return str(rng.choice([letter for letter in letters if scores[letter] == best]))
