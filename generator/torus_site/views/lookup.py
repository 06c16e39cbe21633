"""What views ask of a benchmark and its results, indexed once for all pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from torus_site.views.format import CALLS, format_count
from torus_site.views.model import SystemView, ValueView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torus_site.benchmark.descriptor import Descriptor, Facet, Metric, SystemEntry, Value
    from torus_site.benchmark.items import Item, ItemCell
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import (
        CellRecord,
        CompositionRecord,
        Difference,
        ItemRecord,
        Point,
        RunRecord,
        Score,
        Source,
        StudyRecord,
    )
    from torus_site.records.store import Results

PointKey = tuple[str, ...]
ScoreKey = tuple[str, frozenset[tuple[str, str]], frozenset[tuple[str, str]], str]


@dataclass(frozen=True, slots=True)
class Lookup:
    """One benchmark with its results, ready to be asked. Make it with :func:`look_up`.

    Args:
        descriptor: The benchmark.
        items: Its items in page order.
        points: Every point of the axes in order; without axes the one unnamed point, key ``()``.
        entries: Systems by id, as declared, in the order of the descriptor.
        systems: The same as shown.
        facets: Facets by id.
        values: Facet values by facet and value id.
        metrics: Metrics by id.
        operations: Operations by id.
        flags: Flags by id.
        runs: The run of each system that has one of its declared source.
        records: Item records by system and item.
        studies: Human studies by id.
        compositions: Compositions by id.
    """

    descriptor: Descriptor
    items: tuple[Item, ...]
    points: Mapping[PointKey, ValueView]
    entries: Mapping[str, SystemEntry]
    systems: Mapping[str, SystemView]
    facets: Mapping[str, Facet]
    values: Mapping[tuple[str, str], ValueView]
    metrics: Mapping[str, Metric]
    operations: Mapping[str, ValueView]
    flags: Mapping[str, ValueView]
    runs: Mapping[str, RunRecord]
    records: Mapping[tuple[str, str], ItemRecord]
    studies: Mapping[str, StudyRecord]
    compositions: Mapping[str, CompositionRecord]

    def key(self, at: Point) -> PointKey:
        """Return the key of a point on the axes."""
        return tuple(at[axis.id] for axis in self.descriptor.axes)

    def cells(self, system: str, item: str) -> dict[PointKey, CellRecord]:
        """Return what a system did on an item, by point; empty where its run has no such item."""
        record = self.records.get((system, item))
        return {self.key(cell.at): cell for cell in record.cells} if record else {}

    def item_cells(self, item: Item) -> list[tuple[PointKey, ValueView, ItemCell]]:
        """Return the cells of an item in the order of the axes, each with its point."""
        cells = {self.key(cell.at): cell for cell in item.cells}
        return [(key, point, cells[key]) for key, point in self.points.items() if key in cells]

    def scores(self, system: str) -> dict[ScoreKey, Score]:
        """Return the scores of a system by metric, point, facet value and subset."""
        run = self.runs.get(system)
        return {make_score_key(s.metric, s.at, s.where, s.subset): s for s in run.scores} if run else {}

    def differences(self, system: str) -> dict[ScoreKey, Difference]:
        """Return how far a system is from the baseline its run was compared with first, by score."""
        run = self.runs.get(system)
        found: dict[ScoreKey, Difference] = {}
        for it in run.differences if run else ():
            found.setdefault(make_score_key(it.metric, it.at, it.where, it.subset), it)
        return found

    def has_clips(self, system: str) -> bool:
        """Tell whether a system has a run that publishes clips."""
        run = self.runs.get(system)
        return run is not None and run.clips == "published"

    def listed(self, source: Source) -> list[SystemView]:
        """Return the systems of one source that tables and players list."""
        return [
            self.systems[entry.id]
            for entry in self.entries.values()
            if entry.listed and entry.source == source
        ]

    def item_facets(self, item: Item) -> tuple[tuple[str, ValueView], ...]:
        """Return the facets of an item as title and value, in the order of the descriptor."""
        return tuple(
            (facet.title, self.values[facet.id, item.facets[facet.id]])
            for facet in self.facets.values()
            if facet.id in item.facets and facet.on == "item"
        )

    def item_path(self, item: Item, name: str = "index.html") -> str:
        """Return the path of a file of an item's page from the root of the site."""
        return f"{self.descriptor.id}/{item.id}/{name}"

    def citations(self, systems: Iterable[str]) -> str:
        """Return the citations of the runs of some systems, each once."""
        runs = [self.runs[system] for system in systems if system in self.runs]
        return "; ".join(dict.fromkeys(run.citation for run in runs if run.citation))


class _Records(Mapping[tuple[str, str], "ItemRecord"]):
    """Item records by system and item, wherever the results keep them."""

    def __init__(self, items: Mapping[str, Mapping[str, ItemRecord]]) -> None:
        self._items = items

    def __getitem__(self, key: tuple[str, str]) -> ItemRecord:
        system, item = key
        return self._items[system][item]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((system, item) for system, items in self._items.items() for item in items)

    def __len__(self) -> int:
        return sum(len(items) for items in self._items.values())


def look_up(benchmark: Benchmark, results: Results) -> Lookup:
    """Index a benchmark and its results.

    Both have been checked against each other; a run of a source other than its system declares is left out.
    """
    descriptor = benchmark.descriptor
    entries = {entry.id: entry for entry in descriptor.systems}
    values = {
        (facet.id, value.id): view_value(value) for facet in descriptor.facets for value in facet.values
    }
    runs = {
        run.system: run
        for run in results.runs
        if run.system in entries and run.source == entries[run.system].source
    }
    return Lookup(
        descriptor=descriptor,
        items=tuple(benchmark.items),
        points={
            tuple(value.id for value in point): _join_values(point)
            for point in product(*(axis.values for axis in descriptor.axes))
        },
        entries=entries,
        systems={
            entry.id: _view_system(entry, descriptor, values, runs.get(entry.id))
            for entry in descriptor.systems
        },
        facets={facet.id: facet for facet in descriptor.facets},
        values=values,
        metrics={metric.id: metric for metric in descriptor.metrics},
        operations={value.id: view_value(value) for value in descriptor.operations},
        flags={value.id: view_value(value) for value in descriptor.flags},
        runs=runs,
        records=_Records({system: results.items_of(run) for system, run in runs.items()}),
        studies={study.id: study for study in results.studies},
        compositions={composition.id: composition for composition in results.compositions},
    )


def make_score_key(metric: str, at: Point, where: Point, subset: str) -> ScoreKey:
    """Return what tells a score from every other of the same system."""
    return metric, frozenset(at.items()), frozenset(where.items()), subset


def view_value(value: Value) -> ValueView:
    """Return a value of an axis or facet as shown."""
    return ValueView(id=value.id, title=value.title, short=value.short or "", text=value.text)


def name_value(known: Mapping[str, ValueView], name: str) -> ValueView:
    """Return a declared value, or one that shows the name itself where nothing is declared for it."""
    return known.get(name) or ValueView(id=name, title=name)


def _join_values(point: tuple[Value, ...]) -> ValueView:
    """Show a point on several axes as one value. Ids never hold ``--``, so joined ids stay unique."""
    return ValueView(
        id="--".join(value.id for value in point),
        title=" · ".join(value.title for value in point),
        short=" · ".join(value.short or value.title for value in point)
        if any(value.short for value in point)
        else "",
        text=" ".join(value.text for value in point if value.text),
    )


def _view_system(
    entry: SystemEntry,
    descriptor: Descriptor,
    values: Mapping[tuple[str, str], ValueView],
    run: RunRecord | None,
) -> SystemView:
    groups = [
        values[facet.id, entry.facets[facet.id]].title
        for facet in descriptor.facets
        if facet.on == "system" and facet.id in entry.facets
    ]
    return SystemView(
        id=entry.id,
        title=entry.title,
        short=entry.short or entry.title,
        hue=entry.hue,
        group=groups[0] if groups else "",
        text=entry.text,
        reported=entry.source == "reported",
        baseline=entry.baseline,
        incomplete=f"incomplete: {format_count(run.owed, CALLS)} owed" if run and run.owed else "",
    )
