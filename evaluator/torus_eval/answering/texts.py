"""Finds the texts of options in a response."""

from __future__ import annotations

import re
from dataclasses import dataclass

from torus_eval.answering.cleaning import plain_characters, plain_markup

_TOKEN = re.compile(r"[^\W_]+")
_ARTICLE = re.compile(r"[\W_]*(?:an?|the)\s+(?=[^\W_])", re.IGNORECASE)
# Words that mean an option only where they are the whole answer.
_COMMON = re.compile(
    r"yes|no|none|both|neither|either|all|any|one|two|three|four|five|six|seven|eight|nine|ten|once|twice|true"
    r"|false|first|second|third|last|left|right|high|low|loud|soft|up|down|it|same|other|and|or|not|\d+|."
)
_GAP = r"[\W_]{1,6}"
_CJK = 0x2E80


@dataclass(frozen=True, slots=True)
class Stated:
    """An option text in a response.

    Args:
        letter: The option.
        start: Where it begins.
        end: Where it ends.
        common: It is one everyday word, which says nothing inside a sentence.
    """

    letter: str
    start: int
    end: int
    common: bool = False


def find_texts(text: str, options: dict[str, str]) -> list[Stated]:
    """Find every option text, in order, those inside a longer one of another option left out.

    Case, punctuation and an article before the first word do not matter; words and their order do.

    >>> [found.letter for found in find_texts("Rain falling!", {"A": "rain", "B": "the rain falling"})]
    ['B']
    """
    found = []
    for letter, option in options.items():
        pattern, common = _write_pattern(option)
        if pattern is not None:
            found += [Stated(letter, match.start(), match.end(), common) for match in pattern.finditer(text)]
    found.sort(key=lambda each: (each.start, -each.end))
    kept: list[Stated] = []
    for each in found:
        # What begins no earlier and ends no later lies inside; equal texts stay, to be told ambiguous.
        outer = kept[-1] if kept else None
        if outer and each.end <= outer.end and (each.start, each.end) != (outer.start, outer.end):
            continue
        kept.append(each)
    return kept


def spell(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, without an article before the first.

    >>> spell("A dog, barking.")
    ('dog', 'barking')
    """
    article = _ARTICLE.match(text)
    return tuple(_TOKEN.findall(text[article.end() if article else 0 :].lower()))


def blank_texts(text: str, stated: list[Stated]) -> str:
    """Write spaces over the option texts in a response, so that their own words say nothing about them."""
    parts, position = [], 0
    for each in stated:
        start = max(position, each.start)
        parts += [text[position:start], " " * (each.end - start)]
        position = max(position, each.end)
    return "".join([*parts, text[position:]])


def _write_pattern(option: str) -> tuple[re.Pattern[str] | None, bool]:
    plain = plain_markup(plain_characters(option))
    words = _TOKEN.findall(plain.lower())
    core = spell(plain)
    if not core:
        return None, False
    lead = ""
    if len(core) < len(words):
        lead = rf"(?:(?<![^\W_]){re.escape(words[0])}\s{{1,3}})?"
    first = r"(?<![^\W_])" if ord(core[0][0]) < _CJK else ""
    last = r"(?![^\W_])" if ord(core[-1][-1]) < _CJK else ""
    body = _GAP.join(re.escape(word) for word in core)
    common = len(core) == 1 and _COMMON.fullmatch(core[0]) is not None
    return re.compile(f"{lead}{first}{body}{last}", re.IGNORECASE), common
