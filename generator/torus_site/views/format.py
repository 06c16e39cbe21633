"""Numbers and counts as a reader sees them: one place decides on decimals, signs and spaces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torus_site.benchmark.descriptor import Metric, Noun
    from torus_site.records.model import Difference, IntervalRecord, Score

MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}"
NOT_STATED = "not stated"
CALLS = ("call", "calls")
QUESTIONS = ("question", "questions")
SYSTEMS = ("system", "systems")


def format_number(value: float, *, decimals: int) -> str:
    """Write a number with a true minus sign and never as a negative zero.

    >>> format_number(63.24, decimals=1), format_number(-0.04, decimals=1)
    ('63.2', '0.0')
    """
    text = f"{value:.{decimals}f}"
    if not text.startswith("-"):
        return text
    digits = text[1:]
    return MINUS + digits if digits.strip("0.") else digits


def format_signed(value: float, *, decimals: int) -> str:
    """Write a number with its sign, but a zero without one.

    >>> format_signed(12.04, decimals=1), format_signed(-0.04, decimals=1)
    ('+12.0', '0.0')
    """
    text = format_number(value, decimals=decimals)
    return f"+{text}" if value > 0 and text.strip("0.") else text


def format_half_width(value: float, *, decimals: int) -> str:
    """Write half an interval, such as ``± 7.6``."""
    return PLUS_MINUS + format_number(value, decimals=decimals)


def format_percent(part: int, whole: int) -> str:
    """Write a share in percent with one decimal.

    >>> format_percent(54, 432)
    '12.5 %'
    """
    return f"{format_number(100 * part / whole, decimals=1)} %"


def format_raw(value: float) -> str:
    """Write a number for machines: the shortest text that reads back as the same number.

    >>> format_raw(63.2), format_raw(21)
    ('63.2', '21')
    """
    return repr(value)


def format_duration(duration_s: float) -> str:
    """Write a duration in seconds, or in minutes and seconds from one minute on.

    >>> format_duration(8.42), format_duration(61.7)
    ('8.4 s', '1:02')
    """
    if duration_s < 59.95:  # noqa: PLR2004 -- what would be written as 60.0 s is a minute
        return f"{duration_s:.1f} s"
    minutes, seconds = divmod(round(duration_s), 60)
    return f"{minutes}:{seconds:02d}"


def format_count(count: int, noun: Noun | tuple[str, str]) -> str:
    """Write a count with its noun.

    >>> format_count(1, ("question", "questions")), format_count(54, ("question", "questions"))
    ('1 question', '54 questions')
    """
    one, many = noun if isinstance(noun, tuple) else (noun.one, noun.many)
    return f"{count} {one if count == 1 else many}"


def format_level(level: float) -> str:
    """Write a confidence level.

    >>> format_level(0.95), format_level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{round(100 * level, 6):g} %"


def describe_interval(interval: IntervalRecord, *, decimals: int) -> str:
    """Say in one line what an interval is and how it was found, a number that the method tells only once."""
    level = format_level(interval.level)
    if interval.low is None or interval.high is None:
        width = format_half_width(interval.half_width, decimals=decimals)
        parts = [f"{level} half-width {width}, limits not stated"]
    else:
        low, high = (format_number(limit, decimals=decimals) for limit in (interval.low, interval.high))
        parts = [f"{level} interval {low} to {high}"]
    parts.append(interval.method)
    named = {"clusters": interval.clusters, "resamples": interval.resamples, "seed": interval.seed}
    told = set(re.findall(r"\d+", interval.method))
    parts += [
        f"{name} {count}" for name, count in named.items() if count is not None and str(count) not in told
    ]
    return ", ".join(parts)


def describe_difference(difference: Difference, metric: Metric, baseline: str) -> str:
    """Say what a difference rests on, or why there is none."""
    parts = [difference.reason] if difference.reason else []
    parts.append(f"paired with {baseline}")
    if difference.n is not None:
        parts.append(f"n = {difference.n}")
    if difference.interval is not None:
        parts.append(describe_interval(difference.interval, decimals=metric.decimals))
    return "; ".join(parts)


def describe_score(score: Score, metric: Metric) -> str:
    """Say what a score rests on: its counts, its interval and the method, or why it has no value."""
    parts = []
    if score.reason:
        parts.append(score.reason)
    if score.correct is not None and score.n is not None:
        parts.append(f"{score.correct} of {score.n}")
    elif score.n is not None:
        parts.append(f"n = {score.n}")
    if score.interval is not None:
        parts.append(describe_interval(score.interval, decimals=metric.decimals))
    return "; ".join(parts)
