"""A question taken apart: its options, the clauses they claim, and which part of the clip it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.words import normalise

if TYPE_CHECKING:
    from torus_eval.answering.questions import Asked

_NEGATED = re.compile(
    r"\b(?:no|not|never|without|none|nobody|no one|nothing|nor|neither|n't|missing|lacks?|absent"
    r"|cannot|free of)\b|n't\b"
)
_ASKED_AWAY = re.compile(r"\b(?:not|cannot|can't|missing|absent|never|n't|lacks?|except)\b")
_PLACES = (
    ("loudest", re.compile(r"\b(?:loudest|strongest|most prominent|stands out|climax|peak)\b")),
    (
        "end",
        re.compile(
            r"\b(?:at the (?:very )?end|last|ends?|ending|closes?|closing"
            r"|final|finally|finish\w*|concludes?)\b"
        ),
    ),
    (
        "start",
        re.compile(
            r"\b(?:at the (?:very )?(?:start|beginning)|first|begins?"
            r"|opens?|opening|starts? with|clip start|outset)\b"
        ),
    ),
    ("back", re.compile(r"\b(?:background|beneath|underneath|behind|under the|throughout|ambien\w+)\b")),
    ("middle", re.compile(r"\b(?:middle|halfway|midway|between)\b")),
)
_BEFORE = re.compile(
    r"^(?P<a>.+?),? (?:before|precedes|leads to|gives way to|followed by|and then|only then|then) (?P<b>.+)$"
)
_AFTER = re.compile(r"^(?P<a>.+?),? (?:after|follows|following|preceded by) (?P<b>.+)$")
_FIRST = re.compile(
    r"^(?P<a>.+?) first,? (?:and |then )?(?P<b>.+?)(?: afterwards| second| later| last| next)?$"
)
_YES_NO = re.compile(r"^(?:yes|no),? ")
_LIST = re.compile(r"\s*(?:,|;|->|\u2192|:|\.)\s*(?:and )?(?:then )?|\s+(?:and|but) ")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that an option claims.

    Args:
        text: Its words.
        is_denied: It says that this is not so.
    """

    text: str
    is_denied: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart.

    Args:
        text: The question in lower case.
        letters: Letters of the options, sorted.
        options: The options in lower case, in the order of the letters.
        clauses: What each option claims.
        steps: What each option says happens one after the other; one step where it tells no order.
        place: ``start``, ``end``, ``middle``, ``loudest``, ``back`` or nothing for the whole clip.
        is_reversed: It asks for what is not there.
    """

    text: str
    letters: tuple[str, ...]
    options: tuple[str, ...]
    clauses: tuple[tuple[Clause, ...], ...]
    steps: tuple[tuple[str, ...], ...]
    place: str
    is_reversed: bool


def take_apart(asked: Asked) -> Question:
    """Take a question apart.

    >>> from torus_eval.answering.questions import Asked
    >>> question = take_apart(Asked("What is heard?", {"A": "A bell, then rain", "B": "Rain without a bell"}))
    >>> question.steps
    (('a bell', 'rain'), ('rain without a bell',))
    >>> [clause.is_denied for clause in question.clauses[1]]
    [False, True]
    """
    text = normalise(asked.text)
    letters = tuple(sorted(asked.options))
    options = tuple(_YES_NO.sub("", normalise(asked.options[letter]).rstrip(".")) for letter in letters)
    ordered = bool(
        re.search(
            r"\b(?:order|sequence|happens?|follow\w*|unfold\w*|consist\w*|sections?|course|pass\w*|progress\w*)\b",
            text,
        )
    )
    return Question(
        text=text,
        letters=letters,
        options=options,
        clauses=tuple(tuple(split_claims(option)) for option in options),
        steps=tuple(split_steps(option, is_list=ordered) for option in options),
        place=find_place(text),
        is_reversed=bool(_ASKED_AWAY.search(text)),
    )


def find_place(text: str) -> str:
    """Find which part of the clip words are about.

    >>> find_place("what is heard at the very end?"), find_place("what is it?")
    ('end', '')
    """
    return next((name for name, pattern in _PLACES if pattern.search(text)), "")


def split_steps(option: str, *, is_list: bool = False) -> tuple[str, ...]:
    """Split an option into what happens one after the other.

    Args:
        option: In lower case.
        is_list: Commas tell order too, as the question asks for one.

    >>> split_steps("a bell after two knocks")
    ('two knocks', 'a bell')
    >>> split_steps("a creak before a slam"), split_steps("the man first, then the woman")
    (('a creak', 'a slam'), ('the man', 'the woman'))
    """
    if found := _FIRST.match(option):
        return (found["a"].strip(" ,"), found["b"].strip(" ,"))
    if found := _AFTER.match(option):
        return (*split_steps(found["b"]), *split_steps(found["a"]))
    if found := _BEFORE.match(option):
        steps = (*split_steps(found["a"], is_list=True), *split_steps(found["b"], is_list=True))
        return tuple(step for step in steps if step and not _NEGATED.search(step))
    if is_list:
        pieces = [piece.strip(" ,") for piece in _LIST.split(option)]
        steps = tuple(piece for piece in pieces if piece and not _NEGATED.search(piece))
        return steps or (option,)
    return (option,)


def split_claims(option: str) -> list[Clause]:
    """Split an option into the things it claims.

    >>> [(clause.text, clause.is_denied) for clause in split_claims("deep, with a low ring but no echo")]
    [('deep', False), ('with a low ring', False), ('no echo', True)]
    """
    plain = re.sub(r"\b(?:while|with(?!out)|as if|like|and|but|then|before|after)\b", r"|\g<0>", option)
    plain = re.sub(r"\bwithout\b", "|without", plain)
    pieces = [piece.strip(" ,;:.-") for piece in re.split(r"[|,;:]|\.\s", plain)]
    pieces = [re.sub(r"^(?:and|but|then|before|after)(?: |$)", "", piece) for piece in pieces]
    kept = [piece for piece in pieces if len(piece) > 2] or [option]  # noqa: PLR2004 -- not "a" or "on"
    return [Clause(piece, bool(_NEGATED.search(piece))) for piece in kept]
