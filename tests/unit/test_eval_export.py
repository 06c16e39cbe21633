from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from support.heads import Watched
from support.orchestra import CALLS, KEYS, SYSTEM, declare, write_garden
from support.repository import ROOT
from support.runs import export, read, read_tree, run, write_system
from torus_eval.assembly import make_run_record
from torus_eval.errors import CallError, EvaluationError
from torus_eval.export import export_runs, find_baseline
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.records.store import load_results

FLOOR = "floor"
FILES = sorted(
    [
        f"results/toy/{SYSTEM}.json",
        *(f"audio/toy/{SYSTEM}/{item}-{season}.ogg" for item in ("gong", "bell") for season in KEYS),
    ]
)


@pytest.fixture
def garden(tmp_path):
    systems = [declare(SYSTEM), declare(FLOOR, hue=1, baseline=True)]
    root = write_garden(tmp_path / "garden", systems=systems)
    write_system(root, Watched(wanted="three"))
    write_system(root, Watched(wanted="two"), name=FLOOR)
    return root


class Absent(Watched):
    """Never comes back from an edit of one item."""

    def edit(self, clip, instruction, *, seed):
        if not self.edited:
            self.edited.append(seed)
            raise CallError("deadline", "no word for 5 s")
        return super().edit(clip, instruction, seed=seed)


def load(root, name=SYSTEM):
    return load_results(root, "toy").run(name, "computed")


def list_misfits(root):
    """List what is wrong with the published results; that a system has none is no fault."""
    problems = check_results(load_benchmark(root, "toy"), load_results(root, "toy"))
    return [problem for problem in problems if not problem.found.startswith("no results for")]


def test_export_writes_a_record_and_a_clip_for_each_cell(garden):
    run(garden)
    assert sorted(export(garden, output=garden)) == FILES
    assert list_misfits(garden) == []
    record = load(garden)
    assert (record.status, record.owed, record.system) == ("complete", 0, SYSTEM)
    assert not (garden / ".torus-eval").exists()


def test_export_again_gives_the_same_bytes(garden):
    run(garden)
    first = export(garden, output=garden)
    assert export(garden, output=garden) == first


def test_scores_count_the_answers(garden):
    run(garden)
    export(garden, output=garden)
    total, *_ = (s for s in load(garden).scores if not s.at and not s.where and s.subset == "all")
    assert (total.correct, total.n, total.value) == (2, 4, 50.0)
    by_season = {s.at["season"]: s.value for s in load(garden).scores if s.at and s.subset == "all"}
    assert by_season == {"spring": 100.0, "autumn": 0.0}


def test_incomplete_run_is_refused_and_says_what_to_do(garden):
    write_system(garden, Absent())
    run(garden)
    with pytest.raises(EvaluationError, match=r"found 2 calls still owed.*torus-eval retry .*--allow-incom"):
        export(garden, output=garden)
    assert read_tree(garden) == {}


def test_incomplete_run_that_is_let_through_is_marked(garden):
    write_system(garden, Absent())
    run(garden)
    files = export(garden, output=garden, allow_incomplete=True)
    assert len(files) == len(FILES) - 1
    record = load(garden)
    assert (record.status, record.owed) == ("incomplete", 2)
    owed = [cell for item in record.items for cell in item.cells if cell.status == "owed"]
    assert [cell.reason for cell in owed] == ["edit was lost: no word for 5 s"]
    unscored = [s for s in record.scores if s.status == "unscored" and not s.where and not s.at]
    assert {s.value for s in unscored} == {None}
    assert unscored
    assert list_misfits(garden) == []


def test_run_that_was_made_whole_replaces_the_incomplete_one(garden):
    write_system(garden, Absent())
    run(garden)
    export(garden, output=garden, allow_incomplete=True)
    run(garden)
    assert sorted(export(garden, output=garden)) == FILES
    assert load(garden).status == "complete"


def test_run_of_nothing_can_be_exported_as_incomplete(garden):
    class Away(Watched):
        def generate(self, prompt, *, seed):
            raise CallError("away", f"{prompt} {seed}")

    write_system(garden, Away())
    run(garden)
    files = export(garden, output=garden, allow_incomplete=True)
    assert list(files) == [f"results/toy/{SYSTEM}.json"]
    assert load(garden).owed == CALLS
    assert list_misfits(garden) == []


def test_all_that_keeps_runs_from_being_exported_is_told_at_once(garden):
    write_system(garden, Absent(), name="stranger")
    run(garden, name="stranger")
    run(garden, name=FLOOR)
    run(garden, name=FLOOR, into="more")
    paths = [("runs", "stranger"), ("runs", FLOOR), ("more", FLOOR)]
    with pytest.raises(EvaluationError) as caught:
        export_runs(
            garden,
            [garden / into / "toy" / name for into, name in paths],
            garden,
            report=lambda _: None,
        )
    told = sorted(problem.found for problem in caught.value.problems)
    assert told == ["2 calls still owed", f"a second run of '{FLOOR}'", "the undeclared system 'stranger'"]
    assert '[[systems]] with id = "stranger"' in str(caught.value)
    assert read_tree(garden) == {}


def test_run_of_some_items_does_not_replace_the_results_of_more(garden):
    for name in (SYSTEM, FLOOR):
        run(garden, name=name)
    export(garden, output=garden)
    before = read_tree(garden)
    run(garden, into="part", tests="bell")
    run(garden, name=FLOOR, into="part")
    with pytest.raises(EvaluationError, match=r"found results for gong too, which this run leaves out"):
        # The other run would be fine, and is not written either.
        export(garden, names=(FLOOR, SYSTEM), into="part", output=garden)
    assert read_tree(garden) == before
    assert len(export(garden, into="part")) == 3


def test_clips_of_an_older_export_are_dropped(garden):
    run(garden)
    export(garden, output=garden)
    stray = garden / "audio" / "toy" / SYSTEM / "old.ogg"
    stray.write_bytes(b"old")
    other = garden / "audio" / "toy" / "else.ogg"
    other.write_bytes(b"of somebody else")
    export(garden, output=garden)
    assert not stray.exists()
    assert other.exists()


def test_difference_to_the_baseline_stands_in_the_record(garden):
    for name in (SYSTEM, FLOOR):
        run(garden, name=name)
    export(garden, names=(SYSTEM, FLOOR), output=garden)
    assert find_baseline(load_benchmark(garden, "toy")) == FLOOR
    assert load(garden, FLOOR).differences == ()
    values = {
        each.at.get("season", "total"): (each.value, each.n, each.baseline)
        for each in load(garden).differences
        if each.subset == "all" and not each.where
    }
    assert values == {
        "total": (0.0, 4, FLOOR),
        "spring": (100.0, 2, FLOOR),
        "autumn": (-100.0, 2, FLOOR),
    }
    assert list_misfits(garden) == []


def test_baseline_that_lies_beside_the_run_is_found(garden):
    run(garden)
    export(garden, output=garden)
    assert load(garden).differences == ()
    run(garden, name=FLOOR)
    export(garden, output=garden)
    assert {each.baseline for each in load(garden).differences} == {FLOOR}


def test_baseline_that_was_run_on_other_items_says_nothing(garden):
    run(garden, tests="bell")
    run(garden, name=FLOOR, tests="gong")
    export(garden, output=garden)
    assert load(garden).differences == ()


def test_neither_system_file_nor_model_is_needed(garden):
    run(garden)
    files = export(garden)
    (garden / f"{SYSTEM}.toml").unlink()
    assert export(garden, output=garden) == files


def test_export_says_which_file_it_wrote(garden):
    run(garden)
    written = []
    path = garden / "runs" / "toy" / SYSTEM
    export_runs(garden, [path, path], garden, report=written.append)
    assert written == [garden / "results" / "toy" / f"{SYSTEM}.json"]


def test_record_is_the_same_whatever_was_published_before(garden):
    run(garden)
    record = make_run_record(read(garden))
    export(garden, output=garden)
    assert make_run_record(read(garden)) == record


def test_folder_that_cannot_be_written_is_told(garden):
    run(garden)
    (garden / "results").write_text("a file", encoding="utf-8")
    with pytest.raises(EvaluationError, match="expected a folder to write into"):
        export(garden, output=garden)


KILLED = """
import os, signal, sys
from pathlib import Path
from torus_eval.export import export_runs

left = int(sys.argv[1])
real = Path.replace

def dying(self, target):
    global left
    if ".torus-eval" in self.parts:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)

Path.replace = dying
export_runs(Path(), [Path(sys.argv[2])], Path(), report=print)
"""


@pytest.mark.parametrize("left", [0, 2, 4])
def test_export_that_was_killed_while_moving_is_finished_by_the_next(garden, left):
    run(garden)
    run(garden, name=FLOOR)
    expected = export(garden, names=(SYSTEM, FLOOR))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(left), f"runs/toy/{SYSTEM}"],
        cwd=garden,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert len(read_tree(garden)) == left
    assert not (garden / "results" / "toy" / f"{SYSTEM}.json").exists()
    files = export(garden, names=(FLOOR,), output=garden)
    assert files == expected
    assert json.loads(files[f"results/toy/{SYSTEM}.json"])["system"] == SYSTEM
