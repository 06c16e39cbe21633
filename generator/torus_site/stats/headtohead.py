"""Who won against whom, from win counts or from votes.

Conventions:
    A tie is a win for neither side. What is not stated stays unknown: ties need both win counts and the
    number of comparisons, and an overall rate needs every cell of its row, for its denominator never shrinks.

Metrics:
    Wins, ties, losses and n for each ordered pair; overall win rate with its Wilson interval, which takes
    comparisons as independent of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from torus_site.stats.rates import Rate, wilson_interval

if TYPE_CHECKING:
    from torus_site.stats.agreement import OrientedVote
    from torus_site.stats.intervals import Interval

Counts = Mapping[str, Mapping[str, int | None]]


@dataclass(frozen=True, slots=True)
class PairCell:
    """One system against another, seen from the first.

    Args:
        row: The system whose wins are counted.
        column: The system it is compared with.
        wins: Wins of ``row``, ``None`` if not stated.
        losses: Wins of ``column``, ``None`` if not stated.
        n: Comparisons of the two, ``None`` if not stated.

    >>> PairCell("lark", "wren", 10, 9, 21).ties
    2
    """

    row: str
    column: str
    wins: int | None
    losses: int | None
    n: int | None

    @property
    def ties(self) -> int | None:
        """Comparisons that neither side won, ``None`` if they cannot be told."""
        if self.wins is None or self.losses is None or self.n is None:
            return None
        return self.n - self.wins - self.losses

    @property
    def rate(self) -> Rate | None:
        """Wins of ``row`` among the comparisons, ``None`` if a count is not stated."""
        return None if self.wins is None or self.n is None else Rate(self.wins, self.n)

    @property
    def reason(self) -> str | None:
        """Why there is no rate, or ``None`` when there is one."""
        if self.wins is None:
            return f"wins against {self.column} not stated"
        return f"comparisons with {self.column} not stated" if self.n is None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One system against all others.

    Args:
        system: The system.
        wins: Its wins, ``None`` if not all are stated; so too the next three.
        ties: Comparisons that neither side won.
        losses: Wins of the others.
        n: Its comparisons.
        rate: Wins / comparisons.
        interval: Wilson limits of the rate.
        reason: Why there is no rate or no interval.
    """

    system: str
    wins: int | None
    ties: int | None
    losses: int | None
    n: int | None
    rate: Rate | None
    interval: Interval | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Every system against every other.

    Args:
        systems: Their order in rows and columns.
        cells: One for each ordered pair, row by row, without the diagonal.
    """

    systems: tuple[str, ...]
    cells: tuple[PairCell, ...]

    def cell(self, row: str, column: str) -> PairCell:
        """Return the cell of two systems.

        Raises:
            KeyError: There is no such pair.
        """
        for cell in self.cells:
            if (cell.row, cell.column) == (row, column):
                return cell
        raise KeyError((row, column))

    def list_standings(self) -> tuple[Standing, ...]:
        """Return the standings of all systems, in their given order."""
        return tuple(_stand(system, [c for c in self.cells if c.row == system]) for system in self.systems)


def check_wins(wins: Counts, comparisons: int | Counts | None = None) -> tuple[str, ...]:
    """Find everything in a matrix of wins that cannot be.

    Args:
        wins: For each row system its wins against each column system; ``None`` or absent: not stated.
        comparisons: How often two systems were compared: one number for all pairs, or a symmetric matrix.

    Returns:
        What is wrong, one sentence each; empty when all is well.

    >>> check_wins({"lark": {"wren": 10}, "wren": {"lark": 12}}, 21)
    ('lark and wren: 10 + 12 wins in 21 comparisons',)
    """
    problems = _check_counts("wins", wins, wins)
    if isinstance(comparisons, Mapping):
        problems += _check_counts("comparisons", comparisons, wins)
    elif comparisons is not None and comparisons < 0:
        problems.append(f"comparisons: {comparisons} is below 0")
    # Sums of counts that are wrong in themselves would only repeat the news.
    if not problems:
        problems = [
            problem
            for first, second in combinations(wins, 2)
            for problem in _check_pair(first, second, wins, comparisons)
        ]
    return tuple(problems)


def tally_wins(wins: Counts, comparisons: int | Counts | None = None) -> HeadToHead:
    """Build the matrix of all pairs from win counts.

    Args:
        wins: For each row system its wins against each column system; ``None`` or absent: not stated. Each
            system has a row, and rows give the order.
        comparisons: How often two systems were compared: one number for all pairs, or a symmetric matrix.

    Raises:
        ValueError: :func:`check_wins` finds something.

    >>> table = tally_wins({"lark": {"wren": 10}, "wren": {"lark": 9}}, 21)
    >>> table.cell("wren", "lark").ties, table.list_standings()[0].rate
    (2, Rate(hits=10, n=21))
    """
    problems = check_wins(wins, comparisons)
    if problems:
        raise ValueError("; ".join(problems))
    cells = []
    for row, column in permutations(wins, 2):
        stated = [n for n in _list_comparisons(comparisons, row, column) if n is not None]
        n = stated[0] if stated else None
        cells.append(PairCell(row, column, wins[row].get(column), wins[column].get(row), n))
    return HeadToHead(tuple(wins), tuple(cells))


def tally_votes(votes: Iterable[OrientedVote], *, systems: Iterable[str] | None = None) -> HeadToHead:
    """Build the matrix of all pairs from single votes.

    Args:
        votes: Votes as :func:`torus_site.stats.orient_vote` gives them.
        systems: All systems in their order; by default those voted on, sorted.

    Raises:
        ValueError: A vote names a system that is not listed.
    """
    counted = Counter(votes)
    seen = {name for vote in counted for name in (vote.first, vote.second)}
    order = tuple(sorted(seen) if systems is None else dict.fromkeys(systems))
    unknown = sorted(seen.difference(order))
    if unknown:
        message = f"votes name systems that are not listed: {', '.join(unknown)}"
        raise ValueError(message)
    wins: Counter[tuple[str, str]] = Counter()
    compared: Counter[frozenset[str]] = Counter()
    for vote, count in counted.items():
        compared[frozenset((vote.first, vote.second))] += count
        if vote.choice == "first":
            wins[vote.first, vote.second] += count
        elif vote.choice == "second":
            wins[vote.second, vote.first] += count
    cells = tuple(
        PairCell(row, column, wins[row, column], wins[column, row], compared[frozenset((row, column))])
        for row, column in permutations(order, 2)
    )
    return HeadToHead(order, cells)


def _check_counts(what: str, matrix: Counts, systems: Iterable[str]) -> list[str]:
    problems = []
    for row, counts in matrix.items():
        for column, count in counts.items():
            place = f"{what} of {row} against {column}"
            if not {row, column}.issubset(systems):
                problems.append(f"{place}: not both are rows of wins")
            elif row == column and count is not None:
                problems.append(f"{place}: a system is not compared with itself")
            elif count is not None and count < 0:
                problems.append(f"{place}: {count} is below 0")
    return problems


def _check_pair(first: str, second: str, wins: Counts, comparisons: int | Counts | None) -> list[str]:
    stated = set(_list_comparisons(comparisons, first, second)) - {None}
    if len(stated) > 1:
        return [f"comparisons of {first} and {second}: the two directions differ"]
    won = [count for count in (wins[first].get(second), wins[second].get(first)) if count is not None]
    return [
        f"{first} and {second}: {' + '.join(map(str, won))} wins in {n} comparisons"
        for n in stated
        if n is not None and sum(won) > n
    ]


def _list_comparisons(comparisons: int | Counts | None, first: str, second: str) -> list[int | None]:
    """Return what is stated for a pair, in both directions."""
    if not isinstance(comparisons, Mapping):
        return [comparisons]
    return [comparisons.get(a, {}).get(b) for a, b in ((first, second), (second, first))]


def _add_up(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _stand(system: str, cells: list[PairCell]) -> Standing:
    wins, n = _add_up([cell.wins for cell in cells]), _add_up([cell.n for cell in cells])
    rate = None if wins is None or n is None else Rate(wins, n)
    reasons = [cell.reason for cell in cells if cell.reason]
    return Standing(
        system=system,
        wins=wins,
        ties=_add_up([cell.ties for cell in cells]),
        losses=_add_up([cell.losses for cell in cells]),
        n=n,
        rate=rate,
        interval=None if rate is None else wilson_interval(rate),
        reason="; ".join(reasons) if rate is None else rate.reason,
    )
