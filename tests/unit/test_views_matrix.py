from __future__ import annotations

from support.drawn import read_svg, texts
from torus_site.views.matrix import GUTTER, draw_matrix, matrix_height, plot_matrix
from torus_site.views.model import ValueView
from torus_site.views.series import Chart, Mark, Series

NAMES = ("Lark", "Wren", "Owl & co")


def make_chart(names=NAMES, high=21.0):
    def mark(row, column):
        if row == column:
            return Mark(value=None, text="-")
        wins = 7 * row + column
        return Mark(value=wins, text=f"{wins}\N{EN DASH}1\N{EN DASH}2")

    return Chart(
        id="c",
        title="C",
        caption="",
        alt="Alt.",
        categories=tuple(ValueView(id=name, title=name) for name in names),
        series=tuple(
            Series(title=name, short=name, hue=i, marks=tuple(mark(i, j) for j in range(len(names))))
            for i, name in enumerate(names)
        ),
        measure="Wins, ties, losses",
        unit="",
        category_head="System",
        csv="c.csv",
        source="reported",
        high=high,
        between=" against ",
    )


def cells(svg):
    return [it for it in read_svg(svg).iter("rect") if it.get("class") == "cell"]


def test_cells_tell_the_same_drawn_wide_or_narrow_and_in_plotly():
    told = ["-", "1\N{EN DASH}1\N{EN DASH}2", "2\N{EN DASH}1\N{EN DASH}2"]
    (trace,) = plot_matrix(make_chart(), 720)["data"]
    assert trace["text"][0] == told
    for width in (720, 340):
        assert texts(draw_matrix(make_chart(), "c", width, tips=True), "value-label")[:3] == told


def test_text_of_a_narrow_cell_is_small_enough_for_its_column():
    six = make_chart(tuple("abcdef"))
    sizes = {it.get("font-size") for it in read_svg(draw_matrix(six, "c", 340, tips=False)).iter("text")}
    small = min(float(size) for size in sizes - {None})
    letters = len(six.series[5].marks[4].text)
    assert 8 < small < (340 - GUTTER) / 6 / letters / 0.55
    wide = read_svg(draw_matrix(six, "c", 720, tips=False))
    assert {it.get("font-size") for it in wide.iter("text")} == {None}


def test_names_over_narrow_columns_are_slanted():
    svg = draw_matrix(make_chart(), "c", 340, tips=False)
    heads = [it for it in read_svg(svg).iter("text") if it.get("transform")]
    assert [it.text for it in heads] == list(NAMES)
    assert matrix_height(make_chart(), 340) > matrix_height(make_chart(), 720)


def test_cell_is_fuller_the_more_its_row_won():
    depths = [float(it.get("fill-opacity")) for it in cells(draw_matrix(make_chart(), "c", 720, tips=True))]
    assert depths == sorted(depths)
    assert 0 < depths[0] < depths[-1] < 0.4


def test_diagonal_has_no_cell():
    assert len(cells(draw_matrix(make_chart(), "c", 720, tips=True))) == 6


def test_tips_tell_row_against_column_and_can_be_left_out():
    wide = read_svg(draw_matrix(make_chart(), "c", 720, tips=True))
    assert wide.find("g/title").text == "Lark against Wren\nWins, ties, losses: 1\N{EN DASH}1\N{EN DASH}2"
    assert read_svg(draw_matrix(make_chart(), "c", 720, tips=False)).find("g/title") is None


def test_plotly_has_the_same_order_and_a_neutral_scale():
    (trace,) = plot_matrix(make_chart(), 720)["data"]
    assert trace["x"] == trace["y"] == ["Lark", "Wren", "Owl &amp; co"]
    assert trace["z"] == [[None, 1, 2], [7, None, 9], [14, 15, None]]
    assert trace["customdata"][1][0] == "Wren against Lark<br>Wins, ties, losses: 7\N{EN DASH}1\N{EN DASH}2"


def test_study_without_comparisons_is_drawn_pale():
    depths = {
        it.get("fill-opacity") for it in cells(draw_matrix(make_chart(("a", "b"), 0.0), "c", 720, tips=True))
    }
    assert len(depths) == 2


def test_matrix_of_nobody_is_empty():
    assert cells(draw_matrix(make_chart(()), "c", 720, tips=True)) == []
