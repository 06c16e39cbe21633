"""A run that is killed again and again, at any moment, ends with the bytes of one that never was."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from support.orchestra import SYSTEM, write_garden
from support.runs import export, read, write_system
from torus_eval.runlog.folder import RECORDS_FILE
from torus_eval.runlog.record import read_line

KILLS = 20
ITEMS = 16
MOST_STARTS = 3 * KILLS
PATIENCE_S = 60.0
TORUS_EVAL = [sys.executable, "-c", "from torus_eval.cli import main; main()"]
SLOW = """
import time
import numpy as np

class Slow:
    def generate(self, prompt, *, seed):
        return self.make(seed, len(prompt))

    def edit(self, clip, instruction, *, seed):
        return self.make(seed, len(instruction) + len(clip.samples))

    def answer(self, clip, asked, *, seed):
        time.sleep(0.003)
        heard = int(abs(float(clip.samples.sum())) * 1000)
        return sorted(asked.options)[(seed + heard) % len(asked.options)]

    def make(self, seed, number):
        time.sleep(0.003)
        rng = np.random.default_rng([seed, number])
        return 0.1 * rng.standard_normal(800), 8000
"""


def start(root, *words):
    """Start the command as a process of its own."""
    words = (*words, "--benchmark", "toy", "--system", f"{SYSTEM}.toml", "--orders", "2", "-q")
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen([*TORUS_EVAL, "run", *words], cwd=root, env=env, stderr=subprocess.PIPE)


def count_lines(file):
    return file.read_bytes().count(b"\n") if file.exists() else 0


def kill_after(process, file, delay_s, *, waits):
    """Kill a run a while after its start, or after its first record; tell whether it was still alive."""
    before, end_s = count_lines(file), time.monotonic() + PATIENCE_S
    while waits and process.poll() is None and count_lines(file) == before:
        assert time.monotonic() < end_s
        time.sleep(0.001)
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_run_killed_twenty_times_ends_with_the_bytes_of_an_unbroken_one(tmp_path, jobs):
    root = write_garden(tmp_path, [f"item-{number}" for number in range(ITEMS)])
    (root / "slow.py").write_text(SLOW, encoding="utf-8")
    write_system(root, python={"target": "slow:Slow"})
    unbroken = start(root, "--runs", "unbroken")
    assert unbroken.communicate() == (None, b"")
    file = root / "runs" / "toy" / SYSTEM / RECORDS_FILE
    draw = random.Random(7)  # noqa: S311 -- moments, not secrets
    kills, sizes = 0, []
    for _ in range(MOST_STARTS):
        if kills == KILLS:
            break
        process = start(root, "--jobs", str(jobs))
        # One in four dies while it starts, or opens what the one before has left.
        waits = draw.random() < 0.75
        delay_s = draw.uniform(0.0, 0.015 if waits else 0.9)
        kills += kill_after(process, file, delay_s, waits=waits)
        sizes.append(count_lines(file))
    assert kills == KILLS
    assert sizes == sorted(sizes)
    last = start(root, "--jobs", str(jobs))
    assert (last.communicate()[1], last.returncode) == (b"", 0)
    records = [
        read_line(line, file="f", number=number)
        for number, line in enumerate(file.read_bytes().splitlines(), 1)
    ]
    assert len({record.slot for record in records}) == len(records) == read(root).count().total
    assert {record.status for record in records} == {"ok"}
    files = export(root)
    assert len(files) == 2 * ITEMS + 1
    assert files == export(root, into="unbroken")
    assert not list(file.parent.rglob("*.tmp"))
