"""Properties that words can claim and measures can show: which end is claimed, and which is heard."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torus_site.records.model import Record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.asking import Question
    from torus_eval.listening.meaning import Meaning

_SHARPNESS = 0.06
_LEAST, _RANGE = 0.32, 0.25
_LEAST_OF_MOMENT = 0.42
_CONTRAST = 0.5
_LEAST_ASKED, _ASKED_RANGE = 0.2, 0.35


class Pole(Record):
    """One end of a property, or its middle. See ``properties.toml``."""

    at: float
    words: tuple[str, ...]


class Property(Record):
    """What can be claimed and measured. See ``properties.toml`` for what the fields mean."""

    name: str
    measure: str
    low: float
    high: float
    log: bool = False
    weight: float
    asks: tuple[str, ...]
    poles: tuple[Pole, ...]

    def place(self, value: float) -> float:
        """Put a measured value between -1 and 1.

        >>> pole = Pole(at=1.0, words=("loud",))
        >>> level = Property(name="x", measure="x", low=-30, high=-10, weight=1, asks=("?",), poles=(pole,))
        >>> level.place(-20.0), level.place(0.0)
        (0.0, 1.0)
        """
        low, high = self.low, self.high
        if self.log:
            low, high, value = log2(low), log2(high), log2(max(value, 1e-3))
        return float(np.clip(2.0 * (value - low) / (high - low) - 1.0, -1.0, 1.0))


class _Table(Record):
    property: tuple[Property, ...]


@lru_cache(maxsize=1)
def load_properties() -> tuple[Property, ...]:
    """Read the properties."""
    data = tomllib.loads((Path(__file__).parent / "properties.toml").read_text(encoding="utf-8"))
    return _Table.model_validate(data, strict=False).property


def weigh_properties(question: Question, measures: dict[str, float], meaning: Meaning) -> NDArray[np.float64]:
    """Tell how well the properties that each option claims fit what was measured.

    Args:
        question: The question.
        measures: Quantities of the clip by name.
        meaning: The sentence model.

    Returns:
        A score for each option, shape (options,), their mean 0.
    """
    total = np.zeros(len(question.options))
    weights = 0.0
    for item in load_properties():
        value = measures.get(item.measure)
        if value is None:
            continue
        stated, sure = _read_claims(item, question, meaning)
        if not sure.any():
            continue
        asked = float(meaning.compare([question.text], item.asks).max())
        weight = item.weight * (0.3 + float(np.clip((asked - _LEAST_ASKED) / _ASKED_RANGE, 0.0, 1.0)) * 1.7)
        grades = sure * (1.0 - np.abs(item.place(value) - stated))
        # Where options do not differ in what they state, nothing can be told.
        spread = float((sure * (stated - stated.mean())).std())
        total += weight * spread * (grades - grades.mean())
        weights += weight * spread
    scores = total / (weights + 0.3)
    return np.asarray(scores - scores.mean(), dtype=np.float64)


@lru_cache(maxsize=4096)
def read_claim(name: str, text: str, meaning: Meaning) -> tuple[float, float]:
    """Read where words put a property, from -1 to 1, and how surely they speak of it, from 0 to 1.

    Args:
        name: The name of the property.
        text: A few words.
        meaning: The sentence model.
    """
    item = next(item for item in load_properties() if item.name == name)
    near = np.array([float(meaning.compare([text], pole.words).max()) for pole in item.poles])
    shares = np.exp((near - near.max()) / _SHARPNESS)
    stated = float(shares @ np.array([pole.at for pole in item.poles]) / shares.sum())
    return stated, float(np.clip((near.max() - _LEAST_OF_MOMENT) / _RANGE, 0.0, 1.0))


def _read_claims(
    item: Property, question: Question, meaning: Meaning
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Read where each option puts a property and how surely it speaks of it, shape (options,) each."""
    own = meaning.embed(question.options)
    centred = own - own.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    poles = np.stack([meaning.embed(pole.words).mean(axis=0) for pole in item.poles])
    axis = poles - poles.mean(axis=0)
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    contrast = centred @ axis.T
    near = np.zeros((len(question.options), len(item.poles)))
    for index, clauses in enumerate(question.clauses):
        texts = [question.options[index], *(clause.text for clause in clauses)]
        for at, pole in enumerate(item.poles):
            near[index, at] = meaning.compare(texts, pole.words).max()
    pull = near + _CONTRAST * contrast * 0.5
    shares = np.exp((pull - pull.max(axis=1, keepdims=True)) / _SHARPNESS)
    shares /= shares.sum(axis=1, keepdims=True)
    stated = shares @ np.array([pole.at for pole in item.poles])
    sure = np.clip((near.max(axis=1) - _LEAST) / _RANGE, 0.0, 1.0)
    return stated, sure
