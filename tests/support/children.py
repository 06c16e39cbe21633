"""Children for the command way in: the documented example, and programs written by a test."""

from __future__ import annotations

import os
import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from support.repository import ROOT
from torus_eval.clips import Clip
from torus_eval.systems.command import open_command
from torus_eval.systems.model import CommandWay

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ROOT / "docs" / "examples"
# No test waits this long unless something is broken.
PATIENCE_S = 20.0
SPEAK = """
import json, os, signal, subprocess, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def hear():
    return json.loads(sys.stdin.readline())
def hello(*can):
    say(torus_eval=1, capabilities=list(can or ("generate", "edit", "caption", "answer")))
"""


def open_example(**settings):
    """Open the documented example, as a system file beside it would."""
    way = CommandWay(argv=("{python}", "wrap_command.py"), start_s=PATIENCE_S, **settings)
    return open_command(way, EXAMPLES, sampling={})


def open_script(folder: Path, script: str, *, sampling=None, **settings):
    """Write a program that can ``say``, ``hear`` and say ``hello``, and open it."""
    (folder / "child.py").write_text(SPEAK + textwrap.dedent(script), encoding="utf-8")
    settings = {"start_s": PATIENCE_S, "deadline_s": PATIENCE_S, **settings}
    way = CommandWay(argv=("{python}", "child.py"), **settings)
    return open_command(way, folder, sampling=sampling or {})


@contextmanager
def opening_scripts(folder: Path):
    """Give a function that opens programs as ``open_script`` does; all of them are closed at the end."""
    opened = []

    def start(text, **settings):
        opened.append(open_script(folder, text, **settings))
        return opened[-1]

    yield start
    for system in opened:
        system.close()


def make_clip(frames: int = 800, rate_hz: int = 8000, channels: int = 1) -> Clip:
    """Make a clip whose samples are multiples of 1/32768, so that 16 bits hold them exactly."""
    steps = np.arange(frames * channels).reshape(frames, channels) * 37 % 65536 - 32768
    return Clip(steps / 32768.0, rate_hz)


def is_running(number: int) -> bool:
    """Tell whether a process is there and not a mere entry of one that has ended."""
    try:
        os.kill(number, 0)
        with open(f"/proc/{number}/stat", encoding="ascii") as file:  # noqa: PTH123 -- no path of the project
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except (ProcessLookupError, FileNotFoundError):
        return False
