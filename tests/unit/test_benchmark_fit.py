"""Results fit their benchmark, or every misfit is told with its place."""

from __future__ import annotations

import pytest

import factories
from torus_site.benchmark.fit import check_results
from torus_site.records.store import Results


def tell(*records, benchmark=None):
    """Return place and finding of every error; warnings have a test of their own."""
    problems = check_results(benchmark or factories.make_benchmark(), factories.make_results(*records))
    return [(problem.place, problem.found) for problem in problems if problem.severity == "error"]


HELD_BACK = {"metric": "coherence", "status": "unscored", "reason": "held back"}


def run_with(*cells, item="bell", **changes):
    return factories.make_run(items=[{"item": item, "cells": list(cells)}], scores=[HELD_BACK], **changes)


def both(first=None, second=None):
    """The two cells of an item with changes."""
    return [
        factories.cell_data(stage="S1", **(first or {})),
        factories.cell_data(stage="S2", **(second or {})),
    ]


def test_right_results_have_no_problem():
    assert check_results(factories.make_benchmark(), factories.make_results()) == ()


def test_unknown_system_and_item_are_told():
    run = run_with(*both(), item="bel", system="cascad")
    assert tell(run) == [
        ("/items", "nothing for 'bell'"),
        ("/items/0/item", "'bel'"),
        ("/system", "'cascad'"),
    ]


def test_source_is_the_one_the_descriptor_declares():
    assert tell(factories.make_run(source="reported", citation="A paper")) == [("/source", "'reported'")]


def test_item_twice_is_told():
    record = factories.run_data()["items"][0]
    assert tell(factories.make_run(items=[record, record], scores=[])) == [
        ("/items/1/item", "'bell' a second time")
    ]


def test_second_clip_and_second_cell_for_a_point_are_told():
    cells = both()
    assert tell(run_with(*cells, cells[0])) == [("/items/0/cells/2/at", "a second clip for bell stage S1")]
    textual = factories.cell_data(clip=None)
    assert tell(run_with(*cells, textual)) == [
        ("/items/0/cells/2/at", "a second cell for bell stage S1"),
        ("/items/0/cells/2/clip", "no clip for bell stage S1"),
    ]


def test_unknown_point_is_told_and_the_missing_one_too():
    assert tell(run_with(*both(first={"at": {"stage": "S3"}}))) == [
        ("/items/0/cells", "no cell for bell stage S1"),
        ("/items/0/cells/0/at/stage", "'S3'"),
    ]
    assert tell(run_with(*both(first={"at": {}}))) == [
        ("/items/0/cells", "no cell for bell stage S1"),
        ("/items/0/cells/0/at", "no value for stage"),
    ]


def test_missing_clip_names_the_cell():
    (problem,) = check_results(
        factories.make_benchmark(),
        factories.make_results(run_with(*both(second={"clip": None}))),
        is_whole=False,
    )
    assert problem.found == "no clip for bell stage S2"
    assert "clips = 'none'" in problem.action


def test_run_without_clips_has_none():
    cells = both(second={"clip": None})
    assert tell(run_with(*cells, clips="none")) == [("/items/0/cells/0/clip", "a clip")]


def test_computed_run_without_clips_still_answers_everything():
    assert tell(run_with(factories.cell_data(clip=None), clips="none")) == [
        ("/items/0/cells", "no cell for bell stage S2")
    ]


def test_cell_without_questions_may_be_left_out_of_a_run_without_clips():
    cells = factories.item_data()["cells"]
    cells[1]["questions"] = []
    benchmark = factories.make_benchmark(items=[factories.make_item(cells=cells)])
    assert tell(run_with(factories.cell_data(clip=None), clips="none"), benchmark=benchmark) == []


def test_unanswered_question_is_an_error_of_a_computed_run_alone():
    cells = [{"at": {"stage": "S1"}, "answers": []}]
    assert tell(run_with(*both(first={"answers": []}))) == [
        ("/items/0/cells/0/answers", "no answer to 'S1.1'"),
        ("/items/0/cells/0/answers", "no answer to 'S1.2'"),
    ]
    reported = factories.make_reported(items=[{"item": "bell", "cells": cells}], scores=[])
    assert tell(reported) == []


def test_answer_to_no_question_or_to_another_cells_is_told():
    answers = [
        factories.answer_data("S1.1"),
        factories.answer_data("S1.2") | {"question": "S1.22"},
        factories.answer_data("S2.1"),
        factories.answer_data("S1.1"),
        factories.answer_data("S1.2"),
    ]
    problems = check_results(
        factories.make_benchmark(),
        factories.make_results(run_with(*both(first={"answers": answers}))),
        is_whole=False,
    )
    assert [(problem.place[24:], problem.found, problem.action) for problem in problems] == [
        ("/1/question", "'S1.22'", "did you mean 'S1.2'?"),
        ("/2/question", "'S2.1' at stage S1", "it is asked at stage S2"),
        ("/3/question", "a second answer to 'S1.1'", ""),
    ]


def test_pick_outside_the_options_is_told():
    answers = [factories.answer_data(pick="D", correct=False), factories.answer_data("S1.2")]
    assert tell(run_with(*both(first={"answers": answers}))) == [("/items/0/cells/0/answers/0/pick", "'D'")]


@pytest.mark.parametrize(("pick", "correct"), [("A", False), ("B", True)])
def test_correct_agrees_with_pick_and_key(pick, correct):
    answers = [factories.answer_data(pick=pick, correct=correct), factories.answer_data("S1.2")]
    (problem,) = check_results(
        factories.make_benchmark(),
        factories.make_results(run_with(*both(first={"answers": answers}))),
        is_whole=False,
    )
    assert problem.place == "/items/0/cells/0/answers/0/correct"
    assert problem.expected.endswith("as the key of S1.1 is A")


def test_answer_without_a_pick_is_right_only_where_a_paper_says_so():
    bare = {"response": None, "pick": None, "reason": "reported", "correct": True}
    answers = [factories.answer_data(**bare), factories.answer_data("S1.2")]
    assert tell(run_with(*both(first={"answers": answers}))) == [
        ("/items/0/cells/0/answers/0/correct", "true without a pick")
    ]
    unread = [factories.answer_data(**bare | {"correct": False}), factories.answer_data("S1.2")]
    assert tell(run_with(*both(first={"answers": unread}))) == []
    cells = [{"at": {"stage": "S1"}, "answers": answers}]
    assert tell(factories.make_reported(items=[{"item": "bell", "cells": cells}], scores=[])) == []


def test_one_path_has_one_content_in_all_runs():
    clip = {"path": "audio/toy/shared.flac", "sha256": "0" * 64}
    other = clip | {"sha256": "1" * 64}
    assert tell(run_with(*both(first={"clip": clip}, second={"clip": clip}))) == []
    assert tell(run_with(*both(first={"clip": clip}, second={"clip": other}))) == [
        ("/items/0/cells/1/clip/sha256", "another content for 'audio/toy/shared.flac'")
    ]


def test_figure_needs_its_study_and_its_composition():
    donut = {"kind": "donut", "title": "D", "of": "items", "facet": "family"}
    benchmark = factories.make_benchmark(
        figures=[
            {"kind": "win-rates", "id": "a", "title": "A", "study": "humans"},
            {"kind": "head-to-head", "id": "b", "title": "B", "study": "human"},
            donut | {"id": "c", "composition": "banc"},
            donut | {"id": "d", "composition": "bank"},
            donut | {"id": "e", "composition": "bank", "facet": "tone"},
            {"kind": "bars", "id": "f", "title": "F", "metric": "wer", "source": "computed", "axis": "stage"},
        ]
    )
    problems = check_results(benchmark, factories.make_results())
    assert [(problem.place, problem.found, problem.action) for problem in problems] == [
        ("/figures/0/study", "'humans'", "did you mean 'human'?"),
        ("/figures/2/composition", "'banc'", "did you mean 'bank'?"),
        ("/figures/4/composition", "'bank', which has no table of items by tone", ""),
    ]
    assert {problem.file for problem in problems} == {"site_src/toy/benchmark.toml"}


def test_system_without_results_is_a_warning():
    problems = check_results(factories.make_benchmark(), Results())
    assert [(problem.place, problem.severity) for problem in problems] == [
        ("/systems/0/id", "warning"),
        ("/systems/1/id", "warning"),
    ]
    assert check_results(factories.make_benchmark(), Results(), is_whole=False) == ()


def test_item_that_is_wrong_itself_is_left_alone():
    benchmark = factories.make_benchmark(items=[])
    benchmark = type(benchmark)(benchmark.descriptor, (), benchmark.file, unsure=frozenset({"bell"}))
    run = factories.make_run(scores=[factories.score_data(correct=1, n=4)])
    assert tell(run, benchmark=benchmark) == []
    assert tell(run_with(item="gong"), benchmark=benchmark) == [("/items/0/item", "'gong'")]


def test_problem_names_the_file_of_its_record():
    problems = check_results(
        factories.make_benchmark(), factories.make_results(run_with(system="cascad")), is_whole=False
    )
    assert {problem.file for problem in problems} == {"results/toy/cascad-computed.json"}


def test_hints_end_where_problems_are_many():
    items = [{"item": f"bel-{index}", "cells": []} for index in range(150)]
    run = factories.make_run(items=items, scores=[])
    problems = check_results(factories.make_benchmark(), factories.make_results(run), is_whole=False)
    assert len(problems) == 151
    assert sum("did you mean" in problem.action for problem in problems) == 100


def lapsed(*, cells=None, **changes):
    """Tell what is wrong with the run that has lapses, its first item's cells replaced by others."""
    items = [factories.make_item(name) for name in ("bell", "gong", "horn")]
    data = factories.lapsed_data(**changes)
    if cells:
        data["items"][0]["cells"] = cells
    run = factories.make_lapsed(items=data["items"], **changes)
    return tell(run, benchmark=factories.make_benchmark(items=items))


def test_cell_that_was_not_made_needs_no_clip_and_no_answers():
    assert lapsed() == []


def test_missing_cell_is_an_error_of_an_incomplete_run_too():
    assert lapsed(cells=[factories.lapse_data("failed")], scores=[HELD_BACK]) == [
        ("/items/0/cells", "no cell for bell stage S2")
    ]


def test_made_cell_of_an_incomplete_run_has_all_it_should():
    cells = [factories.lapse_data("failed"), factories.cell_data(stage="S2", clip=None, answers=[])]
    assert lapsed(cells=cells, scores=[HELD_BACK]) == [
        ("/items/0/cells/1/answers", "no answer to 'S2.1'"),
        ("/items/0/cells/1/answers", "no answer to 'S2.2'"),
        ("/items/0/cells/1/clip", "no clip for bell stage S2"),
    ]


def test_complete_run_has_no_owed_cell():
    assert lapsed(status="complete", owed=0) == [("/owed", "0")]


def test_every_question_is_asked_in_as_many_orders():
    cells = [factories.cell_data(stage="S1"), factories.asked_twice("bell", "S2")]
    assert lapsed(cells=cells, scores=[HELD_BACK])[:2] == [
        ("/items/0/cells/1/answers/0/again", "1 further orders for 'S2.1'"),
        ("/items/0/cells/1/answers/1/again", "1 further orders for 'S2.2'"),
    ]


def test_answers_of_a_cell_that_was_not_made_are_in_no_order():
    wrong = factories.answer_data("S1.1", response=None, pick=None, correct=False)
    cells = [factories.lapse_data("failed", answers=[wrong]), factories.lapse_data("not_reached", "S2")]
    assert lapsed(cells=cells) == []


def test_further_orders_and_lenient_readings_agree_with_the_key():
    reading = {"reason": "cue", "pick": "B", "correct": True}
    odd = {"response": "B", "pick": "Z", "reason": "letter", "correct": False}
    blind = {"reason": "refusal", "correct": True}
    answers = [
        factories.answer_data("S1.1", lenient=reading, again=[odd]),
        factories.answer_data("S1.2", again=[{**odd, "pick": "B", "correct": True, "lenient": blind}]),
    ]
    cells = both(first={"answers": answers})
    here = "/items/0/cells/0/answers"
    assert tell(run_with(*cells))[:3] == [
        (f"{here}/0/again/0/pick", "'Z'"),
        (f"{here}/0/lenient/correct", "true for the pick B"),
        (f"{here}/1/again/0/lenient/correct", "true without a pick"),
    ]
