"""Places in an order, with ties where the data cannot tell systems apart.

Conventions:
    Systems are ordered by estimate, then by name. A system's places run from that of the best to that of the
    worst system it cannot be told from. So two systems that cannot be told apart always share a place, even
    where "cannot be told apart" links a chain whose ends can be. Limits that touch count as overlapping.

Metrics:
    Places by intervals (careful: intervals may overlap though the paired difference is clear) and by
    intervals of paired differences (sharper; nothing corrects for the number of pairs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torus_site.stats.intervals import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Where a system stands among the others.

    Args:
        name: The system.
        estimate: What it was ordered by, ``None`` if there is none.
        best: Its best place, from 1, ``None`` if it has none.
        worst: Its worst place.
        tied_with: Systems it cannot be told from, best first.
        reason: Why it has no place.
    """

    name: str
    estimate: float | None
    best: int | None = None
    worst: int | None = None
    tied_with: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def label(self) -> str:
        """The place or range of places as text, empty without one."""
        if self.best is None:
            return ""
        return f"{self.best}" if self.best == self.worst else f"{self.best}\N{EN DASH}{self.worst}"


def rank_by_intervals(
    intervals: Mapping[str, Interval | None], *, higher_is_better: bool = True
) -> tuple[Rank, ...]:
    """Rank systems of which only intervals are known; overlapping ones are tied.

    Args:
        intervals: The interval of each system, ``None`` where there is none.
        higher_is_better: Whether a high estimate is a good one.

    Returns:
        The ranks, best first; systems without an interval come last and have no place.
    """
    known = {name: interval for name, interval in intervals.items() if interval is not None}

    def overlap(first: str, second: str) -> bool:
        return known[first].overlaps(known[second])

    estimates = {
        name: None if interval is None else interval.estimate for name, interval in intervals.items()
    }
    return _give_places(estimates, overlap, higher_is_better=higher_is_better)


def rank_by_differences(
    estimates: Mapping[str, float | None],
    differences: Mapping[tuple[str, str], Interval],
    *,
    higher_is_better: bool = True,
) -> tuple[Rank, ...]:
    """Rank systems by paired differences; two are tied when 0 lies in the interval of their difference.

    Args:
        estimates: The estimate of each system, ``None`` where there is none.
        differences: For every two systems with an estimate, in either order, the interval of their
            difference, as :func:`torus_site.stats.paired_differences` gives it.
        higher_is_better: Whether a high estimate is a good one.

    Returns:
        The ranks, best first; systems without an estimate come last and have no place.

    Raises:
        ValueError: The difference of two systems is missing.
    """

    def straddle(first: str, second: str) -> bool:
        found = differences.get((first, second)) or differences.get((second, first))
        if found is None:
            message = f"no difference given for {first!r} and {second!r}"
            raise ValueError(message)
        # A skewed distribution can leave 0 outside the limits even when the estimates are equal.
        return found.contains(0) or estimates[first] == estimates[second]

    return _give_places(estimates, straddle, higher_is_better=higher_is_better)


def _give_places(
    estimates: Mapping[str, float | None],
    cannot_tell: Callable[[str, str], bool],
    *,
    higher_is_better: bool,
) -> tuple[Rank, ...]:
    sign = -1 if higher_is_better else 1
    known = {name: estimate for name, estimate in estimates.items() if estimate is not None}
    order = sorted(known, key=lambda name: (sign * known[name], name))
    ranks = []
    for place, name in enumerate(order, 1):
        tied = {
            other_place: other
            for other_place, other in enumerate(order, 1)
            if other != name and cannot_tell(name, other)
        }
        ranks.append(
            Rank(
                name=name,
                estimate=known[name],
                best=min(place, *tied) if tied else place,
                worst=max(place, *tied) if tied else place,
                tied_with=tuple(tied.values()),
            )
        )
    missing = sorted(set(estimates).difference(known))
    ranks += [Rank(name=name, estimate=None, reason="no estimate") for name in missing]
    return tuple(ranks)
