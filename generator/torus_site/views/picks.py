"""Which letters systems picked and how often each is the key: a bias towards a letter shows here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import escape

from torus_site.views.format import format_number, format_raw
from torus_site.views.model import HeadView, TableCell, TableGroup, TableRow, TableView
from torus_site.views.tables import csv_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torus_site.views.lookup import Lookup

_ID: Final = "picks"
_KEY: Final = ""
"""Stands for the keys among the systems; no system has an empty id."""
_UNREAD: Final = ""
"""Stands for an answer without a letter among the letters."""


def pick_table(lookup: Lookup) -> TableView | None:
    """Count the picks of every system that answered in letters, or give nothing where none did.

    Args:
        lookup: The benchmark and its results.
    """
    # Imported here, because a page without this table should not wait for it.
    import pandas as pd  # noqa: PLC0415 -- as said above

    answers = pd.DataFrame(_list_picks(lookup), columns=["system", "pick"])
    if answers.empty:
        return None
    columns = [*lookup.descriptor.letters, _UNREAD]
    picked = answers["system"].unique()
    rows = [_KEY, *(system for system in lookup.systems if system in picked)]
    keys = pd.DataFrame(_list_keys(lookup), columns=["system", "pick"])
    both = pd.concat([keys, answers], ignore_index=True)
    counts = pd.crosstab(both["system"], both["pick"]).reindex(index=rows, columns=columns, fill_value=0)
    return TableView(
        id=f"table-{_ID}",
        title="Which letters were picked",
        caption=escape(
            "Share of all answers in percent; the first row tells how often each letter is the key."
        ),
        row_head="System",
        heads=tuple(HeadView(title=letter or "None read", unit="%") for letter in columns),
        groups=(
            TableGroup(
                title="",
                rows=tuple(
                    _make_row(lookup, system, row)
                    for system, row in zip(rows, counts.to_numpy().tolist(), strict=True)
                ),
            ),
        ),
        csv=csv_path(lookup, _ID),
        source="computed",
    )


def _list_picks(lookup: Lookup) -> list[tuple[str, str]]:
    """List system and letter of every answer that was given in words."""
    return [
        (system, order.pick or _UNREAD)
        for (system, _), record in lookup.records.items()
        for cell in record.cells
        for answer in cell.answers
        for order in answer.orders
        if order.response is not None
    ]


def _list_keys(lookup: Lookup) -> list[tuple[str, str]]:
    """List the keys of all questions."""
    return [
        (_KEY, question.key) for item in lookup.items for cell in item.cells for question in cell.questions
    ]


def _make_row(lookup: Lookup, system: str, counts: Sequence[int]) -> TableRow:
    shown = lookup.systems.get(system)
    return TableRow(
        head=shown.title if shown else "Key",
        cells=tuple(_make_cells(counts)),
        system=shown,
        baseline=shown is None,
    )


def _make_cells(counts: Sequence[int]) -> Iterator[TableCell]:
    total = sum(counts)
    for count in counts:
        share = 100 * count / total
        yield TableCell(
            text=format_number(share, decimals=1), sort=format_raw(share), detail=f"{count} of {total}"
        )
