"""A whole project in memory, every problem of every file found at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_site.benchmark.load import Benchmark, read_benchmark
from torus_site.config import SiteConfig, load_config
from torus_site.content import Page, read_page
from torus_site.errors import ConfigError, ContentError, Problem, TorusError
from torus_site.memory import Memory
from torus_site.reading import read_fitting
from torus_site.views.lookup import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torus_site.records.store import Results

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


def read_project(root: Path, *, memory: Memory | None = None, jobs: int = 1) -> Draft:
    """Read a project and check that its parts fit each other.

    Args:
        root: The project folder.
        memory: Knows what was read and found right before.
        jobs: How many files are read at a time.

    Raises:
        ConfigError: The folder is no project.
    """
    if not (root / SOURCE).is_dir():
        action = "name the project with --project, or make one with torus-site new"
        raise ConfigError(
            Problem(root.as_posix(), found=f"no {SOURCE} here", expected="a project", action=action)
        )
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
        benchmark, wrong = read_benchmark(root, name, memory=memory, jobs=jobs)
        problems.extend(wrong)
        reading = read_fitting(root, name, benchmark, memory=memory, jobs=jobs)
        problems.extend(reading.problems)
        if benchmark is not None:
            is_whole = reading.is_whole and all(problem.severity == "warning" for problem in wrong)
            loaded.append(Loaded(benchmark, reading.results, is_whole))
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


def _page_files(root: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    source = root / SOURCE
    for path in sorted(source.glob("*.md")):
        yield path, ""
    for name in names:
        for path in sorted((source / name).glob("*.md")):
            yield path, name
