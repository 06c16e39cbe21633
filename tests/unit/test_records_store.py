"""Results are written in one form and loaded together."""

from __future__ import annotations

import json

import pytest

import factories
from torus_site.errors import ResultsError
from torus_site.records.store import Results, dump, key_of, load_results, read_results, write


def test_dump_is_sorted_strict_json_with_a_final_newline():
    told = dump(factories.make_reported(citation="Café")).decode()
    assert told.endswith("}\n")
    assert "Café" in told
    assert list(json.loads(told)) == sorted(json.loads(told))
    assert json.loads(told)["scores"][3] == {
        "at": {},
        "correct": None,
        "interval": None,
        "metric": "wer",
        "n": None,
        "reason": "not stated",
        "status": "unscored",
        "subset": "all",
        "value": None,
        "where": {},
    }


def test_write_makes_folders_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "results" / "toy" / "run.json"
    run = factories.make_run()
    write(run, path)
    write(run, path)
    assert path.read_bytes() == dump(run)
    assert list(path.parent.iterdir()) == [path]


def test_failed_write_leaves_the_old_file_and_nothing_beside(tmp_path, monkeypatch):
    path = tmp_path / "run.json"
    write(factories.make_run(), path)
    before = path.read_bytes()

    def fail(*_):
        raise PermissionError

    monkeypatch.setattr(type(path), "replace", fail)
    with pytest.raises(PermissionError):
        write(factories.make_run(system="paper"), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_results_are_loaded_from_every_folder_but_hidden_files(tmp_path):
    factories.write_project(
        tmp_path,
        results={
            "run.json": factories.run_data(),
            "reported/paper.json": factories.reported_data(),
            "study.json": factories.study_data(),
            "bank.json": factories.composition_data(),
            ".hidden.json": {"schema": 9},
            "notes.txt": {},
        },
    )
    results = load_results(tmp_path, "toy")
    assert [run.system for run in results.runs] == ["paper", "cascade"]
    assert results.run("paper", "reported") == results.runs[0]
    assert results.run("paper", "computed") is None
    assert results.study("human").raters == 5
    assert results.composition("bank").tables[0].total == 4
    assert results.file_of(results.runs[0]) == "results/toy/reported/paper.json"


def test_unknown_study_and_composition_are_key_errors():
    with pytest.raises(KeyError):
        Results().study("human")
    with pytest.raises(KeyError):
        Results().composition("bank")


def test_record_that_never_was_in_a_file_is_called_by_its_key():
    assert Results().file_of(factories.make_run()) == "run cascade computed"
    assert key_of(factories.make_study()) == ("study", "human")


def test_benchmark_without_results_has_none(tmp_path):
    assert load_results(tmp_path, "toy") == Results()


def test_every_problem_of_every_file_is_raised(tmp_path):
    factories.write_project(
        tmp_path,
        results={
            "a.json": factories.run_data(),
            "b.json": factories.run_data(),
            "c.json": factories.run_data(benchmark="other", system="echo"),
            "d.json": factories.run_data(system=1, x=2),
            "e.json": factories.study_data(),
        },
    )
    with pytest.raises(ResultsError) as error:
        load_results(tmp_path, "toy")
    assert [(problem.file[-6:], problem.place) for problem in error.value.problems] == [
        ("b.json", ""),
        ("c.json", "/benchmark"),
        ("d.json", "/system"),
        ("d.json", "/x"),
    ]
    assert error.value.problems[0].action == "results/toy/a.json holds the other; keep one"
    results, problems = read_results(tmp_path, "toy")
    assert problems == error.value.problems
    assert (len(results.runs), len(results.studies)) == (1, 1)
