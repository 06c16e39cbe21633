"""What templates are given: frozen values, numbers formatted, links relative to the root of the site.

A link in a view is a path from the site's root with forward slashes; templates put ``page.root`` before it.
Text is plain and escaped by the template; only fields of type ``Markup`` hold finished HTML.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link: where to (from the root, or an outward URL), and why it is disabled if it is."""

    title: str
    href: str
    current: bool = False
    outward: bool = False
    disabled_reason: str = ""


Lapse = Literal["failed", "not_reached", "owed"]
"""Why a cell was not made: nothing usable came back, one before it failed, or it is still to be asked for."""


@dataclass(frozen=True, slots=True)
class SystemView:
    """A system as every player, table and chart shows it. ``hue`` 0 to 13 picks its colour and mark.

    ``incomplete`` says what its run still lacks ("incomplete: 12 calls owed"), and is empty for a whole one.
    """

    id: str
    title: str
    short: str
    hue: int
    group: str = ""
    text: str = ""
    reported: bool = False
    baseline: bool = False
    incomplete: str = ""


@dataclass(frozen=True, slots=True)
class ValueView:
    """A value of an axis or facet."""

    id: str
    title: str
    short: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ClipView:
    """One playable asset.

    ``label`` names it for everyone ("Play Procedural cascade, S2, Banjo ..."). ``wave`` is the ``d`` of an
    SVG path in a box ``0 0 300 40``, drawn relative. ``facts`` are pairs for the help panel.
    """

    id: str
    label: str
    src: str
    mime: str
    kind: Literal["audio", "video"]
    duration_s: float
    duration_text: str
    wave: str
    spectrogram: str = ""
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a grid: a clip, or why there is none. ``correct``/``asked`` count its answers.

    A cell with a ``lapse`` may have a clip: the one whose questions are still to be asked.
    """

    system: SystemView
    point: ValueView
    clip: ClipView | None
    missing: str = ""
    correct: int | None = None
    asked: int | None = None
    caption: str = ""
    lapse: Lapse | None = None


@dataclass(frozen=True, slots=True)
class GridRow:
    """One system's cells in axis order."""

    system: SystemView
    cells: tuple[CellView, ...]


@dataclass(frozen=True, slots=True)
class GridView:
    """The grid of players: rows are systems, columns are points of the axis."""

    id: str
    title: str
    item_title: str
    columns: tuple[ValueView, ...]
    rows: tuple[GridRow, ...]
    without_clips: tuple[SystemView, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictView:
    """One cell of the verdict matrix; ``question`` and ``clip`` are ids on the same page ("" if none)."""

    state: Literal["correct", "wrong", "none"] | Lapse
    word: str
    label: str
    question: str
    clip: str = ""
    pick: str = ""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One system's verdicts over the questions, and its score such as ``6/9``; ``owed`` are not in it."""

    system: SystemView
    verdicts: tuple[VerdictView, ...]
    score: str
    owed: int = 0


@dataclass(frozen=True, slots=True)
class VerdictGroup:
    """Rows of one source: the open runs, or as reported, with a note that tells them apart."""

    title: str
    note: str
    rows: tuple[VerdictRow, ...]


@dataclass(frozen=True, slots=True)
class VerdictMatrix:
    """The matrix of an item: column heads grouped by point."""

    id: str
    points: tuple[tuple[ValueView, tuple[LinkView, ...]], ...]
    groups: tuple[VerdictGroup, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class OptionView:
    """One option; ``picked_by`` lists who chose it on its own clip."""

    letter: str
    text: str
    is_key: bool
    picked_by: tuple[SystemView, ...]


@dataclass(frozen=True, slots=True)
class ReplyView:
    """How one reply was read, where it says more than its letter.

    ``response`` is the raw reply, empty where it was a bare letter; ``strict`` is what counts, ``lenient``
    the forgiving reading beside it, ``again`` what the system picked in further orders.
    """

    system: SystemView
    response: str
    strict: str
    lenient: str = ""
    again: str = ""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question with its key marked. ``id`` is its anchor; ``replies`` are those to look at closely."""

    id: str
    number: str
    element: str
    text: str
    options: tuple[OptionView, ...]
    unparsed_by: tuple[SystemView, ...] = ()
    flags: tuple[ValueView, ...] = ()
    replies: tuple[ReplyView, ...] = ()


@dataclass(frozen=True, slots=True)
class PointCard:
    """A stage or condition card: what is asked for, what should be heard, and its questions."""

    id: str
    point: ValueView
    operation: str
    prompt: str
    intended: str
    transcript: str
    questions: tuple[QuestionView, ...]


@dataclass(frozen=True, slots=True)
class TileView:
    """A link to an item page, with the facts a chooser needs."""

    title: str
    href: str
    summary: str
    facets: tuple[tuple[str, ValueView], ...]
    wave: str = ""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles under one value of a facet."""

    value: ValueView
    count: str
    tiles: tuple[TileView, ...]


@dataclass(frozen=True, slots=True)
class CardView:
    """A card about one value of a facet: title, text and counts."""

    value: ValueView
    facts: tuple[str, ...]
    tiles: tuple[TileView, ...] = ()


@dataclass(frozen=True, slots=True)
class HeadView:
    """A column head. ``direction`` tells which way is better and how a first click sorts.

    ``beside`` is what the ``extra`` of its cells is.
    """

    title: str
    group: str = ""
    direction: Literal["higher", "lower", "none"] = "none"
    numeric: bool = True
    unit: str = ""
    text: str = ""
    beside: str = "half-width"


@dataclass(frozen=True, slots=True)
class MeasureView:
    """How a metric was measured: what it is, and what it was computed with as names and values."""

    title: str
    text: str
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TableCell:
    """A table cell. ``sort`` is the raw number as text ("" sorts last); ``detail`` is n and method."""

    text: str
    sort: str = ""
    extra: str = ""
    detail: str = ""
    best: bool = False
    missing: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with its head; ``system`` gives the head its colour mark where a row is a system."""

    head: str
    cells: tuple[TableCell, ...]
    system: SystemView | None = None
    baseline: bool = False


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Rows under one heading ("" for none); sorting keeps rows in their group."""

    title: str
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class TableView:
    """A table complete without script; ``csv`` is a path from the root."""

    id: str
    title: str
    caption: Markup
    row_head: str
    heads: tuple[HeadView, ...]
    groups: tuple[TableGroup, ...]
    csv: str
    source: Literal["computed", "reported", "mixed"]
    citation: str = ""
    notes: tuple[str, ...] = ()
    measured: tuple[MeasureView, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureView:
    """A chart three ways from the same numbers: static SVG, Plotly data, table.

    ``svg`` fills a box of ``width`` by ``height``; ``plotly`` is JSON-ready (data, layout); the page's
    script puts it in the SVG's place. The template writes the legend from the traces that have a ``name``
    and ``meta.hue`` (a pie: from ``labels`` and ``meta.hues``), so neither the SVG nor Plotly draws one.
    ``narrow`` is the same chart drawn for a phone, about 340 wide, with ids ``figure-<id>-narrow-*``;
    without it the wide one is scaled down. ``left_out`` are systems whose run is incomplete.
    """

    id: str
    title: str
    caption: Markup
    alt: str
    svg: Markup
    width: int
    height: int
    plotly: dict[str, object]
    table: TableView
    source: Literal["computed", "reported", "mixed"]
    citation: str = ""
    narrow: Markup | str = ""
    left_out: tuple[SystemView, ...] = ()


@dataclass(frozen=True, slots=True)
class PageView:
    """What every page has: its place, its way back to the root, and its neighbours."""

    path: str
    root: str
    title: str
    description: str
    nav: tuple[LinkView, ...]
    links: tuple[LinkView, ...]
    heading: str = ""
    lead: str = ""
    previous: LinkView | None = None
    following: LinkView | None = None
    has_bench: bool = False
    has_figures: bool = False


@dataclass(frozen=True, slots=True)
class ItemPage:
    """Everything a worked example shows."""

    title: str
    noun: str
    facets: tuple[tuple[str, ValueView], ...]
    flags: tuple[ValueView, ...]
    summary: str
    notice: str
    note: str
    cards: tuple[PointCard, ...]
    grid: GridView
    matrix: VerdictMatrix | None
    json_href: str
    csv_href: str
    systems: tuple[SystemView, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteView:
    """What the whole site shares. ``assets`` maps a theme file (``css/site.css``) to its hashed path."""

    title: str
    description: str
    language: str
    anonymous: bool
    byline: str
    licence: str
    assets: dict[str, str]
