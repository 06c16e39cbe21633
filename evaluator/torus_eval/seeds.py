"""Random numbers that depend on what is asked and on nothing else."""

from __future__ import annotations

import hashlib

import numpy as np

_SEPARATOR = "\x1f"


def derive_seed(seed: int, *parts: str) -> int:
    """Give the seed of one call, the same in any process, thread and order of calls.

    Args:
        seed: The seed of the run.
        parts: What the call is for, such as system, item, point and kind of call.

    Returns:
        A whole number from 0 to 2**31 - 1, which any model's own generator takes.

    >>> derive_seed(7, "system", "item") == derive_seed(7, "system", "item")
    True
    >>> derive_seed(7, "system", "item") == derive_seed(7, "system", "other")
    False
    """
    digest = hashlib.sha256(_SEPARATOR.join((str(seed), *parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def seed_generator(seed: int, *parts: str) -> np.random.Generator:
    """Give a generator for one draw of the run itself, such as the order of options.

    Args:
        seed: The seed of the run.
        parts: What is drawn.

    Returns:
        A fresh generator.

    >>> first = seed_generator(7, "item").integers(1000)
    >>> bool(first == seed_generator(7, "item").integers(1000))
    True
    """
    digest = hashlib.sha256(_SEPARATOR.join((str(seed), *parts)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
