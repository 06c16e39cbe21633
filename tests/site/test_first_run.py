"""The committed run is what the evaluator writes: two tests are run again with every system."""

from __future__ import annotations

import shutil

import pytest

from support.repository import ROOT
from support.weights import need_weights
from torus_eval.assembly import load_run
from torus_eval.clips import decode_clip, hash_clip
from torus_eval.executors import Crew
from torus_eval.runner import list_declared, make_plan, run_plan
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.records.store import load_results

BENCHMARK = "torus"
RESULTS = load_results(ROOT, BENCHMARK)
COMPUTED = [run for run in RESULTS.runs if run.source == "computed"]
LIMIT_BYTES = 12_000_000
WEIGHTS = ("whisper-tiny.en", "yamnet", "minilm")
# Eight-bit models round otherwise on other processors, and an answer may hang on it.
MODEL_HEADS = {"listener", "heard-words"}
MOST_APART = 2
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["shove-and-wall", "trail-directions"])
def rerun(request, tmp_path_factory):
    """The id of a test and, for every system, what it does when it is run again."""
    need_weights(*WEIGHTS)
    for program in ("flite", "fluidsynth"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed; the committed clips are its own")
    folder = tmp_path_factory.mktemp("again")
    seeds = {run.provenance.seed for run in COMPUTED}
    records = {}
    for found in list_declared(ROOT, BENCHMARK):
        plan = make_plan(ROOT, BENCHMARK, found, tests=request.param, seed=min(seeds))
        path = folder / found.system.id
        run_plan(plan, path, Crew(), report=lambda _: None)
        records[found.system.id] = (path, load_run(ROOT, path).item_records()[0])
    return request.param, records


def committed_item(system, item_id):
    run = RESULTS.run(system, "computed")
    return next(item for item in run.items if item.item == item_id)


def list_answers(item):
    return [answer for cell in item.cells for answer in cell.answers]


@pytest.mark.models
def test_same_answers_and_sound_come_out(rerun):
    item_id, records = rerun
    assert records.keys() == {run.system for run in COMPUTED}
    files = {found.system.id: found.system for found in list_declared(ROOT, BENCHMARK)}
    for system, (path, after) in records.items():
        before = committed_item(system, item_id)
        apart = sum(a != b for a, b in zip(list_answers(before), list_answers(after), strict=True))
        hears_by_model = bool({files[system].answer, files[system].caption} & MODEL_HEADS)
        assert apart <= (MOST_APART if hears_by_model else 0), f"{system}: {apart} other answers"
        assert [cell.status for cell in after.cells] == [cell.status for cell in before.cells]
        for old_cell, new_cell in zip(before.cells, after.cells, strict=True):
            if old_cell.caption != new_cell.caption:
                # From here on another description was rendered.
                assert hears_by_model, f"{system}: another caption"
                break
            assert new_cell.note == old_cell.note, f"{system}: another note"
            old = decode_clip((ROOT / old_cell.clip.path).read_bytes(), file="committed")
            new = decode_clip((path / "clips" / f"{new_cell.clip.sha256}.ogg").read_bytes(), file="again")
            assert len(old.samples) == len(new.samples)
            assert abs(old.samples - new.samples).max() < 0.01


def test_every_system_ran_every_test_under_one_seed():
    benchmark = load_benchmark(ROOT, BENCHMARK)
    declared = {entry.id for entry in benchmark.descriptor.systems if entry.source == "computed"}
    assert {run.system for run in COMPUTED} == declared
    assert len({run.provenance.seed for run in COMPUTED}) == 1
    assert {run.status for run in COMPUTED} == {"complete"}
    assert all([item.item for item in run.items] == [item.id for item in benchmark.items] for run in COMPUTED)
    answers = sum(len(cell.answers) for run in COMPUTED for item in run.items for cell in item.cells)
    assert answers == len(COMPUTED) * sum(len(c.questions) for item in benchmark.items for c in item.cells)


def test_every_metric_with_a_measure_has_a_score():
    benchmark = load_benchmark(ROOT, BENCHMARK)
    wanted = {metric.id for metric in benchmark.descriptor.metrics if metric.measure}
    assert all({score.metric for score in run.scores} == wanted for run in COMPUTED)


def test_committed_results_fit_the_benchmark():
    problems = check_results(load_benchmark(ROOT, BENCHMARK), RESULTS)
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_every_clip_is_the_one_its_record_names_and_nothing_else_lies_there():
    named = {
        cell.clip.path: cell.clip.sha256 for run in COMPUTED for item in run.items for cell in item.cells
    }
    found = {
        path.relative_to(ROOT).as_posix(): hash_clip(path.read_bytes())
        for path in (ROOT / "audio" / BENCHMARK).rglob("*")
        if path.is_file()
    }
    assert found == named


def test_clips_are_small_enough_and_sound_as_clips_should():
    paths = sorted((ROOT / "audio" / BENCHMARK).rglob("*.ogg"))
    assert sum(path.stat().st_size for path in paths) < LIMIT_BYTES
    for path in paths:
        clip = decode_clip(path.read_bytes(), file=path.name)
        assert clip.rate_hz == 44100
        assert 3.0 <= clip.duration_s <= 12.01, path.name
        assert 0.05 < abs(clip.samples).max() < 0.98, path.name


def test_documentation_shows_the_scores_of_the_run():
    text = (ROOT / "docs" / "evaluator.md").read_text(encoding="utf-8")
    for run in COMPUTED:
        total = next(
            s for s in run.scores if s.metric == "coherence" and (s.at, s.where, s.subset) == ({}, {}, "all")
        )
        row = next(
            line for line in text.splitlines() if line.startswith(f"| `{run.system}` |") and "/" in line
        )
        limits = f"{total.interval.low:.1f} to {total.interval.high:.1f}"
        assert row.endswith(f"| {total.correct}/{total.n}, {total.value:.1f} % | {limits} |")
