"""Loads a benchmark: its descriptor and its items, checked against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torus_site.benchmark.check import Vocabulary, check_descriptor, check_item
from torus_site.benchmark.descriptor import Axis, Descriptor, Facet, Metric, Subset, SystemEntry, Value
from torus_site.benchmark.items import Item, Question
from torus_site.errors import ConfigError, ContentError, Problem
from torus_site.memory import Codec, Memory
from torus_site.records.mend import examine
from torus_site.records.parse import pause_collection, read_toml
from torus_site.workers import share

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from torus_site.records.model import Point

DESCRIPTOR = "benchmark.toml"
_VOCABULARY = ("axes", "facets", "flags", "metrics", "operations", "options", "subsets", "systems")
"""Where a descriptor says what items and results may say."""
_FOR_SHOW = {"title", "short", "text", "hue", "unit", "direction", "decimals", "missing"}
"""What of it no item and no result depends on."""
_ITEM = Codec[Item](
    dump=lambda item: item.model_dump_json(by_alias=True).encode(), load=Item.model_validate_json
)


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark with every lookup its readers need.

    Args:
        descriptor: What ``benchmark.toml`` says.
        items: The items by ``order``, then by id.
        file: The descriptor's file, relative to the project.
        warnings: What is ugly but not wrong.
        unsure: Ids of items that are wrong and therefore left out; only ``read_benchmark`` leaves any.
    """

    descriptor: Descriptor
    items: tuple[Item, ...]
    file: str = ""
    warnings: tuple[Problem, ...] = ()
    unsure: frozenset[str] = frozenset()
    _items: Mapping[str, Item] = field(init=False, repr=False, compare=False)
    _axes: Mapping[str, Axis] = field(init=False, repr=False, compare=False)
    _facets: Mapping[str, Facet] = field(init=False, repr=False, compare=False)
    _metrics: Mapping[str, Metric] = field(init=False, repr=False, compare=False)
    _systems: Mapping[str, SystemEntry] = field(init=False, repr=False, compare=False)
    _subsets: Mapping[str, Subset] = field(init=False, repr=False, compare=False)
    _values: Mapping[tuple[str, str, str], Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        what = self.descriptor
        values = {("axis", axis.id, value.id): value for axis in what.axes for value in axis.values}
        values |= {("facet", facet.id, value.id): value for facet in what.facets for value in facet.values}
        values |= {("operation", "", value.id): value for value in what.operations}
        values |= {("flag", "", value.id): value for value in what.flags}
        for name, table in {
            "_items": {item.id: item for item in self.items},
            "_axes": {axis.id: axis for axis in what.axes},
            "_facets": {facet.id: facet for facet in what.facets},
            "_metrics": {metric.id: metric for metric in what.metrics},
            "_systems": {system.id: system for system in what.systems},
            "_subsets": {subset.id: subset for subset in what.subsets},
            "_values": values,
        }.items():
            object.__setattr__(self, name, table)

    @property
    def id(self) -> str:
        """The benchmark's id, which is also its folder."""
        return self.descriptor.id

    @property
    def points(self) -> tuple[Point, ...]:
        """Every point of the axes in order; one empty point where there are no axes."""
        return self.descriptor.points

    def item(self, item_id: str) -> Item:
        """Return an item, or raise ``KeyError``."""
        return self._items[item_id]

    def axis(self, axis_id: str) -> Axis:
        """Return an axis, or raise ``KeyError``."""
        return self._axes[axis_id]

    def facet(self, facet_id: str) -> Facet:
        """Return a facet, or raise ``KeyError``."""
        return self._facets[facet_id]

    def metric(self, metric_id: str) -> Metric:
        """Return a metric, or raise ``KeyError``."""
        return self._metrics[metric_id]

    def system(self, system_id: str) -> SystemEntry:
        """Return a system, or raise ``KeyError``."""
        return self._systems[system_id]

    def axis_value(self, axis_id: str, value_id: str) -> Value:
        """Return a value of an axis, or raise ``KeyError``."""
        return self._values["axis", axis_id, value_id]

    def facet_value(self, facet_id: str, value_id: str) -> Value:
        """Return a value of a facet, or raise ``KeyError``."""
        return self._values["facet", facet_id, value_id]

    def operation(self, operation_id: str) -> Value:
        """Return an operation, or raise ``KeyError``."""
        return self._values["operation", "", operation_id]

    def flag(self, flag_id: str) -> Value:
        """Return a flag, or raise ``KeyError``."""
        return self._values["flag", "", flag_id]

    def subset(self, subset_id: str) -> Subset:
        """Return a subset of the questions; ``all`` is always there, ``KeyError`` for an unknown one."""
        if subset_id == "all" and "all" not in self._subsets:
            return Subset(id="all", title="All questions")
        return self._subsets[subset_id]

    def in_subset(self, item: Item, question: Question, subset_id: str) -> bool:
        """Tell whether a question stays in a subset: neither it nor its item carries a listed flag."""
        return not {*question.flags, *item.flags} & {*self.subset(subset_id).without_flags}


def load_benchmark(root: Path, benchmark_id: str) -> Benchmark:
    """Load ``site_src/<id>/benchmark.toml`` and every item of ``site_src/<id>/tests/``.

    Args:
        root: The project's folder.
        benchmark_id: The benchmark's id, which is its folder's name.

    Raises:
        ConfigError: The descriptor is wrong; the problems of the items' own shape are listed with it.
        ContentError: The descriptor is right and items are wrong.
    """
    benchmark, problems = read_benchmark(root, benchmark_id)
    errors = [problem for problem in problems if problem.severity == "error"]
    if benchmark is None or any(problem.file.endswith(DESCRIPTOR) for problem in errors):
        raise ConfigError(problems)
    if errors:
        raise ContentError(problems)
    return benchmark


def read_benchmark(
    root: Path, benchmark_id: str, *, memory: Memory | None = None, jobs: int = 1
) -> tuple[Benchmark | None, tuple[Problem, ...]]:
    """Read a benchmark like :func:`load_benchmark`, but return what is right beside what is wrong.

    Args:
        root: The project's folder.
        benchmark_id: The benchmark's id, which is its folder's name.
        memory: Knows items that were read and found right before.
        jobs: How many items are read at a time.

    Returns:
        The benchmark without its wrong items, good for checking results against it and for nothing else
        when there are errors; ``None`` if its descriptor is too wrong even for that. And every problem.
    """
    folder = root / "site_src" / benchmark_id
    file = (folder / DESCRIPTOR).relative_to(root).as_posix()
    descriptor, problems = _read_descriptor(folder, file=file)
    warnings = tuple(problem for problem in problems if problem.severity == "warning")
    words = Vocabulary(descriptor, file=file) if descriptor else None
    found = _read_items(root, folder, words, memory or Memory(), jobs) if words else {}
    items: list[Item] = []
    unsure: list[str] = []
    with pause_collection():
        for path in item_paths(folder):
            item = found.get(path)
            wrong: tuple[Problem, ...] = ()
            if item is None:
                item, wrong = _read_item(path, words=words, file=path.relative_to(root).as_posix())
            problems += wrong
            if item is None or wrong:
                unsure.append(path.stem)
            else:
                items.append(item)
    if descriptor is None:
        return None, problems
    items.sort(key=lambda item: (item.order, item.id))
    return Benchmark(descriptor, tuple(items), file, warnings, frozenset(unsure)), problems


def _read_items(root: Path, folder: Path, words: Vocabulary, memory: Memory, jobs: int) -> dict[Path, Item]:
    """Return the items that are right, those that were before from memory."""

    def pack(path: Path) -> bytes:
        item, wrong = _read_item(path, words=words, file=name(path))
        return b"" if item is None or wrong else _ITEM.dump(item)

    def name(path: Path) -> str:
        return f"{tests}/{path.name}"

    tests = (folder / "tests").relative_to(root).as_posix()
    under = memory.stamp(folder / DESCRIPTOR)
    # A name that is no text is never an item's, so there is nothing to remember.
    keys = {
        path: f"{memory.stamp(path)} under {under}" for path in item_paths(folder) if path.stem.isprintable()
    }
    with pause_collection():
        found = {path: memory.recall(name(path), key, _ITEM) for path, key in keys.items()}
        due = [path for path, item in found.items() if item is None]
        for place, content in share(pack, due, jobs=jobs):
            if content:
                found[due[place]] = item = _ITEM.load(content)
                memory.keep(name(due[place]), keys[due[place]], item, _ITEM)
    return {path: item for path, item in found.items() if item is not None}


def load_descriptor(root: Path, benchmark_id: str) -> tuple[Descriptor, tuple[Problem, ...]]:
    """Load a descriptor alone and return it with its warnings.

    Raises:
        ConfigError: Every problem of the descriptor.
    """
    folder = root / "site_src" / benchmark_id
    descriptor, problems = _read_descriptor(folder, file=(folder / DESCRIPTOR).relative_to(root).as_posix())
    if descriptor is None or any(problem.severity == "error" for problem in problems):
        raise ConfigError(problems)
    return descriptor, problems


def _read_descriptor(folder: Path, *, file: str) -> tuple[Descriptor | None, tuple[Problem, ...]]:
    """Read a descriptor and all that is wrong with it; there is none if nothing can be held against it."""
    try:
        data = read_toml(folder / DESCRIPTOR, file=file)
    except ConfigError as error:
        return None, error.problems
    found = examine(Descriptor, data, file=file)
    if found.record is None:
        return None, found.problems
    items = [path.stem for path in item_paths(folder)]
    problems = check_descriptor(found.record, file=file, items=items)
    if found.record.id != folder.name:
        action = "the id is the folder's name"
        problems.append(Problem(file, "/id", repr(found.record.id), repr(folder.name), action))
    ways = [place.split("/")[1:] for place in found.mended]
    is_sound = all(way[0] not in _VOCABULARY or way[-1] in _FOR_SHOW for way in ways)
    return found.record if is_sound else None, found.join(problems)


def item_paths(folder: Path) -> list[Path]:
    """List the item files of a benchmark's folder in order of their names."""
    found = {path.name: path for path in folder.glob("tests/*.toml")}
    return [found[name] for name in sorted(found) if not name.startswith(".")]


def load_item(path: Path, *, descriptor: Descriptor | None, file: str) -> Item:
    """Load one item and check it against its benchmark.

    Args:
        path: The item's file.
        descriptor: The benchmark it belongs to; ``None`` checks the item's own shape alone.
        file: The file's name in problems.

    Raises:
        ContentError: Every problem of the item.
    """
    words = Vocabulary(descriptor, file=file) if descriptor else None
    item, problems = _read_item(path, words=words, file=file)
    if item is None or problems:
        raise ContentError(problems)
    return item


def _read_item(path: Path, *, words: Vocabulary | None, file: str) -> tuple[Item | None, tuple[Problem, ...]]:
    try:
        data = read_toml(path, file=file, error=ContentError)
    except ContentError as error:
        return None, error.problems
    found = examine(Item, data, file=file)
    if found.record is None:
        return None, found.problems
    others: list[Problem] = []
    if words is not None:
        words = words.turn_to(file)
        check_item(found.record, words)
        others = words.problems
    if found.record.id != path.stem:
        others.append(
            Problem(file, "/id", repr(found.record.id), repr(path.stem), "the id is the file's name")
        )
    return found.record, found.join(others)
