"""Find the sounds that a text mentions, each with its count, manner, time and place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torus_eval.scene.lexicon import Hit, Lexicon, Source, find_phrases
from torus_eval.words import Clause, find_durations_s, find_rates_hz, read_number

if TYPE_CHECKING:
    from collections.abc import Iterable

_NOTES = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_NOTE = re.compile(r"\b(?:the|note|open|an?|of)\s+(?P<note>[A-G])(?P<sign>#|-?sharp|-?flat)?\b(?![a-z'])")
_MIDDLE_C_HZ = 261.6256
_REACH = 28
_NEGATION = re.compile(r"\b(?:does not|doesn't|do not|don't|is not|isn't|are not|never|no longer)\b")
_ABSENCE = re.compile(r"\b(?:no|without|not|instead of|rather than|nor|neither|lose|drop|remove)\b(?! but\b)")
_GAP_AFTER = re.compile(r"^\s*(?:later|after|afterwards)\b")
_GAP_BEFORE = re.compile(r"\bafter\s*$")
_ECHO = re.compile(r"^[\s,]*(?:echo|reverberation|reflection|tail|acoustic|decay)")
_TIMES = re.compile(
    r"^\s*(?:(?P<number>once|twice|thrice|[a-z]+(?= times)|\d+(?= times))(?: times)?)\b"
    r"(?!\s+(?:a|an|per|every|each|as|faster|slower|louder)\b)"
)
_SPACING = re.compile(r"^\s*apart\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A sound mentioned in a text.

    Args:
        source: The sound.
        start: Where its words begin in the text.
        end: Where they end.
        clause: The index of its clause.
        sentence: The index of its sentence.
        joint: The words between it and the mention before in the same clause.
        counted: The number stated, if any.
        plural: Whether it stands in the plural.
        force: Steps of force from the words of manner around it.
        pace: Factor of pace.
        pitch: Factor of pitch.
        note_hz: A note named near it.
        rate_hz: A rate stated near it.
        duration_s: How long it lasts, if stated.
        gap_s: The time stated before it.
        spacing_s: The time stated between repeats.
        manner: Whether any word of manner belongs to it.
        absent: Whether the text says that it is not there.
    """

    source: Source
    start: int
    end: int
    clause: int
    sentence: int
    joint: str = ""
    counted: int | None = None
    plural: bool = False
    force: float = 0.0
    pace: float = 1.0
    pitch: float = 1.0
    note_hz: float | None = None
    rate_hz: float | None = None
    duration_s: float | None = None
    gap_s: float | None = None
    spacing_s: float | None = None
    manner: bool = False
    absent: bool = False


def find_mentions(
    clauses: tuple[Clause, ...], lexicon: Lexicon, *, original: str = ""
) -> tuple[Mention, ...]:
    """Find every sound mentioned, in the order of the text.

    Args:
        clauses: The clauses of normalised text.
        lexicon: What words can name.
        original: The text before it was put into lower case, for the names of notes.

    Returns:
        The mentions, those said to be absent among them.
    """
    found: list[Mention] = []
    for index, clause in enumerate(clauses):
        for mention in _read_clause(clause, index, lexicon):
            if found and _is_told_again(found[-1], mention):
                found[-1] = mention
            else:
                found.append(mention)
    musical = {m.sentence for m in found if m.source.music and not m.source.yields_to_music}
    found = [m for m in found if not (m.source.yields_to_music and m.sentence in musical)]
    return tuple(_name_notes(_add_loose_rates(found, clauses), original))


def _is_told_again(before: Mention, mention: Mention) -> bool:
    """Tell "it stands on castors, trundles back" from two sounds."""
    return (
        before.source.id == mention.source.id
        and before.source.kind == "event"
        and before.sentence == mention.sentence
        and mention.clause == before.clause + 1
        and before.absent == mention.absent
        and (before.counted, mention.counted, before.duration_s) == (None, None, None)
    )


def _add_loose_rates(found: list[Mention], clauses: tuple[Clause, ...]) -> list[Mention]:
    """Give a rate in a clause without sounds of its own to the sound before it in the sentence."""
    rated = list(found)
    for index, clause in enumerate(clauses):
        if any(m.clause == index for m in found):
            continue
        earlier = [i for i, m in enumerate(found) if m.sentence == clause.sentence and m.clause < index]
        for rate in find_rates_hz(clause.text):
            if earlier:
                rated[earlier[-1]] = replace(rated[earlier[-1]], rate_hz=rate.value)
    return rated


def _read_clause(clause: Clause, index: int, lexicon: Lexicon) -> list[Mention]:
    text = clause.text
    places = find_phrases(text, lexicon.distances)
    hits = [hit for hit in find_phrases(text, lexicon.sources) if not _overlaps(hit, places)]
    # "A rumbling echo" describes a room, not a sound.
    hits = [hit for hit in hits if not _ECHO.match(text[hit.end :])]
    mentions: list[Mention] = []
    for hit in hits:
        source = lexicon.sources[hit.id]
        between = text[mentions[-1].end - clause.start : hit.start] if mentions else ""
        words = text[hit.start : hit.end]
        if mentions and _is_attribute(between, source, mentions[-1].source, words=words):
            counted = _read_times(text[hit.end :]) or mentions[-1].counted
            mentions[-1] = replace(mentions[-1], end=clause.start + hit.end, counted=counted)
            continue
        mentions.append(
            Mention(
                source=source,
                start=clause.start + hit.start,
                end=clause.start + hit.end,
                clause=index,
                sentence=clause.sentence,
                joint=between.strip(),
                counted=_read_times(text[hit.end :]) or _read_count(text[: hit.start]),
                plural=_is_plural(text[hit.start : hit.end]),
                absent=_is_absent(text, hit),
            )
        )
    _add_manner(mentions, clause, lexicon)
    _add_times(mentions, clause)
    return mentions


def _overlaps(hit: Hit, others: Iterable[Hit]) -> bool:
    return any(hit.start < other.end and other.start < hit.end for other in others)


def _is_attribute(between: str, source: Source, before: Source, *, words: str) -> bool:
    """Tell "the click of the catch", "fridge humming" and "a bell rings" from two sounds."""
    if not between.strip() and _is_plural(words):
        return True
    if re.fullmatch(r"\s*of(?: the| an?)?\s*", between):
        return True
    return source.id == before.id and not re.search(r"\b(?:and|then|with|another)\b", between)


def _read_count(before: str) -> int | None:
    for word in reversed(before.split()[-3:]):
        number = read_number(word)
        if number is not None:
            return max(1, int(number)) if number else None
    return None


def _read_times(after: str) -> int | None:
    """Read "barks twice" and "rings three times", but not "three times a second"."""
    match = _TIMES.match(after)
    number = read_number(match["number"]) if match else None
    return int(number) if number else None


def _is_plural(words: str) -> bool:
    return words.endswith(("s", "ing")) and not words.endswith("ss")


def _is_absent(text: str, hit: Hit) -> bool:
    if _NEGATION.search(text):
        return True
    return any(match.end() <= hit.start for match in _ABSENCE.finditer(text[: hit.start]))


def _add_manner(mentions: list[Mention], clause: Clause, lexicon: Lexicon) -> None:
    tables = lexicon.manner.force, lexicon.manner.pace, lexicon.manner.pitch
    for match in re.finditer(r"[a-z]+", clause.text):
        force, pace, pitch = (table.get(match.group()) for table in tables)
        if force is None and pace is None and pitch is None:
            continue
        at = clause.start + match.start()
        place = _choose(mentions, at)
        if place is None or mentions[place].start <= at < mentions[place].end:
            continue
        mention = mentions[place]
        mentions[place] = replace(
            mention,
            force=mention.force if force is None else _stronger(mention.force, force),
            pace=mention.pace * (pace or 1.0),
            pitch=mention.pitch * (pitch or 1.0),
            manner=True,
        )


def _choose(mentions: list[Mention], at: int) -> int | None:
    """Give a word of manner to the mention that follows it closely, else to the one before it."""
    after = [index for index, m in enumerate(mentions) if 0 <= m.start - at <= _REACH]
    before = [index for index, m in enumerate(mentions) if m.start <= at]
    if after:
        return after[0]
    return before[-1] if before else None


def _stronger(old: float, new: float) -> float:
    return new if abs(new) >= abs(old) else old


def _add_times(mentions: list[Mention], clause: Clause) -> None:
    if not mentions:
        return
    for found in find_durations_s(clause.text):
        after, before = clause.text[found.end :], clause.text[: found.start]
        at = clause.start + found.start
        if _GAP_AFTER.match(after) or _GAP_BEFORE.search(before):
            place = next((i for i, m in enumerate(mentions) if m.start >= at), len(mentions) - 1)
            mentions[place] = replace(mentions[place], gap_s=found.value)
        elif _SPACING.match(after):
            mentions[_choose_last(mentions, at)] = replace(
                mentions[_choose_last(mentions, at)], spacing_s=found.value
            )
        else:
            place = _choose_last(mentions, at)
            mentions[place] = replace(mentions[place], duration_s=found.value)
    for found in find_rates_hz(clause.text):
        place = _choose_last(mentions, clause.start + found.start)
        mentions[place] = replace(mentions[place], rate_hz=found.value)


def _choose_last(mentions: list[Mention], at: int) -> int:
    before = [index for index, m in enumerate(mentions) if m.start <= at]
    return before[-1] if before else 0


def _name_notes(mentions: list[Mention], original: str) -> list[Mention]:
    """Give a note named by its letter to the pitched sound mentioned last before it."""
    if not original:
        return mentions
    named = list(mentions)
    for match in _NOTE.finditer(original):
        pitched = [
            index
            for index, m in enumerate(named)
            if "base_hz" in m.source.params and m.source.music and m.start <= match.start()
        ]
        if pitched and named[pitched[-1]].note_hz is None:
            place = pitched[-1]
            named[place] = replace(named[place], note_hz=_note_hz(match, named[place]))
    return named


def _note_hz(match: re.Match[str], mention: Mention) -> float:
    steps = _NOTES[match["note"].lower()]
    sign = match["sign"] or ""
    steps += 1 if sign in {"#", "sharp", "-sharp"} else -1 if sign else 0
    wanted_hz = mention.source.params["base_hz"] * mention.pitch
    note_hz = _MIDDLE_C_HZ * 2.0 ** (steps / 12.0)
    while note_hz > wanted_hz * 2**0.5:
        note_hz /= 2.0
    while note_hz < wanted_hz / 2**0.5:
        note_hz *= 2.0
    return float(note_hz)
