"""Shares work among processes where that is cheap: on Linux, copies of this process as it stands.

A copy has in memory all that its work needs, so only numbers go in and bytes come out. Elsewhere, beside
running threads and for little work everything is done here, with the same outcome.
"""

from __future__ import annotations

import gc
import os
import selectors
import struct
import sys
import threading
import warnings
from typing import TYPE_CHECKING, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

T = TypeVar("T")

FEWEST = 64
"""Below this many pieces of light work copies would cost more than they save."""
_NUMBER = struct.Struct("=I")
_HEAD = struct.Struct("=II")
_MOST_PORTIONS = 1000
"""Together their numbers are shorter than the least that a pipe holds."""
_LARGEST_PORTION = 8
_PORTIONS_EACH = 4


def share(
    work: Callable[[T], bytes], things: Sequence[T], *, jobs: int, fewest: int = FEWEST
) -> Iterator[tuple[int, bytes]]:
    """Do the same work on many things.

    Args:
        work: Does it.
        things: What to work on.
        jobs: How many processes may work at a time.
        fewest: With fewer things all is done in this process.

    Yields:
        The place of each thing in the sequence and what its work gave, in any order.

    Raises:
        Exception: Whatever the work raises.
    """
    left = set(range(len(things)))
    if jobs > 1 and len(things) >= max(fewest, 2) and _may_copy():
        for place, outcome in _work_in_copies(work, things, jobs):
            left.discard(place)
            yield place, outcome
    # Among the rest is what failed in a copy: it fails again here, where that can be told.
    for place in sorted(left):
        yield place, work(things[place])


def _may_copy() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


def _work_in_copies(
    work: Callable[[T], bytes], things: Sequence[T], jobs: int
) -> Iterator[tuple[int, bytes]]:
    size = max(
        1, min(_LARGEST_PORTION, len(things) // (_PORTIONS_EACH * jobs)), -(-len(things) // _MOST_PORTIONS)
    )
    portions, fill = os.pipe()
    os.write(fill, b"".join(_NUMBER.pack(start) for start in range(0, len(things), size)))
    os.close(fill)
    # What is in memory now stays; were the collector to look at it, each copy would get pages of its own.
    gc.freeze()
    copies: dict[int, int] = {}
    try:
        with warnings.catch_warnings():
            # Threads of number libraries are idle and prepared for this; Python's own were counted above.
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(min(jobs, len(things))):
                answers, tell = os.pipe()
                try:
                    copy = os.fork()
                except OSError:
                    # No room for another: those there are do it, or this process.
                    os.close(answers)
                    os.close(tell)
                    break
                if not copy:
                    for other in (answers, *copies.values()):
                        os.close(other)
                    _work_off(work, things, size, portions, tell)
                os.close(tell)
                copies[copy] = answers
        yield from _listen(copies.values())
    finally:
        os.close(portions)
        # Without a listener a copy ends at its next answer.
        for answers in copies.values():
            os.close(answers)
        for copy in copies:
            os.waitpid(copy, 0)
        gc.unfreeze()


def _listen(copies: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the answers of all copies as they come, until each copy has ended."""
    with selectors.DefaultSelector() as selector:
        for answers in copies:
            selector.register(answers, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                head = _read(key.fd, _HEAD.size)
                place, length = _HEAD.unpack(head) if len(head) == _HEAD.size else (0, -1)
                outcome = _read(key.fd, length)
                if len(outcome) == length:
                    yield place, outcome
                else:
                    selector.unregister(key.fd)


def _read(pipe: int, length: int) -> bytes:
    """Read as many bytes, fewer if the writer ends before."""
    parts: list[bytes] = []
    left = length
    while left > 0 and (part := os.read(pipe, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _work_off(
    work: Callable[[T], bytes], things: Sequence[T], size: int, portions: int, tell: int
) -> NoReturn:
    """Take portions until none is left, then end without what the original does at its end."""
    try:
        with os.fdopen(tell, "wb") as pipe:
            while number := os.read(portions, _NUMBER.size):
                (start,) = _NUMBER.unpack(number)
                for place in range(start, min(start + size, len(things))):
                    outcome = work(things[place])
                    pipe.write(_HEAD.pack(place, len(outcome)) + outcome)
                    pipe.flush()
    finally:
        os._exit(0)
