from __future__ import annotations

import csv
import io
import json

import pytest

from support.showcase import (
    bare_lookup,
    footage_lookup,
    lapse,
    make_answers,
    make_run,
    owing,
    publish_clips,
    quiz_lookup,
)
from torus_site.records.store import Results
from torus_site.views.data import item_csv, item_json, table_csv
from torus_site.views.model import HeadView, TableCell, TableGroup, TableRow, TableView
from torus_site.views.tables import score_table


def read_csv(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def load(lookup, index=0):
    item, media = lookup.items[index], publish_clips(lookup)
    return json.loads(item_json(lookup, item, media)), read_csv(item_csv(lookup, item, media))


def make_table(heads, rows, titles=("",)):
    return TableView(
        id="t",
        title="T",
        caption="",
        row_head="System",
        heads=heads,
        groups=tuple(
            TableGroup(title, tuple(TableRow(head, cells) for head, cells in rows)) for title in titles
        ),
        csv="t.csv",
        source="computed",
    )


def test_json_holds_item_cells_systems_outputs_and_answers():
    data, _ = load(quiz_lookup())
    assert list(data) == ["benchmark", "item", "cells", "systems", "outputs"]
    assert data["item"]["title"] == "The bell"
    assert [cell["at"] for cell in data["cells"]] == [{"round": name} for name in ("R1", "R2", "R3")]
    assert data["cells"][0]["questions"][0]["options"] == ["first", "second"]
    assert [(it["id"], it["source"], it["citation"]) for it in data["systems"]] == [
        ("rook", "computed", None),
        ("wren", "computed", None),
        ("lark", "computed", None),
        ("hen", "reported", "A paper, table 1"),
    ]
    assert len(data["outputs"]) == 12
    output = data["outputs"][1]
    assert (output["system"], output["at"], output["caption"]) == ("rook", {"round": "R2"}, "rook says")
    assert output["answers"][1] == {
        "question": "R2.2",
        "response": "-no idea",
        "pick": None,
        "reason": "no-letter",
        "correct": False,
    }


def test_json_leads_to_the_published_clip_and_its_source():
    lookup = quiz_lookup()
    data, _ = load(lookup)
    assert data["outputs"][0]["clip"] == publish_clips(lookup)["audio/rook/bell-R1.wav"].src
    assert data["outputs"][0]["sha256"] == "0" * 64
    assert data["outputs"][-1]["clip"] is None


def test_files_are_the_same_bytes_each_time():
    lookup = quiz_lookup()
    item, media = lookup.items[0], publish_clips(lookup)
    for write in (item_json, item_csv):
        assert write(lookup, item, media) == write(quiz_lookup(), item, media)
        assert write(lookup, item, media).endswith(b"\n")


def test_csv_has_a_row_for_each_answer():
    _, rows = load(quiz_lookup())
    assert len(rows) == 24
    first = rows[0]
    assert (first["system"], first["source"], first["round"]) == ("rook", "computed", "R1")
    assert (first["question"], first["key"], first["key_text"]) == ("R1.1", "A", "first")
    assert (first["pick"], first["pick_text"], first["correct"]) == ("A", "first", "true")
    assert (first["option_A"], first["option_B"]) == ("first", "second")
    assert (rows[3]["pick"], rows[3]["pick_text"], rows[3]["correct"]) == ("", "", "false")


def test_csv_keeps_outputs_without_answers_and_axes_named_like_columns():
    _, rows = load(footage_lookup())
    assert [(row["axis_question"], row["note"], row["question"]) for row in rows] == [
        ("clean", "", ""),
        ("swap", "", ""),
        ("mix", "The mixer broke", ""),
    ]


def test_missing_axis_has_no_column():
    _, rows = load(bare_lookup())
    assert list(rows[0])[:3] == ["system", "source", "clip"]


def test_cell_is_never_a_formula():
    _, rows = load(quiz_lookup())
    assert rows[3]["response"] == "'-no idea"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_text_that_a_spreadsheet_would_run_is_kept_as_text(start):
    table = make_table((HeadView("Note", numeric=False),), [(f"{start}1+1", (TableCell(f"{start}x"),))])
    ((_, head), (_, cell)) = (pair for pair in read_csv(table_csv(table))[0].items())
    assert (head, cell) == (f"'{start}1+1", f"'{start}x")


def test_negative_number_stays_a_number():
    table = make_table((HeadView("Gap"),), [("a", (TableCell("\N{MINUS SIGN}3", sort="-3.0"),))])
    assert table_csv(table) == b"System,Gap\r\na,-3.0\r\n"


def test_table_has_columns_for_half_widths_and_details():
    lookup = quiz_lookup()
    rows = read_csv(table_csv(score_table(lookup, lookup.descriptor.tables[0])))
    assert list(rows[0])[:5] == ["Group", "System", "Right, %: R1", "Right, %: R1, detail", "Right, %: Total"]
    rook, wren, lark, owl = rows
    assert (rook["Group"], owl["Group"]) == ("Baseline", "")
    assert (rook["Right, %: Total"], rook["Right, %: Total, half-width"]) == ("63.19", "7.6")
    assert (wren["Dist."], lark["Dist."]) == ("1.25", "")
    assert lark["Dist., detail"] == "not stated; the judge was away"
    assert rook["Size, detail"] == "not measured"


def test_ungrouped_table_without_details_has_a_column_for_each_head():
    heads = (HeadView("Share", unit="%"), HeadView("Word", numeric=False))
    rows = [("a", (TableCell("50.0", sort="50.0"), TableCell("yes")))]
    assert table_csv(make_table(heads, rows)) == b"System,Share,Word\r\na,50.0,yes\r\n"


def test_table_without_rows_keeps_its_head():
    assert table_csv(make_table((HeadView("Share"),), [])) == b"System,Share\r\n"


def test_files_tell_what_became_of_a_cell():
    cells = {"R1": lapse("failed"), "R2": lapse("not_reached", "upstream"), "R3": lapse("owed", "timeout")}
    data, rows = load(quiz_lookup(results=Results(runs=(owing("wren", items={"bell": cells}),))))
    told = [("failed", "no_audio"), ("not_reached", "upstream"), ("owed", "timeout")]
    assert [(it["status"], it["status_reason"]) for it in data["outputs"]] == told
    assert [(row["status"], row["status_reason"]) for row in rows] == told
    assert {row["question"] for row in rows} == {""}


def test_every_order_has_a_row_with_its_lenient_reading():
    (first,) = make_answers("R1", "A")
    reading = {"pick": "B", "reason": "cue", "correct": False}
    again = {"response": "I say B", "pick": None, "reason": "none", "correct": False, "lenient": reading}
    blind = {"pick": None, "reason": "echo", "correct": False}
    answers = [{**first, "lenient": blind, "again": [again]}]
    data, rows = load(
        quiz_lookup(results=Results(runs=(make_run("wren", items={"bell": {"R1": {"answers": answers}}}),)))
    )
    assert data["outputs"][0]["answers"][0]["again"] == [again]
    assert [(row["order"], row["pick"], row["lenient_pick"], row["lenient_reason"]) for row in rows] == [
        ("1", "A", "", "echo"),
        ("2", "", "B", "cue"),
    ]


def test_interval_beside_a_difference_has_a_column_of_its_own():
    heads = (HeadView("Gap", beside="interval"),)
    table = make_table(heads, [("a", (TableCell("+1.0", sort="1.0", extra="0.5 to 1.5"),))])
    assert table_csv(table) == b'System,Gap,"Gap, interval"\r\na,1.0,0.5 to 1.5\r\n'
