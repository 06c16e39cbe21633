"""A benchmark is loaded with everything it can look up, or every problem of all its files."""

from __future__ import annotations

import subprocess
import sys

import pytest

import factories
from torus_site.benchmark.load import load_benchmark, load_descriptor, load_item, read_benchmark
from torus_site.errors import ConfigError, ContentError


def test_items_come_in_order_then_by_id(tmp_path):
    items = [factories.item_data(name, order=order) for name, order in (("gong", 1), ("bell", 1), ("saw", 0))]
    factories.write_project(tmp_path, items=items)
    benchmark = load_benchmark(tmp_path, "toy")
    assert [item.id for item in benchmark.items] == ["saw", "bell", "gong"]
    assert benchmark.id == "toy"
    assert benchmark.file == "site_src/toy/benchmark.toml"
    assert benchmark.warnings == ()


def test_everything_declared_is_looked_up():
    benchmark = factories.make_benchmark()
    assert benchmark.item("bell").title == "The bell"
    assert benchmark.axis("stage").title == "Stage"
    assert benchmark.facet("family").title == "Family"
    assert benchmark.metric("wer").decimals == 2
    assert benchmark.system("cascade").hue == 0
    assert benchmark.axis_value("stage", "S1").title == "S1"
    assert benchmark.facet_value("family", "B").title == "Scene"
    assert benchmark.operation("edit").title == "Edit"
    assert benchmark.flag("doubtful").title == "Doubtful"
    assert benchmark.subset("clear").without_flags == ("doubtful",)
    assert benchmark.points == ({"stage": "S1"}, {"stage": "S2"})


@pytest.mark.parametrize("name", ["item", "axis", "facet", "metric", "system", "operation", "flag", "subset"])
def test_unknown_name_is_a_key_error(name):
    with pytest.raises(KeyError):
        getattr(factories.make_benchmark(), name)("absent")


def test_all_questions_are_a_subset_unless_one_is_declared():
    assert factories.make_benchmark().subset("all").without_flags == ()
    declared = [{"id": "all", "title": "Everything"}]
    assert factories.make_benchmark(subsets=declared).subset("all").title == "Everything"


def test_question_leaves_a_subset_by_its_own_flag_or_its_items():
    benchmark = factories.make_benchmark()
    item = factories.make_item()
    flagged = factories.make_item(flags=["doubtful"])
    question = item.cells[0].questions[0]
    doubtful = question.model_copy(update={"flags": ("doubtful",)})
    assert benchmark.in_subset(item, question, "clear")
    assert not benchmark.in_subset(item, doubtful, "clear")
    assert not benchmark.in_subset(flagged, question, "clear")
    assert benchmark.in_subset(flagged, doubtful, "all")


def test_problems_of_descriptor_and_items_are_raised_together(tmp_path):
    factories.write_project(
        tmp_path,
        descriptor=factories.descriptor_data(claims="x", verdict_metric="coherenc"),
        items=[factories.item_data(facets={"family": "C"}), factories.item_data("gong", titel="x")],
    )
    (tmp_path / "site_src/toy/tests/saw.toml").write_text("id = saw\n", encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_benchmark(tmp_path, "toy")
    assert [(problem.file.rpartition("/")[2], problem.place) for problem in error.value.problems] == [
        ("benchmark.toml", "/claims"),
        ("benchmark.toml", "/verdict_metric"),
        ("bell.toml", "/facets/family"),
        ("gong.toml", "/titel"),
        ("saw.toml", "line 1, column 6"),
    ]


def test_items_alone_are_wrong_content(tmp_path):
    factories.write_project(tmp_path, items=[factories.item_data(flags=["odd"])])
    with pytest.raises(ContentError) as error:
        load_benchmark(tmp_path, "toy")
    assert [problem.place for problem in error.value.problems] == ["/flags/0"]


@pytest.mark.parametrize(
    ("changes", "is_usable"),
    [
        ({"claim": 1}, True),
        ({"tables": 1}, True),
        ({"metrics": [{"id": "coherence"}]}, True),
        ({"metrics": [{"title": "Coherence"}]}, False),
        ({"axes": 3}, False),
        ({"schema": 2}, False),
        ({"id": "other"}, True),
    ],
)
def test_descriptor_with_its_vocabulary_intact_still_serves_checks(tmp_path, changes, is_usable):
    factories.write_project(
        tmp_path,
        descriptor=factories.descriptor_data(**changes),
        items=[factories.item_data(), factories.item_data("gong", titel="x")],
    )
    benchmark, problems = read_benchmark(tmp_path, "toy")
    assert {problem.file.rpartition("/")[2] for problem in problems} == {"benchmark.toml", "gong.toml"}
    assert (benchmark is not None) == is_usable
    if benchmark:
        assert [item.id for item in benchmark.items] == ["bell"]
        assert benchmark.unsure == {"gong"}


def test_missing_benchmark_is_a_problem(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        load_benchmark(tmp_path, "toy")


def test_warnings_come_with_the_benchmark(tmp_path):
    systems = [{"id": name, "title": name, "source": "computed", "hue": 0} for name in "ab"]
    factories.write_project(tmp_path, descriptor=factories.descriptor_data(systems=systems))
    benchmark = load_benchmark(tmp_path, "toy")
    assert [problem.place for problem in benchmark.warnings] == ["/systems/1/hue"]
    assert load_descriptor(tmp_path, "toy")[1] == benchmark.warnings


def test_descriptor_alone_raises_its_problems(tmp_path):
    factories.write_project(tmp_path, descriptor=factories.descriptor_data(id="other"))
    with pytest.raises(ConfigError, match="the id is the folder's name"):
        load_descriptor(tmp_path, "toy")


def test_item_is_loaded_alone(tmp_path):
    factories.write_project(tmp_path)
    path = tmp_path / "site_src/toy/tests/bell.toml"
    item = load_item(path, descriptor=factories.make_descriptor(), file="bell.toml")
    assert item == factories.make_item()
    assert load_item(path, descriptor=None, file="bell.toml") == item


def test_hidden_files_are_no_items(tmp_path):
    factories.write_project(tmp_path)
    (tmp_path / "site_src/toy/tests/.bell.toml").write_text("x", encoding="utf-8")
    assert len(load_benchmark(tmp_path, "toy").items) == 1


def test_loading_imports_nothing_heavy():
    code = (
        "import sys, torus_site.schema, torus_site.benchmark.fit, torus_site.benchmark.load\n"
        "print(sorted({'numpy', 'pandas', 'plotly', 'soundfile', 'click', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
