from __future__ import annotations

import dataclasses
import inspect

import numpy as np
import pytest

from factories import item_data, make_benchmark, make_item, question_data, write_project
from support.heads import Watched
from support.orchestra import PROMPTS, SYSTEM, garden_descriptor, garden_item, write_garden
from support.runs import read, run, write_system
from torus_eval.answering.questions import Asked
from torus_eval.calls import LONGEST_RESPONSE
from torus_eval.clips import decode_clip, hash_clip
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.protocol import draw_order, name_point, order_cells
from torus_eval.runlog.folder import read_clip
from torus_eval.systems.base import CAPABILITIES, System

OPTIONS = ["one", "two", "three"]


def play(root, watched=None, *, names=("bell",), arm="native-edit", **how):
    """Run a watched system over some items; return it, the run and the record of each item."""
    watched = watched or Watched()
    write_garden(root, names)
    write_system(root, watched, arm=arm)
    run(root, **how)
    found = read(root)
    return watched, found, found.item_records()


def decode(found, cell):
    return decode_clip(read_clip(found.path, cell.clip.sha256), file="clip")


def test_answering_call_carries_the_clip_and_the_question_and_nothing_else(tmp_path):
    assert list(inspect.signature(System.answer).parameters) == ["self", "clip", "asked", "seed"]
    assert [field.name for field in dataclasses.fields(Asked)] == ["text", "options"]
    watched, _, _ = play(tmp_path)
    for clip, asked, seed in watched.answered:
        assert [field.name for field in dataclasses.fields(clip)] == ["samples", "rate_hz"]
        assert asked.text == "How many knocks are there?"
        assert sorted(asked.options.values()) == sorted(OPTIONS)
        assert list(asked.options) == ["A", "B", "C"]
        assert isinstance(seed, int)


def test_first_point_generates_and_every_later_one_edits_the_clip_before(tmp_path):
    watched, found, (record,) = play(tmp_path)
    assert [prompt for prompt, _ in watched.generated] == [PROMPTS["spring"]]
    assert [instruction for _, instruction, _ in watched.edited] == [PROMPTS["autumn"]]
    assert np.array_equal(watched.edited[0][0].samples, decode(found, record.cells[0]).samples)


def test_questions_are_asked_about_the_clip_as_it_is_published(tmp_path):
    watched, found, (record,) = play(tmp_path)
    for (clip, _, _), cell in zip(watched.answered, record.cells, strict=True):
        assert np.array_equal(clip.samples, decode(found, cell).samples)


def test_clip_is_named_for_its_item_and_point_and_hashed(tmp_path):
    _, found, (record,) = play(tmp_path)
    assert [cell.clip.path for cell in record.cells] == [
        f"audio/toy/{SYSTEM}/bell-{season}.ogg" for season in PROMPTS
    ]
    for cell in record.cells:
        assert cell.clip.sha256 == hash_clip(read_clip(found.path, cell.clip.sha256))


@pytest.mark.parametrize("seed", range(6))
def test_shuffling_is_undone_in_the_record(tmp_path, seed):
    _, _, (record,) = play(tmp_path, seed=seed)
    answers = [answer for cell in record.cells for answer in cell.answers]
    assert [answer.pick for answer in answers] == ["B", "B"]
    assert [answer.correct for answer in answers] == [False, True]
    assert [answer.lenient.pick for answer in answers] == ["B", "B"]


def test_order_of_options_depends_on_item_question_seed_and_repeat():
    question = make_item().cells[0].questions[0]
    other = question.model_copy(update={"id": "S9.9"})

    def draw(item="bell", question=question, seed=0, repeat=0):
        return "".join(draw_order(item, question, "ABC", seed=seed, repeat=repeat).values())

    assert draw() == draw()
    assert len({draw(item=str(number)) for number in range(40)}) == 6
    assert len({draw(seed=number) for number in range(40)}) == 6
    assert len({draw(repeat=number) for number in range(40)}) == 6
    assert [draw(seed=n) for n in range(9)] != [draw(question=other, seed=n) for n in range(9)]


def test_two_systems_see_the_same_order_but_draw_apart(tmp_path):
    first, second = Watched(), Watched()
    write_garden(tmp_path)
    for name, watched in (("first", first), ("second", second)):
        write_system(tmp_path, watched, name=name)
        run(tmp_path, name=name)
    orders, others = (
        sorted(tuple(asked.options.values()) for _, asked, _ in watched.answered)
        for watched in (first, second)
    )
    assert orders == others
    assert not {seed for *_, seed in first.answered} & {seed for *_, seed in second.answered}


def test_question_is_asked_in_as_many_orders_as_wanted(tmp_path):
    watched, _, (record,) = play(tmp_path, orders=5)
    assert len(watched.answered) == 2 * 5
    orders = [tuple(asked.options.values()) for _, asked, _ in watched.answered]
    assert len(set(orders)) > 1
    assert len({seed for *_, seed in watched.answered}) == len(orders)
    for cell in record.cells:
        (answer,) = cell.answers
        assert [given.pick for given in answer.orders] == ["B"] * 5


def test_first_order_stays_the_same_when_more_are_asked(tmp_path):
    one, _, _ = play(tmp_path / "one")
    five, _, _ = play(tmp_path / "five", orders=5)
    assert [asked for _, asked, _ in one.answered] == [asked for _, asked, _ in five.answered[::5]]


def test_what_is_drawn_does_not_depend_on_what_ran_before(tmp_path):
    alone, _, _ = play(tmp_path / "one", names=("bell",))
    after, _, _ = play(tmp_path / "two", names=("gong", "bell"))
    assert alone.generated[0] in after.generated
    assert [seed for *_, seed in alone.answered] == [
        seed for *_, seed in after.answered if seed in {s for *_, s in alone.answered}
    ]


def test_captioning_arm_makes_each_later_clip_from_caption_and_instruction(tmp_path):
    watched, found, (record,) = play(tmp_path, arm="self-caption")
    assert watched.edited == []
    assert [prompt for prompt, _ in watched.generated] == [
        PROMPTS["spring"],
        f"A bell rings. {PROMPTS['autumn']}",
    ]
    ((heard, _),) = watched.captioned
    assert np.array_equal(heard.samples, decode(found, record.cells[0]).samples)
    assert [cell.caption for cell in record.cells] == [None, "A bell rings."]
    assert found.count().total == found.count().done == 5


def test_cascade_routes_by_a_facet_of_the_item(tmp_path):
    items = [garden_item(name, facets={"family": family}) for name, family in (("gong", "A"), ("bell", "B"))]
    write_project(tmp_path, descriptor=garden_descriptor(), items=items)
    heads = {name: Watched() for name in ("plain", "special", "changer", "ear")}
    parts = {name: {"python": {"target": "support.heads:bring", "options": {"name": name}}} for name in heads}
    for name, head in heads.items():
        write_system(tmp_path, head, name=name)
    write_system(
        tmp_path,
        arm="cascaded",
        route="family",
        generate={"any": "plain", "B": "special"},
        edit={"any": "changer"},
        answer="ear",
        parts=parts,
    )
    assert run(tmp_path).count.owed == 0
    made = {name: (len(head.generated), len(head.edited), len(head.answered)) for name, head in heads.items()}
    assert made == {"plain": (1, 0, 0), "special": (1, 0, 0), "changer": (0, 2, 0), "ear": (0, 0, 4)}


class Faulty(Watched):
    """Raises in one kind of call."""

    def __init__(self, call, error):
        super().__init__()
        for name in CAPABILITIES:
            if name == call:
                setattr(self, name, self.fail)
        self.error = error

    def fail(self, *_, seed):
        del seed
        raise self.error


NOTHING = OutputError("no_audio", "the model returned no audio")


@pytest.mark.parametrize(
    ("arm", "call", "statuses", "asked"),
    [
        ("native-edit", "generate", ["failed", "not_reached"], 0),
        ("native-edit", "edit", ["made", "failed"], 1),
        ("self-caption", "caption", ["made", "failed"], 1),
    ],
)
def test_stage_that_failed_leaves_later_ones_not_reached(tmp_path, arm, call, statuses, asked):
    watched, found, (record,) = play(tmp_path, Faulty(call, NOTHING), arm=arm)
    assert [cell.status for cell in record.cells] == statuses
    assert len(watched.answered) == asked
    count = found.count()
    assert (count.failed, count.owed) == (1, 0)
    assert count.done + count.unreached == count.total
    failed = record.cells[statuses.index("failed")]
    assert (failed.reason, failed.clip, failed.answers) == ("the model returned no audio", None, ())
    if "not_reached" in statuses:
        assert record.cells[-1].reason == "spring failed"


def test_answer_that_came_to_nothing_is_wrong_and_the_run_goes_on(tmp_path):
    error = OutputError("no_text", "the model returned int, not text")
    _, found, (record,) = play(tmp_path, Faulty("answer", error))
    assert [cell.status for cell in record.cells] == ["made", "made"]
    (answer,) = record.cells[0].answers
    assert (answer.response, answer.pick, answer.reason, answer.correct) == (None, None, "no_text", False)
    assert (answer.lenient.pick, answer.lenient.reason) == (None, "no_text")
    assert (found.count().failed, found.count().owed) == (2, 0)


@pytest.mark.parametrize("call", ["generate", "edit", "answer"])
def test_call_that_did_not_come_back_is_owed_and_nothing_is_wrong(tmp_path, call):
    _, found, (record,) = play(tmp_path, Faulty(call, CallError("deadline", "no word for 5 s")))
    count = found.count()
    assert (count.failed, count.unreached) == (0, 0)
    assert count.owed > 0
    owed = [cell for cell in record.cells if cell.status == "owed"]
    assert owed[0].reason == f"{call} was lost: no word for 5 s"
    assert not any(answer.correct is False and answer.response is None for c in owed for answer in c.answers)
    assert {each.reason for each in found.losses()} == {"deadline"}


def test_system_that_cannot_do_a_call_at_all_ends_the_run(tmp_path):
    with pytest.raises(EvaluationError, match="edit of bell: found no ears; expected a system that can"):
        play(tmp_path, Faulty("edit", CapabilityError("no ears")))
    found = read(tmp_path)
    assert [record.call for record in found.losses()] == ["edit"]
    assert found.count().done >= 1


def test_response_that_is_no_letter_is_no_pick_and_not_correct(tmp_path):
    class Chatty(Watched):
        def answer(self, clip, asked, *, seed):
            return "I would say " + super().answer(clip, asked, seed=seed)

    _, _, (record,) = play(tmp_path, Chatty())
    answer = record.cells[1].answers[0]
    assert (answer.pick, answer.reason, answer.correct) == (None, "none", False)
    assert answer.response.startswith("I would say ")
    assert (answer.lenient.pick, answer.lenient.correct) == ("B", True)


def test_long_response_is_cut_and_what_is_no_text_is_replaced(tmp_path):
    class Endless(Watched):
        def answer(self, *_, seed):
            del seed
            return "\ud800" + "é\n\u2028" * 400_000

    _, _, (record,) = play(tmp_path, Endless())
    (answer,) = record.cells[0].answers
    assert len(answer.response) == LONGEST_RESPONSE
    assert answer.response.startswith("?é\n\u2028é")


def test_note_is_kept(tmp_path):
    _, _, (record,) = play(tmp_path)
    assert [cell.note for cell in record.cells] == [None, "half done"]


@pytest.mark.parametrize("error", [CallError("lost", "file \udcff gone"), OutputError("odd", "\ud800" * 9)])
def test_message_that_is_no_text_does_not_end_the_run(tmp_path, error):
    _, found, (record,) = play(tmp_path, Faulty("edit", error))
    assert found.count().done >= 2
    assert "?" in record.cells[1].reason


def test_endless_message_is_cut(tmp_path):
    _, _, (record,) = play(tmp_path, Faulty("edit", OutputError("odd", "x" * 1_000_000)))
    assert len(record.cells[1].reason) <= 10_000


@pytest.mark.parametrize("error", [OutputError("odd", ""), CallError("odd", "")])
def test_fault_without_a_message_is_told_by_its_code(tmp_path, error):
    _, _, (record,) = play(tmp_path, Faulty("edit", error))
    assert record.cells[1].reason.endswith("odd")


def test_system_may_edit_in_place(tmp_path):
    class InPlace(Watched):
        def edit(self, clip, *_, **_how):
            clip.samples[:] = -clip.samples
            return clip

    _, found, (record,) = play(tmp_path, InPlace())
    before, after = (decode(found, cell) for cell in record.cells)
    assert np.corrcoef(before.mono, after.mono)[0, 1] < -0.9


def test_listener_cannot_change_what_the_next_question_is_about(tmp_path):
    class Rough(Watched):
        def answer(self, clip, *_, **_how):
            clip.samples[:] = 0.0
            return "A"

    _, found, _ = play(tmp_path, Rough())
    assert all("read-only" in record.message for record in found.losses())
    assert len(found.losses()) == 2


def test_cells_run_in_the_order_of_the_axis_and_not_of_the_file():
    item = make_item(cells=list(reversed(item_data()["cells"])))
    benchmark = make_benchmark(items=[item])
    assert [cell.at["stage"] for cell in order_cells(item, benchmark)] == ["S1", "S2"]


def test_benchmark_without_axes_has_one_point_without_a_name(tmp_path):
    cell = {"at": {}, "prompt": "a bell", "questions": [question_data()]}
    write_project(tmp_path, descriptor=garden_descriptor(axes=[]), items=[item_data(cells=[cell])])
    watched = Watched()
    write_system(tmp_path, watched)
    run(tmp_path)
    (record,) = read(tmp_path).item_records()
    assert [cell.clip.path for cell in record.cells] == [f"audio/toy/{SYSTEM}/bell.ogg"]
    assert (len(watched.generated), len(watched.edited), len(watched.answered)) == (1, 0, 1)


def test_point_of_two_axes_is_named_by_both():
    assert name_point({"stage": "S1", "take": "b"}) == "S1-b"
