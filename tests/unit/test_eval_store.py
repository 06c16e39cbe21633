from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys

import pytest

from factories import make_run
from torus_eval.errors import EvaluationError
from torus_eval.store import Store, open_store
from torus_site.records.store import dump

KILLED = """
import os, signal, sys
from pathlib import Path
import torus_eval.store as store
from factories import make_run

calls = 0
limit = int(sys.argv[2])
real = Path.replace

def dying(self, target):
    global calls
    calls += 1
    if calls > limit:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, target)

Path.replace = dying
with store.open_store(Path(sys.argv[1]), "toy") as place:
    for name in ("bell-S1.flac", "bell-S2.flac"):
        place.keep("cascade", f"audio/toy/cascade/{name}", b"new " + name.encode())
    if limit < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    place.publish(make_run(scores=[]))
"""


def lay_old(root):
    """Results of an earlier run: one clip that the new run has as well, one that it has no more."""
    for name in ("bell-S1.flac", "gone-S1.flac"):
        path = root / "audio" / "toy" / "cascade" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"old")
    record = root / "results" / "toy" / "cascade.json"
    record.parent.mkdir(parents=True)
    record.write_bytes(dump(make_run()))


def read_tree(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".torus-eval" not in path.parts
    }


NEW = {
    "audio/toy/cascade/bell-S1.flac": b"new bell-S1.flac",
    "audio/toy/cascade/bell-S2.flac": b"new bell-S2.flac",
    "results/toy/cascade.json": dump(make_run(scores=[])),
}


def run_killed(root, limit):
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(root), str(limit)],
        env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(__file__))},  # noqa: PTH120 -- the tests' own folder
        check=False,
    )
    return done.returncode


def test_run_killed_while_clips_wait_leaves_the_old_results(tmp_path):
    lay_old(tmp_path)
    before = read_tree(tmp_path)
    assert run_killed(tmp_path, -1) == -signal.SIGKILL
    assert read_tree(tmp_path) == before
    with open_store(tmp_path, "toy"):
        pass
    assert read_tree(tmp_path) == before
    assert not (tmp_path / ".torus-eval").exists()


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_run_killed_while_moving_is_finished_by_the_next(tmp_path, limit):
    lay_old(tmp_path)
    assert run_killed(tmp_path, limit) == -signal.SIGKILL
    with open_store(tmp_path, "toy"):
        pass
    assert read_tree(tmp_path) == NEW


def test_whole_run_replaces_the_old_and_drops_what_no_record_names(tmp_path):
    lay_old(tmp_path)
    assert run_killed(tmp_path, 99) == 0
    assert read_tree(tmp_path) == NEW
    assert not (tmp_path / ".torus-eval").exists()


def test_record_moves_after_its_clips(tmp_path):
    lay_old(tmp_path)
    run_killed(tmp_path, 2)
    tree = read_tree(tmp_path)
    assert tree["audio/toy/cascade/bell-S2.flac"] == NEW["audio/toy/cascade/bell-S2.flac"]
    assert tree["results/toy/cascade.json"] == dump(make_run())


def test_second_run_into_the_same_place_is_refused(tmp_path):
    with (
        open_store(tmp_path, "toy"),
        pytest.raises(EvaluationError, match="another torus-eval"),
        open_store(tmp_path, "toy"),
    ):
        pass


def test_lock_dies_with_its_owner(tmp_path):
    assert run_killed(tmp_path, -1) == -signal.SIGKILL
    with (tmp_path / ".torus-eval" / "toy" / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open_store(tmp_path, "toy") as store:
        assert store.root == tmp_path


def test_two_benchmarks_can_be_written_at_once(tmp_path):
    with open_store(tmp_path, "toy"), open_store(tmp_path, "other"):
        assert len(list((tmp_path / ".torus-eval").iterdir())) == 2
    assert not (tmp_path / ".torus-eval").exists()


def test_error_in_a_run_leaves_what_waits_for_the_next_to_drop(tmp_path):
    lay_old(tmp_path)
    before = read_tree(tmp_path)

    def fail():
        with open_store(tmp_path, "toy") as store:
            store.keep("cascade", "audio/toy/cascade/bell-S1.flac", b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert read_tree(tmp_path) == before


def test_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "results").write_text("a file")
    store = Store(tmp_path, "toy")
    with pytest.raises(EvaluationError, match="expected a folder to write into"):
        _publish(tmp_path)
    assert store.held_items("cascade") == frozenset()


def _publish(root):
    with open_store(root, "toy") as store:
        store.publish(make_run(scores=[]))


def test_full_disk_is_told_and_leaves_the_old_results(tmp_path, monkeypatch):
    lay_old(tmp_path)
    before = read_tree(tmp_path)

    def fail(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(EvaluationError, match="found No space left on device; expected a folder"):
            _publish(tmp_path)
    assert read_tree(tmp_path) == before
    _publish(tmp_path)
    assert read_tree(tmp_path) == {"audio/toy/cascade/bell-S1.flac": b"old"} | {
        name: data for name, data in NEW.items() if name.endswith(".json")
    }


def test_items_of_the_published_record_are_known(tmp_path):
    lay_old(tmp_path)
    assert Store(tmp_path, "toy").held_items("cascade") == {"bell"}
    assert Store(tmp_path, "toy").held_items("paper") == frozenset()
