"""Reads a response forgivingly: what a fair reader takes for the answer, and why, or why there is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torus_eval.answering.cleaning import clean_response
from torus_eval.answering.cues import WINDOW_CHARS, Weight, is_denied, is_unsure, refuses, weigh_before
from torus_eval.answering.mentions import Event, find_mentions
from torus_eval.answering.questions import Reading, read_strictly
from torus_eval.answering.texts import Stated, blank_texts, find_texts, spell

if TYPE_CHECKING:
    from collections.abc import Iterable

_JOINING = {"and", "or", "und", "oder", "ou", "et", "both", "either", "maybe"}
_RUN = re.compile(r"\b(?!([A-Z])\1+\b)[A-Z]{2,6}\b")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NOT_APPLICABLE = re.compile(r"\bn/a\b", re.IGNORECASE)
_ITEM = re.compile(r"(?:\A|[\n,;])[ (]{0,3}([A-Z])\)?[ ]{0,2}[:=)][ ]")
_ENOUGH_FOR_ECHO = 3
_NEAR_CHARS = 16
_SENTENCE_END = re.compile(r"(?<![^\w][A-Za-z])(?<!^[A-Za-z])[.!?](?=\s|\Z)|\n")
_CONTRAST = re.compile(
    r"\b(?:not|no|never|than|instead|unlike|although|though|but|while|whereas|distractor|wrong|incorrect"
    r"|absent|without"
    r"|except|neither|nor|could|might|may|would)\b|n't\b",
    re.IGNORECASE,
)
_LEADS_ON = re.compile(
    r"\A[)\].:,;\s=\u2013\u2014-]{0,6}(?:(?:it is|it's|this is|that is|i hear|the (?:clip|sound"
    r"|audio) (?:is|contains|has)"
    r"|the sound of|sounds? of)\s)?\Z",
    re.IGNORECASE,
)


def read_leniently(response: str, options: dict[str, str]) -> Reading:
    """Read the option that a response means, where it means one.

    Reasoning blocks, chat tokens and markup are stripped first. Nothing is drawn and nobody is asked: a
    response that does not say one option has no pick.

    Args:
        response: The raw response.
        options: Option texts by letter, as asked.

    Returns:
        A pick with one of these reasons:

        - ``exact``: the response is one capital letter; the strict reading.
        - ``letter``: a letter in another form: alone in either case, in wrappers (brackets, quotes, bold,
          LaTeX), at the front before a separator, on a line of its own, or full-width.
        - ``cue``: a phrase that announces an answer or calls a letter right; the last valid one counts.
        - ``text_match``: the full text of one option, but for case, punctuation and a first article.

        Or no pick with one of these:

        - ``refusal``: it says that it cannot or will not tell.
        - ``ambiguous``: it says more than one option.
        - ``conflict``: its letter and its option text disagree.
        - ``echo``: it repeats the options and picks none.
        - ``article``: its only letter is a word of a sentence, such as the A of "A dog is barking".
        - ``out_of_range``: its letter is none of the options.
        - ``truncated``: it ends inside its reasoning.
        - ``empty``: there is nothing but space, reasoning or chat tokens.
        - ``none``: nothing in it is an answer.

    >>> options = {"A": "a dog barking", "B": "rain falling", "C": "a violin melody"}
    >>> read_leniently("The correct answer is **b**, not A.", options)
    Reading(pick='B', reason='cue')
    >>> read_leniently("I hear rain falling.", options).reason, read_leniently("A or B", options).reason
    ('text_match', 'ambiguous')
    """
    letters = "".join(options)
    strict = read_strictly(response, letters)
    if strict.reason in {"exact", "out_of_range", "empty"}:
        return strict
    cleaned = clean_response(response)
    if cleaned.truncated:
        return Reading(None, "truncated")
    text = _NOT_APPLICABLE.sub(" ", _drop_range(cleaned.text, letters)).strip()
    if not text:
        return (
            Reading(None, "echo" if len(cleaned.text) > len("n/a") else "none")
            if cleaned.text
            else Reading(None, "empty")
        )
    return _read_letters_alone(text, letters) or _read_whole(text, options) or _read_parts(text, options)


def _drop_range(text: str, letters: str) -> str:
    """Take out the letters a reply was asked for, as in "one letter, A to F"."""
    if len(letters) < _ENOUGH_FOR_ECHO:
        return text
    first, last = letters[0], letters[-1]
    return re.sub(
        rf"\b{first}\s{{0,2}}(?:to|through|-|\u2013|\u2014|\.\.\.?|\u2026)\s{{0,2}}{last}\b", " ", text
    )


def _read_letters_alone(text: str, letters: str) -> Reading | None:
    """Read a response of letters alone, with nothing but marks and joining words between them."""
    words = _WORD.findall(text)
    if len(words) == 1 and len(words[0]) > 1 and words[0].isupper() and set(words[0]) <= set(letters):
        return Reading(None, "ambiguous") if len(set(words[0])) > 1 else Reading(words[0][0], "letter")
    single = {word.upper() for word in words if len(word) == 1 and word.isascii() and word.isalpha()}
    others = {word.lower() for word in words if word.upper() not in single}
    if not single or others - _JOINING:
        return None
    if len(single) > 1:
        return Reading(None, "ambiguous")
    letter = single.pop()
    return Reading(letter, "letter") if letter in letters else Reading(None, "out_of_range")


def _read_whole(text: str, options: dict[str, str]) -> Reading | None:
    """Read a response that is the text of an option and nothing else."""
    words = spell(text)
    found = [letter for letter, option in options.items() if words and spell(option) == words]
    if not found:
        return None
    return Reading(found[0], "text_match") if len(found) == 1 else Reading(None, "ambiguous")


def _read_parts(text: str, options: dict[str, str]) -> Reading:
    stated = find_texts(text, options)
    rest, listed = _cut_listing(text, stated, enough=min(_ENOUGH_FOR_ECHO, len(options)))
    if listed:
        reading = _read_rest(rest, options)
        return reading if reading.pick or reading.reason in {"refusal", "conflict"} else Reading(None, "echo")
    letters = "".join(options)
    events = find_mentions(text, letters, stated)
    blank = blank_texts(text, stated)
    asserted = [each for each in stated if not is_denied(*_around(blank, each.start, each.end))]
    events += _weigh_texts(text, asserted)
    events += _find_runs(text, letters)
    events.sort(key=lambda event: event.start)
    return _decide(text, options, events, asserted) or Reading(None, _explain(text, events))


def _read_rest(rest: str, options: dict[str, str]) -> Reading:
    text = rest.strip(" \n,;.:-")
    if not text:
        return Reading(None, "echo")
    return (
        _read_letters_alone(text, "".join(options))
        or _read_whole(text, options)
        or _read_parts(text, options)
    )


def _cut_listing(text: str, stated: list[Stated], *, enough: int) -> tuple[str, bool]:
    """Cut out the options where a response repeats enough of them under their letters."""
    spans: dict[str, tuple[int, int]] = {}
    for each in stated:
        lead = re.search(
            rf"(?:\A|[\s(\[,;]){each.letter}\s?[).:\]=-]{{1,2}}\s{{0,3}}\Z",
            text[max(0, each.start - 12) : each.start],
        )
        if not lead:
            continue
        start = each.start - len(lead.group())
        if (
            each.letter not in spans
            and weigh_before(text[max(0, start - WINDOW_CHARS) : start]) < Weight.STRONG
        ):
            spans[each.letter] = (start, each.end)
    if len(spans) < max(enough, 2):
        return text, False
    kept, position = [], 0
    for start, end in sorted(spans.values()):
        kept.append(text[position:start])
        position = end
    return "\n".join([*kept, text[position:]]), True


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    return text[max(0, start - WINDOW_CHARS) : start], text[end : end + WINDOW_CHARS]


def _weigh_texts(text: str, asserted: Iterable[Stated]) -> list[Event]:
    found = []
    for each in asserted:
        weight = weigh_before(text[max(0, each.start - WINDOW_CHARS) : each.start])
        if each.common and _opens(text, each):
            weight = max(weight, Weight.FAIR)
        if weight > Weight.WEAK or not each.common:
            found.append(Event(each.letter, weight, "text_match", each.start, each.end))
    return found


def _opens(text: str, stated: Stated) -> bool:
    """Tell whether a response begins with this text and a stop, as in "No, it was not"."""
    return not _WORD.search(text[: stated.start]) and bool(
        re.match(r"\s{0,2}[,.;:!\n]", text[stated.end :][:4])
    )


def _find_runs(text: str, letters: str) -> list[Event]:
    """Find announced runs of letters, as in "Answer: AB"."""
    return [
        Event(None, Weight.STRONG, "ambiguous", match.start(), match.end())
        for match in _RUN.finditer(text)
        if set(match.group()) <= set(letters)
        and weigh_before(text[max(0, match.start() - WINDOW_CHARS) : match.start()]) is Weight.STRONG
    ]


def _decide(
    text: str, options: dict[str, str], events: list[Event], asserted: list[Stated]
) -> Reading | None:
    said = [event for event in events if event.reason not in {"article", "out_of_range"}]
    clear = [event for event in said if event.weight > Weight.WEAK]
    if clear:
        event = clear[-1]
        led = {each.letter for each in clear if each.reason == "letter" and each.weight is Weight.FAIR}
        led |= set(_find_items(text, options)) if event.letter in led else set()
        if event.letter is None or (event.letter in led and len(led) > 1 and event.weight is Weight.FAIR):
            return Reading(None, "ambiguous")
        announced = [
            each
            for each in clear
            if each.letter == event.letter and 0 <= event.start - each.end < _NEAR_CHARS
        ]
        return _check_conflict(text, announced[0] if announced else event, said, asserted, options)
    hard = refuses(text)
    left = [event for event in said if event.weight or not hard]
    picks = {event.letter for event in left}
    if not picks or (hard and all(event.reason == "text_match" for event in left)):
        return None
    if len(picks) == 1 and None not in picks:
        event = min(left, key=lambda each: each.reason == "text_match")
        return Reading(event.letter, event.reason)
    return _name_several(options, left)


def _find_items(text: str, options: dict[str, str]) -> list[str]:
    """Return the letters of a list that goes through the options from the first on."""
    found = [letter for letter in _ITEM.findall(text) if letter in options]
    return found if found[:1] == list(options)[:1] else []


def _name_several(options: dict[str, str], left: list[Event]) -> Reading:
    texts = {event.letter for event in left if event.reason == "text_match"}
    marks = {event.letter for event in left if event.reason != "text_match"}
    if len(texts) == len(options) >= _ENOUGH_FOR_ECHO and not marks:
        return Reading(None, "echo")
    apart = len(texts) == len(marks) == 1 and None not in marks
    return Reading(None, "conflict" if apart else "ambiguous")


def _check_conflict(
    text: str, event: Event, said: list[Event], asserted: list[Stated], options: dict[str, str]
) -> Reading:
    """Compare a letter with the option texts beside it, or a text with the letters and texts beside it."""
    start, end = _find_sentence(text, event)
    agreed = _CONTRAST.search(blank_texts(text, asserted)[start:end]) is None
    texts = {each.letter for each in asserted if not each.common and start <= each.start < end}
    marks = {other.letter for other in said if other.reason != "text_match" and start <= other.start < end}
    reading = Reading(event.letter, event.reason)
    if event.reason != "text_match":
        if event.letter in texts or not texts:
            return Reading(None, "conflict") if _is_contradicted(text, event, asserted) else reading
        return Reading(None, "conflict") if agreed else reading
    if agreed and len(texts) > 1:
        return Reading(None, "echo" if _ENOUGH_FOR_ECHO <= len(texts) == len(options) else "ambiguous")
    return Reading(None, "conflict") if agreed and marks and event.letter not in marks else reading


def _is_contradicted(text: str, event: Event, asserted: list[Stated]) -> bool:
    """Tell whether the text of another option follows a letter directly."""
    follows = {
        each.letter
        for each in asserted
        if each.start >= event.end and _LEADS_ON.match(text[event.end : min(each.start, event.end + 60)])
    }
    return bool(follows) and event.letter not in follows


def _find_sentence(text: str, event: Event) -> tuple[int, int]:
    start, end = 0, len(text)
    for match in _SENTENCE_END.finditer(text):
        if match.end() <= event.start:
            start = match.end()
        elif match.start() >= event.end:
            return start, match.start()
    return start, end


def _explain(text: str, events: list[Event]) -> str:
    """Name the reason why a response has no pick."""
    if refuses(text) or is_unsure(text):
        return "refusal"
    reasons = {event.reason for event in events}
    for reason in ("out_of_range", "article"):
        if reason in reasons:
            return reason
    return "none"
