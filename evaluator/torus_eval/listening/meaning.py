"""What words mean to a sentence model: how near texts are, and which kinds of sound a text names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from torus_eval.backbones.base import TextEmbedder

    Vectors = NDArray[np.float64]

_SHARPNESS = 0.05
_LEAST = 0.42
_FILLER = re.compile(
    r"\b(?:a|an|the|is|are|was|there|it|its|then|and|of|sound|sounds|heard|one|two|three|four|five|six)\b"
)


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Texts as vectors.

    Args:
        embedder: Gives them.
    """

    embedder: TextEmbedder
    _kinds: dict[str, tuple[Vectors, float]] = field(default_factory=dict, init=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Give rows of length one, shape (texts, dimension)."""
        return self.embedder.embed_texts(list(texts)).astype(np.float64)

    def compare(self, texts: Sequence[str], others: Sequence[str]) -> Vectors:
        """Give the cosine of every text with every other, shape (texts, others)."""
        return np.asarray(self.embed(texts) @ self.embed(others).T)

    def name_kinds(self, text: str, labels: tuple[str, ...]) -> tuple[Vectors, float]:
        """Map a text to kinds of sound.

        Args:
            text: Words that may name a sound.
            labels: The names of the kinds; the same ones every time.

        Returns:
            A share for each kind, shape (classes,), that sum to one; and how surely a sound is named, 0 to 1.
        """
        if text not in self._kinds:
            plain = " ".join(_FILLER.sub(" ", text).split()) or text
            likeness = np.maximum(*(self.compare([form], labels)[0] for form in (text, plain)))
            best = float(likeness.max())
            shares = np.exp((likeness - best) / _SHARPNESS)
            sure = float(np.clip((best - _LEAST) / 0.25, 0.0, 1.0))
            self._kinds[text] = (shares / shares.sum(), sure)
        return self._kinds[text]


@lru_cache(maxsize=1)
def load_usual() -> tuple[Vectors, Vectors]:
    """Read the usual score of each kind of sound and how far it strays, shape (classes,) each."""
    data = tomllib.loads((Path(__file__).parent / "usual.toml").read_text(encoding="utf-8"))
    return np.array(data["mean"], dtype=np.float64), np.array(data["spread"], dtype=np.float64)


def standardise(logits: Vectors) -> Vectors:
    """Tell how far scores lie above what is usual for their kind, in spreads; the last axis is the kinds."""
    mean, spread = load_usual()
    return (logits - mean) / spread
