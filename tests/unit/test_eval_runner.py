from __future__ import annotations

import json
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from factories import make_benchmark, make_run
from support.orchestra import SYSTEMS, write_garden
from torus_eval.errors import EvaluationError
from torus_eval.runner import make_plan, run_plan
from torus_eval.scorers import score_run
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import ConfigError
from torus_site.records.store import load_results


def run(root, output=None, **how):
    steps = []
    run_plan(make_plan(root, "toy", **how), output or root, report=steps.append)
    return steps


def read_tree(root):
    folders = [root / name for name in ("audio", "results")]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def garden(tmp_path):
    return write_garden(tmp_path / "garden")


def test_run_writes_a_record_and_a_clip_for_every_cell(garden):
    run(garden)
    clips = [
        f"audio/toy/{s}/{i}-{p}.ogg" for s in SYSTEMS for i in ("gong", "bell") for p in ("spring", "autumn")
    ]
    records = [f"results/toy/{system}.json" for system in SYSTEMS]
    assert sorted(read_tree(garden)) == sorted([*clips, *records])


def test_results_fit_the_benchmark(garden):
    run(garden)
    problems = check_results(load_benchmark(garden, "toy"), load_results(garden, "toy"))
    assert problems == ()


def test_run_again_gives_identical_bytes_in_one_process_or_two(garden, tmp_path):
    run(garden, tmp_path / "one")
    run(garden, tmp_path / "two", jobs=2)
    assert read_tree(tmp_path / "one") == read_tree(tmp_path / "two")


def test_item_alone_gives_the_same_clips_and_answers(garden, tmp_path):
    run(garden, tmp_path / "all")
    run(garden, tmp_path / "part", tests="be*", systems=("dsp-native",))
    whole, part = read_tree(tmp_path / "all"), read_tree(tmp_path / "part")
    clips = {name: data for name, data in part.items() if name.endswith(".ogg")}
    assert len(clips) == 2
    assert clips.items() <= whole.items()
    items = [json.loads(tree["results/toy/dsp-native.json"])["items"] for tree in (whole, part)]
    assert items[1] == [item for item in items[0] if item["item"] == "bell"]


def test_other_seed_gives_other_answers_or_clips(garden, tmp_path):
    run(garden, tmp_path / "one", seed=1)
    run(garden, tmp_path / "two", seed=2)
    assert read_tree(tmp_path / "one") != read_tree(tmp_path / "two")


def test_record_says_where_it_comes_from(garden, monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    run(garden, seed=5)
    record = load_results(garden, "toy").run("dsp-native", "computed")
    told = record.provenance
    assert (told.tool, told.seed, told.started, told.commit) == ("torus-eval", 5, None, None)
    assert told.model_revision == f"dsp-native-{told.config_hash[:12]}"


def test_start_is_told_where_the_environment_gives_it(garden, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    run(garden, systems=("chance",))
    started = load_results(garden, "toy").run("chance", "computed").provenance.started
    assert started == "1970-01-02T00:00:00+00:00"


@pytest.mark.parametrize("epoch", ["9" * 20, "²", "noon"])
def test_start_that_is_no_time_is_told_before_anything_runs(epoch, garden, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(EvaluationError, match=f"SOURCE_DATE_EPOCH: found '{epoch}'; expected seconds"):
        make_plan(garden, "toy")


def test_process_ended_from_outside_is_told(garden, monkeypatch):
    class Broken(ThreadPoolExecutor):
        def __init__(self, *_args, **_how):
            super().__init__(1)

        def submit(self, *_args):
            future = Future()
            future.set_exception(BrokenProcessPool())
            return future

    monkeypatch.setattr("torus_eval.runner.ProcessPoolExecutor", Broken)
    with pytest.raises(EvaluationError, match="a process that was ended from outside"):
        run(garden, jobs=2)


def test_items_stand_in_the_order_of_the_benchmark(garden):
    run(garden, systems=("chance",))
    record = load_results(garden, "toy").run("chance", "computed")
    assert [item.item for item in record.items] == ["gong", "bell"]
    assert [cell.at["season"] for cell in record.items[0].cells] == ["spring", "autumn"]


def test_scores_count_what_was_answered(garden):
    run(garden, systems=("dsp-native",))
    record = load_results(garden, "toy").run("dsp-native", "computed")
    right = sum(answer.correct for item in record.items for cell in item.cells for answer in cell.answers)
    total = next(s for s in record.scores if not s.at and not s.where and s.subset == "all")
    assert (total.correct, total.n) == (right, 4)
    assert (total.interval.clusters, total.interval.resamples, total.interval.seed) == (2, 5000, 0)
    by_season = [s.n for s in record.scores if s.at and s.subset == "all"]
    assert by_season == [2, 2]
    empty = next(s for s in record.scores if s.where == {"family": "B"} and s.subset == "all")
    assert (empty.status, empty.value) == ("unscored", None)


def test_benchmark_without_a_verdict_metric_has_no_scores():
    assert score_run(make_benchmark(verdict_metric=None), make_run().items, seed=1) == ()


def test_benchmark_that_declares_no_system_of_this_tool_is_told(tmp_path):
    root = write_garden(tmp_path, systems=[])
    with pytest.raises(EvaluationError, match="none of the systems of this tool"):
        run(root)


def test_question_without_an_answer_counts_as_wrong():
    benchmark = make_benchmark()
    item = make_run().items[0]
    whole, short = (
        next(s for s in score_run(benchmark, (kept,), seed=1) if not s.at and not s.where)
        for kept in (item, item.model_copy(update={"cells": item.cells[:1]}))
    )
    assert (whole.correct, whole.n, short.correct, short.n) == (3, 4, 2, 4)
    assert (short.value, short.interval, short.reason) == (50.0, None, "a single cluster shows no spread")


def test_each_item_and_record_is_reported(garden):
    steps = run(garden, systems=("chance",))
    assert [getattr(step, "system", step) for step in steps] == [
        "chance",
        "chance",
        garden / "results" / "toy" / "chance.json",
    ]


def test_part_of_a_run_does_not_replace_the_whole(garden):
    run(garden, systems=("chance",))
    before = read_tree(garden)
    with pytest.raises(EvaluationError, match=r"results of gong, which this run leaves out.*--output"):
        run(garden, systems=("chance",), tests="bell")
    assert read_tree(garden) == before


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"systems": ("chancee",)}, "found 'chancee'.*did you mean 'chance'"),
        ({"systems": ("chance", "nothing-like-it", "no")}, "'no'"),
        ({"systems": ("recaption",)}, "no computed system 'recaption'"),
        ({"tests": "gnog"}, "found 'gnog'; expected a glob matching one of gong, bell"),
    ],
)
def test_wrong_choice_is_told(garden, how, message):
    with pytest.raises(EvaluationError, match=message):
        make_plan(garden, "toy", **how)


def test_unknown_benchmark_is_told(garden):
    with pytest.raises(ConfigError, match="no such file"):
        make_plan(garden, "tay")


def test_missing_program_is_told_before_anything_runs(tmp_path, monkeypatch):
    root = write_garden(
        tmp_path / "voices",
        systems=[{"id": "recaption", "title": "R", "source": "computed", "hue": 0}],
    )
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EvaluationError, match="install the package espeak-ng"):
        make_plan(root, "toy")
    assert not (root / "results").exists()
