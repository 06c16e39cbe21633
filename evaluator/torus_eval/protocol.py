"""The protocol: generate, answer, edit, answer, edit, answer; each edit starts from the clip before.

An answering call carries the clip and one question with its options, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.answering.questions import Asked, read_strictly, shuffle_options
from torus_eval.clips import SUFFIX, decode_clip, encode_clip, hash_clip
from torus_eval.seeds import seed_generator
from torus_site.records.model import Answer, CellRecord, ClipRef, ItemRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from torus_eval.clips import Clip
    from torus_eval.systems.base import Answerer, Made, System
    from torus_site.benchmark.items import Item, ItemCell, Question
    from torus_site.benchmark.load import Benchmark


def run_item(
    system: System,
    system_id: str,
    item: Item,
    *,
    benchmark: Benchmark,
    seed: int,
    keep: Callable[[str, bytes], None],
) -> ItemRecord:
    """Run one system on one item, point after point.

    Args:
        system: The system.
        system_id: Its id, a part of the seeds and of the clips' places.
        item: The item.
        benchmark: The benchmark, for the order of points and the option letters.
        seed: The seed of the run.
        keep: Takes each clip as its place in the project and its bytes.

    Returns:
        What was made and answered.
    """
    cells: list[CellRecord] = []
    clip: Clip | None = None
    for cell in order_cells(item, benchmark):
        point = name_point(cell.at)
        made = _make(system, clip, cell, rng=seed_generator(seed, system_id, item.id, point, "make"))
        data = encode_clip(made.clip)
        path = f"audio/{benchmark.id}/{system_id}/{'-'.join(filter(None, (item.id, point)))}{SUFFIX}"
        keep(path, data)
        # What is heard on the site is what is answered about and edited next.
        clip = decode_clip(data, file=path)
        answers = ask_questions(
            system.answerer,
            clip,
            cell.questions,
            letters=benchmark.descriptor.letters,
            seed=seed,
            asker=(system_id, item.id),
        )
        cells.append(
            CellRecord(
                at=cell.at,
                clip=ClipRef(path=path, sha256=hash_clip(data)),
                caption=made.caption,
                note=made.note or None,
                answers=tuple(answers),
            )
        )
    return ItemRecord(item=item.id, cells=tuple(cells))


def order_cells(item: Item, benchmark: Benchmark) -> list[ItemCell]:
    """Put an item's cells in the order of the benchmark's points."""
    points = benchmark.points
    return sorted(item.cells, key=lambda cell: points.index(cell.at))


def name_point(at: dict[str, str]) -> str:
    """Name a point for a file, empty where there is only one.

    >>> name_point({"stage": "S1"}), name_point({})
    ('S1', '')
    """
    return "-".join(at.values())


def ask_questions(
    answerer: Answerer,
    clip: Clip,
    questions: tuple[Question, ...],
    *,
    letters: str,
    seed: int,
    asker: tuple[str, str],
) -> Iterator[Answer]:
    """Ask the questions of one cell one by one, each with its options in a drawn order.

    Args:
        answerer: Who answers.
        clip: What the questions are about.
        questions: The questions, options in the order of the item file.
        letters: Option letters in order.
        seed: The seed of the run.
        asker: The system's and the item's id. All systems see the same order of options.

    Yields:
        One answer a question: the raw response names a letter as asked, the pick a letter of the item file.
    """
    system_id, item_id = asker
    for question in questions:
        order = shuffle_options(
            question.options, letters, seed_generator(seed, item_id, question.id, "order")
        )
        options = {asked: question.options[letters.index(own)] for asked, own in order.items()}
        response = answerer.answer(
            clip,
            Asked(question.text, options),
            rng=seed_generator(seed, system_id, item_id, question.id, "answer"),
        )
        reading = read_strictly(response, "".join(order))
        pick = order[reading.pick] if reading.pick else None
        yield Answer(
            question=question.id,
            response=response,
            pick=pick,
            reason=reading.reason,
            correct=pick == question.key,
        )


def _make(system: System, clip: Clip | None, cell: ItemCell, *, rng: np.random.Generator) -> Made:
    if clip is None:
        return system.generator.generate(cell.prompt, rng=rng)
    return system.editor.edit(clip, cell.prompt, rng=rng)
