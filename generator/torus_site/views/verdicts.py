"""The verdict matrix of an item: which system answered which question right on its own clip."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from torus_site.views.anchors import question_anchor
from torus_site.views.model import LinkView, VerdictGroup, VerdictMatrix, VerdictRow, VerdictView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torus_site.benchmark.items import Item, Question
    from torus_site.records.model import Answer
    from torus_site.views.lookup import Lookup
    from torus_site.views.model import GridView, SystemView, ValueView

Answers = dict[str, dict[str, "Answer"]]
"""Answers by system and question id."""

_GROUPS: Final = (("Open run", "computed", False), ("As reported", "reported", True))
"""Title of a group, the descriptor's note for it, and whether its systems are reported."""


def gather_answers(lookup: Lookup, item: Item) -> Answers:
    """Return every answer to an item's questions; a system without any is left out."""
    answers = {}
    for system in lookup.systems:
        record = lookup.records.get((system, item.id))
        found = (
            {answer.question: answer for cell in record.cells for answer in cell.answers} if record else {}
        )
        if found:
            answers[system] = found
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
    asked = [(point, cell.questions) for _, point, cell in lookup.item_cells(item) if cell.questions]
    if not asked:
        return None
    clips = {
        (row.system.id, cell.point.id): cell.clip.id for row in grid.rows for cell in row.cells if cell.clip
    }
    columns = [
        (point, question, question_anchor(question.id))
        for point, questions in asked
        for question in questions
    ]
    groups = []
    for title, note, reported in _GROUPS:
        rows = tuple(
            _make_row(system, answers[system.id], columns, clips)
            for system in lookup.systems.values()
            if system.reported is reported and system.id in answers
        )
        if rows:
            groups.append(VerdictGroup(title=title, note=lookup.descriptor.notes.get(note, ""), rows=rows))
    heads = tuple((point, tuple(_link(question) for question in questions)) for point, questions in asked)
    return VerdictMatrix(id="matrix", points=heads, groups=tuple(groups))


def _link(question: Question) -> LinkView:
    return LinkView(title=question.id, href=f"#{question_anchor(question.id)}")


def _make_row(
    system: SystemView,
    answers: Mapping[str, Answer],
    columns: Sequence[tuple[ValueView, Question, str]],
    clips: Mapping[tuple[str, str], str],
) -> VerdictRow:
    """Judge one system. The score counts every question of the page, answered or not."""
    verdicts = tuple(
        _judge(system, question, answers.get(question.id), anchor, clips.get((system.id, point.id), ""))
        for point, question, anchor in columns
    )
    correct = sum(verdict.state == "correct" for verdict in verdicts)
    return VerdictRow(system=system, verdicts=verdicts, score=f"{correct}/{len(columns)}")


def _judge(
    system: SystemView, question: Question, answer: Answer | None, anchor: str, clip: str
) -> VerdictView:
    place = f"{system.title}, question {question.id}"
    if answer is None:
        return VerdictView("none", "Not answered", f"{place}: not answered", anchor, clip)
    if answer.correct:
        label = f"{place}: correct" + (f", picked {answer.pick}" if answer.pick else "")
        return VerdictView("correct", "Correct", label, anchor, clip, answer.pick or "")
    if answer.pick:
        label = f"{place}: wrong, picked {answer.pick}, key {question.key}"
        return VerdictView("wrong", "Wrong", label, anchor, clip, answer.pick)
    unread = answer.response is not None
    label = f"{place}: wrong, no letter could be read" if unread else f"{place}: wrong"
    return VerdictView("wrong", "Wrong", label, anchor, clip)
