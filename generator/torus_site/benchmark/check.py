"""Checks a descriptor against itself and an item against its descriptor."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Protocol

from torus_site.benchmark.descriptor import NOTES, BarsSpec, DonutSpec
from torus_site.errors import Problem
from torus_site.records.problems import one_of, pointer, quote, unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from torus_site.benchmark.descriptor import Column, Comparator, Descriptor, FigureSpec
    from torus_site.benchmark.items import Item, ItemCell, Question
    from torus_site.errors import Severity
    from torus_site.records.model import Point

Parts = tuple[str | int, ...]
_ALL = "all"
_MOST_HINTS = 100


class Named(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Its name in files."""


class Vocabulary:
    """The names a descriptor declares, and the problems of a document that uses others.

    Args:
        descriptor: What declares the names.
        file: The document's file.
    """

    def __init__(self, descriptor: Descriptor, *, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.letters = descriptor.letters
        self.points = descriptor.points
        self.axes = {axis.id: ids(axis.values) for axis in descriptor.axes}
        self.facets: dict[str, dict[str, list[str]]] = {"item": {}, "system": {}}
        for facet in descriptor.facets:
            self.facets[facet.on][facet.id] = ids(facet.values)
        self.metrics = ids(descriptor.metrics)
        self.systems = ids(descriptor.systems)
        self.subsets = sorted({_ALL, *ids(descriptor.subsets)})
        self.flags = ids(descriptor.flags)
        self.operations = ids(descriptor.operations)

    def turn_to(self, file: str) -> Vocabulary:
        """Return the same names for another document, without any problem yet."""
        other = copy(self)
        other.file, other.problems = file, []
        return other

    def add(
        self, parts: Parts, found: str, expected: str, action: str = "", *, severity: Severity = "error"
    ) -> None:
        """Note a problem at a place of the document."""
        self.problems.append(Problem(self.file, pointer(*parts), found, expected, action, severity))

    def known(self, parts: Parts, name: str, allowed: Collection[str], what: str) -> None:
        """Note a name that is not allowed."""
        if name not in allowed:
            # The nearest of thousands takes a while to find; among this many problems nobody misses it.
            hints = len(self.problems) < _MOST_HINTS
            self.problems.append(unknown(self.file, pointer(*parts), name, allowed, what=what, hint=hints))

    def place(self, parts: Parts, point: Point, table: Mapping[str, Sequence[str]], what: str) -> None:
        """Note every key or value of a point that ``table`` does not know."""
        for key, value in point.items():
            if key not in table:
                self.known((*parts, key), key, table, what)
            else:
                self.known((*parts, key), value, table[key], f"a value of {key!r}")

    def at(self, parts: Parts, point: Point) -> None:
        """Note what is wrong with a point of axes."""
        self.place(parts, point, self.axes, "an axis")

    def where(self, parts: Parts, point: Point, *, on: str = "item") -> None:
        """Note what is wrong with values of facets."""
        self.place(parts, point, self.facets[on], f"a facet of {on}s")

    def once(self, parts: Parts, names: Collection[str], what: str) -> None:
        """Note every name that stands a second time in a list."""
        if len({*names}) == len(names):
            return
        seen: set[str] = set()
        for index, name in enumerate(names):
            if name in seen:
                self.add((*parts, index), f"{quote(name)} a second time", f"{what} once")
            seen.add(name)


def ids(things: Iterable[Named]) -> list[str]:
    """List the ids of a descriptor's entries in order."""
    return [thing.id for thing in things]


def check_descriptor(
    descriptor: Descriptor, *, file: str, items: Sequence[str] | None = None
) -> list[Problem]:
    """List what a descriptor says that does not fit the rest of it.

    Args:
        descriptor: The descriptor.
        file: Its file.
        items: The ids of the benchmark's items; ``None`` where they are not known.

    Returns:
        Problems, warnings among them.
    """
    words = Vocabulary(descriptor, file=file)
    _check_ids(descriptor, words)
    for index, subset in enumerate(descriptor.subsets):
        for place, flag in enumerate(subset.without_flags):
            words.known(("subsets", index, "without_flags", place), flag, words.flags, "a flag")
    if descriptor.verdict_metric is not None:
        words.known(("verdict_metric",), descriptor.verdict_metric, words.metrics, "a metric")
    if descriptor.comparator is not None:
        _check_comparator(descriptor.comparator, words, items)
    for note in descriptor.notes:
        words.known(("notes", note), note, NOTES, "a note")
    _check_systems(descriptor, words)
    for index, table in enumerate(descriptor.tables):
        if table.group_by is not None:
            words.known(
                ("tables", index, "group_by"), table.group_by, words.facets["system"], "a facet of systems"
            )
        for place, column in enumerate(table.columns):
            _check_column(column, words, ("tables", index, "columns", place))
    for index, figure in enumerate(descriptor.figures):
        _check_figure(figure, words, ("figures", index))
    return words.problems


def check_item(item: Item, words: Vocabulary) -> None:
    """Note what an item says that does not fit its benchmark.

    Args:
        item: The item.
        words: What its benchmark declares; takes the problems.
    """
    words.where(("facets",), item.facets)
    for index, flag in enumerate(item.flags):
        words.known(("flags", index), flag, words.flags, "a flag")
    asked: set[str] = set()
    for index, cell in enumerate(item.cells):
        parts = ("cells", index)
        words.at((*parts, "at"), cell.at)
        if cell.operation is not None:
            words.known((*parts, "operation"), cell.operation, words.operations, "an operation")
        for place, question in enumerate(cell.questions):
            _check_question(question, words, (*parts, "questions", place))
            if question.id in asked:
                words.add(
                    (*parts, "questions", place, "id"), f"{quote(question.id)} a second time", "each id once"
                )
            asked.add(question.id)
    _check_points(item.cells, words)


def _check_ids(descriptor: Descriptor, words: Vocabulary) -> None:
    lists: dict[Parts, Iterable[Named]] = {
        ("axes",): descriptor.axes,
        ("facets",): descriptor.facets,
        ("subsets",): descriptor.subsets,
        ("operations",): descriptor.operations,
        ("flags",): descriptor.flags,
        ("metrics",): descriptor.metrics,
        ("systems",): descriptor.systems,
        ("tables",): descriptor.tables,
        ("figures",): descriptor.figures,
    }
    lists |= {("axes", index, "values"): axis.values for index, axis in enumerate(descriptor.axes)}
    lists |= {("facets", index, "values"): facet.values for index, facet in enumerate(descriptor.facets)}
    for parts, things in lists.items():
        words.once(parts, ids(things), "each id")


def _check_comparator(comparator: Comparator, words: Vocabulary, items: Sequence[str] | None) -> None:
    if items is not None:
        words.known(("comparator", "item"), comparator.item, items, "an item")
    words.at(("comparator", "at"), comparator.at)
    for index, system in enumerate(comparator.systems):
        words.known(("comparator", "systems", index), system, words.systems, "a system")


def _check_systems(descriptor: Descriptor, words: Vocabulary) -> None:
    hues: dict[tuple[str, int], str] = {}
    for index, system in enumerate(descriptor.systems):
        words.where(("systems", index, "facets"), system.facets, on="system")
        first = hues.setdefault((system.source, system.hue), system.id)
        if first != system.id:
            words.problems.append(
                Problem(
                    words.file,
                    pointer("systems", index, "hue"),
                    f"hue {system.hue}, which {first!r} has too",
                    f"a hue of its own among {system.source} systems",
                    "colour and mark will not tell the two apart",
                    "warning",
                )
            )


def _check_column(column: Column, words: Vocabulary, parts: Parts) -> None:
    words.known((*parts, "metric"), column.metric, words.metrics, "a metric")
    words.at((*parts, "at"), column.at)
    words.where((*parts, "where"), column.where)
    words.known((*parts, "subset"), column.subset, words.subsets, "a subset")


def _check_figure(figure: FigureSpec, words: Vocabulary, parts: Parts) -> None:
    if isinstance(figure, DonutSpec):
        words.known((*parts, "facet"), figure.facet, words.facets["item"], "a facet of items")
    elif isinstance(figure, BarsSpec):
        words.known((*parts, "metric"), figure.metric, words.metrics, "a metric")
        words.known((*parts, "subset"), figure.subset, words.subsets, "a subset")
        for index, system in enumerate(figure.systems):
            words.known((*parts, "systems", index), system, words.systems, "a system")
        if figure.facet is not None:
            words.known((*parts, "facet"), figure.facet, words.facets["item"], "a facet of items")
        if figure.axis is not None:
            words.known((*parts, "axis"), figure.axis, words.axes, "an axis")
        if (figure.facet is None) == (figure.axis is None):
            found = "neither facet nor axis" if figure.facet is None else "both facet and axis"
            words.add(parts, found, "one of them to group the bars by")
        if figure.low >= figure.high:
            words.add((*parts, "low"), f"{figure.low:g}", f"less than high, which is {figure.high:g}")


def _check_question(question: Question, words: Vocabulary, parts: Parts) -> None:
    if len(question.options) != len(words.letters):
        action = "" if words.letters else "set options in benchmark.toml"
        words.add((*parts, "options"), f"{len(question.options)} options", str(len(words.letters)), action)
    words.once((*parts, "options"), question.options, "each option")
    offered = words.letters[: len(question.options)]
    if question.key not in offered:
        words.add((*parts, "key"), quote(question.key), one_of(offered))
    for index, flag in enumerate(question.flags):
        words.known((*parts, "flags", index), flag, words.flags, "a flag")


def _check_points(cells: Sequence[ItemCell], words: Vocabulary) -> None:
    seen: list[Point] = []
    for index, cell in enumerate(cells):
        if cell.at in seen:
            words.add(("cells", index, "at"), f"{show(cell.at)} a second time", "each point once")
        elif missing := [axis for axis in words.axes if axis not in cell.at]:
            words.add(("cells", index, "at"), f"no value for {', '.join(missing)}", "a value on every axis")
        seen.append(cell.at)
    for point in words.points:
        if point not in seen:
            words.add(("cells",), f"no cell at {show(point)}", "a cell for every point of the axes")


def show(point: Point) -> str:
    """Write a point as text.

    >>> show({"stage": "S1"}), show({})
    ('stage S1', 'the only point')
    """
    return " ".join(f"{axis} {value}" for axis, value in point.items()) or "the only point"
