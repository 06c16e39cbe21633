"""Numerals as English words, so that "3" and "three" count as the same word."""

from __future__ import annotations

import re

from torus_eval.words import SMALL_NUMBERS

_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNEVEN = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_MOST = 999_999_999_999
_SIZES = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred"))
_NUMERAL = re.compile(r"(?<![\w.])(\d[\d,]*)(?:(st|nd|rd|th)\b|\.(\d+))?(?!\w)")


def spell_numerals(text: str) -> str:
    """Write whole numbers below a million million, ordinals and decimals as words; others stay.

    A year reads as a plain number, for nothing tells that it is one.

    Args:
        text: Any text.

    Returns:
        The text with words for numerals.

    >>> spell_numerals("the 3rd of 21 dogs ran 1,250 m in 3.05 s")
    'the third of twenty one dogs ran one thousand two hundred fifty m in three point zero five s'
    """
    return _NUMERAL.sub(_spell_match, text)


def _spell_match(match: re.Match[str]) -> str:
    number = int(match[1].replace(",", ""))
    if number > _MOST:
        return match[0].replace(",", "")
    words = _spell(number)
    if match[2]:
        words[-1] = _order(words[-1])
    if match[3]:
        words += ["point", *(SMALL_NUMBERS[int(digit)] for digit in match[3])]
    # A comma that ends a numeral is no part of it.
    return " ".join(words) + ("," if match[1].endswith(",") else "")


def _spell(number: int) -> list[str]:
    if number < len(SMALL_NUMBERS):
        return [SMALL_NUMBERS[number]]
    for size, name in _SIZES:
        if number >= size:
            rest = number % size
            return [*_spell(number // size), name, *(_spell(rest) if rest else [])]
    tens, ones = divmod(number, 10)
    return [_TENS[tens], *([SMALL_NUMBERS[ones]] if ones else [])]


def _order(word: str) -> str:
    if word in _UNEVEN:
        return _UNEVEN[word]
    return f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th"
