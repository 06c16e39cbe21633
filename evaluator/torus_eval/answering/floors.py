"""Two floors that do not listen: what a system reaches without any sound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip

_WORD = re.compile(r"[a-z0-9']+")


class ChanceAnswerer:
    """Draws a letter; every option is as likely as any other."""

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return a letter drawn from the options."""
        rng = np.random.default_rng(seed)
        del clip
        return str(rng.choice(sorted(asked.options)))


class TextPriorAnswerer:
    """Picks from the wording alone: the option that shares most words with the others and the question.

    Writers of wrong options vary the right one, so the most typical option is a good guess. Ties go to the
    option whose length is nearest to the mean, then to a draw.
    """

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the letter of the most typical option; the clip is not looked at."""
        rng = np.random.default_rng(seed)
        del clip
        letters = sorted(asked.options)
        words = {letter: set(_WORD.findall(asked.options[letter].lower())) for letter in letters}
        question = set(_WORD.findall(asked.text.lower()))
        mean_length = float(np.mean([len(asked.options[letter]) for letter in letters]))
        draws = rng.random(len(letters))

        def typicality(index: int) -> tuple[float, float, float]:
            own = words[letters[index]]
            others = [words[letter] for letter in letters if letter != letters[index]]
            shared = float(np.mean([len(own & other) / max(1, len(own | other)) for other in others]))
            asked_for = len(own & question) / max(1, len(own))
            off = abs(len(asked.options[letters[index]]) - mean_length)
            return round(shared + asked_for, 9), -off, float(draws[index])

        return letters[max(range(len(letters)), key=typicality)]
