"""The lexicon of claims: which words say what about which measure."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from math import log2, tanh
from pathlib import Path
from typing import TYPE_CHECKING

from torus_site.records.model import Record

if TYPE_CHECKING:
    from torus_eval.listening.events import Event
    from torus_eval.listening.evidence import Evidence

_FOLDER = Path(__file__).parent
_LEAST = 1e-3
_TELLING_S = 0.3


class Term(Record):
    """A claim about one measure. See ``terms.toml`` for what the fields mean."""

    words: tuple[str, ...]
    topic: str
    measure: str
    above: float | None = None
    below: float | None = None
    near: float | None = None
    width: float
    log: bool = False

    def test(self, evidence: Evidence) -> float | None:
        """Tell how well the evidence bears the claim out, from -1 to 1; ``None`` where it cannot tell.

        >>> from torus_eval.listening.evidence import Evidence
        >>> term = Term(words=("loud",), topic="level", measure="peak_db", above=-12.0, width=6.0)
        >>> round(term.test(Evidence(1.0, {"peak_db": -6.0}, (), (), (), (), ())), 2)
        0.76
        """
        value = evidence.measures.get(self.measure)
        return None if value is None else self._grade(value)

    def _grade(self, value: float) -> float:
        scale = (lambda x: log2(max(x, _LEAST))) if self.log else float
        if self.near is not None:
            off = abs(scale(value) - scale(self.near)) / self.width
            return 1.0 - 2.0 * tanh(off / 1.5)
        if self.above is not None:
            return tanh((scale(value) - scale(self.above)) / self.width)
        return tanh((scale(self.below or 0.0) - scale(value)) / self.width)


class _Terms(Record):
    topics: dict[str, tuple[str, ...]]
    term: tuple[Term, ...]


class Profile(Record):
    """What a sound usually measures like."""

    centroid_hz: float
    tonality: float
    length_s: float

    def compare(self, event: Event) -> float:
        """Tell how well an event fits, from 0 to 1."""
        octaves = log2(max(event.centroid_hz, 20.0) / self.centroid_hz)
        length = log2(max(event.span.duration_s, 0.03) / self.length_s)
        # A short burst has no time to show whether it is a tone.
        sure = 0.5 if event.span.duration_s > _TELLING_S else 1.5
        tones = (event.tonality - self.tonality) / sure
        return float(2.0 ** -((octaves / 1.1) ** 2 + (length / 1.6) ** 2 + tones**2))


@lru_cache(maxsize=1)
def load_terms() -> tuple[Term, ...]:
    """Read the terms."""
    return _load().term


@lru_cache(maxsize=1)
def load_topics() -> dict[str, tuple[str, ...]]:
    """Read which words of a question name which topic."""
    return _load().topics


@lru_cache(maxsize=1)
def load_profiles() -> dict[str, Profile]:
    """Read the profiles by the ids of the lexicon of sounds."""
    data = tomllib.loads((_FOLDER / "profiles.toml").read_text(encoding="utf-8"))["profile"]
    return {
        name: Profile(centroid_hz=float(row[0]), tonality=float(row[1]), length_s=float(row[2]))
        for name, row in data.items()
    }


def _load() -> _Terms:
    data = tomllib.loads((_FOLDER / "terms.toml").read_text(encoding="utf-8"))
    return _Terms.model_validate(data, strict=False)
