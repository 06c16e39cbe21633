"""Which kind of sound a clip is: speech, music, sound or noise, and silence as an outcome of its own.

A clip is silent when its loudest 100 ms lie below -60 dBFS. Otherwise the probabilities of the tagger's
classes are averaged over the clip, each kind has that of its likeliest class, and the likeliest kind wins.
Which class belongs to which kind stands in ``modality.toml``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Modality = Literal["speech", "music", "sound", "noise"]
Outcome = Literal["speech", "music", "sound", "noise", "silence"]
MODALITIES: tuple[Modality, ...] = get_args(Modality)
SILENCE_DBFS = -60.0
_WINDOW_S = 0.1
_FALLBACK: Modality = "sound"
_TINY = 1e-12


def measure_peak_level(mono: NDArray[np.floating], rate_hz: int) -> float:
    """Give the level of the loudest 100 ms in dBFS, 0 for a full-scale square wave.

    Args:
        mono: Shape (frames,).
        rate_hz: Frames a second.

    >>> import numpy as np
    >>> measure_peak_level(np.full(800, 0.1), 8000)
    -20.0
    """
    window = min(max(round(_WINDOW_S * rate_hz), 1), len(mono))
    sums = np.concatenate([[0.0], np.cumsum(mono.astype(np.float64) ** 2)])
    power = float((sums[window:] - sums[:-window]).max()) / window
    return round(10.0 * float(np.log10(max(power, _TINY))), 6)


def tell_modality(probabilities: NDArray[np.float64], labels: Sequence[str], level_db: float) -> Outcome:
    """Tell which kind of sound a clip is.

    Args:
        probabilities: The tagger's, averaged over the clip, shape (classes,).
        labels: The names of the classes.
        level_db: The level of the loudest 100 ms in dBFS.

    Returns:
        The kind; of two that are equally likely the first of speech, music, sound, noise.
    """
    if level_db < SILENCE_DBFS:
        return "silence"
    kinds = map_classes(tuple(labels))
    best = {
        kind: max((p for p, of in zip(probabilities, kinds, strict=True) if of == kind), default=0.0)
        for kind in MODALITIES
    }
    return max(MODALITIES, key=lambda kind: best[kind])


@cache
def map_classes(labels: tuple[str, ...]) -> tuple[Modality | None, ...]:
    """Give the kind of each class, nothing for those left out.

    Args:
        labels: The names of the classes in the tagger's order.

    Raises:
        KeyError: The map names a class that the tagger does not have.
    """
    table: dict[str, list[str | list[str]]] = tomllib.loads(
        files("torus_eval.metrics").joinpath("modality.toml").read_text(encoding="utf-8")
    )
    places = dict(zip(labels, range(len(labels)), strict=True))
    kinds: list[Modality | None] = [_FALLBACK] * len(labels)
    for name, entries in table.items():
        found = next((kind for kind in MODALITIES if kind == name), None)
        for entry in entries:
            first, last = (entry, entry) if isinstance(entry, str) else entry
            for place in range(places[first], places[last] + 1):
                kinds[place] = found
    return tuple(kinds)
