"""Asking again: how often, after what pause, and until when."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from torus_eval.errors import CallError, CapabilityError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

T = TypeVar("T")

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one try brought nothing.

    Args:
        code: A short name of the reason, that of the error it becomes.
        message: What happened, without a secret.
        is_passing: The next try may fare better.
        wait_s: How long the server asked to be left alone.
        wants_stream: The server would answer the same request as a stream.
    """

    code: str
    message: str
    is_passing: bool = False
    wait_s: float | None = None
    wants_stream: bool = False

    def to_error(self) -> CallError:
        """Give the error to raise when there is no further try."""
        if self.code == "capability":
            return CapabilityError(self.message)
        return CallError(self.code, self.message)


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as a call sees it; a test puts its own in place.

    Args:
        sleep: Waits for some seconds.
        now_s: Seconds that never run backwards.
        today: The date that a server's dates are told from.
    """

    sleep: Callable[[float], None] = time.sleep
    now_s: Callable[[], float] = time.monotonic
    today: Callable[[], datetime] = lambda: datetime.now(UTC)


def keep_trying(
    attempt: Callable[[float], T | Failure],
    *,
    tries: int,
    deadline_s: float,
    rng: np.random.Generator,
    clock: Clock,
) -> T:
    """Try until it works, until it is no use, or until tries or time are used up.

    The pause is drawn evenly from nothing to half a second, one second, two and so on up to 30 s, so that
    many callers do not come back at once. A server's own ``Retry-After`` takes its place.

    Args:
        attempt: One try, told the seconds that are left.
        tries: How often at most.
        deadline_s: The time for all tries and pauses together.
        rng: Draws the pauses.
        clock: The time.

    Raises:
        CallError: The last failure, or ``deadline`` when a pause would outlast the time left.
        CapabilityError: It cannot be done at all.
    """
    end_s = clock.now_s() + deadline_s
    failure = None
    for number in range(tries):
        left_s = end_s - clock.now_s()
        if failure is not None:
            wait_s = failure.wait_s
            if wait_s is None:
                wait_s = float(rng.uniform(0.0, min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** (number - 1))))
            if wait_s >= left_s:
                message = (
                    f"{failure.message}; the next try in {wait_s:.1f} s would be past the deadline "
                    f"of {deadline_s:g} s"
                )
                raise CallError("deadline", message)
            clock.sleep(wait_s)
            left_s -= wait_s
        result = attempt(left_s)
        if not isinstance(result, Failure):
            return result
        failure = result
        if not failure.is_passing:
            raise failure.to_error()
    if failure is None:
        message = "tries must be 1 or more"
        raise ValueError(message)
    asked = "once" if tries == 1 else f"{tries} times"
    raise CallError(failure.code, f"{failure.message}; asked {asked}")


def read_retry_after(text: str | None, *, today: datetime) -> float | None:
    """Read the header ``Retry-After``: seconds, or a date.

    Args:
        text: The header.
        today: The date to count from, with a time zone.

    Returns:
        Seconds, 0 for a date gone by, ``None`` where there is nothing to be read.

    >>> read_retry_after("1.5", today=datetime(2026, 1, 1, tzinfo=UTC))
    1.5
    >>> read_retry_after("Thu, 01 Jan 2026 00:00:07 GMT", today=datetime(2026, 1, 1, tzinfo=UTC))
    7.0
    >>> read_retry_after("soon", today=datetime(2026, 1, 1, tzinfo=UTC))
    """
    stripped = (text or "").strip()
    if _SECONDS.fullmatch(stripped):
        return float(stripped)
    try:
        date = parsedate_to_datetime(stripped)
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - today).total_seconds())
