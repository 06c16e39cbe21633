from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor

import pytest

from factories import write_toml
from support.children import is_running
from support.cluster import start_cluster
from support.mortal import (
    NAME,
    count_notes,
    die,
    lay_pause,
    lay_poison,
    lay_tokens,
    look_around,
    write_mortal,
)
from support.repository import ROOT
from torus_eval import executors
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.executors import Crew, check_kind, check_versions
from torus_eval.export import export_runs
from torus_eval.lanes import THREADS, Lanes
from torus_eval.runlog.folder import read_run
from torus_eval.runner import make_plan, run_plan
from torus_eval.systems.load import find_systems
from torus_site.errors import ConfigError, Problem

PATIENCE_S = 40.0
TORUS_EVAL = [sys.executable, "-c", "from torus_eval.cli import main; main()"]
CALLS = 8


started = []


@pytest.fixture(autouse=True)
def end_what_was_started():
    """Leave no run behind where a test fails before it has stopped one."""
    yield
    while started:
        process = started.pop()
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.fixture
def project(tmp_path):
    return write_mortal(tmp_path / "project")


def run(project, crew, *, into="runs"):
    """Run the system; return how the run stands at its end."""
    plan = make_plan(project, "toy", find_systems((str(project / f"{NAME}.toml"),))[0])
    return run_plan(plan, project / into / "toy" / NAME, crew, report=lambda _: None)


def export(project, *, into="runs"):
    """Export a run; return the bytes of every file."""
    output = project / f"export-{into}"
    export_runs(project, [project / into / "toy" / NAME], output, report=lambda _: None)
    files = (path for path in sorted(output.rglob("*")) if path.is_file())
    return {path.relative_to(output).as_posix(): path.read_bytes() for path in files}


def export_unbroken(project):
    run(project, Crew("thread", 2), into="unbroken")
    return export(project, into="unbroken")


def wait_until(holds, what):
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s, what
        time.sleep(0.02)


def test_threads_in_any_number_give_the_same_bytes(project):
    run(project, Crew("thread", 1), into="one")
    run(project, Crew("thread", 5), into="five")
    files = export(project, into="one")
    assert len(files) == 5
    assert export(project, into="five") == files


@pytest.mark.slow
def test_processes_give_the_same_bytes_and_load_the_model_once_each(project):
    expected = export_unbroken(project)
    folder = project / NAME
    run(project, Crew("process", 2))
    assert export(project) == expected
    opened = count_notes(folder, "opened")
    workers = opened.keys() - {os.getpid()}
    assert 1 <= len(workers) <= 2
    assert {opened[number] for number in workers} == {1}
    assert {number: count_notes(folder, "closed")[number] for number in workers} == dict.fromkeys(workers, 1)
    assert not any(is_running(number) for number in workers)


def test_worker_process_has_one_thread_for_algebra_before_numpy_is_loaded():
    crew = Crew("process", 1)
    try:
        variables, has_numpy = crew.submit(look_around).result()
    finally:
        crew.close()
    assert variables == dict.fromkeys(THREADS, "1")
    assert not has_numpy


@pytest.mark.slow
def test_killed_worker_process_is_replaced_and_nothing_is_lost(project):
    expected = export_unbroken(project)
    lay_tokens(project / NAME, "answer", 2)
    last = run(project, Crew("process", 2))
    assert (last.count.done, last.errors) == (CALLS, 0)
    assert export(project) == expected


@pytest.mark.slow
def test_call_that_always_kills_its_worker_is_lost_and_others_go_on(project):
    plan = make_plan(project, "toy", find_systems((str(project / f"{NAME}.toml"),))[0])
    item = plan.script.benchmark.item("bell")
    deadly = plan.script.follow(item, {})[0].waiting[0]
    lay_poison(project / NAME, deadly.seed)
    last = run(project, Crew("process", 2))
    assert (last.count.done, last.count.owed, last.errors) == (CALLS // 2, CALLS // 2, 1)
    _, records = read_run(project / "runs" / "toy" / NAME)
    lost = records.pop(deadly.slot)
    assert (lost.status, lost.reason) == ("error", "died")
    assert "ended from outside" in lost.message
    assert {(record.item, record.status) for record in records.values()} == {("gong", "ok")}


def test_worker_that_dies_takes_no_other_call_with_it():
    lanes = Lanes(2)
    dead, alive = lanes.submit(die), lanes.submit(abs, -3)
    assert isinstance(dead.exception(), BrokenExecutor)
    assert alive.result() == 3
    assert [lanes.submit(abs, -number).result() for number in (1, 2)] == [1, 2]
    lanes.shutdown()


def test_calls_that_have_not_begun_are_dropped_with_their_workers():
    lanes = Lanes(1)
    calls = [lanes.submit(time.sleep, PATIENCE_S), *(lanes.submit(abs, -number) for number in range(3))]
    wait_until(lambda: calls[0].running() and lanes._processes, "the first call begins")
    threading.Timer(0.1, lanes.kill).start()
    lanes.shutdown(cancel_futures=True)
    assert isinstance(calls[0].exception(), BrokenExecutor)
    assert all(call.cancelled() for call in calls[1:])


def test_workers_that_die_of_everything_end_the_run():
    crew = Crew("process", 1)
    for _ in range(9):
        crew.mend()
    with pytest.raises(EvaluationError, match="ended from outside, 10 in a row; give it more memory"):
        crew.mend()


def test_call_that_comes_back_forgives_dead_workers():
    crew = Crew("thread", 1)
    crew.mend()
    crew.submit(abs, -1).result()
    crew.close()
    assert crew.breaks == 0


@pytest.mark.parametrize(
    "error",
    [
        CallError("deadline", "too late"),
        CapabilityError("it cannot sing"),
        OutputError("no_audio", "nothing came"),
        EvaluationError([Problem("a.toml", "/x", "1", "2", "mend it"), Problem("b.toml")]),
        ConfigError(Problem("site.toml", found="nothing")),
    ],
)
def test_error_travels_between_processes(error):
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 -- what this line has just written
    assert type(back) is type(error)
    assert (str(back), vars(back)) == (str(error), vars(error))


@pytest.mark.slow
def test_cluster_gives_the_same_bytes_and_a_killed_worker_loses_nothing(project, tmp_path):
    expected = export_unbroken(project)
    with start_cluster(tmp_path) as cluster:
        last = run(project, Crew(f"dask://{cluster.address}"))
        assert (last.count.done, last.errors) == (CALLS, 0)
        assert export(project) == expected
        workers = count_notes(project / NAME, "opened").keys() - {os.getpid()}
        assert workers == {worker.pid for worker in cluster.workers}
        assert count_notes(project / NAME, "closed").keys() >= workers
        lay_tokens(project / NAME, "answer", 1)
        run(project, Crew(f"dask://{cluster.address}"), into="killed")
        assert export(project, into="killed") == expected
        assert sorted(worker.poll() is None for worker in cluster.workers) == [False, True]


@pytest.mark.slow
def test_scheduler_that_dies_ends_the_run_with_a_message_and_keeps_the_records(
    project, tmp_path, monkeypatch
):
    monkeypatch.setattr(executors, "_WAIT_S", 2)
    expected = export_unbroken(project)
    pause = lay_pause(project / NAME, "edit", PATIENCE_S)
    with start_cluster(tmp_path) as cluster:
        seen = count_notes(project / NAME, "edit")

        def kill_scheduler():
            wait_until(lambda: count_notes(project / NAME, "edit") != seen, "an edit begins")
            cluster.scheduler.kill()

        killer = threading.Thread(target=kill_scheduler)
        killer.start()
        with pytest.raises(EvaluationError, match=r"no scheduler at 127\.0\.0\.1"):
            run(project, Crew(f"dask://{cluster.address}"))
        killer.join()
    pause.unlink()
    assert run(project, Crew("thread")).cached >= 1
    assert export(project) == expected


def test_address_without_a_scheduler_is_told(project, monkeypatch):
    monkeypatch.setattr(executors, "_WAIT_S", 0.2)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(EvaluationError, match=f"--executor: found no scheduler at {address}") as caught:
        run(project, Crew(f"dask://{address}"))
    assert len(caught.value.problems) == 1
    assert str(caught.value).endswith("start one with `dask scheduler`, and workers")


@pytest.mark.slow
def test_scheduler_without_workers_is_told(project, tmp_path, monkeypatch):
    monkeypatch.setattr(executors, "_WAIT_S", 1)
    with start_cluster(tmp_path, 0) as cluster:
        told = f"a scheduler at {cluster.address} without workers; start some with `dask worker"
        with pytest.raises(EvaluationError, match=told):
            run(project, Crew(f"dask://{cluster.address}"))


def test_workers_with_another_version_or_none_are_all_told():
    found = {"tcp://b": "0.0.9", "tcp://a": ModuleNotFoundError("torus-site"), "tcp://c": "0.1.0"}
    with pytest.raises(EvaluationError) as caught:
        check_versions(found, "0.1.0")
    assert str(caught.value).splitlines() == [
        "--executor at worker tcp://a: found no package torus-site; expected torus-site 0.1.0, as here",
        "--executor at worker tcp://b: found torus-site 0.0.9; expected torus-site 0.1.0, as here",
    ]
    check_versions({"tcp://c": "0.1.0"}, "0.1.0")


def test_missing_package_is_told(project, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EvaluationError, match=r"no package distributed; pip install 'torus-site\[cluster\]'"):
        run(project, Crew("dask://127.0.0.1:1"))


@pytest.mark.parametrize("kind", ["", "proces", "dask", "dask://", "slurm"])
def test_unknown_executor_is_told(kind):
    with pytest.raises(EvaluationError, match="expected thread, process or dask://HOST:PORT"):
        check_kind(kind)


def test_nearest_executor_is_suggested():
    with pytest.raises(EvaluationError, match="did you mean 'process'"):
        check_kind("proces")


def start_run(project, kind):
    """Start a run whose first edits do not end."""
    lay_pause(project / NAME, "edit", 10 * PATIENCE_S)
    process = start_command(project, kind)
    wait_until(lambda: sum(count_notes(project / NAME, "edit").values()) == 2, "the edits begin")
    return process


def start_command(project, kind):
    """Start the command itself in a session of its own, as a terminal does."""
    words = ("run", "--benchmark", "toy", "--executor", kind, "--jobs", "2", "--system", f"{NAME}.toml")
    process = subprocess.Popen(
        [*TORUS_EVAL, *words],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    started.append(process)
    return process


def go_on(project):
    (project / NAME / "pause-edit").unlink()
    last = run(project, Crew("thread"))
    assert last.cached >= 2
    return export(project)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["thread", "process"])
def test_interrupt_stops_at_once_and_the_run_goes_on_later(project, kind):
    process = start_run(project, kind)
    workers = count_notes(project / NAME, "opened").keys()
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert told.strip() == "stopped; what was recorded is kept"
    wait_until(lambda: not any(map(is_running, workers)), "no worker is left")
    assert go_on(project) == export_unbroken(project)


@pytest.mark.slow
def test_interrupt_stops_a_run_on_a_cluster(project, tmp_path):
    with start_cluster(tmp_path) as cluster:
        process = start_run(project, f"dask://{cluster.address}")
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, told) == (130, "stopped; what was recorded is kept\n")
    assert go_on(project) == export_unbroken(project)


CHILD = """
import json, os, sys, time, wave
from pathlib import Path
print(json.dumps({"torus_eval": 1, "capabilities": ["generate", "edit", "answer"]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["call"] == "answer":
        Path("pids").open("a").write(f"{os.getpid()}\\n")
        time.sleep(600)
    with wave.open(asked["out"], "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(range(250)) * 128)
    print(json.dumps({"id": asked["id"], "clip": {"path": asked["out"]}}), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("kind", ["thread", "process"])
def test_program_ends_with_the_run_that_started_it(project, kind, number):
    (project / "child.py").write_text(CHILD, encoding="utf-8")
    data = {"schema": 1, "id": NAME, "arm": "native-edit", "text": "It thinks for long."}
    write_toml(project / f"{NAME}.toml", data | {"command": {"argv": ["{python}", "child.py"]}})
    process = start_command(project, kind)
    pids = project / "pids"
    wait_until(lambda: pids.exists() and pids.read_text(encoding="ascii").count("\n") == 2, "both think")
    children = [int(pid) for pid in pids.read_text(encoding="ascii").split()]
    assert all(map(is_running, children))
    process.send_signal(number)
    process.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not any(map(is_running, children)), "no program is left")
    assert process.returncode == (130 if number == signal.SIGINT else -number)


@pytest.mark.slow
def test_worker_processes_end_with_a_parent_that_was_killed(project):
    process = start_run(project, "process")
    workers = count_notes(project / NAME, "opened").keys()
    process.kill()
    process.communicate()
    wait_until(lambda: not any(map(is_running, workers)), "no worker is left")
    assert go_on(project) == export_unbroken(project)
