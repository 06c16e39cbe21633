"""Finds the letters of options in a response and weighs what is said of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.answering.cues import WINDOW_CHARS, Weight, is_denied, names_option, weigh_after, weigh_before
from torus_eval.answering.texts import blank_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_eval.answering.texts import Stated

_SPELLED = "0-9A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff'"
_LETTER = re.compile(
    rf"(?<![{_SPELLED}])(?<![^A-Za-z][A-Za-z]\.)(?<!&)[A-Za-z](?![{_SPELLED}\u266d\u266f#+&]"
    rf"|\.[A-Za-z](?![A-Za-z]))"
)
_CLOSES = re.compile(
    r"\A(?:\Z|[)\]>|.,;:!?\n=/\u2026]|\s{0,2}[.,;:!?)]|\s{0,3}\n|\s{1,3}[-\u2013\u2014=\[(]"
    r"|[-\u2013\u2014](?![A-Za-z])|\s{0,3}\Z"
    r"|\s{1,3}(?:because|since|as|for|due|given|which|where|with|and|but|or|if|though|although|is|was"
    r"|would|rather"
    r"|instead|over|than|here|based|after|from|on|considering|i|not|und|oder|ou|et)\b|\s{0,2}[\u2e80-\uffef])",
    re.IGNORECASE,
)
_STOPS = re.compile(r"\A\s{0,3}(?:\Z|[)\].;:!?\n\u2e80-\uffef])")
_SEPARATES = re.compile(
    r"\A(?:[)\]]?[.:;,]|[)\]]|[-=\u2013\u2014]{1,2}(?![A-Za-z])|\s{1,3}[-=\u2013\u2014]{1,2}\s|[?!]"
    r"|\s{0,3}\n|\s{0,3}\Z"
    r"|\s{1,3}(?:because|since|as|due|for|with|rather|instead|over|but)\b|(?:\u3067\u3059|\u3060|\u3067\u3057\u3087|\uc785\ub2c8|\uc774\ub2e4))",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\A\s{0,2}[)\].:]")
_WORD_NEXT = re.compile(r"\A\s{1,3}[A-Za-z]")
_LISTED = re.compile(
    r"\A[)\]'.]{0,2}(?:\s{0,3}(?:,|/|&|\+|;)\s{0,3}(?:or|and)?|\s{1,3}(?:or|and|und|oder|ou|et|y|o)\b"
    r"|\s{0,2}[\u6216\u548c\u53ca\u3068])\s{0,3}"
    r"(?:(?:maybe|perhaps|possibly|option"
    r"|even)\s{1,2}){0,2}[(\[]?(?P<other>[A-Za-z])(?P<after>(?![\w']).{0,60})",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN = re.compile(
    r"\b(?:between|whether (?:it is|it's|to (?:pick|choose|say)))\s{0,2}[(\[]?\Z", re.IGNORECASE
)
_OR_TEXT = re.compile(r"\A[)\]]?,?\s{1,2}or\s{1,2}(?:it is |it's |maybe )?", re.IGNORECASE)
# Words that give a letter another meaning: plan B, vitamin C.
_NAMED = re.compile(
    r"\b(?:plan|vitamin|hepatitis|type|section|side|part|grade|class|team|group|point|note|chord|string|exhibit"
    r"|figure|appendix|key of)\s{1,2}\Z",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"\A[)\]]?\s{1,3}(?!and\b|or\b|but\b|because\b|since\b|as\b|are\b|both\b)[A-Za-z]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something in a response that speaks for an option, or for several.

    Args:
        letter: The option, or the letter that no option has; ``None`` for a list of several.
        weight: How far it is an answer.
        reason: ``letter``, ``cue`` or ``text_match``; or ``out_of_range``, ``ambiguous`` or ``article``.
        start: Where its letter or text begins.
        end: Where it ends.
    """

    letter: str | None
    weight: Weight
    reason: str
    start: int
    end: int


def find_mentions(text: str, letters: str, stated: list[Stated]) -> list[Event]:
    """Find the letters that speak for an option, and those that turn out to be words.

    Args:
        text: A cleaned response.
        letters: The letters of the options.
        stated: The option texts in it; a letter inside one of them is a part of it.
    """
    blank = blank_texts(text, stated)
    taken = {index for each in stated if not each.common for index in range(each.start, each.end)}
    starts = {each.start: each for each in stated}
    found: list[Event] = []
    listed = 0
    for match in _LETTER.finditer(text):
        if match.start() not in taken and match.start() >= listed:
            mention = _Mention(text, blank, match.start(), letters, starts)
            found += mention.judge(is_first=not text[: match.start()].strip(" \n([<-'\u2022"))
            listed = mention.several
    return found


class _Mention:
    """A letter that stands alone, with what is around it."""

    def __init__(self, text: str, blank: str, place: int, letters: str, starts: dict[int, Stated]) -> None:
        self.raw = text[place]
        self.letter = self.raw.upper()
        self.capital = self.raw.isupper()
        self.place = place
        self.known = self.letter in letters
        self.letters = letters
        self.before = text[max(0, place - WINDOW_CHARS) : place]
        self.before_blank = blank[max(0, place - WINDOW_CHARS) : place]
        self.after = text[place + 1 : place + 1 + WINDOW_CHARS]
        gap = re.match(r"[)\].:,;\s=\u2013\u2014-]{0,6}", self.after)
        following = starts.get(place + 1 + (gap.end() if gap else 0))
        self.own_text = following is not None and following.letter == self.letter
        self.after_text = text[following.end :][:WINDOW_CHARS] if following and self.own_text else self.after
        self.any_text = following is not None and bool(gap and gap.group().strip())
        self.enclosed = bool(re.search(r"[(\[]\s?\Z", self.before)) and bool(
            re.match(r"\s?[)\]]", self.after)
        )
        line_before = self.before.rpartition("\n")[2] if "\n" in self.before or place < WINDOW_CHARS else "x"
        line_after = self.after.partition("\n")[0]
        self.alone = not re.search(r"[^\W_]", line_before + line_after) and len(line_after) < WINDOW_CHARS
        self.several = self._list_others() or self._list_texts(starts)
        self.last = not text[place + 1 :].strip(" \n)].!,;:>'")

    def judge(self, *, is_first: bool) -> Iterator[Event]:
        """Give what this letter says, if it says anything."""
        if _NAMED.search(self.before):
            return
        if is_denied(self.before_blank, self.after_text) and not (
            self.several and _BETWEEN.search(self.before)
        ):
            return
        if self.several:
            weight = max(weigh_before(self.before), Weight.WEAK)
            yield Event(None, weight, "ambiguous", self.place, self.several)
            return
        weight, reason = self._weigh(is_first=is_first)
        if weight is Weight.NONE:
            if self.known and self._is_word():
                yield Event(self.letter, Weight.NONE, "article", self.place, self.place + 1)
            return
        yield Event(self.letter, weight, reason if self.known else "out_of_range", self.place, self.place + 1)

    def _weigh(self, *, is_first: bool) -> tuple[Weight, str]:
        weights = [(Weight.NONE, "letter")]
        if self._is_said():
            weights.append((weigh_before(self.before, capital=self.capital or self.enclosed), "cue"))
        if self.raw != "i" and (self.letter != "I" or self.known):
            weights.append((weigh_after(self.after), "cue"))
        if is_first and self._leads():
            weights.append((Weight.FAIR, "letter"))
        if self.own_text and self.any_text:
            weights.append((Weight.FAIR, "letter"))
        if self.alone and self.known:
            weights.append((Weight.STRONG if self.last else Weight.FAIR, "letter"))
        if self.enclosed and self.known:
            weights.append((Weight.WEAK, "letter"))
        if (
            self.capital
            and self.known
            and self.last
            and re.search(r"[,;:.!?\u2013\u2014-]\s{0,2}\Z", self.before)
        ):
            weights.append((Weight.WEAK, "letter"))
        return max(weights, key=lambda each: each[0])

    def _is_said(self) -> bool:
        """Tell whether a cue may mean this letter: it closes a phrase or its own text follows."""
        if self.enclosed or self.own_text:
            return True
        if self.letter == "I" or not self.capital:
            return bool(_STOPS.match(self.after)) or (
                self.letter not in "AI" and (bool(_CLOSES.match(self.after)) or names_option(self.before))
            )
        return names_option(self.before) or bool(_CLOSES.match(self.after))

    def _is_word(self) -> bool:
        """Tell whether this is an article or a pronoun where an answer could stand."""
        if self.letter not in "AI" or not _WORD_NEXT.match(self.after):
            return False
        return self.capital or weigh_before(self.before) > Weight.WEAK

    def _leads(self) -> bool:
        if self.own_text and self.any_text:
            return True
        if not self.known and not _BRACKETS.match(self.after):
            return False
        if not self.capital:
            return bool(_BRACKETS.match(self.after))
        if self.letter == "I" and self.after.startswith(","):
            return False
        return bool(_SEPARATES.match(self.after)) or (self.letter not in "AI" and self.after.startswith(" ("))

    def _list_texts(self, starts: dict[int, Stated]) -> int:
        """Return where the text of another option ends that is named beside this letter, or 0."""
        match = _OR_TEXT.match(self.after)
        other = starts.get(self.place + 1 + match.end()) if match and self.known else None
        return other.end if other and other.letter != self.letter else 0

    def _list_others(self) -> int:
        """Return where a list of different letters ends that begins here, or 0."""
        match = _LISTED.match(self.after)
        if not match or match["other"].isupper() != self.capital or not self.known:
            return 0
        other = match["other"].upper()
        same = other == self.letter or other not in self.letters
        if same or _EXPLAINED.match(match["after"]) or is_denied("", match["after"]):
            return 0
        return self.place + 1 + match.end("other")
