"""Word errors: how far what was said lies from what should have been said.

Conventions:
    Errors are the fewest substitutions, deletions and insertions that turn the reference into what was heard.
    The rate of a corpus is the sum of errors over the sum of reference words, never a mean of rates; it can
    be above 1.

Metrics:
    Counts that add up, clips whose rate is above 1, and clips whose text loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.backbones.needs import need_library

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_LOOP_WORDS = 8
_LOOP_TIMES = 4


@dataclass(frozen=True, slots=True)
class WordErrors:
    """Word errors of one clip or of many; counts of clips add up.

    Args:
        substitutions: Words heard as another.
        deletions: Words not heard.
        insertions: Words heard that nobody should have said.
        words: Words of the reference.
        clips: How many clips.
        above_one: Clips with more errors than words.
        looping: Clips whose text repeats itself in a way the reference does not.
    """

    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    words: int = 0
    clips: int = 0
    above_one: int = 0
    looping: int = 0

    def __add__(self, other: WordErrors) -> WordErrors:
        return WordErrors(
            *(
                getattr(self, name) + getattr(other, name)
                for name in (
                    "substitutions",
                    "deletions",
                    "insertions",
                    "words",
                    "clips",
                    "above_one",
                    "looping",
                )
            )
        )

    @property
    def errors(self) -> int:
        """All errors."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float | None:
        """Errors per reference word, or nothing where there is no such word."""
        return self.errors / self.words if self.words else None


def count_errors(reference: str, heard: str) -> WordErrors:
    """Count the word errors of one clip.

    Args:
        reference: What should have been said, normalised.
        heard: What was heard, normalised.

    Returns:
        The counts.

    Raises:
        EvaluationError: jiwer is not installed.

    >>> count_errors("the cat sat on the mat", "the cat sit on mat").rate
    0.3333333333333333
    """
    found = need_library("jiwer", extra="models").process_words([reference], [heard])
    words = len(reference.split())
    errors = found.substitutions + found.deletions + found.insertions
    return WordErrors(
        substitutions=found.substitutions,
        deletions=found.deletions,
        insertions=found.insertions,
        words=words,
        clips=1,
        above_one=int(errors > words),
        looping=int(is_looping(heard.split(), reference.split())),
    )


def add_errors(counted: Iterable[WordErrors]) -> WordErrors:
    """Add the errors of many clips.

    >>> pairs = [("i am here", "i am"), ("two words", "two words extra")]
    >>> add_errors(count_errors(*pair) for pair in pairs).rate
    0.4
    """
    return sum(counted, WordErrors())


def is_looping(words: Sequence[str], reference: Sequence[str] = ()) -> bool:
    """Tell whether the same one to eight words stand at least four times in a row.

    Args:
        words: What was heard.
        reference: What should have been said; repeats that it holds too do not count.

    >>> is_looping("so thank you thank you thank you thank you".split()), is_looping("no no no".split())
    (True, False)
    """
    return any(
        (times := _count_repeats(words, length)) >= _LOOP_TIMES and times > _count_repeats(reference, length)
        for length in range(1, _LONGEST_LOOP_WORDS + 1)
    )


def _count_repeats(words: Sequence[str], length: int) -> int:
    """Give how often a group of so many words stands in a row, at most."""
    most = run = 0
    for place in range(length, len(words)):
        run = run + 1 if words[place] == words[place - length] else 0
        most = max(most, run)
    return most // length + 1 if len(words) >= length else 0
