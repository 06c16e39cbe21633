"""A real Dask scheduler with workers, each a process of its own on the loopback address."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager

from support.repository import ROOT

PATIENCE_S = 30.0


class Cluster:
    """A running cluster.

    Args:
        address: Host and port of the scheduler.
        scheduler: Its process.
        workers: Its worker processes.
    """

    def __init__(self, address, scheduler, workers):
        self.address = address
        self.scheduler = scheduler
        self.workers = workers


@contextmanager
def start_cluster(folder, count=2):
    """Start a scheduler and workers of one thread each; end them all at the end."""
    file = folder / "scheduler.json"
    started = [_start(folder, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)]
    try:
        address = _wait_for_address(file, started[0])
        how = ("--host", "127.0.0.1", "--no-nanny", "--nthreads", "1", "--local-directory", folder / "spill")
        workers = [_start(folder, "worker", f"tcp://{address}", *how) for _ in range(count)]
        started += workers
        yield Cluster(address, started[0], workers)
    finally:
        for process in reversed(started):
            process.kill()
        for process in started:
            process.wait()


def _start(folder, kind, *words):
    command = [sys.executable, "-m", "dask", kind, "--no-dashboard", *map(str, words)]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests")}
    with (folder / f"{kind}.log").open("ab") as log:
        return subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log)


def _wait_for_address(file, process):
    end_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < end_s and process.poll() is None:
        try:
            return json.loads(file.read_text(encoding="utf-8"))["address"].removeprefix("tcp://")
        except (FileNotFoundError, ValueError):
            time.sleep(0.05)
    message = f"no scheduler came up: {file.with_suffix('.log').read_text(encoding='utf-8')}"
    raise AssertionError(message)
