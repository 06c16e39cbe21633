"""The site of this repository, built once for all tests and all workers."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.repository import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INPUTS = ("site_src", "results", "audio", "templates")


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """A built site.

    Args:
        project: What it was built from.
        folder: The output.
    """

    project: Path
    folder: Path

    @property
    def pages(self) -> list[str]:
        """Every page, as a path inside the folder, sorted."""
        return sorted(page.relative_to(self.folder).as_posix() for page in self.folder.rglob("*.html"))

    @property
    def items(self) -> list[str]:
        """Every page of an item: those that publish their data beside them."""
        return [page for page in self.pages if (self.folder / page).with_name("data.json").exists()]

    @property
    def results(self) -> str:
        """The page of the first benchmark's results."""
        return next(page for page in self.pages if page.endswith("/results/index.html"))


def find_command(name: str = "torus-site") -> str:
    """Return the path of a command of this project, or skip while it is not installed."""
    beside_python = str(Path(sys.executable).parent)
    command = shutil.which(name, path=os.pathsep.join([beside_python, os.environ.get("PATH", "")]))
    if command is None:
        pytest.skip(f"needs the installed command {name}")
    return command


def run_command(*words: str, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run ``torus-site`` and return what it printed; unless told otherwise a failure fails the test."""
    done = subprocess.run([find_command(), *words], cwd=cwd, capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        pytest.fail(f"torus-site {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def copy_project(into: Path) -> None:
    """Lay a project whose inputs are those of this repository, so that no build writes into the checkout."""
    into.mkdir(parents=True)
    for name in INPUTS:
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, into / name)


def make_project(into: Path) -> None:
    """Lay the small project that ``torus-site new`` makes."""
    run_command("new", str(into), cwd=into.parent)


def build_once(folder: Path, lay: Callable[[Path], None]) -> BuiltSite:
    """Lay a project and build its site in a folder that all workers share; whoever comes first does it.

    Args:
        folder: The same folder in every worker of one session.
        lay: Writes the project into the folder it is given, which is not there yet.
    """
    folder.mkdir(exist_ok=True)
    site = BuiltSite(project=folder / "project", folder=folder / "site")
    done = folder / "done"
    with _lock(folder / "lock"):
        if not done.exists():
            shutil.rmtree(site.project, ignore_errors=True)
            lay(site.project)
            places = ("--project", str(site.project), "--output", str(site.folder))
            run_command("build", "-q", *places, cwd=folder)
            done.touch()
    return site


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
