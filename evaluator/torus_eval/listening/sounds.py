"""Tests of which sounds are there, where, and in which order they come."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.meaning import standardise
from torus_eval.listening.properties import read_claim
from torus_eval.listening.terms import load_profiles
from torus_eval.scene.lexicon import find_phrases, load_lexicon

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.asking import Question
    from torus_eval.listening.hearing import Heard, Moment
    from torus_eval.listening.meaning import Meaning
    from torus_eval.listening.terms import Profile

    Scores = NDArray[np.float64]

_PROFILE = 0.8
_SPOKEN = 1.2
_ELSEWHERE = 0.4
_FEW = 2
_GIVEN, _STEM = 0.4, 4
_MANNER = 0.6
# How far from the other moments one is clearly louder (dB), brighter or longer (octaves).
_CLEARLY = {"level": 6.0, "brightness": 1.0, "length": 1.5}
_VOICE = re.compile(
    r"\b(?:voice|speak\w*|spoken|speech|talk\w*|says?|man|woman|words?|sentence|narrat\w*|people|person|someone|male|female)\b"
)
_WOMAN, _MAN = re.compile(r"\b(?:woman|female|girl|she)\b"), re.compile(r"\b(?:man|male|boy|he)\b")


def weigh_presence(question: Question, heard: Heard, meaning: Meaning) -> Scores:
    """Tell how surely the sounds that options name are heard in the part that is asked about.

    Returns:
        Shape (options,), their mean 0.
    """
    inside, outside = _choose(question.place, heard.moments)
    scores = np.zeros(len(question.options))
    given, given_sure = meaning.name_kinds(question.text, heard.labels)
    for index, clauses in enumerate(question.clauses):
        grades, sures = [], []
        for clause in clauses:
            shares, sure = meaning.name_kinds(clause.text, heard.labels)
            # A sound that the question names itself is not what it asks for.
            sure *= 1.0 - given_sure * float(np.minimum(shares, given).sum())
            sure *= _GIVEN if _share_a_word(clause.text, question.text) else 1.0
            here = max((fit_moment(clause.text, moment, heard, meaning) for moment in inside), default=0.0)
            if outside:
                there = max(fit_moment(clause.text, moment, heard, meaning) for moment in outside)
                here = here - _ELSEWHERE * there
            grades.append(-here if clause.is_denied else here)
            sures.append(sure)
        if sum(sures):
            # All that is claimed has to be there: the weakest claim counts as much as the mean.
            mean = float(np.average(grades, weights=np.array(sures) + 1e-6))
            worst = min(grade for grade, sure in zip(grades, sures, strict=True) if sure >= 0.5 * max(sures))
            scores[index] = (0.5 * mean + 0.5 * worst) * max(sures)
    scores = np.tanh(scores)
    return np.asarray(-(scores - scores.mean()) if question.is_reversed else scores - scores.mean())


def _share_a_word(text: str, other: str) -> bool:
    stems = [
        {word[:_STEM] for word in re.findall(r"[a-z]+", words) if len(word) >= _STEM}
        for words in (text, other)
    ]
    return bool((stems[0] & stems[1]) - {"soun", "what", "clip", "with", "that", "does"})


def weigh_order(question: Question, heard: Heard, meaning: Meaning) -> Scores | None:
    """Tell how well the steps of each option run along with what is heard, one after the other.

    Returns:
        Shape (options,), their mean 0; ``None`` where few options tell an order.
    """
    if 2 * sum(len(steps) > 1 for steps in question.steps) < len(question.steps) or len(heard.moments) < _FEW:
        return None
    scores = np.array([_align(steps, heard, meaning) for steps in question.steps])
    return np.asarray(scores - scores.mean())


def _align(steps: tuple[str, ...], heard: Heard, meaning: Meaning) -> float:
    """Fit steps to moments in order, each to one or more moments in a row."""
    fits = np.array(
        [[fit_moment(step, moment, heard, meaning) for moment in heard.moments] for step in steps]
    )
    fits = np.tanh(fits)
    loud = np.array([moment.measures["peak_db"] for moment in heard.moments])
    weight = np.clip((loud - loud.max() + 36.0) / 24.0, 0.05, 1.0)
    weight = weight / weight.sum()
    count = len(steps)
    if count > len(heard.moments):
        return -0.5
    best = np.full(count, -np.inf)
    best[0] = 0.0
    table = np.full(count, -np.inf)
    for at in range(len(heard.moments)):
        gain = fits[:, at] * weight[at]
        new = np.full(count, -np.inf)
        for step in range(count):
            stay = table[step]
            come = (0.0 if at == 0 else -np.inf) if step == 0 else table[step - 1]
            new[step] = max(stay, come) + gain[step]
        table = new
    total = float(table[-1])
    peaks = float(np.mean(fits.max(axis=1)))
    return 0.6 * total + 0.4 * peaks


def _choose(place: str, moments: tuple[Moment, ...]) -> tuple[list[Moment], list[Moment]]:
    """Give the moments that a question is about, and the others to hold them against."""
    every = list(moments)
    if not place or len(every) < _FEW or place == "back":
        return every, []
    if place == "loudest":
        loudest = max(every, key=lambda moment: moment.measures["peak_db"])
        return [loudest], [moment for moment in every if moment is not loudest]
    third = max(1, len(every) // 4)
    if place == "start":
        return every[:third], every[third:]
    if place == "end":
        return every[-third:], every[:-third]
    return every[third:-third] or every, []


def fit_moment(text: str, moment: Moment, heard: Heard, meaning: Meaning) -> float:
    """Tell how well words fit one moment: its kinds of sound, its usual measures, a voice."""
    shares, sure = meaning.name_kinds(text, heard.labels)
    fit = sure * float(shares @ np.clip(standardise(moment.logits), -3.0, 3.0))
    for hit in find_phrases(text, load_lexicon().sources):
        profile = load_profiles().get(hit.id)
        if profile is not None:
            fit += _PROFILE * (2.0 * _compare(profile, moment) - 0.7)
            break
    fit += _MANNER * _fit_manner(text, moment, heard, meaning)
    if _VOICE.search(text):
        turn = next(
            (
                t
                for t in heard.turns
                if t.span.start_s < moment.span.end_s and moment.span.start_s < t.span.end_s
            ),
            None,
        )
        fit += _SPOKEN if turn else -_SPOKEN
        if turn and turn.is_high is not None:
            wanted = True if _WOMAN.search(text) else False if _MAN.search(text) else turn.is_high
            fit += 0.0 if wanted == turn.is_high else -2.0 * _SPOKEN
    return fit


def _fit_manner(text: str, moment: Moment, heard: Heard, meaning: Meaning) -> float:
    """Tell how well words of manner, such as loud or dull, fit a moment among the others."""
    if len(heard.moments) < _FEW:
        return 0.0
    fit = 0.0
    for name, step in _CLEARLY.items():
        stated, sure = read_claim(name, text, meaning)
        if sure:
            own = _read(name, moment)
            middle = float(np.median([_read(name, other) for other in heard.moments]))
            fit += sure * (1.0 - abs(float(np.clip((own - middle) / step, -1.0, 1.0)) - stated))
    return fit


def _read(name: str, moment: Moment) -> float:
    measures = moment.measures
    if name == "level":
        return measures["peak_db"]
    return float(np.log2(measures["centroid_hz"] if name == "brightness" else max(measures["event_s"], 0.03)))


def _compare(profile: Profile, moment: Moment) -> float:
    octaves = np.log2(moment.measures["centroid_hz"] / profile.centroid_hz)
    length = np.log2(max(moment.measures["event_s"], 0.03) / profile.length_s)
    return float(2.0 ** -((octaves / 1.3) ** 2 + (length / 2.0) ** 2))
