"""Tests of numbers: how many, how long, and when."""

from __future__ import annotations

import re
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.sounds import fit_moment
from torus_eval.words import find_durations_s, find_rates_hz, read_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.asking import Question
    from torus_eval.listening.hearing import Heard
    from torus_eval.listening.meaning import Meaning

    Scores = NDArray[np.float64]

_COUNTS = re.compile(r"\b(?:how many|how often|number of)\b")
_LENGTH = re.compile(r"\bhow (?:long|much time)|\bduration\b|\blength\b")
_WHEN = re.compile(r"\bwhen\b|\bat (?:what|which) (?:point|moment|time)\b|\bwhere\b|\bhow (?:soon|late)\b")
_GAP = re.compile(r"\b(?:pauses?|silences?|gaps?|passes|pass|between|before the (?:reply|answer)|breaks?)\b")
_TAIL = re.compile(r"\b(?:tail|echo|reverb\w*|decay\w*|die away|fade away)\b")
_NONE = re.compile(r"\b(?:none|no|not|nobody|nothing|never|zero)\b")
_SEVERAL = {
    "once": 1,
    "single": 1,
    "one": 1,
    "alone": 1,
    "twice": 2,
    "pair": 2,
    "both": 2,
    "crowd": 20,
    "dozen": 12,
}
_TENS = {"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30}
_VOICES = re.compile(r"\b(?:people|voices?|speakers?|persons?)\b")
_PHRASES = re.compile(r"\b(?:phrases?|sentences?|lines?|utterances?)\b")
_WORDS, _NOTES, _GAPS = (
    re.compile(r"\bwords?\b"),
    re.compile(r"\bnotes?\b"),
    re.compile(r"\b(?:pauses?|silences?|gaps?)\b"),
)
_PLACES = (
    (0.0, re.compile(r"\b(?:immediately|at once|straight ?away|as soon as|start|outset|beginning|first)\b")),
    (0.5, re.compile(r"\b(?:middle|halfway|midway)\b")),
    (1.0, re.compile(r"\b(?:end|closing|final|last)\b")),
)
_ENTERS = re.compile(r"\b(?:comes? in|enters?|joins?|added|sets? in)\b")
_NUMBERED = re.compile(
    r"\b(?P<number>one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+|a single|a pair of|both)\s+"
    r"(?P<noun>(?:[a-z]+\s+){0,2}?(?!seconds?|minutes?|another|by|after|at|and|of|or|more)[a-z]{3,})"
)
_BESIDE = 0.5
_STEADY = 0.45
_MOST_STROKES = 12
_AT_ONCE_S = 0.15


def weigh_counts(question: Question, heard: Heard, meaning: Meaning) -> Scores | None:
    """Hold numbers in the options against what can be counted; ``None`` where nothing is counted."""
    if not _COUNTS.search(question.text):
        return _weigh_numbers(question, heard, meaning)
    stated = [read_count(option) for option in question.options]
    if sum(value is not None for value in stated) < 2:  # noqa: PLR2004 -- nothing to choose between
        return None
    counted = _count(question.text, heard, meaning)
    grades = np.array([0.0 if value is None else _grade_count(value, counted) for value in stated])
    return np.asarray(grades - grades.mean())


def _weigh_numbers(question: Question, heard: Heard, meaning: Meaning) -> Scores | None:
    """Hold numbers that options state beside a name, as in "two knocks", against what can be counted."""
    grades: list[float | None] = []
    for option in question.options:
        own = [
            _grade_count(number, _count(match["noun"], heard, meaning))
            for match in _NUMBERED.finditer(option)
            if (number := read_count(match["number"])) is not None
        ]
        grades.append(float(np.mean(own)) if own else None)
    known = [grade for grade in grades if grade is not None]
    if 2 * len(known) < len(grades):
        return None
    # An option that states no number is neither right nor wrong.
    scores = np.array([float(np.mean(known)) if grade is None else grade for grade in grades])
    return np.asarray(_BESIDE * (scores - scores.mean()))


def weigh_times(question: Question, heard: Heard, meaning: Meaning) -> Scores | None:
    """Hold times and places in the options against when things happen; ``None`` where none is stated."""
    length_s = heard.evidence.duration_s
    if _WHEN.search(question.text) or question.place == "loudest":
        measured = _find_starts(question, heard, meaning)
        scale_s = max(0.8, 0.12 * length_s)
        stated = [_read_place(option, heard) for option in question.options]
        grades = [
            0.0
            if value is None
            else 1.0 - 2.0 * min(1.0, min(abs(value - at) for at in measured) / (2.0 * scale_s))
            for value in stated
        ]
    else:
        stated = [_read_length(option, length_s) for option in question.options]
        if not (_LENGTH.search(question.text) or sum(value is not None for value in stated) > 2):  # noqa: PLR2004 -- most do
            return None
        lengths = _find_lengths(question, heard, meaning)
        grades = [
            0.0
            if value is None
            else 1.0 - 1.3 * min(1.5, *(abs(log2(max(x, 0.05) / max(value, 0.05))) for x in lengths))
            for value in stated
        ]
    if sum(value is not None for value in stated) < 2:  # noqa: PLR2004 -- nothing to choose between
        return None
    scores = np.array(grades)
    return np.asarray(scores - scores.mean())


def weigh_rates(question: Question, heard: Heard) -> Scores | None:
    """Hold rates in the options against beating or the pace of events; ``None`` where none is stated."""
    stated = [_read_rate(option) for option in question.options]
    if sum(value is not None for value in stated) < 2:  # noqa: PLR2004 -- nothing to choose between
        return None
    measures = heard.measures
    beats = measures.get("beat_depth_db", 0.0) > 1.0 and len(heard.evidence.events) < 3  # noqa: PLR2004 -- one sound that wavers
    pace = measures.get("pulse_hz") or measures.get("onset_rate_hz", 0.0)
    measured = measures["beat_hz"] if beats else pace
    if not measured:
        return None
    grades = np.array(
        [
            0.0 if value is None else 1.0 - 2.0 * min(1.0, abs(log2(measured / max(value, 0.1))))
            for value in stated
        ]
    )
    return np.asarray(grades - grades.mean())


def read_count(option: str) -> float | None:
    """Read the first number that an option states.

    >>> read_count("twice, quickly"), read_count("nobody speaks"), read_count("a lot")
    (2.0, 0.0, None)
    """
    for word in re.findall(r"[a-z]+|\d+", option):
        if word in _TENS or word in _SEVERAL:
            return float({**_TENS, **_SEVERAL}[word])
        if word not in {"a", "an", "no"} and (number := read_number(word)) is not None:
            return number
    return 0.0 if _NONE.search(option) else None


def _grade_count(stated: float, counted: float) -> float:
    return 1.0 - 2.0 * min(1.0, abs(log2((stated + 0.5) / (counted + 0.5))))


def _count(text: str, heard: Heard, meaning: Meaning) -> float:
    measures = heard.measures
    onsets = measures.get("onset_count", 0.0)
    if _VOICES.search(text):
        return measures.get("voices", float(bool(heard.turns)))
    if _WORDS.search(text) or _PHRASES.search(text):
        return float(len(heard.text.split()) if _WORDS.search(text) else len(heard.turns))
    if _GAPS.search(text) or _NOTES.search(text):
        return measures.get("gap_count", 0.0) if _GAPS.search(text) else onsets
    events = heard.evidence.events
    if len(events) < 2:  # noqa: PLR2004 -- nothing to tell apart
        return max(float(len(events)), onsets if onsets < _MOST_STROKES else 0.0)
    noun = re.sub(r"^.*?(?:how many(?: times)?|how often|number of)", "", text)
    fits = np.array([fit_moment(noun, moment, heard, meaning) for moment in heard.moments])
    if len(fits) and float(np.ptp(fits)) > 1.0:
        return float((fits > (fits.max() + fits.min()) / 2.0).sum())
    return float(len(events))


def _read_place(option: str, heard: Heard) -> float | None:
    """Read when something is said to happen, in seconds."""
    found = find_durations_s(option)
    named = next((share for share, pattern in _PLACES if pattern.search(option)), None)
    if found and (named is None or not re.search(r"\b(?:for|lasting)\b", option[: found[0].start])):
        return found[0].value
    if named is None:
        return None
    starts = [moment.span.start_s for moment in heard.moments] or [0.0]
    return {0.0: 0.0, 0.5: heard.evidence.duration_s / 2.0, 1.0: starts[-1]}[named]


def _read_length(option: str, length_s: float) -> float | None:
    found = find_durations_s(option)
    if found:
        return found[0].value
    tenth = re.search(r"\b(?:a tenth of a second|at once|no pause|not at all|nothing)\b", option)
    if tenth:
        return _AT_ONCE_S
    if re.search(r"\b(?:little|just|slightly) over a second\b|\bone second\b|\ba second\b", option):
        return 1.0
    return length_s if re.search(r"\b(?:entire|whole|throughout)\b", option) else None


def _read_rate(option: str) -> float | None:
    found = find_rates_hz(option)
    if found:
        return found[0].value
    match = re.search(
        r"\b(once|twice|thrice|[a-z]+ times|[a-z]+ [a-z]+) (?:every|a|per|each) second\b", option
    )
    if not match:
        return None
    word = match[1].split()[0]
    return float(_SEVERAL[word]) if word in _SEVERAL else read_number(word)


def _find_starts(question: Question, heard: Heard, meaning: Meaning) -> list[float]:
    """Find when what is asked about starts."""
    if question.place == "loudest":
        return [heard.measures.get("loudest_s", 0.0)]
    if _GAP.search(question.text) and heard.evidence.gaps:
        longest = max(heard.evidence.gaps, key=lambda gap: gap.duration_s)
        return [(longest.start_s + longest.end_s) / 2.0]
    if re.search(r"\b(?:talk\w*|speak\w*|voice|say)\b", question.text) and heard.turns:
        return [heard.turns[0].span.start_s]
    if _ENTERS.search(question.text) and "entry_s" in heard.measures:
        return [heard.measures["entry_s"]]
    if not heard.moments:
        return [0.0]
    fits = [fit_moment(question.text, moment, heard, meaning) for moment in heard.moments]
    best = int(np.argmax(fits))
    sharp = max(fits) - min(fits) > _STEADY
    start = (
        heard.moments[best] if sharp else max(heard.moments, key=lambda moment: moment.measures["peak_db"])
    )
    return [start.span.start_s]


def _find_lengths(question: Question, heard: Heard, meaning: Meaning) -> list[float]:
    """Find how long what is asked about lasts."""
    evidence = heard.evidence
    if _TAIL.search(question.text) and "decay_s" in evidence.measures:
        return [evidence.measures["decay_s"]]
    if _GAP.search(question.text):
        return (
            [gap.duration_s for gap in evidence.gaps[:1]]
            if len(evidence.gaps) == 1
            else [max((gap.duration_s for gap in evidence.gaps), default=0.1)]
        )
    if not heard.moments:
        return [evidence.duration_s]
    if question.place == "end":
        return [heard.moments[-1].measures["event_s"]]
    if question.place == "start":
        return [heard.moments[0].measures["event_s"]]
    fits = [fit_moment(question.text, moment, heard, meaning) for moment in heard.moments]
    return [heard.moments[int(np.argmax(fits))].measures["event_s"]]
