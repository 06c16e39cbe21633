"""Figures and rows as a terminal shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

_GAP = "  "


def write_points(points: float) -> str:
    """Write a difference with its sign; what rounds to 0 is never below it.

    >>> write_points(4.25), write_points(-0.04)
    ('+4.2', '+0.0')
    """
    return f"{round(points, 1) + 0.0:+.1f}"


def align_rows(rows: Sequence[Sequence[str]], *, right: Container[int]) -> Iterator[str]:
    """Set rows in columns as wide as their widest cell.

    Args:
        rows: Cells, equally many in each row.
        right: The columns that are set to the right, from 0.

    Yields:
        A line a row, without blanks at its end.

    >>> list(align_rows([("name", "n"), ("a", "10")], right={1}))
    ['name   n', 'a     10']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield _GAP.join(cells).rstrip()
