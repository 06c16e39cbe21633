from __future__ import annotations

from torus_site.views.model import ValueView
from torus_site.views.series import Chart, Fact, Mark, Series, chart_table

ROOMS = (ValueView(id="a", title="Attic"), ValueView(id="b", title="Barn"))


def make_chart(series, categories=ROOMS, **changes):
    fields = {
        "id": "c",
        "title": "C",
        "caption": "A <b>",
        "alt": "Alt.",
        "categories": categories,
        "series": series,
        "measure": "Share",
        "unit": "%",
        "category_head": "Room",
        "csv": "x/tables/figure-c.csv",
        "source": "computed",
    }
    return Chart(**fields | changes)


def make_series(title, *marks):
    return Series(title=title, short=title, hue=0, marks=marks)


NUMBER = Mark(
    value=1.5, text="1.5", extra="\N{PLUS-MINUS SIGN} 1", detail="n = 3; sure", facts=(Fact("N", 3, "3"),)
)
GAP = Mark(value=None, text="not stated", detail="lost", facts=(Fact("N", None, "none"),))


def read(table):
    (group,) = table.groups
    return [(row.head, [cell.text for cell in row.cells]) for row in group.rows]


def test_one_series_gives_a_row_for_each_category_with_facts():
    table = chart_table(make_chart((make_series("only", NUMBER, GAP),)))
    assert table.row_head == "Room"
    assert [head.title for head in table.heads] == ["Share", "N"]
    assert read(table) == [("Attic", ["1.5", "3"]), ("Barn", ["not stated", "none"])]


def test_one_category_gives_a_row_for_each_series_with_facts():
    nowhere = (ValueView(id="", title=""),)
    table = chart_table(make_chart((make_series("s", NUMBER), make_series("t", GAP)), nowhere))
    assert table.row_head == "System"
    assert [head.title for head in table.heads] == ["Share", "N"]
    assert read(table) == [("s", ["1.5", "3"]), ("t", ["not stated", "none"])]


def test_many_of_both_give_a_table_without_facts():
    table = chart_table(make_chart((make_series("s", NUMBER, GAP), make_series("t", GAP, NUMBER))))
    assert [(head.title, head.unit) for head in table.heads] == [("Attic", "%"), ("Barn", "%")]
    assert read(table) == [("s", ["1.5", "not stated"]), ("t", ["not stated", "1.5"])]


def test_chart_without_series_gives_a_table_without_rows():
    table = chart_table(make_chart((), (ValueView(id="", title=""),)))
    assert read(table) == []
    assert [head.title for head in table.heads] == ["Share"]


def test_cells_tell_raw_number_half_width_and_detail():
    first, second = chart_table(make_chart((make_series("only", NUMBER, GAP),))).groups[0].rows
    assert (first.cells[0].sort, first.cells[0].extra, first.cells[0].detail) == (
        "1.5",
        NUMBER.extra,
        "n = 3; sure",
    )
    assert [cell.missing for cell in second.cells] == [True, True]
    assert second.cells[0].detail == "lost"


def test_caption_is_text():
    assert str(chart_table(make_chart(())).caption) == "A &lt;b&gt;"


def test_pointer_brings_up_name_number_and_basis():
    chart = make_chart((make_series("s", NUMBER),))
    assert chart.tell(chart.series[0], ROOMS[0], NUMBER) == ("s, Attic", "Share: 1.5 %", "n = 3", "sure")
    assert chart.tell(make_series(""), ROOMS[0], GAP) == ("Attic", "Share: not stated", "lost")
