"""Results are read quickly where all is right, and thoroughly, with all problems, where anything is wrong."""

from __future__ import annotations

import pytest

import factories
from torus_site import reading
from torus_site.benchmark.load import read_benchmark
from torus_site.memory import Memory
from torus_site.reading import read_fitting
from torus_site.records.model import RESULTS
from torus_site.records.store import dump

NAMES = ("bell", "drum")


@pytest.fixture(params=[0, 1_000_000_000], ids=["quickly", "thoroughly"])
def is_quick(request, monkeypatch):
    """Whether files are taken for large ones."""
    monkeypatch.setattr(reading, "_LARGE", request.param)
    return request.param == 0


@pytest.fixture
def read(tmp_path):
    """A function that lays a project with some results and reads them."""

    def make(results, *, jobs=1, **descriptor):
        factories.write_project(
            tmp_path,
            descriptor=factories.descriptor_data(**descriptor),
            items=[factories.item_data(name) for name in NAMES],
        )
        for name, content in results.items():
            path = tmp_path / "results" / "toy" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else encode(content))
        benchmark, _ = read_benchmark(tmp_path, "toy")
        return read_fitting(tmp_path, "toy", benchmark, memory=Memory(), jobs=jobs)

    return make


def encode(content):
    return dump(RESULTS.validate_python(content, strict=False))


def right():
    return {
        "cascade.json": factories.run_data(names=NAMES),
        "paper.json": factories.reported_data(),
        "deep/study.json": factories.study_data(),
        "bank.json": factories.composition_data(),
    }


@pytest.mark.parametrize("jobs", [1, 2])
def test_right_results_are_read_whole(read, is_quick, jobs):
    got = read(right(), jobs=jobs)
    assert got.problems == ()
    assert got.is_whole
    assert [run.system for run in got.results.runs] == ["cascade", "paper"]
    run, _ = got.results.runs
    assert [*got.results.items_of(run)] == [*NAMES]
    assert bool(got.results.stored) == is_quick
    assert {use.item for use in got.results.clips()} == {*NAMES}
    assert (len(got.results.studies), len(got.results.compositions)) == (1, 1)


def spoil(**changes):
    run = factories.run_data(names=NAMES)
    run["items"][1]["cells"][0]["answers"][0] |= changes
    return run


WRONG = {
    "a file that does not parse": {"cascade.json": b"{"},
    "an answer that disagrees with the key": {"cascade.json": spoil(correct=True, pick="C")},
    "a file in the wrong folder": {"other.json": factories.run_data(benchmark="other")},
    "one run in two files": {"again.json": factories.run_data(names=NAMES)},
    "two contents for one clip": {
        "native.json": factories.run_data(
            names=NAMES,
            system="native",
            items=[
                factories.run_data(names=NAMES)["items"][0],
                {
                    "item": "drum",
                    "cells": [
                        factories.cell_data(
                            "drum", clip={"path": "audio/toy/cascade/bell-S1.flac", "sha256": "0" * 64}
                        ),
                        factories.cell_data("drum", "S2"),
                    ],
                },
            ],
        )
    },
}


@pytest.mark.parametrize("what", WRONG)
def test_quick_and_thorough_reading_find_the_same_problems(read, monkeypatch, what):
    found = []
    for size in (0, 1_000_000_000):
        monkeypatch.setattr(reading, "_LARGE", size)
        got = read(right() | WRONG[what], systems=systems())
        assert not got.is_right
        found.append((sorted(got.problems), got.is_whole, len(got.results.runs)))
    assert found[0] == found[1]


def systems():
    known = factories.descriptor_data()["systems"]
    return [*known, {"id": "native", "title": "Native", "source": "computed", "hue": 5}]


def test_quick_and_thorough_reading_warn_of_the_same(read, is_quick):
    got = read(right(), systems=systems())
    assert got.is_right
    (problem,) = got.problems
    assert (problem.place, problem.found) == ("/systems/2/id", "no results for 'native'")
    assert bool(got.results.stored) == is_quick


def test_without_a_benchmark_the_files_are_read_all_the_same(tmp_path, read):
    read(right())
    got = read_fitting(tmp_path, "toy", None, memory=Memory(), jobs=1)
    assert got.problems == ()
    assert len(got.results.runs) == 2
