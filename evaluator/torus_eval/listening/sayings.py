"""Tests of what was said: the words of an option against the words that were heard."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.words import SMALL_NUMBERS, normalise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.asking import Question
    from torus_eval.listening.hearing import Heard
    from torus_eval.listening.meaning import Meaning

    Scores = NDArray[np.float64]

_ASKS = (
    "what does the speaker say",
    "which words are spoken",
    "what is the sentence about",
    "what is the answer to the question",
    "which number or name is mentioned",
)
_SAYING = re.compile(
    r"\b(?:say|says|said|words?|sentence|line|mention\w*|name[ds]?|repl\w+|answer\w*|question|speaker"
    r"|describe[ds]?|tell\w*|announce\w*|count\w*|utter\w*|phrase|order|told|message)\b"
)
_STOP = frozenset(
    {
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "to",
        "of",
        "in",
        "on",
        "at",
        "it",
        "its",
        "that",
        "this",
        "and",
        "or",
        "for",
        "with",
        "as",
        "by",
        "from",
        "not",
        "no",
        "yes",
        "has",
        "have",
        "had",
        "he",
        "she",
        "they",
        "you",
        "i",
        "we",
        "his",
        "her",
        "their",
        "there",
        "do",
        "does",
        "did",
        "will",
        "would",
        "should",
        "about",
        "up",
        "out",
        "so",
        "then",
    }
)
_WHO = re.compile(r"\b(?:who|whose|voices?|speakers?|how many|pitch|loud\w*|fast|slow\w*)\b")
_OF_SPEAKERS = 0.3
_ALIKE = 0.74
_LATER = re.compile(r"\b(?:second speaker|repl\w+|answer|respon\w+|last|final\w*|end\w*|closing)\b")
_EARLIER = re.compile(r"\b(?:first|open\w*|begin\w*|question|start\w*)\b")
_BETWEEN = re.compile(r"\b(?:between|middle|second)\b")


def weigh_sayings(question: Question, heard: Heard, meaning: Meaning) -> tuple[Scores, float]:
    """Tell how well options fit what was said.

    Returns:
        Shape (options,), their mean 0; and how surely the question is about that, from 0 to 1.
    """
    if not heard.turns:
        return np.zeros(len(question.options)), 0.0
    words = _choose_words(question.text, heard)
    found = _find_words(question.options, words)
    text = " ".join(words)
    texts = [text, *(turn.text for turn in heard.turns)] if words == _all_words(heard) else [text]
    likeness = meaning.compare(question.options, texts).max(axis=1)
    joined = [f"{question.text} {option}" for option in question.options]
    likeness = 0.5 * likeness + 0.5 * meaning.compare(joined, texts).max(axis=1)
    likeness = 4.0 * (likeness - likeness.mean())
    scores = found - found.mean() + np.clip(likeness, -1.0, 1.0) * 0.5
    asks = float(np.clip((meaning.compare([question.text], _ASKS).max() - 0.25) / 0.3, 0.0, 1.0))
    asks = max(asks, 0.7 if _SAYING.search(question.text) else 0.0)
    if _WHO.search(question.text):
        asks *= _OF_SPEAKERS
    quoted = float(np.mean(['"' in option for option in question.options]))
    # An option whose own words were heard speaks for itself, whatever the question.
    return np.asarray(scores - scores.mean()), max(asks, quoted, 0.25 + 0.75 * float(np.ptp(found)) * 0.6)


def _all_words(heard: Heard) -> list[str]:
    return tidy(heard.text)


def tidy(text: str) -> list[str]:
    """Give the words of a text in lower case, small numbers spelled out.

    >>> tidy("At 7, from the North-pier!")
    ['at', 'seven', 'from', 'the', 'north', 'pier']
    """
    words = re.findall(r"[a-z']+|\d+", normalise(text).replace("-", " "))
    return [_spell(word) if word.isdigit() else word.strip("'") for word in words]


def _spell(word: str) -> str:
    return SMALL_NUMBERS[int(word)] if int(word) < len(SMALL_NUMBERS) else word


def _choose_words(text: str, heard: Heard) -> list[str]:
    """Keep the words of the turn that is asked about, or of the part of one turn."""
    every = _all_words(heard)
    part = "end" if _LATER.search(text) else "start" if _EARLIER.search(text) else ""
    part = "middle" if _BETWEEN.search(text) and not part else part
    if not part:
        return every
    if len(heard.turns) > 1:
        if part == "middle":
            return tidy(" ".join(turn.text for turn in heard.turns[1:-1])) or every
        return tidy(heard.turns[-1 if part == "end" else 0].text)
    cut = max(1, len(every) * 2 // 5)
    if part == "middle":
        return every[len(every) // 4 : -max(1, len(every) // 4)] or every
    return every[-cut:] if part == "end" else every[:cut]


def _find_words(options: tuple[str, ...], words: list[str]) -> Scores:
    """Tell which share of the words that set an option apart was heard, and in their order."""
    own = [tidy(option) for option in options]
    sharing = {word: sum(word in other for other in own) for option in own for word in option}
    scores = []
    for option in own:
        telling = [word for word in option if word not in _STOP and sharing[word] < len(options)]
        if not telling:
            scores.append(0.0)
            continue
        weights = np.array([1.0 / sharing[word] for word in telling])
        hits = np.array([_hears(word, words) for word in telling])
        order = SequenceMatcher(None, option, words, autojunk=False)
        run = order.find_longest_match(0, len(option), 0, len(words)).size / len(option)
        scores.append(0.75 * float((weights * hits).sum() / weights.sum()) + 0.25 * run)
    return np.array(scores)


def _hears(word: str, words: list[str]) -> float:
    best = max((SequenceMatcher(None, word, other).ratio() for other in words), default=0.0)
    return 0.0 if best < _ALIKE else best
