"""Rates kept as counts, and what two rates say together.

Conventions:
    Counts are added, never rates: there is no mean of means. Division and rounding come last. The
    denominator is the accepted set; an answer that is missing or cannot be read is counted in it as wrong.

Metrics:
    Rate, win rate, Wilson interval, d', gap in points, share retained.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from torus_site.stats.intervals import Interval, check_level

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Rate:
    """So many hits out of ``n``; ``Rate()`` is the neutral element of ``+``.

    Args:
        hits: How many counted.
        n: Out of how many.

    Raises:
        ValueError: A count is negative or there are more hits than ``n``.

    >>> total = Rate(3, 9) + Rate(5, 9) + Rate()
    >>> total, round(total.percent, 1)
    (Rate(hits=8, n=18), 44.4)
    >>> Rate().value is None, Rate().reason
    (True, 'nothing was counted')
    """

    hits: int = 0
    n: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.n:
            message = f"a rate cannot be {self.hits} out of {self.n}"
            raise ValueError(message)

    def __add__(self, other: Rate) -> Rate:
        if not isinstance(other, Rate):
            return NotImplemented
        return Rate(self.hits + other.hits, self.n + other.n)

    @property
    def value(self) -> float | None:
        """Hits / n in [0, 1], or ``None`` when nothing was counted."""
        return self.hits / self.n if self.n else None

    @property
    def percent(self) -> float | None:
        """100 hits / n, unrounded, or ``None`` when nothing was counted."""
        return 100 * self.hits / self.n if self.n else None

    @property
    def reason(self) -> str | None:
        """Why there is no value, or ``None`` when there is one."""
        return None if self.n else "nothing was counted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One number from two rates, with the counts it came from.

    Args:
        value: The number, unrounded, or ``None`` when it is undefined.
        first: The rate it starts from.
        second: The rate it is set against.
        method: How the number was found.
        reason: Why there is no value.
    """

    value: float | None
    first: Rate
    second: Rate
    method: str
    reason: str | None = None

    @property
    def n(self) -> int:
        """How many answers the two rates rest on together."""
        return self.first.n + self.second.n


def win_rate(*, wins: int, ties: int, losses: int) -> Rate:
    """Count wins among all comparisons; a tie is a win for neither side.

    Raises:
        ValueError: A count is negative.

    >>> win_rate(wins=10, ties=2, losses=9)
    Rate(hits=10, n=21)
    """
    if min(wins, ties, losses) < 0:
        message = f"a count below 0 in {wins} wins, {ties} ties, {losses} losses"
        raise ValueError(message)
    return Rate(wins, wins + ties + losses)


def wilson_interval(rate: Rate, *, level: float = 0.95) -> Interval | None:
    """Give the Wilson score limits of a rate whose answers are independent.

    Source: E. B. Wilson (1927), without continuity correction. Answers that come in clusters need
    :func:`torus_site.stats.cluster_bootstrap` instead.

    Args:
        rate: The counts.
        level: Confidence level inside (0, 1).

    Returns:
        The interval as shares in [0, 1], or ``None`` when nothing was counted (see ``rate.reason``).

    Raises:
        ValueError: ``level`` is not inside (0, 1).

    >>> interval = wilson_interval(Rate(81, 263))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2553, 0.3662)
    """
    check_level(level)
    share, n = rate.value, rate.n
    if share is None:
        return None
    z = _NORMAL.inv_cdf((1 + level) / 2)
    centre = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return Interval(
        estimate=share,
        # At 0 and n one limit is exact; rounding must not move it off the end of the scale.
        low=(centre - reach) / scale if rate.hits else 0.0,
        high=(centre + reach) / scale if rate.hits < n else 1.0,
        method="Wilson score",
        n=n,
        level=level,
    )


def dprime(hits: int, n_signal: int, false_alarms: int, n_noise: int) -> Contrast:
    """Measure how well a listener tells signal from noise: d' = z(hits) - z(false alarms).

    Rates inside (0, 1) are used as they are. Only a count of 0 or n, whose z is infinite, is moved by half
    an answer, to 0.5 or n - 0.5, and the method says so.

    Args:
        hits: Signal trials answered "present".
        n_signal: All signal trials.
        false_alarms: Noise trials answered "present".
        n_noise: All noise trials.

    Returns:
        d' in standard deviations; undefined without signal trials or without noise trials.

    Raises:
        ValueError: A count is negative or above its number of trials.

    >>> round(dprime(84, 100, 16, 100).value, 4)
    1.9889
    >>> dprime(510, 510, 0, 510).method
    "d' = z(hits) - z(false alarms), a count of 0 or n moved by 0.5"
    """
    signal, noise = Rate(hits, n_signal), Rate(false_alarms, n_noise)
    method = "d' = z(hits) - z(false alarms)"
    missing = [name for name, rate in (("signal", signal), ("noise", noise)) if not rate.n]
    if missing:
        reason = f"no {' and no '.join(missing)} trials"
        return Contrast(value=None, first=signal, second=noise, method=method, reason=reason)
    if any(rate.hits in {0, rate.n} for rate in (signal, noise)):
        method += ", a count of 0 or n moved by 0.5"
    value = _z_score(signal) - _z_score(noise)
    return Contrast(value=value, first=signal, second=noise, method=method)


def point_gap(first: Rate, second: Rate) -> Contrast:
    """Subtract one rate from another, in percentage points.

    Returns:
        100 (first - second), divided once; undefined when either rate is.

    >>> round(point_gap(Rate(397, 510), Rate(306, 510)).value, 1)
    17.8
    """
    method = "difference of two rates in percentage points"
    if not (first.n and second.n):
        reason = first.reason or second.reason
        return Contrast(value=None, first=first, second=second, method=method, reason=reason)
    value = 100 * (first.hits * second.n - second.hits * first.n) / (first.n * second.n)
    return Contrast(value=value, first=first, second=second, method=method)


def retained_share(first: Rate, second: Rate) -> Contrast:
    """Tell which share of the second rate is left in the first: a ratio of aggregates.

    Returns:
        first / second, divided once, and above 1 when the first rate is the higher one; undefined when
        either rate is, or when the second is 0.

    >>> round(retained_share(Rate(306, 510), Rate(397, 510)).value, 3)
    0.771
    >>> retained_share(Rate(1, 510), Rate(0, 510)).reason
    'the rate to compare with is 0'
    """
    method = "ratio of two rates"
    reason = first.reason or second.reason
    if reason is None and not second.hits:
        reason = "the rate to compare with is 0"
    if reason is not None:
        return Contrast(value=None, first=first, second=second, method=method, reason=reason)
    value = (first.hits * second.n) / (first.n * second.hits)
    return Contrast(value=value, first=first, second=second, method=method)


def _z_score(rate: Rate) -> float:
    return _NORMAL.inv_cdf(min(max(rate.hits, 0.5), rate.n - 0.5) / rate.n)
