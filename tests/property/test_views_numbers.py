"""Numbers as shown never lie about the numbers they show."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from torus_site.views.anchors import question_anchor
from torus_site.views.bars import find_ticks
from torus_site.views.data import table_csv
from torus_site.views.format import MINUS, format_number, format_raw
from torus_site.views.media import WAVE_BARS, draw_wave
from torus_site.views.model import HeadView, TableCell, TableGroup, TableRow, TableView

finite = st.floats(min_value=-1e9, max_value=1e9)


@given(finite, st.integers(0, 6))
def test_written_number_is_within_half_a_step(value, decimals):
    text = format_number(value, decimals=decimals)
    assert abs(float(text.replace(MINUS, "-")) - value) <= 0.5 * 10**-decimals * (1 + 1e-6)
    assert "-" not in text


@given(finite)
def test_raw_number_reads_back(value):
    assert float(format_raw(value)) == value


@given(st.lists(st.text(min_size=1, max_size=8), unique=True))
def test_questions_have_anchors_of_their_own(questions):
    assert len({question_anchor(question) for question in questions}) == len(questions)


@given(st.lists(st.integers(0, 100), min_size=1, max_size=1200))
def test_wave_never_leaves_its_box_and_keeps_its_greatest(peaks):
    bars = draw_wave(peaks).split("m")[1:]
    lengths = [int(bar.partition("v")[2]) for bar in bars]
    assert len(lengths) == WAVE_BARS
    assert max(lengths) <= 36
    assert (max(lengths) == 0) == (max(peaks) == 0)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_rise_evenly_inside_the_scale(low, span):
    ticks = find_ticks(low, low + span)
    assert 2 <= len(ticks) <= 6
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)
    steps = [after - before for before, after in pairwise(ticks)]
    assert max(steps) - min(steps) < span * 1e-3 + 1e-9


@given(st.lists(st.tuples(st.text(), st.text()), max_size=5))
def test_csv_reads_back_and_no_cell_is_a_formula(rows):
    table = TableView(
        id="t",
        title="T",
        caption="",
        row_head="System",
        heads=(HeadView("Note", numeric=False),),
        groups=(TableGroup("", tuple(TableRow(head, (TableCell(text),)) for head, text in rows)),),
        csv="t.csv",
        source="computed",
    )
    read = list(csv.reader(io.StringIO(table_csv(table).decode(), newline="")))[1:]
    assert len(read) == len(rows)
    for cells, wanted in zip(read, rows, strict=True):
        for cell, text in zip(cells, wanted, strict=True):
            assert cell in {text, f"'{text}"}
            assert not cell.startswith(("=", "@", "\t", "\r"))
