from __future__ import annotations

from support.showcase import (
    bare_lookup,
    footage_lookup,
    make_item,
    make_run,
    owing,
    quiz_descriptor,
    quiz_lookup,
    quiz_results,
    value,
)
from torus_site.records.store import Results
from torus_site.views.lookup import name_value


def test_points_stand_in_the_order_of_the_axis():
    points = footage_lookup().points
    assert list(points) == [("clean",), ("mute",), ("swap",), ("mix",)]
    assert [point.title for point in points.values()] == ["Clean", "Mute", "Swap", "Mix"]
    assert {point.short for point in points.values()} == {""}


def test_benchmark_without_axes_has_one_unnamed_point():
    points = bare_lookup().points
    assert list(points) == [()]
    assert (points[()].id, points[()].title, points[()].short) == ("", "", "")


def test_points_of_two_axes_are_joined():
    axes = [
        {"id": "round", "title": "Round", "values": [value("R1", "Round 1", short="R1", text="First.")]},
        {
            "id": "room",
            "title": "Room",
            "values": [value("hall", "Hall", text="Long."), value("den", "Den")],
        },
    ]
    lookup = quiz_lookup(quiz_descriptor(axes=axes), Results())
    hall, den = lookup.points.values()
    assert (hall.id, hall.title, hall.short) == ("R1--hall", "Round 1 · Hall", "R1 · Hall")
    assert hall.text == "First. Long."
    assert den.id == "R1--den"
    assert lookup.key({"room": "den", "round": "R1"}) == ("R1", "den")


def test_item_cells_stand_in_the_order_of_the_axis():
    bell = make_item("bell")
    shuffled = bell.model_copy(update={"cells": bell.cells[::-1]})
    lookup = quiz_lookup(items=(shuffled,))
    assert [point.id for _, point, _ in lookup.item_cells(shuffled)] == ["R1", "R2", "R3"]


def test_system_is_shown_with_its_group_short_name_and_source():
    systems = quiz_lookup().systems
    assert (systems["lark"].short, systems["wren"].short) == ("Lk", "Wren")
    assert (systems["lark"].group, systems["owl"].group) == ("One model", "")
    assert [system.id for system in systems.values() if system.reported] == ["hen", "emu", "top"]
    assert systems["rook"].baseline


def test_run_of_another_source_or_an_unknown_system_is_left_out():
    stranger = make_run("kiwi")
    copied = make_run("rook", "reported")
    results = quiz_results()
    lookup = quiz_lookup(results=Results(runs=(*results.runs, stranger, copied)))
    assert "kiwi" not in lookup.runs
    assert lookup.runs["rook"].source == "computed"


def test_system_without_a_run_has_neither_cells_nor_scores_nor_clips():
    lookup = quiz_lookup()
    assert lookup.cells("owl", "bell") == {}
    assert lookup.scores("owl") == {}
    assert not lookup.has_clips("owl")
    assert not lookup.has_clips("hen")
    assert lookup.has_clips("rook")


def test_listed_systems_keep_the_order_of_the_descriptor():
    lookup = quiz_lookup()
    assert [system.id for system in lookup.listed("computed")] == ["rook", "wren", "lark", "owl"]
    assert [system.id for system in lookup.listed("reported")] == ["hen", "emu"]


def test_citation_is_told_once():
    assert quiz_lookup().citations(["hen", "emu", "owl", "rook"]) == "A paper, table 1"


def test_undeclared_value_shows_its_own_name():
    flags = quiz_lookup().flags
    assert name_value(flags, "odd").title == "Odd one"
    assert name_value(flags, "new").title == "new"


def test_item_facets_leave_out_what_an_item_does_not_say():
    lookup = footage_lookup()
    assert [(name, value.title) for name, value in lookup.item_facets(lookup.items[0])] == [("Suite", "Near")]


def test_paths_start_at_the_root_of_the_site():
    lookup = quiz_lookup()
    assert lookup.item_path(lookup.items[0]) == "quiz/bell/index.html"
    assert lookup.item_path(lookup.items[0], "data.csv") == "quiz/bell/data.csv"


def test_incomplete_run_is_told_on_its_system():
    systems = quiz_lookup(results=Results(runs=(owing("wren", 1), make_run("lark")))).systems
    assert systems["wren"].incomplete == "incomplete: 1 call owed"
    assert (systems["lark"].incomplete, systems["owl"].incomplete) == ("", "")


def test_differences_are_found_by_score_and_the_first_baseline_wins():
    differences = [
        {"metric": "right", "baseline": "rook", "value": 1.0},
        {"metric": "right", "baseline": "lark", "value": 2.0},
        {"metric": "right", "at": {"round": "R1"}, "baseline": "lark", "value": 3.0},
    ]
    lookup = quiz_lookup(results=Results(runs=(make_run("wren", differences=differences),)))
    assert [it.value for it in lookup.differences("wren").values()] == [1.0, 3.0]
    assert lookup.differences("owl") == {}
