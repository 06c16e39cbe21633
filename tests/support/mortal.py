"""A system that notes in which process it is asked, and dies there as often as it is told to.

Its folder is its only memory: worker processes import this module and share nothing else.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from factories import write_toml
from support.orchestra import write_garden

NAME = "mortal"
SILENT = "returns-nothing"
"""A file of this name in its folder lets it come back without a clip."""
_TOKEN, _DEADLY, _PAUSE, _FAULT = "die-", "deadly-", "pause-", "fault-"


class Mortal:
    """Makes a tone from the seed and answers by it; takes a token from its folder and dies, if there is one.

    Args:
        folder: Where it writes what happened to it, and finds what shall happen.
    """

    def __init__(self, *, folder):
        self.folder = Path(folder)
        self._note("opened")

    def generate(self, prompt, *, seed):
        self._begin("generate", seed)
        if (self.folder / SILENT).exists():
            return None
        return make_samples(seed + len(prompt)), 16000

    def edit(self, clip, instruction, *, seed):
        self._begin("edit", seed)
        return clip.samples[:, 0] * (0.5 + len(instruction) % 3 / 10), clip.rate_hz

    def answer(self, clip, asked, *, seed):
        self._begin("answer", seed)
        letters = sorted(asked.options)
        return letters[(seed + len(clip.samples)) % len(letters)]

    def close(self):
        self._note("closed")

    def _begin(self, call, seed):
        self._note(call)
        if (self.folder / f"{_DEADLY}{seed}").exists():
            die()
        pause = self.folder / f"{_PAUSE}{call}"
        if pause.exists():
            time.sleep(float(pause.read_text(encoding="ascii")))
        if (self.folder / f"{_FAULT}{call}").exists():
            message = "the device\n\x1b[31mis busy"
            raise RuntimeError(message)
        for token in sorted(self.folder.glob(f"{_TOKEN}{call}-*")):
            try:
                token.unlink()
            except FileNotFoundError:
                continue
            die()

    def _note(self, what):
        with (self.folder / f"{what}.log").open("a", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")


def make_samples(seed):
    import numpy as np  # noqa: PLC0415 -- a worker looks whether it is loaded before it is needed

    times_s = np.arange(8000) / 16000
    return 0.2 * np.sin(2 * np.pi * (200 + seed % 400) * times_s)


def look_around():
    """Tell how many threads libraries may use in this process, and whether numpy has been loaded already."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {name: os.environ.get(name) for name in names}, "numpy" in sys.modules


def die():
    """End this process as the system does that has no memory left."""
    os.kill(os.getpid(), signal.SIGKILL)


def lay_tokens(folder, call, count):
    """Let whoever makes this kind of call die so many times."""
    for number in range(count):
        (folder / f"{_TOKEN}{call}-{number}").touch()


def lay_poison(folder, seed):
    """Let whoever makes the call of this seed die, always."""
    (folder / f"{_DEADLY}{seed}").touch()


def lay_pause(folder, call, pause_s):
    """Let this kind of call take so long; return the file to delete when it shall be quick again."""
    file = folder / f"{_PAUSE}{call}"
    file.write_text(str(pause_s), encoding="ascii")
    return file


def lay_fault(folder, call):
    """Let this kind of call raise an exception; return the file to delete when it shall go well again."""
    file = folder / f"{_FAULT}{call}"
    file.touch()
    return file


def count_notes(folder, what):
    """Return how often something happened in each process."""
    file = folder / f"{what}.log"
    found = {}
    for number in file.read_text(encoding="ascii").split() if file.exists() else ():
        found[int(number)] = found.get(int(number), 0) + 1
    return found


def write_mortal(root, names=("gong", "bell")):
    """Write a project that declares the system, with its file and its folder; return the project's folder."""
    systems = [{"id": NAME, "title": NAME, "source": "computed", "hue": 0, "facets": {"arm": "baseline"}}]
    write_garden(root, names, systems=systems)
    folder = root / NAME
    folder.mkdir()
    data = {"schema": 1, "id": NAME, "arm": "native-edit", "text": "It dies."}
    way = {"target": "support.mortal:Mortal", "options": {"folder": str(folder)}}
    write_toml(root / f"{NAME}.toml", data | {"python": way})
    return root
