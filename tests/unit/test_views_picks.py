from __future__ import annotations

import pytest

from support.showcase import footage_lookup, make_answers, make_run, quiz_lookup
from torus_site.records.store import Results
from torus_site.views.picks import pick_table


@pytest.fixture(name="rows")
def _rows():
    table = pick_table(quiz_lookup())
    return {row.head: [cell.text for cell in row.cells] for row in table.groups[0].rows}


def test_keys_stand_first_and_only_systems_that_gave_letters_follow(rows):
    assert list(rows) == ["Key", "Rook", "Wren", "Lark"]


def test_shares_count_every_answer(rows):
    assert rows["Key"] == ["50.0", "50.0", "0.0"]
    # Lark: A B, A and one unreadable, B B.
    assert rows["Lark"] == ["33.3", "50.0", "16.7"]


def test_cell_tells_its_counts():
    table = pick_table(quiz_lookup())
    lark = table.groups[0].rows[-1]
    assert [cell.detail for cell in lark.cells] == ["2 of 6", "3 of 6", "1 of 6"]
    assert float(lark.cells[0].sort) == pytest.approx(100 / 3)
    assert (lark.system.id, lark.baseline) == ("lark", False)


def test_table_has_a_column_for_each_letter_even_if_nobody_picked_it():
    run = make_run("wren", items={"bell": {"R1": "A"}})
    table = pick_table(quiz_lookup(results=Results(runs=(run,))))
    assert [head.title for head in table.heads] == ["A", "B", "None read"]
    assert [cell.text for cell in table.groups[0].rows[1].cells] == ["100.0", "0.0", "0.0"]
    assert (table.id, table.csv) == ("table-picks", "quiz/tables/picks.csv")


def test_benchmark_without_letters_has_no_table():
    assert pick_table(footage_lookup()) is None
    reported = make_run("hen", "reported", items={"bell": {"R1": "10"}}, clips="none")
    assert pick_table(quiz_lookup(results=Results(runs=(reported,)))) is None


def test_shares_count_every_order():
    (first,) = make_answers("R1", "A")
    again = {"response": "B", "pick": "B", "reason": "exact", "correct": False}
    cells = {"R1": {"answers": [{**first, "again": [again, again, again]}]}}
    table = pick_table(quiz_lookup(results=Results(runs=(make_run("wren", items={"bell": cells}),))))
    assert [cell.text for cell in table.groups[0].rows[1].cells] == ["25.0", "75.0", "0.0"]
