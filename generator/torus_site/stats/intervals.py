"""An estimate with its limits, and how they were found."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An estimate between two limits, in the unit of the estimate.

    Args:
        estimate: The value computed from all the data.
        low: Lower limit.
        high: Upper limit.
        method: How the limits were found, in words a reader can look up.
        n: How many answers, votes or comparisons the estimate rests on.
        level: Share of such intervals that should cover the truth, inside (0, 1).
        clusters: How many clusters were resampled, if any were.
        resamples: How often they were drawn.
        seed: ``numpy.random.default_rng(seed)`` gives these limits again, if they are random.

    Raises:
        ValueError: The limits are reversed or not finite, or ``level`` or ``n`` is out of range.

    >>> Interval(estimate=0.5, low=0.3, high=0.8, method="Wilson score", n=20).half_width
    0.25
    """

    estimate: float
    low: float
    high: float
    method: str
    n: int
    level: float = 0.95
    clusters: int | None = None
    resamples: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) for value in (self.estimate, self.low, self.high)):
            message = f"an interval needs finite numbers, not {self.estimate}, {self.low}, {self.high}"
            raise ValueError(message)
        if self.low > self.high:
            message = f"the lower limit {self.low} is above the upper limit {self.high}"
            raise ValueError(message)
        check_level(self.level)
        if self.n < 0:
            message = f"n is {self.n}, below 0"
            raise ValueError(message)

    @property
    def half_width(self) -> float:
        """Half the distance between the limits; they need not lie evenly about the estimate."""
        return (self.high - self.low) / 2

    def scale(self, factor: float) -> Interval:
        """Give the same interval in another unit, such as percent with a factor of 100.

        Raises:
            ValueError: ``factor`` is not above 0.
        """
        if factor <= 0:
            message = f"factor is {factor}, not above 0"
            raise ValueError(message)
        return replace(self, estimate=factor * self.estimate, low=factor * self.low, high=factor * self.high)

    def contains(self, value: float) -> bool:
        """Tell whether a value lies between the limits or on one of them."""
        return self.low <= value <= self.high

    def overlaps(self, other: Interval) -> bool:
        """Tell whether two intervals share at least one value."""
        return self.low <= other.high and other.low <= self.high


def check_level(level: float) -> None:
    """Refuse a confidence level outside (0, 1).

    Raises:
        ValueError: ``level`` is not inside (0, 1), for example 95 in place of 0.95.
    """
    if not 0 < level < 1:
        message = f"level is {level}, not inside (0, 1)"
        raise ValueError(message)
