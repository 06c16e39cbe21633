from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest

from factories import item_data, make_benchmark, make_item, make_run, question_data
from support.heads import Watched
from torus_eval.answering.questions import Asked
from torus_eval.clips import decode_clip, hash_clip
from torus_eval.protocol import name_point, order_cells, run_item
from torus_eval.systems.base import Answerer, Made
from torus_site.benchmark.fit import check_results
from torus_site.records.store import Results


def run_watched(watched=None, *, item=None, benchmark=None, seed=3, system="cascade"):
    watched = watched or Watched()
    item = item or make_item()
    kept = {}
    record = run_item(
        watched.system,
        system,
        item,
        benchmark=benchmark or make_benchmark(items=[item]),
        seed=seed,
        keep=kept.__setitem__,
    )
    return watched, record, kept


def test_answering_call_carries_the_clip_and_the_question_and_nothing_else():
    assert set(inspect.signature(Answerer.answer).parameters) == {"self", "clip", "asked", "rng"}
    assert {field.name for field in dataclasses.fields(Asked)} == {"text", "options"}
    watched, _, kept = run_watched()
    clip, asked, _ = watched.answered[0]
    assert {field.name for field in dataclasses.fields(clip)} == {"samples", "rate_hz"}
    said = " ".join([asked.text, *asked.options, *asked.options.values()])
    assert "bell at" not in said
    assert not any(name in said for name in kept)


def test_first_point_generates_and_every_later_one_edits_the_clip_before():
    watched, record, kept = run_watched()
    assert [prompt for prompt, _ in watched.generated] == ["bell at S1"]
    assert [instruction for _, instruction, _ in watched.edited] == ["bell at S2"]
    published = decode_clip(kept[record.cells[0].clip.path], file="S1")
    assert np.array_equal(watched.edited[0][0].samples, published.samples)


def test_questions_are_asked_about_the_clip_as_it_is_published():
    watched, record, kept = run_watched()
    heard = [clip for clip, _, _ in watched.answered]
    for index, cell in enumerate(record.cells):
        published = decode_clip(kept[cell.clip.path], file="clip")
        assert all(
            np.array_equal(clip.samples, published.samples) for clip in heard[2 * index : 2 * index + 2]
        )


def test_clip_is_named_for_its_item_and_point_and_hashed():
    _, record, kept = run_watched()
    assert [cell.clip.path for cell in record.cells] == [
        "audio/toy/cascade/bell-S1.ogg",
        "audio/toy/cascade/bell-S2.ogg",
    ]
    assert [cell.clip.sha256 for cell in record.cells] == [hash_clip(data) for data in kept.values()]


@pytest.mark.parametrize("seed", range(6))
def test_shuffling_is_undone_in_the_pick(seed):
    _, record, _ = run_watched(seed=seed)
    answers = [answer for cell in record.cells for answer in cell.answers]
    assert [answer.pick for answer in answers] == ["B"] * 4
    assert [answer.correct for answer in answers] == [False, True, False, False]


def test_options_are_asked_in_other_orders_under_other_seeds_and_for_other_questions():
    orders = {
        seed: [tuple(asked.options.values()) for _, asked, _ in run_watched(seed=seed)[0].answered]
        for seed in range(5)
    }
    assert len({tuple(order) for order in orders.values()}) > 1
    assert len({order for row in orders.values() for order in row}) > 3


def test_two_systems_see_the_same_order_but_draw_apart():
    first, second = run_watched(system="cascade")[0], run_watched(system="other")[0]
    assert [a[1] for a in first.answered] == [a[1] for a in second.answered]
    assert [a[2] for a in first.answered] != [a[2] for a in second.answered]


def test_what_is_drawn_does_not_depend_on_what_ran_before():
    watched, _, _ = run_watched()
    again = Watched()
    run_watched(again, item=make_item("gong"))
    _, _, _ = run_watched(again)
    assert again.generated[1:] == watched.generated


def test_response_that_is_no_letter_is_no_pick_and_not_correct():
    class Chatty(Watched):
        def answer(self, clip, asked, *, rng):
            return "I would say " + super().answer(clip, asked, rng=rng)

    _, record, _ = run_watched(Chatty())
    answer = record.cells[0].answers[1]
    assert (answer.pick, answer.reason, answer.correct) == (None, "none", False)
    assert answer.response.startswith("I would say ")


def test_note_and_caption_are_kept():
    class Captioned(Watched):
        def edit(self, clip, instruction, *, rng):
            made = super().edit(clip, instruction, rng=rng)
            return Made(made.clip, made.note, "a bell rings")

    _, record, _ = run_watched(Captioned())
    assert [cell.note for cell in record.cells] == [None, "half done"]
    assert [cell.caption for cell in record.cells] == [None, "a bell rings"]


def test_record_fits_its_benchmark():
    item = make_item()
    _, record, _ = run_watched(item=item)
    benchmark = make_benchmark(items=[item])
    run = make_run(items=[], scores=[]).model_copy(update={"items": (record,)})
    problems = check_results(benchmark, Results(runs=(run,)))
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_cells_run_in_the_order_of_the_axis_and_not_of_the_file():
    data = item_data()
    item = make_item(cells=list(reversed(data["cells"])))
    benchmark = make_benchmark(items=[item])
    assert [cell.at["stage"] for cell in order_cells(item, benchmark)] == ["S1", "S2"]


def test_benchmark_without_axes_has_one_point_without_a_name():
    cell = {"at": {}, "prompt": "a bell", "questions": [question_data()]}
    item = make_item(cells=[cell])
    benchmark = make_benchmark(items=[item], axes=[])
    watched, record, kept = run_watched(item=item, benchmark=benchmark)
    assert list(kept) == ["audio/toy/cascade/bell.ogg"]
    assert (len(watched.generated), len(watched.edited), len(record.cells)) == (1, 0, 1)


def test_point_of_two_axes_is_named_by_both():
    assert name_point({"stage": "S1", "take": "b"}) == "S1-b"
