"""What was heard as plain sentences, which options are held against."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.meaning import standardise
from torus_eval.listening.properties import load_properties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.asking import Question
    from torus_eval.listening.hearing import Heard
    from torus_eval.listening.meaning import Meaning

_MOST_MOMENTS, _MOST_KINDS = 6, 2
_CLEAR = 0.5
_BEST = 3
_TRUSTED = 0.7


def name_moment(logits: NDArray[np.float64], labels: tuple[str, ...], count: int = _MOST_KINDS) -> list[str]:
    """Name the kinds of sound that stand out most, likely ones first."""
    above = standardise(logits) + 0.35 * np.clip(logits, -8.0, 2.0)
    return [labels[index].lower() for index in np.argsort(-above, kind="stable")[:count]]


def write_sentences(heard: Heard) -> list[str]:
    """Write what was heard as sentences, in order of time where there is one."""
    moments = sorted(heard.moments, key=lambda moment: -moment.measures["peak_db"])[:_MOST_MOMENTS]
    found = [
        " and ".join(name_moment(moment.logits, heard.labels))
        for moment in sorted(moments, key=lambda moment: moment.span.start_s)
    ]
    if len(found) > 1:
        steps = [step for index, step in enumerate(found) if not index or step != found[index - 1]]
        found.append(", then ".join(steps))
    for turn in heard.turns:
        who = "someone" if turn.is_high is None else "a woman" if turn.is_high else "a man"
        found.append(f'{who} says: "{turn.text}"')
    if not heard.turns:
        found.append("nobody speaks")
    for item in load_properties():
        value = heard.measures.get(item.measure)
        if value is None or item.weight < _TRUSTED:
            continue
        at = item.place(value)
        pole = min(item.poles, key=lambda pole: abs(pole.at - at))
        if abs(pole.at - at) < _CLEAR:
            found.append(pole.words[0])
    return found


def weigh_similarity(question: Question, heard: Heard, meaning: Meaning) -> NDArray[np.float64]:
    """Tell how near each option is to the sentences, less what options share; mean 0."""
    own = meaning.embed(question.options)
    own = own - own.mean(axis=0)
    own /= np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1e-9)
    sentences = meaning.embed(list(dict.fromkeys(write_sentences(heard))))
    near = np.sort(own @ sentences.T, axis=1)[:, -_BEST:].mean(axis=1)
    scores = 3.0 * (near - near.mean())
    return np.asarray(-scores if question.is_reversed else scores)
