"""A whole project in memory, every problem of every file found at once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

from torus_site.benchmark.fit import check_results, tell_checked
from torus_site.benchmark.load import Benchmark, read_benchmark
from torus_site.config import SiteConfig, load_config
from torus_site.content import Page, read_page
from torus_site.errors import ContentError, Problem, TorusError
from torus_site.memory import Codec, Memory
from torus_site.records.store import Results, read_results, result_paths
from torus_site.records.stored import pack_results, unpack_results
from torus_site.views.lookup import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = "site_src"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A benchmark with its results as far as they could be read.

    Args:
        benchmark: The benchmark without its wrong items.
        results: Its results without the wrong ones.
        is_whole: Whether nothing was left out.
    """

    benchmark: Benchmark
    results: Results
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Study(Loaded):
    """A benchmark and its results, checked against each other and indexed for views."""

    lookup: Lookup


@dataclass(frozen=True, slots=True)
class Draft:
    """A project as far as it could be read, with all that is wrong with it.

    Args:
        root: The project folder.
        config: ``site.toml``, if it is right.
        names: Its benchmarks in the order of the configuration.
        loaded: Those of them that could be read.
        pages: Its Markdown pages that are right, sorted by file.
        problems: Errors and warnings.
    """

    root: Path
    config: SiteConfig | None
    names: tuple[str, ...]
    loaded: tuple[Loaded, ...]
    pages: tuple[Page, ...]
    problems: tuple[Problem, ...]

    def finish(self) -> Project:
        """Return the project.

        Raises:
            TorusError: With every problem, if any of them is an error.
        """
        if self.config is None or any(problem.severity == "error" for problem in self.problems):
            raise TorusError(self.problems)
        studies = tuple(
            Study(each.benchmark, each.results, each.is_whole, look_up(each.benchmark, each.results))
            for each in self.loaded
        )
        return Project(self.root, self.config, studies, self.pages, self.problems)


@dataclass(frozen=True, slots=True)
class Project:
    """Everything a build reads.

    Args:
        root: The project folder.
        config: ``site.toml``.
        studies: Its benchmarks in the order of the configuration, each with its results.
        pages: Its Markdown pages, sorted by file.
        warnings: What is ugly but not wrong.
    """

    root: Path
    config: SiteConfig
    studies: tuple[Study, ...]
    pages: tuple[Page, ...]
    warnings: tuple[Problem, ...] = ()


def load_project(root: Path) -> Project:
    """Read a project that is right.

    Raises:
        TorusError: With every problem of every file.
    """
    return read_project(root).finish()


def read_project(root: Path, *, memory: Memory | None = None) -> Draft:
    """Read a project and check that its parts fit each other.

    Args:
        root: The project folder.
        memory: Knows what was read and found right before.
    """
    memory = memory or Memory()
    config: SiteConfig | None = None
    problems: list[Problem] = []
    loaded: list[Loaded] = []
    try:
        config = load_config(root)
        names = config.benchmarks
    except TorusError as error:
        problems.extend(error.problems)
        names = tuple(sorted(path.parent.name for path in (root / SOURCE).glob("*/benchmark.toml")))
    for name in names:
        benchmark, wrong = read_benchmark(root, name, memory=memory)
        problems.extend(wrong)
        is_right = benchmark is not None and all(problem.severity == "warning" for problem in wrong)
        read = _read_results(root, name, benchmark, memory if is_right else Memory())
        problems.extend(read.problems)
        if benchmark is not None:
            loaded.append(Loaded(benchmark, read.results, is_right and read.is_whole))
    pages: list[Page] = []
    for path, folder in _page_files(root, names):
        try:
            pages.append(read_page(path, file=path.relative_to(root).as_posix(), folder=folder))
        except ContentError as error:
            problems.extend(error.problems)
    if not (root / SOURCE / "index.md").is_file():
        problems.append(
            Problem(f"{SOURCE}/index.md", found="no home page", expected="a Markdown page", action="add it")
        )
    return Draft(root, config, tuple(names), tuple(loaded), tuple(pages), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Read:
    """Results, what is wrong with them or does not fit, and whether none was left out."""

    results: Results
    problems: tuple[Problem, ...]
    is_whole: bool = True


def _read_results(root: Path, name: str, benchmark: Benchmark | None, memory: Memory) -> _Read:
    """Read the results of a benchmark and check them against it, unless both are known to fit."""
    place = f"results of {name}"
    key = _tell_state(root, name, benchmark, memory)
    codec = Codec[_Read](
        dump=lambda read: json.dumps(
            [pack_results(read.results, root).decode(), [astuple(problem) for problem in read.problems]]
        ).encode(),
        load=lambda content: _unpack(content, root),
    )
    if known := memory.recall(place, key, codec):
        return known
    results, wrong = read_results(root, name)
    fit = check_results(benchmark, results, is_whole=not wrong) if benchmark else ()
    read = _Read(results, (*wrong, *fit), is_whole=not wrong)
    if benchmark and all(problem.severity == "warning" for problem in read.problems):
        memory.keep(place, key, read, codec)
    return read


def _unpack(content: bytes, root: Path) -> _Read:
    packed, problems = json.loads(content)
    return _Read(unpack_results(packed, root), tuple(Problem(*problem) for problem in problems))


def _tell_state(root: Path, name: str, benchmark: Benchmark | None, memory: Memory) -> str:
    """Tell all that decides what becomes of results: their files, the descriptor, and what items ask."""
    files = {path.as_posix(): memory.stamp(path) for path in result_paths(root, name)}
    asked = [tell_checked(item) for item in benchmark.items] if benchmark else []
    descriptor = memory.stamp(root / benchmark.file) if benchmark else ""
    return hashlib.sha256(repr((sorted(files.items()), descriptor, asked)).encode()).hexdigest()


def _page_files(root: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    source = root / SOURCE
    for path in sorted(source.glob("*.md")):
        yield path, ""
    for name in names:
        for path in sorted((source / name).glob("*.md")):
            yield path, name
