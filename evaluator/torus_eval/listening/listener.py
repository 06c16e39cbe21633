"""The listener: words, kinds of sound and measures of a clip, against the wording of the options."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.opening import open_tagger, open_text_embedder, open_transcriber
from torus_eval.listening.asking import take_apart
from torus_eval.listening.figures import weigh_counts, weigh_rates, weigh_times
from torus_eval.listening.head import find_active, measure_part
from torus_eval.listening.hearing import Heard, hear
from torus_eval.listening.match import WHOLE, Part, score_option
from torus_eval.listening.meaning import Meaning
from torus_eval.listening.properties import weigh_properties
from torus_eval.listening.sayings import weigh_sayings
from torus_eval.listening.sentences import weigh_similarity
from torus_eval.listening.sounds import weigh_order, weigh_presence

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from torus_eval.answering.questions import Asked
    from torus_eval.backbones.base import Tagger, Transcriber
    from torus_eval.clips import Clip
    from torus_eval.listening.asking import Question
    from torus_eval.listening.evidence import Evidence

_PARTS: dict[str, Part] = {"start": (0.0, 0.34), "middle": (0.33, 0.67), "end": (0.66, 1.0)}
_OF_PARTS = (
    "peak_db",
    "centroid_hz",
    "tonality",
    "mean_event_s",
    "attack_hz",
    "event_rate_hz",
    "sounding_share",
)


@dataclass(slots=True)
class Listener:
    """Hears a clip once and answers questions about it.

    Args:
        transcriber: Gives the words.
        tagger: Gives the kinds of sound.
        meaning: Compares texts.
    """

    transcriber: Transcriber
    tagger: Tagger
    meaning: Meaning
    _clip: Clip | None = field(default=None, init=False)
    _heard: Heard | None = field(default=None, init=False)
    _parts: dict[Part, Evidence] = field(default_factory=dict, init=False)

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the letter of the option that fits best; a tie is drawn."""
        heard = self.hear(clip)
        question = take_apart(asked)
        grades = grade_options(question, heard, self.meaning, look=self._look)
        total = np.round(combine(grades, len(question.options)), 6)
        best = [letter for letter, score in zip(question.letters, total, strict=True) if score == total.max()]
        return str(np.random.default_rng(seed).choice(best))

    def hear(self, clip: Clip) -> Heard:
        """Gather what is heard, once for all questions about a clip."""
        if clip is not self._clip or self._heard is None:
            self._heard = hear(clip, transcriber=self.transcriber, tagger=self.tagger)
            self._clip, self._parts = clip, {WHOLE: self._heard.evidence}
        return self._heard

    def _look(self, part: Part) -> Evidence:
        if part not in self._parts and self._clip is not None:
            within = find_active(self._parts[WHOLE])
            self._parts[part] = measure_part(self._clip, part, within=within)
        return self._parts[part]


def make_listener() -> Listener:
    """Make the listener with the models that ``torus-eval models install`` brings.

    Raises:
        EvaluationError: Weights or a library are missing.
    """
    meaning = Meaning(open_text_embedder("minilm"))
    return Listener(open_transcriber("whisper-tiny.en"), open_tagger("yamnet"), meaning)


@lru_cache(maxsize=1)
def load_weights() -> dict[str, float]:
    """Read how much each test counts."""
    return tomllib.loads((Path(__file__).parent / "weights.toml").read_text(encoding="utf-8"))


def grade_options(
    question: Question, heard: Heard, meaning: Meaning, *, look: Callable[[Part], Evidence]
) -> dict[str, NDArray[np.float64]]:
    """Put every option to every test.

    Returns:
        By test, a grade for each option, mean 0; tests that have nothing to say are left out.
    """
    # Models tell sounds apart better than what sounds usually measure like.
    measured = np.array(
        [score_option(question.text, option, look=look, sounds=False)[0] for option in question.options]
    )
    sayings, sure = weigh_sayings(question, heard, meaning)
    found = {
        "measured": measured - measured.mean(),
        "properties": weigh_properties(question, _narrow(question, heard, look), meaning),
        "presence": weigh_presence(question, heard, meaning),
        "order": weigh_order(question, heard, meaning),
        "sayings": sayings * sure,
        "counts": weigh_counts(question, heard, meaning),
        "times": weigh_times(question, heard, meaning),
        "rates": weigh_rates(question, heard),
        "similarity": weigh_similarity(question, heard, meaning),
    }
    return {name: grades for name, grades in found.items() if grades is not None}


def _narrow(question: Question, heard: Heard, look: Callable[[Part], Evidence]) -> dict[str, float]:
    """Give the measures of the whole clip, some of them of the part that is asked about."""
    if question.place not in _PARTS:
        return heard.measures
    part = look(_PARTS[question.place]).measures
    return {**heard.measures, **{name: part[name] for name in _OF_PARTS if name in part}}


def combine(grades: dict[str, NDArray[np.float64]], count: int) -> NDArray[np.float64]:
    """Add up the grades by their weights, shape (options,).

    >>> import numpy as np
    >>> combine({"order": np.array([1.0, -1.0])}, 2).tolist()
    [2.0, -2.0]
    """
    total = np.zeros(count)
    for name, values in grades.items():
        total += load_weights()[name] * values
    return total
