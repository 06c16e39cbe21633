"""The verdict matrix of an item: which system answered which question right on its own clip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from torus_site.views.anchors import question_anchor
from torus_site.views.model import LinkView, VerdictGroup, VerdictMatrix, VerdictRow, VerdictView
from torus_site.views.reasons import tell_lapse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torus_site.benchmark.items import Item, Question
    from torus_site.records.model import Answer
    from torus_site.views.lookup import Lookup, PointKey
    from torus_site.views.model import GridView, Lapse, SystemView, ValueView

Answers = dict[str, dict[str, "Answer"]]
"""Answers by system and question id."""

_GROUPS: Final = (("Open run", "computed", False), ("As reported", "reported", True))
"""Title of a group, the descriptor's note for it, and whether its systems are reported."""

_WORDS: Final = {"failed": "No clip", "not_reached": "Not reached", "owed": "Not asked yet"}
_COUNTED: Final = {"correct", "wrong"}
_ORDERS: Final = (
    "Every question was asked in {} orders of its options. "
    "A sign is about the first one; the score counts all of them."
)


def gather_answers(lookup: Lookup, item: Item) -> Answers:
    """Return every answer to an item's questions; a system that neither answered nor lapsed is left out."""
    answers = {}
    for system in lookup.systems:
        record = lookup.records.get((system, item.id))
        cells = record.cells if record else ()
        if any(cell.answers or cell.status != "made" for cell in cells):
            answers[system] = {answer.question: answer for cell in cells for answer in cell.answers}
    return answers


def verdict_matrix(lookup: Lookup, item: Item, answers: Answers, grid: GridView) -> VerdictMatrix | None:
    """Build the matrix of an item, or nothing where it asks no question.

    Open runs stand first. What a paper reports follows in a group of its own, because those answers were
    given to other clips than the ones on the page.

    Args:
        lookup: The benchmark and its results.
        item: The item.
        answers: Its answers, from :func:`gather_answers`.
        grid: The players on the same page, which a verdict leads to.
    """
    asked = [(key, point, cell.questions) for key, point, cell in lookup.item_cells(item) if cell.questions]
    if not asked:
        return None
    clips = {
        (row.system.id, cell.point.id): cell.clip.id for row in grid.rows for cell in row.cells if cell.clip
    }
    columns = [
        _Column(key, point, question, question_anchor(question.id))
        for key, point, questions in asked
        for question in questions
    ]
    groups = []
    for title, note, reported in _GROUPS:
        rows = tuple(
            _Row(lookup, item, system, answers[system.id], clips).judge(columns)
            for system in lookup.systems.values()
            if system.reported is reported and system.id in answers
        )
        if rows:
            groups.append(VerdictGroup(title=title, note=lookup.descriptor.notes.get(note, ""), rows=rows))
    heads = tuple((point, tuple(_link(question) for question in questions)) for _, point, questions in asked)
    orders = max((len(it.again) + 1 for given in answers.values() for it in given.values()), default=1)
    note = _ORDERS.format(orders) if orders > 1 else ""
    return VerdictMatrix(id="matrix", points=heads, groups=tuple(groups), note=note)


def _link(question: Question) -> LinkView:
    return LinkView(title=question.id, href=f"#{question_anchor(question.id)}")


@dataclass(frozen=True, slots=True)
class _Column:
    """A question, the point it is asked at, and its anchor on the page."""

    key: PointKey
    point: ValueView
    question: Question
    anchor: str


class _Row:
    """One system's verdicts on an item."""

    def __init__(
        self,
        lookup: Lookup,
        item: Item,
        system: SystemView,
        answers: Mapping[str, Answer],
        clips: Mapping[tuple[str, str], str],
    ) -> None:
        self.system = system
        self.answers = answers
        self.clips = clips
        self.cells = lookup.cells(system.id, item.id)
        self.points = lookup.points

    def judge(self, columns: Sequence[_Column]) -> VerdictRow:
        """Judge the system. The score counts every question of the page, answered or not, in every order."""
        verdicts = tuple(self._judge_one(column) for column in columns)
        owed = sum(verdict.state == "owed" for verdict in verdicts)
        orders = max((len(answer.again) + 1 for answer in self.answers.values()), default=1)
        correct = sum(
            answer.correct
            for column, verdict in zip(columns, verdicts, strict=True)
            if verdict.state in _COUNTED and column.question.id in self.answers
            for answer in self.answers[column.question.id].orders
        )
        score = f"{correct}/{(len(columns) - owed) * orders}"
        return VerdictRow(system=self.system, verdicts=verdicts, score=score, owed=owed)

    def _judge_one(self, column: _Column) -> VerdictView:
        question, answer = column.question, self.answers.get(column.question.id)
        clip = self.clips.get((self.system.id, column.point.id), "")
        place = f"{self.system.title}, question {question.id}"
        cell = self.cells.get(column.key)
        if cell is not None and cell.status != "made":
            return self._tell_lapse(column, cell.status, place, clip)
        if answer is None:
            return VerdictView("none", "Not answered", f"{place}: not answered", column.anchor, clip)
        if answer.correct:
            label = f"{place}: correct" + (f", picked {answer.pick}" if answer.pick else "")
            return VerdictView("correct", "Correct", label, column.anchor, clip, answer.pick or "")
        if answer.pick:
            label = f"{place}: wrong, picked {answer.pick}, key {question.key}"
            return VerdictView("wrong", "Wrong", label, column.anchor, clip, answer.pick)
        unread = answer.response is not None
        label = f"{place}: wrong, no letter could be read" if unread else f"{place}: wrong"
        return VerdictView("wrong", "Wrong", label, column.anchor, clip)

    def _tell_lapse(self, column: _Column, lapse: Lapse, place: str, clip: str) -> VerdictView:
        # The name of a link holds the word that is seen of it.
        label = f"{place}: {_WORDS[lapse].lower()}"
        if lapse != "owed":
            _, _, why = tell_lapse(column.key, self.cells, self.points).partition(": ")
            label = f"{label}, counts as wrong: {why}"
        return VerdictView(lapse, _WORDS[lapse], label, column.anchor, clip)
