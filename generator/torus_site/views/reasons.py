"""The words behind reason codes: why a reply was read as it was, and why a cell has no clip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torus_site.records.model import CellRecord
    from torus_site.views.lookup import PointKey
    from torus_site.views.model import ValueView

WORDS: Final = {
    "exact": "it is one letter and nothing else",
    "letter": "it names that letter",
    "cue": "the letter follows words that announce an answer",
    "text_match": "it gives the text of that option",
    "ambiguous": "it names several letters",
    "article": "its only capital letter is the word \u201cA\u201d",
    "conflict": "its letter and its words name different options",
    "echo": "it repeats the options",
    "empty": "it is empty",
    "none": "it names no option",
    "out_of_range": "its letter is not among the options",
    "refusal": "it declines to answer",
    "truncated": "it breaks off before it answers",
}
"""What the readers of replies call their reasons; a code that is not here is shown as it is."""

STRICT_WORDS: Final = {"none": "it is not one letter alone"}
"""What differs where nothing but a letter counts."""


def explain_reason(code: str, *, strict: bool = False) -> str:
    """Say a reason in words.

    >>> explain_reason("none"), explain_reason("none", strict=True), explain_reason("odd_case")
    ('it names no option', 'it is not one letter alone', 'odd case')
    """
    words = WORDS | STRICT_WORDS if strict else WORDS
    return words.get(code) or code.replace("_", " ")


def tell_lapse(
    key: PointKey, cells: Mapping[PointKey, CellRecord], points: Mapping[PointKey, ValueView]
) -> str:
    """Say why a cell was not made.

    Args:
        key: The cell's point.
        cells: All cells of the same system on the same item.
        points: Every point in order.

    Returns:
        A sentence without a full stop; nothing for a cell that was made.
    """
    cell = cells[key]
    reason = explain_reason(cell.reason or "")
    if cell.status == "failed":
        return f"No usable clip: {reason}"
    if cell.status == "not_reached":
        order = list(points)
        before = [points[other].title for other in order[: order.index(key)] if _is_failed(cells.get(other))]
        return f"Not reached: {before[-1]} failed" if before else f"Not reached: {reason}"
    return "Not asked yet" if cell.status == "owed" else ""


def _is_failed(cell: CellRecord | None) -> bool:
    return cell is not None and cell.status == "failed"
