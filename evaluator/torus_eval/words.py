"""Numbers, durations, rates and clauses in English text, read alike in prompts, edits and options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

SMALL_NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
"""The words for 0 to 19."""
_NUMBERS = {
    "no": 0,
    "a": 1,
    "an": 1,
    "one": 1,
    "once": 1,
    "single": 1,
    "two": 2,
    "twice": 2,
    "both": 2,
    "pair": 2,
    "couple": 2,
    "three": 3,
    "thrice": 3,
    "few": 3,
    "four": 4,
    "several": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
}
_NUMBER = r"\b(?:\d+(?:\.\d+)?|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")"
_DURATION = re.compile(
    rf"(?P<bound>well over|more than|over|at least|less than|under|nearly|almost|about|around)?\s*"
    rf"(?:(?P<half>half an?|half of a)|(?P<quarter>a quarter of a)|(?P<number>{_NUMBER}))"
    rf"(?P<mid>\s+and\s+a\s+half)?[\s-]+(?P<unit>seconds?|minutes?)\b(?P<more>\s+and\s+a\s+half)?"
)
_RATE = re.compile(
    rf"(?P<number>{_NUMBER})\s+(?P<what>[a-z]+)?\s*(?:a|per|every|each)\s+(?P<unit>second|minute)\b"
    rf"|(?P<bpm>\d+)\s*(?:bpm|beats per minute)|(?P<hz>\d+(?:\.\d+)?)\s*(?:hz|hertz)\s+beat"
)
_TIMES = re.compile(
    rf"\b(?P<number>{_NUMBER})\s+times\s+(?:as\s+)?(?P<word>[a-z]+)|\b(?P<twice>twice|double|half)\s+(?:as\s+)?(?P<word2>[a-z]+)"
)
_BOUNDS = {
    "well over": 1.25,
    "more than": 1.15,
    "over": 1.15,
    "at least": 1.0,
    "less than": 0.85,
    "under": 0.85,
    "nearly": 0.95,
    "almost": 0.95,
}
_LINKS = re.compile(
    r"(?P<stop>[.;:!?]|,|\u2192)"
    r"|\b(?P<then>and then|only then|then|followed by|before|afterwards|finally|next)\b"
)
_QUOTE = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Found:
    """A number read from text.

    Args:
        value: Seconds, Hz or a factor.
        start: Where its words begin, in characters.
        end: Where they end.
        word: The word it belongs to, where there is one.
    """

    value: float
    start: int
    end: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of text between two separators.

    Args:
        text: The words, in lower case.
        start: Where it begins in the whole text.
        sentence: Which sentence it is in, from 0.
        opened_by: The separator before it: punctuation, a word such as ``then``, or nothing.
        closed_by: The separator after it.
    """

    text: str
    start: int
    sentence: int
    opened_by: str
    closed_by: str


def normalise(text: str) -> str:
    """Put text into lower case with plain quotes, plain dashes and single spaces.

    >>> normalise("A  \u201cwide\u201d hall \u2014 empty")
    'a "wide" hall - empty'
    """
    table = str.maketrans(
        {"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'", "\u2014": "-", "\u2013": "-"}
    )
    return re.sub(r"\s+", " ", text.translate(table)).strip().lower()


def lift_quotes(text: str) -> tuple[str, tuple[str, ...]]:
    """Take quoted speech out of text and leave a mark of the same position.

    >>> lift_quotes('He says: "Go on." Then wind.')
    ('He says: @0@. Then wind.', ('Go on.',))
    """
    plain = text.replace("\u201c", '"').replace("\u201d", '"').replace("@", " ")
    quotes = tuple(match.group(1).strip() for match in _QUOTE.finditer(plain))
    counter = iter(range(len(quotes)))

    def mark(match: re.Match[str]) -> str:
        stop = "." if match.group(1).rstrip()[-1:] in ".?!" else ""
        return f"@{next(counter)}@{stop}"

    return _QUOTE.sub(mark, plain), quotes


def split_clauses(text: str) -> tuple[Clause, ...]:
    """Cut normalised text at punctuation and at words of order.

    >>> [(clause.text, clause.sentence) for clause in split_clauses("two knocks, then a thud. rain.")]
    [('two knocks', 0), ('a thud', 0), ('rain', 1)]
    """
    found: list[Clause] = []
    start, opened, sentence = 0, "", 0
    protected = [match.span() for match in re.finditer(r"\d\.\d", text)]
    cuts = [match for match in _LINKS.finditer(text) if not any(a < match.start() < b for a, b in protected)]
    for match in [*cuts, None]:
        end = match.start() if match else len(text)
        separator = match.group(0).strip() if match else ""
        piece = text[start:end]
        if piece.strip(" -"):
            lead = len(piece) - len(piece.lstrip())
            found.append(Clause(piece.strip(), start + lead, sentence, opened, separator))
            opened = separator
        elif separator and separator not in ".;!?":
            # Two separators in a row: the word of order says more than the comma.
            opened = separator if separator != "," else opened
        if separator and separator in ".;!?":
            sentence += 1
            opened = separator
        start = match.end() if match else len(text)
    return tuple(found)


def read_number(word: str) -> float | None:
    """Read a numeral or a number word.

    >>> read_number("three"), read_number("2.5"), read_number("tree")
    (3.0, 2.5, None)
    """
    if word in _NUMBERS:
        return float(_NUMBERS[word])
    return float(word) if re.fullmatch(r"\d+(?:\.\d+)?", word) else None


def find_durations_s(text: str) -> tuple[Found, ...]:
    """Find every stated duration in normalised text, in seconds.

    >>> [found.value for found in find_durations_s("about a second and a half, then less than half a second")]
    [1.5, 0.425]
    """
    found = []
    for match in _DURATION.finditer(text):
        if match["half"]:
            value = 0.5
        elif match["quarter"]:
            value = 0.25
        else:
            value = read_number(match["number"]) or 0.0
        if match["mid"] or match["more"]:
            value += 0.5
        value *= _BOUNDS.get(match["bound"] or "", 1.0)
        value *= 60.0 if match["unit"].startswith("minute") else 1.0
        if value > 0 and not _is_rate(text, match):
            found.append(Found(value, match.start(), match.end()))
    return tuple(found)


def _is_rate(text: str, match: re.Match[str]) -> bool:
    """Tell "four notes a second" from "for a second"."""
    return any(rate.start() < match.end() and match.start() < rate.end() for rate in _RATE.finditer(text))


def find_rates_hz(text: str) -> tuple[Found, ...]:
    """Find every stated rate in normalised text, in Hz.

    >>> [(found.value, found.word) for found in find_rates_hz("four notes a second, 120 bpm")]
    [(4.0, 'notes'), (2.0, 'bpm')]
    """
    found = []
    for match in _RATE.finditer(text):
        if match["bpm"]:
            found.append(Found(float(match["bpm"]) / 60.0, match.start(), match.end(), "bpm"))
        elif match["hz"]:
            found.append(Found(float(match["hz"]), match.start(), match.end(), "hz"))
        elif match["what"] or match["number"] in {"once", "twice", "thrice"}:
            value = read_number(match["number"]) or 0.0
            value /= 60.0 if match["unit"] == "minute" else 1.0
            found.append(Found(value, match.start(), match.end(), match["what"] or "times"))
    return tuple(found)


def find_factors(text: str) -> tuple[Found, ...]:
    """Find every stated factor with the word it applies to, in normalised text.

    >>> [(found.value, found.word) for found in find_factors("three times faster, half speed, twice as loud")]
    [(3.0, 'faster'), (0.5, 'speed'), (2.0, 'loud')]
    """
    found = []
    for match in _TIMES.finditer(text):
        word = match["word"] or match["word2"]
        if word in {"a", "an", "per", "second", "the"}:
            continue
        value = {"twice": 2.0, "double": 2.0, "half": 0.5}.get(match["twice"] or "", 0.0)
        value = value or read_number(match["number"] or "") or 0.0
        found.append(Found(value, match.start(), match.end(), word))
    return tuple(found)


@lru_cache(maxsize=4096)
def compile_phrase(phrase: str) -> re.Pattern[str]:
    """Compile a phrase so that each of its words matches with common endings.

    >>> bool(compile_phrase("jangle").search("cutlery jangling"))
    True
    >>> bool(compile_phrase("hum").search("human"))
    False
    """
    parts = []
    for word in phrase.split():
        if word.endswith("e") and len(word) > 3:  # noqa: PLR2004 -- "the" is not a stem
            parts.append(re.escape(word[:-1]) + r"(?:e|es|ed|er|ers|ing|ings)")
        elif word.endswith("y") and len(word) > 3:  # noqa: PLR2004 -- "say" keeps its y
            parts.append(re.escape(word[:-1]) + r"(?:y|ys|ies|ied|ying|ily)")
        else:
            parts.append(re.escape(word) + rf"(?:{re.escape(word[-1])}?(?:ed|er|ers|ing|ings|y)|s|es|ly)?")
    return re.compile(r"(?<![a-z])" + r"[\s-]+".join(parts) + r"(?![a-z])")
