"""Measures one command: how long it takes, how much memory it and its children hold, what it imports."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contender import Contender

_GIVE_UP_S = 120.0
_PAUSE_S = 0.002


def time_command(command: Sequence[str], cwd: Path) -> float:
    """Return how long a command takes, in seconds; one that fails ends the benchmark."""
    start = time.perf_counter()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def peak_mib(command: Sequence[str], cwd: Path) -> float:
    """Return the most memory a command and its children hold together, in MiB.

    Pages they share are counted once. Looking costs time, so no run is timed and measured like this at once.
    """
    peak = 0
    process = subprocess.Popen(command, cwd=cwd)
    while process.poll() is None:
        peak = max(peak, sum(_held_kib(number) for number in _family(process.pid)))
        time.sleep(_PAUSE_S)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return peak / 1024


def _family(parent: int) -> list[int]:
    try:
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [parent, *(number for child in children for number in _family(int(child)))]


def _held_kib(number: int) -> int:
    try:
        text = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    match = re.search(r"^Pss: +(\d+) kB", text, re.MULTILINE)
    return int(match[1]) if match else 0


def imported(command: Sequence[str], cwd: Path) -> set[str]:
    """Return the top-level modules that a Python command imports."""
    environment = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}
    done = subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True, env=environment)
    return set(re.findall(r"\| +(\w+)", done.stderr))


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Return inode and time of every file of a folder: what a write would change."""
    found = {}
    for path in sorted(folder.rglob("*")):
        info = path.lstat()
        found[str(path)] = (info.st_ino, info.st_mtime_ns)
    return found


def time_saves(contender: Contender, runs: int) -> list[float]:
    """Serve a site, save an item time and again, and return how long each took to be served, in seconds."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}/{contender.page}"
    # A session of its own, so that a server's children end with it.
    process = subprocess.Popen(
        [*contender.serve, str(port)], cwd=contender.root, start_new_session=True, stdout=subprocess.DEVNULL
    )
    try:
        _wait_for(address, "</html>")
        # The watch may start later than the server.
        time.sleep(2)
        times = []
        for number in range(runs + 1):
            word = contender.edit(10_000 + number)
            start = time.perf_counter()
            _wait_for(address, word)
            times.append(time.perf_counter() - start)
            time.sleep(0.5)
        # The first save warms both up.
        return times[1:]
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _wait_for(address: str, text: str) -> None:
    """Ask for a page until it holds a text."""
    end = time.monotonic() + _GIVE_UP_S
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address) as answer:  # noqa: S310  the loopback address above
                if text in answer.read().decode():
                    return
        except OSError:
            pass
        time.sleep(_PAUSE_S)
    message = f"{address} does not come to hold {text!r}"
    raise TimeoutError(message)
