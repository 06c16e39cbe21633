"""The benchmark descriptor, ``benchmark.toml``: axes, facets, metrics, systems, tables and figures as data.

The engine knows no benchmark. What a page shows, in which order and under which name, is written here.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Literal

from pydantic import Field

from torus_site.records.model import Count, Finite, Point, Record, Slug, Source, Text

Id = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$",
        max_length=40,
        description="letters and digits, joined by - or _",
    ),
]


NOTES = ("item", "computed", "reported")
"""What ``notes`` may be on: the questions of item pages, and the verdict rows of each source."""


class Value(Record):
    """One value of an axis or a facet."""

    id: Id
    title: Text
    short: str | None = None
    text: str = ""


class Axis(Record):
    """An ordered axis every item runs along, such as stages or conditions."""

    id: Slug
    title: Text
    values: tuple[Value, ...] = Field(min_length=1)


class Facet(Record):
    """A property that groups items or systems."""

    id: Slug
    title: Text
    on: Literal["item", "system"] = "item"
    values: tuple[Value, ...] = Field(min_length=1)


class Subset(Record):
    """The questions left when every one that carries a listed flag is taken out."""

    id: Slug
    title: Text
    without_flags: tuple[str, ...] = ()


class Metric(Record):
    """A score's name, unit, direction and format; ``rate`` metrics are percentages with counts.

    ``measure`` names what an evaluator computes for it, and ``parameters`` what with.
    """

    id: Slug
    title: Text
    short: str | None = None
    kind: Literal["rate", "number"] = "number"
    unit: str = ""
    direction: Literal["higher", "lower", "none"] = "higher"
    decimals: Annotated[int, Field(ge=0, le=6)] = 1
    missing: Text = "not stated"
    text: str = ""
    measure: Slug | None = None
    parameters: dict[str, str] = {}


class Noun(Record):
    """What one item and several are called on the page."""

    one: Text
    many: Text


class SystemEntry(Record):
    """A system that results may name. ``hue`` picks its colour and mark; ``baseline`` its row style.

    ``listed = false`` keeps a series such as "best unified system" out of tables that list systems.
    """

    id: Slug
    title: Text
    short: str | None = None
    source: Source
    facets: Point = {}
    text: str = ""
    hue: Annotated[int, Field(ge=0, le=13)]
    baseline: bool = False
    listed: bool = True


class Column(Record):
    """One column of a score table: a metric at a point, over a facet value, in a subset.

    ``difference`` shows how far each system is from the baseline instead.
    """

    metric: Slug
    difference: bool = False
    title: str | None = None
    group: str = ""
    at: Point = {}
    where: Point = {}
    subset: Slug = "all"


class TableSpec(Record):
    """A table of scores, a row per system."""

    id: Slug
    title: Text
    caption: str = ""
    source: Source
    group_by: Slug | None = None
    columns: tuple[Column, ...] = Field(min_length=1)
    mark_best: bool = True


class Reference(Record):
    """A line every bar is read against, such as chance."""

    value: Finite
    label: Text


class DonutSpec(Record):
    """Shares of a composition by one facet. ``composition`` names the record; ``of`` the table in it."""

    kind: Literal["donut"]
    id: Slug
    title: Text
    caption: str = ""
    composition: Slug
    of: Literal["items", "questions"]
    facet: Slug


class BarsSpec(Record):
    """Grouped bars: a group per value of a facet or an axis, a bar per system, whiskers where stated."""

    kind: Literal["bars"]
    id: Slug
    title: Text
    caption: str = ""
    metric: Slug
    source: Source
    facet: Slug | None = None
    axis: Slug | None = None
    subset: Slug = "all"
    systems: tuple[Slug, ...] = ()
    low: Finite = 0.0
    high: Finite = 100.0
    reference: Reference | None = None


class WinRatesSpec(Record):
    """Bars of overall win rates of a study."""

    kind: Literal["win-rates"]
    id: Slug
    title: Text
    caption: str = ""
    study: Slug
    reference: Reference | None = None


class HeadToHeadSpec(Record):
    """The matrix of a study: row against column."""

    kind: Literal["head-to-head"]
    id: Slug
    title: Text
    caption: str = ""
    study: Slug


FigureSpec = Annotated[DonutSpec | BarsSpec | WinRatesSpec | HeadToHeadSpec, Field(discriminator="kind")]


class ClaimFigure(Record):
    """One figure of the hero: a large number and what it counts."""

    value: Text
    label: Text


class Comparator(Record):
    """The small player at the top of a page: one item, and the systems and point it starts with."""

    item: Slug
    at: Point = {}
    systems: tuple[Slug, ...] = ()


class Step(Record):
    """One step of the protocol diagram."""

    title: Text
    verb: Text
    text: Text
    answers: str = ""


class Descriptor(Record):
    """A whole benchmark."""

    schema_version: Literal[1] = Field(alias="schema")
    id: Slug
    title: Text
    noun: Noun
    options: Annotated[int, Field(ge=2, le=26)] | None = None
    claim: Text
    figures_of_claim: tuple[ClaimFigure, ...] = ()
    comparator: Comparator | None = None
    protocol: tuple[Step, ...] = ()
    axes: tuple[Axis, ...] = ()
    facets: tuple[Facet, ...] = ()
    subsets: tuple[Subset, ...] = ()
    operations: tuple[Value, ...] = ()
    flags: tuple[Value, ...] = ()
    metrics: tuple[Metric, ...] = ()
    verdict_metric: Slug | None = None
    systems: tuple[SystemEntry, ...] = ()
    tables: tuple[TableSpec, ...] = ()
    figures: tuple[FigureSpec, ...] = ()
    notes: dict[str, str] = {}
    bibtex: str = ""
    clip_seconds: Count | None = None

    @property
    def letters(self) -> str:
        """The option letters in order, ``ABCDEF`` for six; empty where there are no questions."""
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: self.options or 0]

    @property
    def points(self) -> tuple[Point, ...]:
        """Every point of the axes, the last axis running fastest; one empty point without axes."""
        names = [axis.id for axis in self.axes]
        runs = itertools.product(*([value.id for value in axis.values] for axis in self.axes))
        return tuple(dict(zip(names, run, strict=True)) for run in runs)
