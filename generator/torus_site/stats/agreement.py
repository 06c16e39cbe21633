"""How far raters agree, beyond what chance would give.

Conventions:
    One row per item, one value per rater, ``None`` where a rater gave none; who rated does not matter. Sums
    are exact fractions, divided last, so neither order nor names change a result. What is undefined, such as
    kappa when every vote is the same, is ``None`` with a reason, never 0 or 1.

Metrics:
    Raw pairwise agreement, Fleiss' kappa (1971), Krippendorff's alpha (nominal and interval).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

Choice = Literal["left", "tie", "right"]
OrientedChoice = Literal["first", "tie", "second"]
Level = Literal["nominal", "interval"]

_FLIPPED: dict[bool, dict[Choice, OrientedChoice]] = {
    False: {"left": "first", "tie": "tie", "right": "second"},
    True: {"left": "second", "tie": "tie", "right": "first"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A measure of agreement and what it rests on.

    Args:
        value: The measure, at most 1, or ``None`` when it is undefined.
        method: Its name.
        items: Items it rests on.
        n: Ratings it rests on.
        reason: Why there is no value.
    """

    value: float | None
    method: str
    items: int
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class OrientedVote:
    """A vote between two systems whose names stand in code-point order.

    Args:
        first: The system whose name comes first.
        second: The other one.
        choice: Which of them was preferred, or ``tie``.
    """

    first: str
    second: str
    choice: OrientedChoice


def orient_vote(left: str, right: str, choice: Choice) -> OrientedVote:
    """Turn a vote between a left and a right system so that each pair has one orientation.

    Sides are shuffled when votes are taken. Kappa and alpha compare categories across items, so "left" must
    mean the same system wherever a pair comes up.

    Raises:
        ValueError: A system is compared with itself, or the choice is not left, tie or right.

    >>> orient_vote("wren", "lark", "left")
    OrientedVote(first='lark', second='wren', choice='second')
    """
    if left == right:
        message = f"{left!r} is compared with itself"
        raise ValueError(message)
    meaning = _FLIPPED[right < left]
    if choice not in meaning:
        message = f"a choice is left, tie or right, not {choice!r}"
        raise ValueError(message)
    first, second = sorted((left, right))
    return OrientedVote(first, second, meaning[choice])


def count_categories(rows: Iterable[Iterable[Hashable | None]]) -> list[list[int]]:
    """Count how often each category was given to each item.

    Args:
        rows: One row per item, one category per rater, ``None`` where there is none.

    Returns:
        One row per item and one column per category, in order of first use.

    >>> count_categories([["L", "L", "T"], ["R", "T", None]])
    [[2, 1, 0], [0, 1, 1]]
    """
    counted = [Counter(value for value in row if value is not None) for row in rows]
    categories = dict.fromkeys(value for row in counted for value in row)
    return [[row[category] for category in categories] for row in counted]


def compute_raw_agreement(rows: Iterable[Iterable[Hashable | None]]) -> Agreement:
    """Give the share of equal pairs among all pairs of ratings of one item.

    Args:
        rows: One row per item, one category per rater, ``None`` where there is none.

    Returns:
        A share in [0, 1]; undefined when no item was rated twice.

    >>> compute_raw_agreement(["LLT", "LLL", "RTT", "RLR"]).value
    0.5
    """
    method = "raw pairwise agreement"
    table = [row for row in count_categories(rows) if sum(row) > 1]
    pairs = sum(math.comb(sum(row), 2) for row in table)
    n = sum(map(sum, table))
    if not pairs:
        return Agreement(value=None, method=method, items=0, n=0, reason="no item was rated twice")
    equal = sum(math.comb(count, 2) for row in table for count in row)
    return Agreement(value=equal / pairs, method=method, items=len(table), n=n)


def fleiss_kappa(table: Sequence[Sequence[int]]) -> Agreement:
    """Compute Fleiss' kappa: agreement beyond chance among a fixed number of raters.

    Source: J. L. Fleiss (1971), *Measuring nominal scale agreement among many raters*.

    Args:
        table: One row per item, one column per category: how many raters chose it.

    Returns:
        Kappa; undefined without items, when items have unequal numbers of ratings or fewer than two, or when
        all ratings fall into one category, where chance alone already gives full agreement.

    Raises:
        ValueError: A count is negative or the rows differ in length.

    >>> round(fleiss_kappa(count_categories(["LLT", "LLL", "RTT", "RLR"])).value, 4)
    0.2
    """
    if len({len(row) for row in table}) > 1 or any(count < 0 for row in table for count in row):
        message = "a table of counts needs equally long rows and no count below 0"
        raise ValueError(message)
    sizes = {sum(row) for row in table}
    items, n = len(table), sum(map(sum, table))
    shares = [Fraction(sum(column), n) for column in zip(*table, strict=True)] if n else []
    chance = sum(share * share for share in shares)
    reason = None
    if not table:
        reason = "no item was rated"
    elif len(sizes) > 1:
        reason = "items have different numbers of ratings"
    elif max(sizes) <= 1:
        reason = "no item was rated twice"
    elif chance == 1:
        reason = "every rating is in one category"
    if reason is not None:
        return Agreement(value=None, method="Fleiss' kappa", items=items, n=n, reason=reason)
    pairs = items * math.comb(max(sizes), 2)
    observed = Fraction(sum(math.comb(count, 2) for row in table for count in row), pairs)
    value = float((observed - chance) / (1 - chance))
    return Agreement(value=value, method="Fleiss' kappa", items=items, n=n)


def krippendorff_alpha(rows: Iterable[Iterable[Hashable | None]], *, level: Level = "nominal") -> Agreement:
    """Compute Krippendorff's alpha: 1 - observed / expected disagreement, gaps allowed.

    Source: K. Krippendorff (2004), *Content Analysis*, chapter 11. Ratings of an item that has only one are
    left out.

    Args:
        rows: One row per item, one value per rater, ``None`` where there is none.
        level: ``nominal`` counts unequal pairs, ``interval`` squares differences of finite numbers.

    Returns:
        Alpha; undefined when no item was rated twice or every rating is equal.

    Raises:
        ValueError: An unknown level, or a value that is not a finite number at level ``interval``.

    >>> first, second = "0100000010", "1110010000"
    >>> round(krippendorff_alpha(zip(first, second)).value, 4)
    0.0952
    """
    if level not in _DISAGREEMENTS:
        message = f"level is one of {', '.join(_DISAGREEMENTS)}, not {level!r}"
        raise ValueError(message)
    measure = _DISAGREEMENTS[level]
    method = f"Krippendorff's alpha, {level}"
    units = [[value for value in row if value is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    ratings = [value for unit in units for value in unit]
    n = len(ratings)
    if not n:
        return Agreement(value=None, method=method, items=0, n=0, reason="no item was rated twice")
    expected = measure(ratings) / (n - 1)
    if not expected:
        return Agreement(value=None, method=method, items=len(units), n=n, reason="every rating is equal")
    observed = sum(measure(unit) / (len(unit) - 1) for unit in units)
    return Agreement(value=float(1 - observed / expected), method=method, items=len(units), n=n)


def _count_unequal(values: Sequence[Hashable]) -> Fraction:
    """Count ordered pairs of unequal values."""
    return Fraction(len(values) ** 2 - sum(count**2 for count in Counter(values).values()))


def _square_differences(values: Sequence[Hashable]) -> Fraction:
    """Sum squared differences over ordered pairs of values."""
    numbers = [_as_number(value) for value in values]
    squares = sum((number * number for number in numbers), Fraction())
    return 2 * (len(numbers) * squares - sum(numbers, Fraction()) ** 2)


def _as_number(value: Hashable) -> Fraction:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        message = f"an interval rating is a finite number, not {value!r}"
        raise ValueError(message)
    return Fraction(value)


_DISAGREEMENTS: dict[str, Callable[[Sequence[Hashable]], Fraction]] = {
    "nominal": _count_unequal,
    "interval": _square_differences,
}
