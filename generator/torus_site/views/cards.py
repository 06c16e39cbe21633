"""Cards about the values of a facet, and tiles that lead to items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.views.format import QUESTIONS, format_count
from torus_site.views.model import CardView, TileGroup, TileView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torus_site.benchmark.descriptor import Noun
    from torus_site.benchmark.items import Item
    from torus_site.views.lookup import Lookup
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import ValueView


def cards(lookup: Lookup, facet: str) -> tuple[CardView, ...]:
    """Build a card for each value of a facet: what it is, how much of it the whole bank has, and examples.

    Counts come from the compositions; a benchmark without one counts the items it shows.

    Raises:
        KeyError: There is no such facet.
    """
    nouns: dict[str, Noun | tuple[str, str]] = {"items": lookup.descriptor.noun, "questions": QUESTIONS}
    tables = [
        table
        for composition in lookup.compositions.values()
        for table in composition.tables
        if table.facet == facet
    ]
    views = []
    for value, items in _group_items(lookup, facet):
        facts = [
            format_count(table.counts[value.id], nouns[table.of])
            for table in tables
            if value.id in table.counts
        ]
        views.append(
            CardView(
                value=value,
                facts=tuple(dict.fromkeys(facts)) or (format_count(len(items), lookup.descriptor.noun),),
                tiles=tuple(_make_tile(lookup, item) for item in items),
            )
        )
    return tuple(views)


def tiles(lookup: Lookup, facet: str, media: Mapping[str, ClipAsset]) -> tuple[TileGroup, ...]:
    """Build the tiles of all items under the values of a facet; a value without items is left out.

    Args:
        lookup: The benchmark and its results.
        facet: Which facet groups them.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: There is no such facet, or a clip is not in ``media``.
    """
    return tuple(
        TileGroup(
            value=value,
            count=format_count(len(items), lookup.descriptor.noun),
            tiles=tuple(_make_tile(lookup, item, _find_wave(lookup, item, media)) for item in items),
        )
        for value, items in _group_items(lookup, facet)
        if items
    )


def _group_items(lookup: Lookup, facet: str) -> list[tuple[ValueView, list[Item]]]:
    return [
        (
            lookup.values[facet, value.id],
            [item for item in lookup.items if item.facets.get(facet) == value.id],
        )
        for value in lookup.facets[facet].values
    ]


def _make_tile(lookup: Lookup, item: Item, wave: str = "") -> TileView:
    return TileView(
        title=item.title,
        href=lookup.item_path(item),
        summary=item.summary,
        facets=lookup.item_facets(item),
        wave=wave,
    )


def _find_wave(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> str:
    """Return the waveform of the first clip there is: systems in their order, each along the axes."""
    for system in lookup.systems:
        cells = lookup.cells(system, item.id)
        for key in lookup.points:
            cell = cells.get(key)
            if cell is not None and cell.clip is not None:
                return media[cell.clip.path].wave
    return ""
