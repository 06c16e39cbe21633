"""Checks that results fit their benchmark: every name known, every cell there, every number recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.benchmark.check import Vocabulary, ids, show
from torus_site.benchmark.descriptor import DonutSpec, HeadToHeadSpec, WinRatesSpec
from torus_site.benchmark.differences import check_against_baselines, check_differences
from torus_site.benchmark.recompute import check_scores
from torus_site.benchmark.studies import check_composition, check_study
from torus_site.errors import Problem
from torus_site.records.parse import pause_collection
from torus_site.records.problems import one_of, pointer, quote, unknown

if TYPE_CHECKING:
    from torus_site.benchmark.check import Parts
    from torus_site.benchmark.items import Item, Question
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import Again, CellRecord, ItemRecord, Lenient, Point, RunRecord
    from torus_site.records.store import Results

Key = tuple[tuple[str, str], ...]
Asked = dict[str, dict[Key, dict[str, "Question"]]]
"""Item id to point to question id to question."""


def check_results(benchmark: Benchmark, results: Results, *, is_whole: bool = True) -> tuple[Problem, ...]:
    """List everything in the results that does not fit the benchmark, and every number that is wrong.

    Args:
        benchmark: The benchmark.
        results: Its results.
        is_whole: Whether these are all results; of a part of them nothing is called missing.

    Returns:
        Errors and warnings, sorted.
    """
    asked: Asked = {
        item.id: {
            _key(cell.at): {question.id: question for question in cell.questions} for cell in item.cells
        }
        for item in benchmark.items
    }
    problems: list[Problem] = []
    with pause_collection():
        clips: dict[str, str] = {}
        for run in results.runs:
            words = Vocabulary(benchmark.descriptor, file=results.file_of(run))
            _check_run(run, benchmark, words, asked)
            _check_clips(run, words, clips)
            check_scores(run, benchmark, words)
            check_differences(run, words)
            problems += words.problems
    for study in results.studies:
        words = Vocabulary(benchmark.descriptor, file=results.file_of(study))
        check_study(study, words)
        problems += words.problems
    for composition in results.compositions:
        words = Vocabulary(benchmark.descriptor, file=results.file_of(composition))
        check_composition(composition, benchmark.descriptor.options, words)
        problems += words.problems
    if is_whole:
        problems += check_mentions(benchmark, results)
    return tuple(sorted(set(problems)))


def tell_checked(item: Item) -> str:
    """Tell all of an item that :func:`check_results` looks at, so that it need not look again."""
    asked = [
        (cell.at, [(question.id, question.key, question.flags) for question in cell.questions])
        for cell in item.cells
    ]
    return repr((item.id, item.facets, item.flags, asked))


def _key(at: Point) -> Key:
    return tuple(sorted(at.items()))


def _check_run(run: RunRecord, benchmark: Benchmark, words: Vocabulary, asked: Asked) -> None:
    words.known(("system",), run.system, words.systems, "a system")
    if run.system in words.systems and benchmark.system(run.system).source != run.source:
        declared = benchmark.system(run.system).source
        words.add(("source",), quote(run.source), f"{declared!r}, as {benchmark.file} declares the system")
    _check_owed(run, words)
    orders = _count_orders(run)
    seen: set[str] = set()
    for index, record in enumerate(run.items):
        parts = ("items", index)
        if record.item in seen:
            words.add((*parts, "item"), f"{quote(record.item)} a second time", "each item once")
        seen.add(record.item)
        if record.item not in asked:
            words.known((*parts, "item"), record.item, sorted({*asked, *benchmark.unsure}), "an item")
        else:
            _check_item(run, record, words, parts, asked[record.item])
            _check_orders(record, orders, words, parts)
    if run.source == "computed":
        for item in asked:
            if item not in seen:
                words.add(
                    ("items",), f"nothing for {quote(item)}", "every item in a computed run", "run it again"
                )


def _check_owed(run: RunRecord, words: Vocabulary) -> None:
    """Note a run that says it is complete while some of its cells are owed."""
    owed = sum(cell.status == "owed" for record in run.items for cell in record.cells)
    if owed and not run.owed:
        words.add(("owed",), "0", f"the calls that are owed, {owed} or more as so many cells are")


def _count_orders(run: RunRecord) -> int:
    """Count how often the first answer was asked for; every other has to be asked for as often."""
    return next(
        (
            len(answer.again) + 1
            for record in run.items
            for cell in record.cells
            if cell.status == "made"
            for answer in cell.answers
        ),
        1,
    )


def _check_orders(record: ItemRecord, orders: int, words: Vocabulary, parts: Parts) -> None:
    for index, cell in enumerate(record.cells):
        if cell.status != "made":
            continue
        for place, answer in enumerate(cell.answers):
            if len(answer.again) + 1 != orders:
                here = (*parts, "cells", index, "answers", place, "again")
                found = f"{len(answer.again)} further orders for {quote(answer.question)}"
                words.add(here, found, f"{orders - 1}, as the first answer of the run has")


def _check_item(
    run: RunRecord,
    record: ItemRecord,
    words: Vocabulary,
    parts: Parts,
    asked: dict[Key, dict[str, Question]],
) -> None:
    clip_at: dict[Key, bool] = {}
    for index, cell in enumerate(record.cells):
        here = (*parts, "cells", index)
        key = _key(cell.at)
        if key not in asked:
            words.at((*here, "at"), cell.at)
            if missing := [axis for axis in words.axes if axis not in cell.at]:
                words.add((*here, "at"), f"no value for {', '.join(missing)}", "a value on every axis")
            continue
        if key in clip_at:
            both = clip_at[key] and cell.clip is not None
            found = f"a second {'clip' if both else 'cell'} for {record.item} {show(cell.at)}"
            words.add((*here, "at"), found, "one for each item and point")
        clip_at[key] = cell.clip is not None or clip_at.get(key, False)
        if run.clips == "none" and cell.clip is not None:
            words.add((*here, "clip"), "a clip", "null, as the run declares clips = 'none'")
        if run.clips == "published" and cell.clip is None and cell.status == "made":
            _miss_clip(words, (*here, "clip"), record.item, cell.at)
        _check_answers(run, cell, words, here, asked)
    for key, questions in asked.items():
        if key not in clip_at and (run.clips == "published" or (run.source == "computed" and questions)):
            words.add(
                (*parts, "cells"), f"no cell for {record.item} {show(dict(key))}", "a cell for every point"
            )


def _miss_clip(words: Vocabulary, parts: Parts, item: str, at: Point) -> None:
    action = "add the clip, or declare clips = 'none' for the whole run"
    words.add(parts, f"no clip for {item} {show(at)}", "a clip", action)


def _check_answers(
    run: RunRecord,
    cell: CellRecord,
    words: Vocabulary,
    parts: Parts,
    asked: dict[Key, dict[str, Question]],
) -> None:
    questions = asked[_key(cell.at)]
    names = [answer.question for answer in cell.answers]
    if names != [*questions]:
        _check_questions(run, cell, words, parts, asked)
    for index, answer in enumerate(cell.answers):
        if question := questions.get(answer.question):
            here = (*parts, "answers", index)
            _check_answer(run, answer, question, words, here)
            for place, again in enumerate(answer.again):
                _check_answer(run, again, question, words, (*here, "again", place))


def _check_questions(
    run: RunRecord,
    cell: CellRecord,
    words: Vocabulary,
    parts: Parts,
    asked: dict[Key, dict[str, Question]],
) -> None:
    questions = asked[_key(cell.at)]
    answered: set[str] = set()
    for index, answer in enumerate(cell.answers):
        here, name = (*parts, "answers", index, "question"), answer.question
        if name in answered:
            words.add(here, f"a second answer to {quote(name)}", "one answer to each question")
        answered.add(name)
        elsewhere = [key for key, others in asked.items() if name in others]
        if name not in questions and elsewhere:
            found = f"{quote(name)} at {show(cell.at)}"
            words.add(here, found, one_of(questions), f"it is asked at {show(dict(elsewhere[0]))}")
        else:
            words.known(here, name, questions, "a question")
    if run.source == "computed" and cell.status == "made":
        for name in questions:
            if name not in answered:
                words.add((*parts, "answers"), f"no answer to {quote(name)}", "an answer to every question")


def _check_answer(run: RunRecord, answer: Again, question: Question, words: Vocabulary, parts: Parts) -> None:
    _check_pick(run, answer, question, words, parts)
    if answer.lenient is not None:
        _check_pick(run, answer.lenient, question, words, (*parts, "lenient"))


def _check_pick(
    run: RunRecord, answer: Again | Lenient, question: Question, words: Vocabulary, parts: Parts
) -> None:
    if answer.pick is None:
        if answer.correct and run.source == "computed":
            words.add((*parts, "correct"), "true without a pick", "false: what was not picked is not right")
        return
    if answer.pick not in words.letters:
        words.add((*parts, "pick"), quote(answer.pick), one_of(words.letters))
    if answer.correct != (answer.pick == question.key):
        words.add(
            (*parts, "correct"),
            f"{quote(answer.correct)} for the pick {answer.pick}",
            f"{quote(answer.pick == question.key)}, as the key of {question.id} is {question.key}",
        )


def _check_clips(run: RunRecord, words: Vocabulary, clips: dict[str, str]) -> None:
    """Note a clip whose content differs from what another cell says of the same path."""
    for index, record in enumerate(run.items):
        for place, cell in enumerate(record.cells):
            if (
                cell.clip is not None
                and clips.setdefault(cell.clip.path, cell.clip.sha256) != cell.clip.sha256
            ):
                words.add(
                    ("items", index, "cells", place, "clip", "sha256"),
                    f"another content for {quote(cell.clip.path)}",
                    "one content for each path",
                )


def check_mentions(benchmark: Benchmark, results: Results) -> tuple[Problem, ...]:
    """List the figures whose numbers no results file holds, and the systems nothing is known about."""
    problems: list[Problem] = []
    studies, compositions = ids(results.studies), ids(results.compositions)
    for index, figure in enumerate(benchmark.descriptor.figures):
        place = ("figures", index)
        if isinstance(figure, WinRatesSpec | HeadToHeadSpec) and figure.study not in studies:
            at = pointer(*place, "study")
            problems.append(unknown(benchmark.file, at, figure.study, studies, what="a study of the results"))
        if isinstance(figure, DonutSpec):
            at = pointer(*place, "composition")
            if figure.composition not in compositions:
                what = "a composition of the results"
                problems.append(unknown(benchmark.file, at, figure.composition, compositions, what=what))
            elif not any(
                (table.of, table.facet) == (figure.of, figure.facet)
                for table in results.composition(figure.composition).tables
            ):
                found = f"{quote(figure.composition)}, which has no table of {figure.of} by {figure.facet}"
                problems.append(Problem(benchmark.file, at, found, "a composition with that table"))
    problems += check_against_baselines(benchmark, results)
    runs = {run.system for run in results.runs}
    problems += [
        Problem(
            benchmark.file,
            pointer("systems", index, "id"),
            f"no results for {quote(system.id)}",
            f"a run under results/{benchmark.id}",
            severity="warning",
        )
        for index, system in enumerate(benchmark.descriptor.systems)
        if system.id not in runs
    ]
    return tuple(problems)
