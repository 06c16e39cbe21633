"""The page of an item: cards, players, verdicts and questions; and the small comparator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_site.views.anchors import clip_anchor, question_anchor
from torus_site.views.lookup import name_value
from torus_site.views.media import view_clip
from torus_site.views.model import CellView, GridRow, GridView, ItemPage, OptionView, PointCard, QuestionView
from torus_site.views.reasons import tell_lapse
from torus_site.views.replies import read_reply
from torus_site.views.verdicts import gather_answers, verdict_matrix

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from torus_site.benchmark.descriptor import Comparator
    from torus_site.benchmark.items import Item, ItemCell, Question
    from torus_site.records.model import CellRecord
    from torus_site.views.lookup import Lookup, PointKey
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import SystemView, ValueView
    from torus_site.views.verdicts import Answers


def item_page(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> ItemPage:
    """Build everything the page of an item shows.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: A clip of the item is not in ``media``.
    """
    answers = gather_answers(lookup, item)
    grid = item_grid(lookup, item, media)
    answering = {system: lookup.systems[system] for system in answers}
    descriptor = lookup.descriptor
    return ItemPage(
        title=item.title,
        noun=descriptor.noun.one,
        facets=lookup.item_facets(item),
        flags=tuple(name_value(lookup.flags, flag) for flag in item.flags),
        summary=item.summary,
        notice=item.notice,
        note=descriptor.notes.get("item", ""),
        cards=tuple(
            _make_card(lookup, point, cell, answers, answering) for _, point, cell in lookup.item_cells(item)
        ),
        grid=grid,
        matrix=verdict_matrix(lookup, item, answers, grid),
        json_href=lookup.item_path(item, "data.json"),
        csv_href=lookup.item_path(item, "data.csv"),
        systems=tuple(
            system
            for system in lookup.systems.values()
            if system.id in answering or lookup.entries[system.id].listed
        ),
    )


def item_grid(lookup: Lookup, item: Item, media: Mapping[str, ClipAsset]) -> GridView:
    """Build the grid of players of an item: a row per system that has clips, a column per point.

    A cell without a clip says why. Systems without any, such as reported ones, are named apart.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: A clip of the item is not in ``media``.
    """
    points = {key: point for key, point, _ in lookup.item_cells(item)}
    return _Cells(lookup, item, media, prefix="clip").arrange("players", points, lookup.systems)


def comparator(lookup: Lookup, spec: Comparator, media: Mapping[str, ClipAsset]) -> GridView:
    """Build the small player of a front page: one item, a few systems, at one point if it names one.

    Args:
        lookup: The benchmark and its results.
        spec: Which item, systems and point; without systems every one that has clips.
        media: Every published clip by its path in the project.

    Raises:
        KeyError: The item is unknown, or a clip of it is not in ``media``.
    """
    item = {item.id: item for item in lookup.items}[spec.item]
    points = {
        key: point for key, point, cell in lookup.item_cells(item) if spec.at.items() <= cell.at.items()
    }
    # A page may hold the comparators of several benchmarks, so their ids carry its name.
    name = f"comparator-{lookup.descriptor.id}"
    return _Cells(lookup, item, media, prefix=name).arrange(name, points, spec.systems or lookup.systems)


@dataclass(frozen=True, slots=True)
class _Cells:
    """Makes the cells of one grid.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        media: Every published clip by its path in the project.
        prefix: What the ids of clips start with.
    """

    lookup: Lookup
    item: Item
    media: Mapping[str, ClipAsset]
    prefix: str

    def arrange(self, grid: str, points: Mapping[PointKey, ValueView], wanted: Container[str]) -> GridView:
        """Return the grid of the wanted systems at some points."""
        rows, without = [], []
        for system in self.lookup.systems.values():
            if system.id not in wanted or not self.lookup.entries[system.id].listed:
                continue
            if not self.lookup.has_clips(system.id):
                without.append(system)
                continue
            found = self.lookup.cells(system.id, self.item.id)
            cells = tuple(self._make(system, point, found, key) for key, point in points.items())
            rows.append(GridRow(system=system, cells=cells))
        return GridView(
            id=grid,
            title=f"Every system on this {self.lookup.descriptor.noun.one}",
            item_title=self.item.title,
            columns=tuple(points.values()),
            rows=tuple(rows),
            without_clips=tuple(without),
        )

    def _make(
        self, system: SystemView, point: ValueView, found: Mapping[PointKey, CellRecord], key: PointKey
    ) -> CellView:
        cell = found.get(key)
        if cell is None:
            missing = f"The run has no clip for this {self.lookup.descriptor.noun.one}"
            return CellView(system=system, point=point, clip=None, missing=missing)
        clip = None
        if cell.clip is not None:
            name = ", ".join(part for part in (system.title, point.title, self.item.title) if part)
            clip = view_clip(
                self.media[cell.clip.path],
                id=clip_anchor(self.prefix, system.id, point.id),
                label=f"Play {name}",
            )
        lapse = None if cell.status == "made" else cell.status
        orders = [order for answer in cell.answers for order in answer.orders] if lapse is None else []
        told = tell_lapse(key, found, self.lookup.points)
        return CellView(
            system=system,
            point=point,
            clip=clip,
            missing=told or ("" if clip else cell.note or "No clip was made"),
            correct=sum(order.correct for order in orders) if orders else None,
            asked=len(orders) or None,
            caption=cell.caption or "",
            lapse=lapse,
        )


def _make_card(
    lookup: Lookup, point: ValueView, cell: ItemCell, answers: Answers, answering: Mapping[str, SystemView]
) -> PointCard:
    operation = name_value(lookup.operations, cell.operation).title if cell.operation else ""
    return PointCard(
        id=f"point-{point.id}" if point.id else "point",
        point=point,
        operation=operation,
        prompt=cell.prompt,
        intended=cell.intended,
        transcript=cell.transcript or "",
        questions=tuple(_make_question(lookup, question, answers, answering) for question in cell.questions),
    )


def _make_question(
    lookup: Lookup, question: Question, answers: Answers, answering: Mapping[str, SystemView]
) -> QuestionView:
    picked: dict[str, list[SystemView]] = {}
    unparsed = []
    replies = []
    for system, given in answers.items():
        answer = given.get(question.id)
        if answer is None:
            continue
        if reply := read_reply(answering[system], answer, lookup.descriptor.letters):
            replies.append(reply)
        if answer.pick is not None:
            picked.setdefault(answer.pick, []).append(answering[system])
        elif answer.response is not None:
            unparsed.append(answering[system])
    return QuestionView(
        id=question_anchor(question.id),
        number=question.id,
        element=question.element,
        text=question.text,
        options=tuple(
            OptionView(
                letter=letter,
                text=text,
                is_key=letter == question.key,
                picked_by=tuple(picked.get(letter, ())),
            )
            for letter, text in zip(lookup.descriptor.letters, question.options, strict=True)
        ),
        unparsed_by=tuple(unparsed),
        flags=tuple(name_value(lookup.flags, flag) for flag in question.flags),
        replies=tuple(replies),
    )
