from __future__ import annotations

import pytest

from support.showcase import (
    bare_lookup,
    footage_lookup,
    lapse,
    make_answers,
    make_item,
    make_run,
    owing,
    publish_clips,
    quiz_descriptor,
    quiz_lookup,
)
from torus_site.records.store import Results
from torus_site.views.gallery import comparator, item_grid, item_page


@pytest.fixture(name="page")
def _page():
    lookup = quiz_lookup()
    return item_page(lookup, lookup.items[0], publish_clips(lookup))


def test_page_tells_title_facets_note_and_data(page):
    assert (page.title, page.noun, page.note) == ("The bell", "round trip", "Own words.")
    assert [(name, value.title) for name, value in page.facets] == [("Place", "Indoors")]
    assert (page.json_href, page.csv_href) == ("quiz/bell/data.json", "quiz/bell/data.csv")
    assert (page.summary, page.notice, page.flags) == ("About the bell.", "Listen to its end.", ())


def test_flag_of_an_item_is_shown_with_its_text():
    lookup = quiz_lookup()
    (flag,) = item_page(lookup, lookup.items[1], publish_clips(lookup)).flags
    assert (flag.title, flag.text) == ("Odd one", "It was odd.")


def test_page_names_every_listed_system_once(page):
    assert [system.id for system in page.systems] == ["rook", "wren", "lark", "owl", "hen", "emu"]


def test_cards_follow_the_axis_with_operation_and_transcript(page):
    assert [(card.id, card.operation, card.transcript) for card in page.cards] == [
        ("point-R1", "Make", "Words"),
        ("point-R2", "", ""),
        ("point-R3", "", ""),
    ]
    assert (page.cards[0].prompt, page.cards[0].intended) == ("=Prompt of R1", "A sound.")


def test_grid_has_a_row_for_each_system_with_clips(page):
    assert [row.system.id for row in page.grid.rows] == ["rook", "wren", "lark"]
    assert [column.id for column in page.grid.columns] == ["R1", "R2", "R3"]
    assert all(cell.clip for row in page.grid.rows for cell in row.cells)


def test_system_without_clips_is_named_apart(page):
    assert [system.id for system in page.grid.without_clips] == ["owl", "hen", "emu"]


def test_clip_is_labelled_for_a_screen_reader(page):
    clip = page.grid.rows[1].cells[1].clip
    assert (clip.id, clip.label) == ("clip-wren--R2", "Play Wren, Round 2, The bell")


def test_cell_counts_its_answers(page):
    cell = page.grid.rows[0].cells[1]
    assert (cell.correct, cell.asked, cell.caption) == (1, 2, "rook says")


def test_run_that_lacks_an_item_says_so_in_each_cell():
    lookup = quiz_lookup()
    grid = item_grid(lookup, lookup.items[1], publish_clips(lookup))
    lark = {row.system.id: row for row in grid.rows}["lark"]
    assert [(cell.clip, cell.missing) for cell in lark.cells] == [
        (None, "The run has no clip for this round trip")
    ] * 3


def test_missing_clip_says_why():
    lookup = footage_lookup()
    (row,) = item_grid(lookup, lookup.items[0], publish_clips(lookup)).rows
    assert [cell.missing for cell in row.cells] == [
        "",
        "The run has no clip for this scene",
        "No clip was made",
        "The mixer broke",
    ]
    assert row.cells[0].clip.kind == "video"
    assert (row.cells[3].correct, row.cells[3].asked) == (None, None)


def test_clip_that_was_not_published_is_a_bug():
    lookup = quiz_lookup()
    with pytest.raises(KeyError, match="bell-R1"):
        item_grid(lookup, lookup.items[0], {})


def test_question_marks_its_key_and_tells_who_picked_what(page):
    question = page.cards[1].questions[1]
    assert (question.id, question.number, question.element) == ("q-R2-2", "R2.2", "onset")
    assert [(option.letter, option.text, option.is_key) for option in question.options] == [
        ("A", "first", False),
        ("B", "second", True),
    ]
    assert [system.id for system in question.unparsed_by] == ["rook", "wren", "lark"]
    assert [flag.title for flag in question.flags] == ["Odd one"]
    picked = page.cards[0].questions[0].options[0].picked_by
    assert [system.id for system in picked] == ["rook", "wren", "lark"]


def test_verdict_without_a_letter_is_nobodys_pick(page):
    shown = [system.id for card in page.cards for q in card.questions for system in q.unparsed_by]
    assert "hen" not in shown


def test_system_that_was_not_asked_picked_nothing():
    run = make_run("wren", items={"bell": {"R1": "A"}})
    lookup = quiz_lookup(results=Results(runs=(run,)))
    page = item_page(lookup, lookup.items[0], publish_clips(lookup))
    second = page.cards[0].questions[1]
    assert [option.picked_by for option in second.options] == [(), ()]
    assert second.unparsed_by == ()


def test_unlisted_system_has_no_row_and_no_place_among_those_without_clips(page):
    ids = [row.system.id for row in page.grid.rows] + [it.id for it in page.grid.without_clips]
    assert "top" not in ids


def test_missing_axis_is_never_drawn():
    lookup = bare_lookup()
    page = item_page(lookup, lookup.items[0], publish_clips(lookup))
    (card,) = page.cards
    (column,) = page.grid.columns
    clip = page.grid.rows[0].cells[0].clip
    assert (card.id, card.point.title, column.title) == ("point", "", "")
    assert (clip.id, clip.label) == ("clip-solo", "Play Solo, One")
    assert page.matrix is None


def test_comparator_shows_the_chosen_systems_at_the_chosen_point():
    lookup = quiz_lookup()
    grid = comparator(lookup, lookup.descriptor.comparator, publish_clips(lookup))
    assert (grid.id, grid.item_title) == ("comparator-quiz", "The bell")
    assert [column.id for column in grid.columns] == ["R2"]
    assert [[cell.clip.id for cell in row.cells] for row in grid.rows] == [
        ["comparator-quiz-wren--R2"],
        ["comparator-quiz-lark--R2"],
    ]
    assert grid.without_clips == ()


def test_comparator_without_a_choice_shows_everything():
    lookup = quiz_lookup(quiz_descriptor(comparator={"item": "bell"}))
    grid = comparator(lookup, lookup.descriptor.comparator, publish_clips(lookup))
    assert [row.system.id for row in grid.rows] == ["rook", "wren", "lark"]
    assert len(grid.columns) == 3


def test_undeclared_operation_shows_its_own_name():
    lookup = quiz_lookup(quiz_descriptor(operations=[]), items=(make_item("bell"),))
    page = item_page(lookup, lookup.items[0], publish_clips(lookup))
    assert page.cards[0].operation == "make"


def test_text_of_items_stays_text():
    lookup = quiz_lookup(items=(make_item("bell", title="<b>Bell</b>"),))
    page = item_page(lookup, lookup.items[0], publish_clips(lookup))
    assert page.title == "<b>Bell</b>"
    assert not hasattr(page.title, "__html__")


def test_cell_that_was_not_made_says_why_in_place_of_a_player():
    cells = {"R1": lapse("failed"), "R2": lapse("not_reached"), "R3": lapse("owed", "timeout")}
    lookup = quiz_lookup(results=Results(runs=(owing("wren", items={"bell": cells}),)))
    (row,) = item_page(lookup, lookup.items[0], {}).grid.rows
    assert [(cell.clip, cell.lapse, cell.missing) for cell in row.cells] == [
        (None, "failed", "No usable clip: no audio"),
        (None, "not_reached", "Not reached: Round 1 failed"),
        (None, "owed", "Not asked yet"),
    ]
    assert {(cell.correct, cell.asked) for cell in row.cells} == {(None, None)}


def test_clip_whose_questions_are_owed_plays_and_says_so():
    clip = {"path": "audio/wren/bell-R1.wav", "sha256": "0" * 64}
    cells = {"R1": lapse("owed", "timeout", clip=clip, answers=make_answers("R1", "A"))}
    lookup = quiz_lookup(results=Results(runs=(owing("wren", items={"bell": cells}),)))
    (row,) = item_grid(lookup, lookup.items[0], publish_clips(lookup)).rows
    assert (row.cells[0].clip.id, row.cells[0].missing) == ("clip-wren--R1", "Not asked yet")
    assert (row.cells[0].asked, row.cells[0].lapse) == (None, "owed")


def test_question_shows_replies_that_were_more_than_a_letter(page):
    assert [reply.response for card in page.cards for q in card.questions for reply in q.replies] == [
        "-no idea"
    ] * 3
    reply = page.cards[1].questions[1].replies[0]
    assert (reply.system.id, reply.strict) == ("rook", "Strict: wrong; no-letter")


def test_cell_counts_the_answers_of_all_orders():
    (first,) = make_answers("R1", "A")
    again = {"response": "B", "pick": "B", "reason": "exact", "correct": False}
    clip = {"path": "audio/wren/bell-R1.wav", "sha256": "0" * 64}
    cells = {"R1": {"clip": clip, "answers": [{**first, "again": [again, again]}]}}
    lookup = quiz_lookup(results=Results(runs=(make_run("wren", items={"bell": cells}),)))
    (row,) = item_grid(lookup, lookup.items[0], publish_clips(lookup)).rows
    assert (row.cells[0].correct, row.cells[0].asked) == (1, 3)
