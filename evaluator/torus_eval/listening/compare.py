"""Claims that compare: who speaks when, and what is louder, higher or longer than what."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby
from math import log2, tanh
from typing import TYPE_CHECKING

from torus_eval.listening.claims import Claim
from torus_eval.listening.terms import load_profiles
from torus_eval.scene.lexicon import find_phrases, load_lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_eval.listening.events import Event
    from torus_eval.listening.evidence import Evidence

_VOICE_WEIGHT, _COMPARE_WEIGHT = 1.5, 1.5
_BETWEEN_HZ = 155.0
_SPEECH = 0.25
_SHE, _HE = "w", "m"
_VOICES = re.compile(r"\b(?:(woman|she|her|hers|female|girl)|(man|he|his|him|male|boy))\b(?:'s)?")
_ONLY = re.compile(r"\b(?:only|alone|just|no one else|nobody else|single)\b")
_LAST = re.compile(r"\b(?:last|finally|in the end|ends|closes|at the end)\b")
_FIRST = re.compile(r"\b(?:first|begins|starts|opens)\b")
_AFTER = re.compile(r"\bafter (?:the |a )?(?:(woman|she|her|girl)|man|he|him|his|boy)\b")
_AGAIN = re.compile(r"\bagain\b")
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "final": -1}
_ORDINAL = re.compile(r"\b(first|second|third|fourth|last|final)\b")
_COMPARED = re.compile(
    r"\b(?P<more>louder|stronger|harder|closer|nearer|higher|brighter|sharper|longer|faster)\b"
    r"|\b(?P<less>softer|quieter|weaker|fainter|farther|further|lower|duller|darker|shorter|slower)\b"
)
_THAN = re.compile(r"\bthan\b")
_LEVEL = {"louder", "stronger", "harder", "closer", "nearer", "softer", "quieter", "weaker", "fainter"}
_LEVEL |= {"farther", "further"}
_COLOUR = {"higher", "brighter", "sharper", "lower", "duller", "darker"}


def weigh_voices(text: str, evidence: Evidence) -> Iterator[Claim]:
    """Test which speakers are named against the pitches of the phrases heard, in order."""
    named = [_SHE if match.group(1) else _HE for match in _VOICES.finditer(text)]
    heard = _list_speakers(evidence)
    if not named or not heard:
        return
    after = _AFTER.search(text)
    if after and len(named) == 2 and named[0] != named[1]:  # noqa: PLR2004 -- one after the other
        named = [_SHE if after.group(1) else _HE, named[0]]
    if _AGAIN.search(text) or len(set(named)) > 1:
        told = "".join(key for key, _ in groupby(named))
        likeness = SequenceMatcher(None, told, "".join(key for key, _ in groupby(heard))).ratio()
        yield Claim("voice:order", 2.0 * likeness - 1.0, _VOICE_WEIGHT)
    elif _LAST.search(text):
        yield Claim("voice:last", 1.0 if heard[-1] == named[-1] else -1.0, _VOICE_WEIGHT)
    elif _FIRST.search(text):
        yield Claim("voice:first", 1.0 if heard[0] == named[0] else -1.0, _VOICE_WEIGHT)
    elif _ONLY.search(text):
        yield Claim("voice:only", 1.0 if set(heard) == set(named) else -1.0, _VOICE_WEIGHT)
    else:
        yield Claim("voice:there", 0.5 if named[0] in heard else -1.0, _VOICE_WEIGHT)


def weigh_comparisons(text: str, evidence: Evidence) -> Iterator[Claim]:
    """Test "the second is louder than the first" and the like."""
    for match in _COMPARED.finditer(text):
        than = _THAN.search(text, match.end())
        if than is None:
            continue
        left = _find_event(text[: match.start()], evidence)
        right = _find_event(text[than.end() :], evidence)
        if left is None or right is None or left is right:
            continue
        word = match.group(0)
        grade = _compare(word, left, right)
        yield Claim(f"level:{word}", grade if match.group("more") else -grade, _COMPARE_WEIGHT)


def _compare(word: str, left: Event, right: Event) -> float:
    if word in _LEVEL:
        return tanh((left.peak_db - right.peak_db) / 4.0)
    if word in _COLOUR:
        sides = [event.pitch_hz or event.centroid_hz for event in (left, right)]
        return tanh(2.0 * log2(max(sides[0], 20.0) / max(sides[1], 20.0)))
    lengths = [max(event.span.duration_s, 0.02) for event in (left, right)]
    grade = tanh(log2(lengths[0] / lengths[1]))
    return -grade if word in {"faster", "slower"} else grade


def _list_speakers(evidence: Evidence) -> list[str]:
    if evidence.measures.get("speech", 0.0) < _SPEECH:
        return []
    return [_SHE if phrase.pitch_hz > _BETWEEN_HZ else _HE for phrase in evidence.phrases]


def _find_event(text: str, evidence: Evidence) -> Event | None:
    """Find what words refer to: a sound by its name, a speaker, or one of a row."""
    voices = list(_VOICES.finditer(text))
    if voices and evidence.phrases:
        wanted = _SHE if voices[-1].group(1) else _HE
        spoken = zip(_list_speakers(evidence), evidence.phrases, strict=False)
        return next((phrase for speaker, phrase in spoken if speaker == wanted), None)
    ordinals = list(_ORDINAL.finditer(text))
    if ordinals and evidence.events:
        row = evidence.phrases if _list_speakers(evidence) else evidence.events
        place = _ORDINALS[ordinals[-1].group(1)]
        return row[place] if place < len(row) else None
    hits = [hit for hit in find_phrases(text, load_lexicon().sources) if hit.id in load_profiles()]
    if hits and evidence.events:
        profile = load_profiles()[hits[-1].id]
        return max(evidence.events, key=profile.compare)
    return None
