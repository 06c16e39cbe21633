"""Answering heads that listen: one that measures everything it can, one that knows only level and length."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.evidence import Evidence, measure
from torus_eval.listening.match import WHOLE, Part, score_option
from torus_eval.signals.segments import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip

_COARSE = frozenset({"level_db", "peak_db", "level_trend_db", "start_db", "end_db", "duration_s"})
_LEAST_S = 0.3


@dataclass(slots=True)
class MeasuringAnswerer:
    """Measures the clip and picks the option whose wording fits the measurements best.

    Args:
        only: The measures it may use, and no events; everything when ``None``.
    """

    only: frozenset[str] | None = None
    _clip: Clip | None = field(default=None, init=False)
    _seen: dict[Part, Evidence] = field(default_factory=dict, init=False)

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the letter of the best option; a tie is drawn."""
        rng = np.random.default_rng(seed)
        return pick_best(asked, look=lambda part: self._look(clip, part), rng=rng)

    def _look(self, clip: Clip, part: Part) -> Evidence:
        if clip is not self._clip:
            self._clip, self._seen = clip, {}
        if part not in self._seen:
            within = Span(0.0, clip.duration_s) if part == WHOLE else find_active(self._look(clip, WHOLE))
            self._seen[part] = self._narrow(measure_part(clip, part, within=within))
        return self._seen[part]

    def _narrow(self, evidence: Evidence) -> Evidence:
        if self.only is None:
            return evidence
        kept = {name: value for name, value in evidence.measures.items() if name in self.only}
        return Evidence(evidence.duration_s, kept, (), (), (), (), ())


def make_measuring() -> MeasuringAnswerer:
    """Make the listener that measures everything it can."""
    return MeasuringAnswerer()


def make_coarse() -> MeasuringAnswerer:
    """Make the listener that knows level over time and length, and nothing else."""
    return MeasuringAnswerer(_COARSE)


def find_active(evidence: Evidence) -> Span:
    """Give the time from the first to the last thing that happens: "at the end" is the end of that."""
    if not evidence.spans:
        return Span(0.0, evidence.duration_s)
    return Span(evidence.spans[0].start_s, evidence.spans[-1].end_s)


def measure_part(clip: Clip, part: Part, *, within: Span) -> Evidence:
    """Measure a part, from 0 to 1, of a stretch of a clip."""
    signal = clip.mono
    first = int((within.start_s + part[0] * within.duration_s) * clip.rate_hz)
    last = int((within.start_s + part[1] * within.duration_s) * clip.rate_hz)
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
