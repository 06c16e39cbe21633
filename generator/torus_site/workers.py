"""Shares work among processes where that is cheap: on Linux, copies of this process as it stands.

A copy has in memory all that its work needs, so only numbers go in and short lines come out. Elsewhere,
beside running threads and for little work everything is done here, with the same outcome.
"""

from __future__ import annotations

import gc
import os
import struct
import sys
import threading
import warnings
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

FEWEST = 64
"""Below this many pieces of work copies would cost more than they save."""
_NUMBER = struct.Struct("=I")
_MOST_PORTIONS = 1000
"""Together their numbers are shorter than the least that a pipe holds."""
_LEAST_PORTION = 8


def share(work: Callable[[T], str], things: Sequence[T], *, jobs: int) -> Iterator[tuple[int, str]]:
    """Do the same work on many things.

    Args:
        work: Does it; gives a line of ASCII, at most 200 letters long.
        things: What to work on.
        jobs: How many processes may work at a time.

    Yields:
        The place of each thing in the sequence and what its work gave, in any order.

    Raises:
        Exception: Whatever the work raises.
    """
    left = set(range(len(things)))
    if jobs > 1 and len(things) >= FEWEST and _may_copy():
        for place, outcome in _work_in_copies(work, things, jobs):
            left.discard(place)
            yield place, outcome
    # Among the rest is what failed in a copy: it fails again here, where that can be told.
    for place in sorted(left):
        yield place, work(things[place])


def _may_copy() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


def _work_in_copies(work: Callable[[T], str], things: Sequence[T], jobs: int) -> Iterator[tuple[int, str]]:
    size = max(_LEAST_PORTION, -(-len(things) // _MOST_PORTIONS))
    portions, fill = os.pipe()
    answers, tell = os.pipe()
    os.write(fill, b"".join(_NUMBER.pack(start) for start in range(0, len(things), size)))
    os.close(fill)
    # What is in memory now stays; were the collector to look at it, each copy would get pages of its own.
    gc.freeze()
    copies = []
    with warnings.catch_warnings():
        # Threads of number libraries are idle and prepared for this; Python's own were counted above.
        warnings.simplefilter("ignore", DeprecationWarning)
        for _ in range(jobs):
            if copy := os.fork():
                copies.append(copy)
            else:
                os.close(answers)
                _work_off(work, things, size, portions, tell)
    os.close(portions)
    os.close(tell)
    try:
        with os.fdopen(answers, encoding="ascii") as lines:
            for line in lines:
                place, _, outcome = line.rstrip("\n").partition(" ")
                yield int(place), outcome
    finally:
        # Without a reader the copies end at their next answer.
        for copy in copies:
            os.waitpid(copy, 0)
        gc.unfreeze()


def _work_off(work: Callable[[T], str], things: Sequence[T], size: int, portions: int, tell: int) -> NoReturn:
    """Take portions until none is left, then end without what the original does at its end."""
    try:
        while number := os.read(portions, _NUMBER.size):
            (start,) = _NUMBER.unpack(number)
            for place in range(start, min(start + size, len(things))):
                # A line this short goes through a pipe in one piece.
                os.write(tell, f"{place} {work(things[place])}\n".encode("ascii"))
    finally:
        os._exit(0)
