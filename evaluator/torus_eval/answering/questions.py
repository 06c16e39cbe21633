"""A question with lettered options, shuffled for the asking and read back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the answering call carries it: with the clip, all that a system is given.

    Args:
        text: The question.
        options: Option texts by letter, in the order asked.
    """

    text: str
    options: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a raw response.

    Args:
        pick: The letter, or ``None``.
        reason: A code for how the letter was found, or why there is none. A strict reading knows ``exact``,
            ``empty``, ``out_of_range`` and ``none``; a lenient one knows more.
    """

    pick: str | None
    reason: str


def format_question(asked: Asked) -> str:
    """Write a question as the text that a language model is asked.

    >>> print(format_question(Asked("What barks?", {"A": "A dog", "B": "A tree"})))
    What barks?
    <BLANKLINE>
    A. A dog
    B. A tree
    <BLANKLINE>
    Reply with one letter, A to B, and nothing else.
    """
    letters = list(asked.options)
    lines = [f"{letter}. {text}" for letter, text in asked.options.items()]
    ending = f"Reply with one letter, {letters[0]} to {letters[-1]}, and nothing else."
    return "\n".join([asked.text, "", *lines, "", ending])


def shuffle_options(options: tuple[str, ...], letters: str, rng: np.random.Generator) -> dict[str, str]:
    """Draw the order in which options are asked.

    Args:
        options: Option texts in the order of the item file.
        letters: One letter an option, in order.
        rng: Source of the draw.

    Returns:
        For each letter asked, the letter in the item file.

    >>> import numpy as np
    >>> sorted(shuffle_options(("x", "y", "z"), "ABC", np.random.default_rng(1)).values())
    ['A', 'B', 'C']
    """
    asked = letters[: len(options)]
    return {letter: asked[index] for letter, index in zip(asked, rng.permutation(len(asked)), strict=True)}


def read_strictly(response: str, letters: str) -> Reading:
    """Read a response that, stripped, is exactly one upper-case option letter.

    >>> read_strictly(" B ", "ABCDEF").pick
    'B'
    >>> read_strictly("b", "ABCDEF"), read_strictly("G", "ABCDEF").reason
    (Reading(pick=None, reason='none'), 'out_of_range')
    """
    text = response.strip()
    if not text:
        return Reading(None, "empty")
    if len(text) == 1 and text in letters:
        return Reading(text, "exact")
    if len(text) == 1 and text.isascii() and text.isupper():
        return Reading(None, "out_of_range")
    return Reading(None, "none")
