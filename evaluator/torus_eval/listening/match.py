"""Match the wording of an option to the evidence: measures, counts, times, sounds and their order."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2
from typing import TYPE_CHECKING

from torus_eval.listening.claims import Claim
from torus_eval.listening.compare import weigh_comparisons, weigh_voices
from torus_eval.listening.terms import Term, load_profiles, load_terms, load_topics
from torus_eval.scene.lexicon import find_phrases, load_lexicon
from torus_eval.words import (
    compile_phrase,
    find_durations_s,
    find_rates_hz,
    normalise,
    read_number,
    split_clauses,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torus_eval.listening.events import Event
    from torus_eval.listening.evidence import Evidence

_ON_TOPIC = 2.5
_COUNT_WEIGHT, _TIME_WEIGHT, _RATE_WEIGHT, _SOUND_WEIGHT, _ORDER_WEIGHT = 1.6, 1.2, 1.5, 1.0, 1.2
_NOT = re.compile(
    r"\b(?:no|not|without|never|neither|nor|instead of|rather than|lacks?|does not|doesn't|isn't)\b"
    r"[a-z' ]{0,14}$"
)
_COUNTED = re.compile(
    r"\b([a-z]+|\d+)\s+(?:[a-z]+\s+){0,2}?(pauses?|silences?|gaps?|knocks?|hits?|strikes?|sounds?|events?|notes?|phrases?|parts?|thuds?|bangs?|clicks?|taps?|times|blows?|words?|steps?|voices|speakers|people)\b"
)
_SECTIONS = (
    (
        re.compile(r"\b(?:last third|at the end|by the end|towards the end|ending|final|closing|finish)\b"),
        (0.66, 1.0),
    ),
    (re.compile(r"\b(?:second half|later on|last half|latter)\b"), (0.5, 1.0)),
    (re.compile(r"\b(?:first third|at the start|at first|beginning|opening|outset)\b"), (0.0, 0.34)),
    (re.compile(r"\b(?:first half|earlier)\b"), (0.0, 0.5)),
    (re.compile(r"\b(?:in the middle|halfway|midway)\b"), (0.33, 0.67)),
)
WHOLE = (0.0, 1.0)
_GRADE = 1.0
_LEAST_LIKENESS = 0.12

Part = tuple[float, float]


def score_option(
    question: str, option: str, *, look: Callable[[Part], Evidence], sounds: bool = True
) -> tuple[float, tuple[Claim, ...]]:
    """Tell how well an option fits what was measured.

    Args:
        question: The question.
        option: The option.
        look: Gives the evidence of a part of the clip, from 0 to 1.
        sounds: Tell sounds apart by what they usually measure like.

    Returns:
        A score, higher is better, and the claims it rests on.
    """
    asked, text = normalise(question), normalise(option)
    part = _find_part(asked) or WHOLE
    topics = {name for name, words in load_topics().items() if any(word in asked for word in words)}
    claims = [
        *_test_terms(text, part, look),
        *_test_counts(text, asked, look(part)),
        *_test_times(text, asked, look(part)),
        *_test_rates(text, look(part)),
        *(_test_sounds(text, look(part)) if sounds else ()),
        *weigh_voices(text, look(part)),
        *weigh_comparisons(text, look(part)),
    ]
    weighed = tuple(
        Claim(claim.name, claim.grade, claim.weight * (_ON_TOPIC if _topic(claim) in topics else 1.0))
        for claim in claims
    )
    total = sum(claim.weight for claim in weighed)
    return sum(claim.grade * claim.weight for claim in weighed) / (total + _GRADE), weighed


def _topic(claim: Claim) -> str:
    return claim.name.partition(":")[0]


def _find_part(text: str) -> Part | None:
    return next((part for pattern, part in _SECTIONS if pattern.search(text)), None)


def _test_terms(text: str, part: Part, look: Callable[[Part], Evidence]) -> Iterator[Claim]:
    """Test every term whose words stand in the text, in the part of the clip that its clause names."""
    for clause in split_clauses(text):
        evidence = look(_find_part(clause.text) or part)
        for term, start in _find_terms(clause.text):
            grade = term.test(evidence)
            if grade is None:
                continue
            negated = bool(_NOT.search(clause.text[:start]))
            yield Claim(f"{term.topic}:{term.measure}", -grade if negated else grade, 1.0)


def _find_terms(text: str) -> list[tuple[Term, int]]:
    """Find terms by their longest phrase; a shorter phrase inside a longer one does not count."""
    hits: list[tuple[int, int, Term]] = []
    for term in load_terms():
        for phrase in term.words:
            hits += [
                (match.start(), match.end(), term)
                for match in compile_phrase(phrase).finditer(text)
                # What is compared to something is another claim.
                if not text[match.end() :].startswith(" than")
            ]
    kept: list[tuple[int, int, Term]] = []
    for start, end, term in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[0])):
        inside = any(start < other_end and other_start < end for other_start, other_end, _ in kept)
        same = any(other is term for _, _, other in kept)
        if not same and (not inside or any((start, end) == (a, b) for a, b, _ in kept)):
            kept.append((start, end, term))
    return [(term, start) for start, _, term in sorted(kept, key=lambda hit: (hit[0], hit[1]))]


def _test_counts(text: str, asked: str, evidence: Evidence) -> Iterator[Claim]:
    counting = "how many" in asked or "number of" in asked
    for match in _COUNTED.finditer(text):
        number = read_number(match.group(1))
        if number is not None and "second" not in text[match.end() : match.end() + 10]:
            measured = _count(match.group(2), evidence)
            yield Claim("count:" + match.group(2), _grade_count(number, measured), _COUNT_WEIGHT)
            counting = False
    if counting:
        numbers = [read_number(word) for word in re.findall(r"[a-z]+|\d+", text)]
        stated = [number for number in numbers if number is not None]
        if stated:
            noun = next((word for word in re.findall(r"[a-z]+", asked.partition("how many")[2])), "sounds")
            yield Claim("count:" + noun, _grade_count(stated[0], _count(noun, evidence)), _COUNT_WEIGHT)
    if re.fullmatch(r"(?:none|never|not at all)\.?", text):
        yield Claim("count:none", _grade_count(0.0, evidence.measures.get("event_count", 0.0)), _COUNT_WEIGHT)


def _count(noun: str, evidence: Evidence) -> float:
    measures = evidence.measures
    if noun.startswith(("pause", "silence", "gap", "break")):
        return measures.get("gap_count", 0.0)
    if noun.startswith(("phrase", "part", "line")):
        return measures.get("phrase_count", measures.get("span_count", 0.0))
    if noun.startswith(("voice", "speaker", "people", "person")):
        return 2.0 if measures.get("voice_gap_st", 0.0) > 5.0 else 1.0  # noqa: PLR2004 -- a fourth apart is two speakers
    if noun.startswith(("note", "beat")):
        return measures.get("onset_count", 0.0)
    profile = load_profiles().get(_name_sound(noun))
    if profile is not None:
        likeness = [profile.compare(event) for event in evidence.events]
        least = max(_LEAST_LIKENESS, 0.4 * max(likeness, default=0.0))
        return float(sum(like >= least for like in likeness))
    return measures.get("event_count", 0.0)


def _name_sound(noun: str) -> str:
    hits = find_phrases(noun, load_lexicon().sources)
    return hits[0].id if hits else ""


def _grade_count(stated: float, measured: float) -> float:
    off = abs(stated - measured)
    return 1.0 if not off else max(-1.0, 0.3 - 0.6 * off)


def _test_times(text: str, asked: str, evidence: Evidence) -> Iterator[Claim]:
    """Test a stated duration against the kind of stretch its words speak of."""
    for found in find_durations_s(text):
        around = text[max(0, found.start - 30) : found.end + 25]
        if re.search(r"\b(?:silence|pause|gap|apart|later|after|between|before)\b", around):
            stretches = [gap.duration_s for gap in evidence.gaps]
            stretches += [
                evidence.measures[name] for name in ("entry_s", "tail_s") if evidence.measures.get(name)
            ]
        elif re.search(r"\b(?:tail|echo|ring|decay|fade)", around):
            stretches = [evidence.measures[name] for name in ("decay_s",) if name in evidence.measures]
        else:
            stretches = [event.span.duration_s for event in _choose_events(text, asked, evidence)]
        if stretches:
            off = min(abs(log2(max(length, 0.02) / found.value)) for length in stretches)
            yield Claim("time:stated", 1.0 - 1.3 * min(off, 1.5), _TIME_WEIGHT)


def _choose_events(text: str, asked: str, evidence: Evidence) -> list[Event]:
    """Choose the event that the option, or else the question, names; all of them where none is named."""
    for words in (text, asked):
        for hit in find_phrases(words, load_lexicon().sources):
            profile = load_profiles().get(hit.id)
            if profile is not None and evidence.events:
                return [max(evidence.events, key=profile.compare)]
    return list(evidence.events)


def _test_rates(text: str, evidence: Evidence) -> Iterator[Claim]:
    for found in find_rates_hz(text):
        beats = re.search(r"\b(?:beat|waver|puls|throb|wobbl)", text)
        measured = evidence.measures.get("beat_hz" if beats else "onset_rate_hz", 0.0)
        deep = evidence.measures.get("beat_depth_db", 0.0) > 1.2 if beats else True  # noqa: PLR2004 -- deep enough to hear
        if measured and deep:
            off = abs(log2(measured / max(found.value, 0.1)))
            yield Claim("tempo:stated", 1.0 - 2.0 * min(off, 1.0), _RATE_WEIGHT)
        else:
            yield Claim("tempo:stated", -0.5, _RATE_WEIGHT)


def _test_sounds(text: str, evidence: Evidence) -> Iterator[Claim]:
    """Test whether the sounds named are there, and in the order named."""
    profiles = load_profiles()
    placed: list[float] = []
    for hit in find_phrases(text, load_lexicon().sources):
        profile = profiles.get(hit.id)
        if profile is None:
            continue
        fits = [(profile.compare(event), event) for event in evidence.events]
        best, event = max(fits, key=lambda fit: fit[0], default=(0.0, None))
        grade = min(1.0, 2.4 * best) * 2.0 - 1.0
        negated = bool(_NOT.search(text[: hit.start]))
        yield Claim(f"sound:{hit.id}", -grade if negated else grade, _SOUND_WEIGHT)
        if not negated and event is not None and best > 0.2:  # noqa: PLR2004 -- a faint likeness has a time
            placed.append(_start(event))
    steps = [later - earlier for earlier, later in pairwise(placed)]
    if steps:
        grade = sum(1.0 if step > 0 else -1.0 if step < 0 else 0.0 for step in steps) / len(steps)
        yield Claim("order:named", grade, _ORDER_WEIGHT)


def _start(event: Event) -> float:
    return event.span.start_s
