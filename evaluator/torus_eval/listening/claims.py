"""A claim: one thing the wording of an option says, tested against the evidence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing an option says, tested.

    Args:
        name: Its topic and what it is about, parted by a colon.
        grade: From -1 (false) to 1 (true).
        weight: How much it counts.
    """

    name: str
    grade: float
    weight: float
