"""The committed run is what ``torus-eval run`` writes: one test is run again with every system."""

from __future__ import annotations

import shutil

import pytest

from support.repository import ROOT
from torus_eval.clips import decode_clip, hash_clip
from torus_eval.runner import make_plan, run_plan
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.records.store import load_results

BENCHMARK = "torus"
RESULTS = load_results(ROOT, BENCHMARK)
COMPUTED = [run for run in RESULTS.runs if run.source == "computed"]
LIMIT_BYTES = 12_000_000
needs_speech = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="espeak-ng is not installed; the committed voices are its own"
)


@pytest.fixture(
    scope="module", params=["shove-and-wall", pytest.param("trail-directions", marks=needs_speech)]
)
def rerun(request, tmp_path_factory):
    """The id of a test and what every system does when it is run again."""
    folder = tmp_path_factory.mktemp("again")
    seeds = {run.provenance.seed for run in COMPUTED}
    systems = tuple(run.system for run in COMPUTED)
    if shutil.which("espeak-ng") is None:
        systems = tuple(system for system in systems if system != "recaption")
    plan = make_plan(ROOT, BENCHMARK, systems=systems, tests=request.param, seed=seeds.pop())
    run_plan(plan, folder, report=lambda _: None)
    return request.param, folder


def committed_item(run, item_id):
    return next(item for item in run.items if item.item == item_id)


def test_same_answers_come_out(rerun):
    item_id, folder = rerun
    again = load_results(folder, BENCHMARK)
    for run in again.runs:
        before = committed_item(RESULTS.run(run.system, "computed"), item_id)
        after = committed_item(run, item_id)
        assert [cell.answers for cell in after.cells] == [cell.answers for cell in before.cells], run.system
        assert [cell.note for cell in after.cells] == [cell.note for cell in before.cells], run.system
        assert [cell.caption for cell in after.cells] == [cell.caption for cell in before.cells], run.system


def test_same_sound_comes_out(rerun):
    item_id, folder = rerun
    for run in load_results(folder, BENCHMARK).runs:
        for cell in committed_item(run, item_id).cells:
            old, new = (
                decode_clip((root / cell.clip.path).read_bytes(), file="clip") for root in (ROOT, folder)
            )
            assert len(old.samples) == len(new.samples)
            assert abs(old.samples - new.samples).max() < 0.01


def test_every_system_ran_every_test_under_one_seed():
    benchmark = load_benchmark(ROOT, BENCHMARK)
    declared = {entry.id for entry in benchmark.descriptor.systems if entry.source == "computed"}
    assert {run.system for run in COMPUTED} == declared
    assert len({run.provenance.seed for run in COMPUTED}) == 1
    assert all([item.item for item in run.items] == [item.id for item in benchmark.items] for run in COMPUTED)
    answers = sum(len(cell.answers) for run in COMPUTED for item in run.items for cell in item.cells)
    assert answers == len(COMPUTED) * sum(len(c.questions) for item in benchmark.items for c in item.cells)


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
        total = next(s for s in run.scores if not s.at and not s.where and s.subset == "all")
        row = next(
            line for line in text.splitlines() if line.startswith(f"| `{run.system}` |") and "/" in line
        )
        limits = f"{total.interval.low:.1f} to {total.interval.high:.1f}"
        assert row.endswith(f"| {total.correct}/{total.n}, {total.value:.1f} % | {limits} |")
