from __future__ import annotations

import pytest

from support.showcase import make_run, owing, quiz_descriptor, quiz_lookup, rate
from torus_site.records.store import Results
from torus_site.views.tables import score_table


@pytest.fixture(name="table")
def _table():
    lookup = quiz_lookup()
    return score_table(lookup, lookup.descriptor.tables[0])


def rows_of(table):
    return {row.system.id: row for group in table.groups for row in group.rows}


def one_column(*values, direction="higher", mark_best=True):
    """Build a table of one metric over baseline rook, wren and lark; ``None`` leaves a score out."""
    runs = tuple(
        make_run(name, scores=[] if number is None else [rate(number)])
        for name, number in zip(("rook", "wren", "lark"), values, strict=True)
    )
    descriptor = quiz_descriptor(
        metrics=[{"id": "right", "title": "Right", "direction": direction}],
        tables=[
            {
                "id": "one",
                "title": "One",
                "source": "computed",
                "columns": [{"metric": "right"}],
                "mark_best": mark_best,
            }
        ],
    )
    lookup = quiz_lookup(descriptor, Results(runs=runs))
    table = score_table(lookup, lookup.descriptor.tables[0])
    return table, [system for system, row in rows_of(table).items() if row.cells[0].best]


def test_rows_stand_in_groups_in_the_order_of_the_facet(table):
    assert [(group.title, [row.head for row in group.rows]) for group in table.groups] == [
        ("Baseline", ["Rook"]),
        ("One model", ["Wren", "Lark"]),
        ("", ["Owl"]),
    ]


def test_heads_tell_group_direction_unit_and_text(table):
    first, _, far, _ = table.heads
    assert (first.title, first.group, first.direction, first.unit) == ("R1", "Right, %", "higher", "%")
    assert first.text == "Share right."
    assert (far.title, far.direction) == ("Dist.", "lower")
    assert [head.direction for head in table.heads][-1] == "none"


def test_cell_writes_number_half_width_and_what_it_rests_on(table):
    cell = rows_of(table)["rook"].cells[1]
    assert (cell.text, cell.sort) == ("63.2", "63.19")
    assert cell.extra == "\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}7.6"
    assert cell.detail.startswith("273 of 432; 95 % interval 55.2 to 70.5, cluster bootstrap")


def test_missing_score_is_written_in_words(table):
    rook, lark, owl = (rows_of(table)[name].cells for name in ("rook", "lark", "owl"))
    assert (rook[3].text, rook[3].sort, rook[3].missing) == ("not measured", "", True)
    assert (lark[2].text, lark[2].detail) == ("not stated", "the judge was away")
    assert all(cell.missing for cell in owl)


def test_negative_number_has_a_true_minus_and_sorts_by_value(table):
    cell = rows_of(table)["wren"].cells[3]
    assert (cell.text, cell.sort) == ("\N{MINUS SIGN}3", "-3.0")


def test_baseline_row_is_marked_and_never_bold(table):
    rook = rows_of(table)["rook"]
    assert rook.baseline
    assert not any(cell.best for cell in rook.cells)


def test_values_that_look_equal_share_the_bold(table):
    assert [rows_of(table)[name].cells[0].best for name in ("wren", "lark")] == [True, True]
    assert [rows_of(table)[name].cells[0].text for name in ("wren", "lark")] == ["50.0", "50.0"]


@pytest.mark.parametrize(
    ("values", "direction", "best"),
    [
        ((99, 50, 40), "higher", ["wren"]),
        ((1, 50, 40), "lower", ["lark"]),
        ((1, 50, 40), "none", []),
        ((99, 50, None), "higher", ["wren"]),
        ((99, None, None), "higher", []),
    ],
)
def test_best_is_found_by_direction_among_all_but_baselines(values, direction, best):
    table, found = one_column(*values, direction=direction)
    assert found == best
    assert bool(table.notes) == bool(best)


def test_best_is_not_marked_where_the_table_says_so():
    assert one_column(99, 50, 40, mark_best=False)[1] == []


def test_ungrouped_table_has_one_group_without_a_title():
    table, _ = one_column(1, 2, 3)
    assert [group.title for group in table.groups] == [""]
    assert table.heads[0].title == "Right"


def test_reported_table_lists_reported_systems_with_their_citation():
    lookup = quiz_lookup()
    table = score_table(lookup, lookup.descriptor.tables[1])
    assert list(rows_of(table)) == ["hen", "emu"]
    assert (table.source, table.citation) == ("reported", "A paper, table 1")
    assert (
        rows_of(table)["hen"]
        .cells[0]
        .detail.endswith("limits not stated, cluster bootstrap, clusters 48, resamples 5000")
    )


def test_names_and_places_of_a_table(table):
    assert (table.id, table.csv, table.row_head) == ("table-main", "quiz/tables/main.csv", "System")
    assert str(table.caption) == "All &lt;of&gt; them."


def compare(**differences):
    """Build a table of one score and the difference to the baseline rook; systems by name with theirs."""
    columns = [{"metric": "right"}, {"metric": "right", "difference": True, "title": "vs. Rook"}]
    tables = [{"id": "one", "title": "One", "source": "computed", "columns": columns}]
    runs = tuple(
        make_run(name, scores=[rate(50.0)], differences=[{"metric": "right", "baseline": "rook", **each}])
        for name, each in differences.items()
    )
    lookup = quiz_lookup(quiz_descriptor(tables=tables), Results(runs=runs))
    table = score_table(lookup, lookup.descriptor.tables[0])
    return table, {system: row.cells[1] for system, row in rows_of(table).items()}


def test_difference_has_its_sign_and_the_limits_of_its_interval():
    interval = {"low": -2.5, "high": 11.0, "half_width": 6.75, "method": "paired bootstrap", "clusters": 5}
    _, cells = compare(wren={"value": 4.25, "n": 9, "interval": interval}, lark={"value": -3.0})
    wren, lark = cells["wren"], cells["lark"]
    assert (wren.text, wren.sort, wren.extra) == ("+4.2", "4.25", "\N{MINUS SIGN}2.5 to 11.0")
    assert wren.detail.startswith("paired with Rook; n = 9; 95 % interval \N{MINUS SIGN}2.5 to 11.0")
    assert (lark.text, lark.sort, lark.extra) == ("\N{MINUS SIGN}3.0", "-3.0", "")
    assert not wren.best


def test_difference_whose_limits_are_not_stated_shows_the_half_width():
    _, cells = compare(wren={"value": 0.0, "interval": {"half_width": 6.0, "method": "m"}})
    assert (cells["wren"].text, cells["wren"].extra) == ("0.0", "\N{PLUS-MINUS SIGN}\N{NO-BREAK SPACE}6.0")


def test_baseline_is_named_and_stands_at_zero_when_sorted():
    _, cells = compare(wren={"value": 1.0})
    assert (cells["rook"].text, cells["rook"].sort, cells["rook"].missing) == ("baseline", "0", False)


def test_missing_difference_is_a_dash_with_its_reason():
    _, cells = compare(wren={"reason": "no test in common"})
    assert (cells["wren"].text, cells["wren"].detail) == (
        "\N{EN DASH}",
        "no test in common; paired with Rook",
    )
    assert (cells["owl"].text, cells["owl"].detail, cells["owl"].missing) == (
        "\N{EN DASH}",
        "not compared yet",
        True,
    )


def test_head_of_a_difference_tells_what_it_is():
    table, _ = compare()
    score, difference = table.heads
    assert (score.unit, score.beside) == ("%", "half-width")
    assert (difference.title, difference.unit, difference.beside) == ("vs. Rook", "points", "interval")
    assert "baseline" in difference.text


def test_difference_of_a_number_keeps_its_unit():
    columns = [{"metric": "far", "difference": True}]
    tables = [{"id": "one", "title": "One", "source": "computed", "columns": columns}]
    metrics = [{"id": "far", "title": "Distance", "unit": "m"}]
    lookup = quiz_lookup(quiz_descriptor(metrics=metrics, tables=tables), Results())
    assert score_table(lookup, lookup.descriptor.tables[0]).heads[0].unit == "m"


def test_incomplete_run_is_marked_in_its_row_and_below():
    unscored = {"metric": "right", "status": "unscored", "value": None, "reason": "3 were not asked yet"}
    runs = (owing("wren", scores=[unscored]), make_run("lark", scores=[rate(40.0)]))
    lookup = quiz_lookup(results=Results(runs=runs))
    table = score_table(lookup, lookup.descriptor.tables[0])
    rows = rows_of(table)
    assert rows["wren"].system.incomplete == "incomplete: 12 calls owed"
    assert rows["lark"].system.incomplete == ""
    assert (rows["wren"].cells[1].text, rows["wren"].cells[1].detail) == ("not yet", "3 were not asked yet")
    assert rows["wren"].cells[0].text == "not stated"
    assert [note.partition(":")[0] for note in table.notes] == ["Bold", "Incomplete"]


def test_system_that_others_are_measured_against_is_called_the_reference():
    metrics = [{"id": "far", "title": "Distance", "parameters": {"reference": "rook"}}]
    tables = [{"id": "one", "title": "One", "source": "computed", "columns": [{"metric": "far"}]}]
    lookup = quiz_lookup(quiz_descriptor(metrics=metrics, tables=tables), Results())
    cells = {
        name: row.cells[0] for name, row in rows_of(score_table(lookup, lookup.descriptor.tables[0])).items()
    }
    assert (cells["rook"].text, cells["rook"].missing) == ("reference", True)
    assert cells["wren"].text == "not stated"


def test_table_tells_how_its_metrics_were_measured(table):
    assert [(it.title, it.text) for it in table.measured] == [("Right", "Share right.")]
