"""A descriptor fits itself, and an item its descriptor; the golden files hold the messages."""

from __future__ import annotations

import pytest

import factories
from torus_site.benchmark.check import Vocabulary, check_descriptor, check_item, show


def check(descriptor, item):
    words = Vocabulary(descriptor, file="f")
    check_item(item, words)
    return words.problems


def places(problems):
    return [problem.place for problem in problems]


def test_right_descriptor_and_item_have_no_problem():
    assert check_descriptor(factories.make_descriptor(), file="f", items=["bell"]) == []
    assert check(factories.make_descriptor(), factories.make_item()) == []


FIGURE = {"title": "F", "source": "computed", "metric": "coherence"}


def test_every_kind_of_figure_and_table_that_fits_is_taken():
    descriptor = factories.make_descriptor(
        comparator={"item": "bell", "at": {"stage": "S1"}, "systems": ["cascade"]},
        tables=[
            {
                "id": "main",
                "title": "Main",
                "source": "computed",
                "group_by": "arm",
                "columns": [
                    {
                        "metric": "coherence",
                        "at": {"stage": "S1"},
                        "where": {"family": "A"},
                        "subset": "clear",
                    },
                    {"metric": "wer", "subset": "all"},
                ],
            },
            {"id": "flat", "title": "Flat", "source": "reported", "columns": [{"metric": "wer"}]},
        ],
        figures=[
            {"kind": "bars", "id": "a", "facet": "family", "systems": ["paper"], **FIGURE},
            {"kind": "bars", "id": "b", "axis": "stage", "subset": "clear", **FIGURE},
            {
                "kind": "donut",
                "id": "c",
                "title": "C",
                "composition": "bank",
                "of": "items",
                "facet": "family",
            },
            {"kind": "win-rates", "id": "d", "title": "D", "study": "human"},
            {"kind": "head-to-head", "id": "e", "title": "E", "study": "human"},
        ],
    )
    assert check_descriptor(descriptor, file="f", items=["bell"]) == []


def test_item_of_the_comparator_is_checked_where_items_are_known():
    descriptor = factories.make_descriptor(comparator={"item": "gong"})
    assert check_descriptor(descriptor, file="f") == []
    assert places(check_descriptor(descriptor, file="f", items=["bell"])) == ["/comparator/item"]


def test_descriptor_without_axes_or_metrics_is_right():
    bare = factories.make_descriptor(axes=[], facets=[], metrics=[], systems=[], verdict_metric=None)
    assert check_descriptor(bare, file="f") == []


def test_hue_is_shared_by_systems_of_different_sources_alone():
    systems = [
        {"id": name, "title": name, "source": source, "hue": hue}
        for name, source, hue in (
            ("a", "computed", 0),
            ("b", "reported", 0),
            ("c", "computed", 1),
            ("d", "reported", 0),
        )
    ]
    (problem,) = check_descriptor(factories.make_descriptor(systems=systems), file="f")
    assert (problem.place, problem.severity) == ("/systems/3/hue", "warning")


@pytest.mark.parametrize("count", [2, 4])
def test_wrong_number_of_options_is_told(count):
    cells = factories.item_data()["cells"]
    cells[0]["questions"][0]["options"] = [f"option {index}" for index in range(count)]
    (problem,) = check(factories.make_descriptor(), factories.make_item(cells=cells))
    assert (problem.place, problem.found, problem.expected) == (
        "/cells/0/questions/0/options",
        f"{count} options",
        "3",
    )


def test_questions_need_a_number_of_options():
    descriptor = factories.make_descriptor(options=None)
    problems = check(descriptor, factories.make_item())
    assert problems[0].action == "set options in benchmark.toml"
    assert problems[1].expected == "nothing: none is declared"


def test_benchmark_without_axes_has_one_cell_and_no_more():
    descriptor = factories.make_descriptor(axes=[])
    cell = {"prompt": "Strike."}
    assert check(descriptor, factories.make_item(cells=[cell])) == []
    (problem,) = check(descriptor, factories.make_item(cells=[cell, cell]))
    assert (problem.place, problem.found) == ("/cells/1/at", "the only point a second time")


def test_every_missing_point_of_two_axes_is_told():
    axes = [
        {"id": "stage", "title": "Stage", "values": [{"id": "S1", "title": "1"}, {"id": "S2", "title": "2"}]},
        {"id": "take", "title": "Take", "values": [{"id": "a", "title": "a"}, {"id": "b", "title": "b"}]},
    ]
    cells = [{"at": {"take": "b", "stage": "S1"}, "prompt": "p"}, {"at": {"stage": "S2"}, "prompt": "p"}]
    problems = check(factories.make_descriptor(axes=axes), factories.make_item(cells=cells))
    assert [problem.found for problem in problems] == [
        "no value for take",
        "no cell at stage S1 take a",
        "no cell at stage S2 take a",
        "no cell at stage S2 take b",
    ]


def test_point_is_shown_as_text():
    assert show({"stage": "S1", "take": "a"}) == "stage S1 take a"
