"""A whole project in memory, every problem of every file found at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import Benchmark, read_benchmark
from torus_site.config import SiteConfig, load_config
from torus_site.content import Page, read_page
from torus_site.errors import ContentError, Problem, TorusError
from torus_site.records.store import Results, read_results
from torus_site.views.lookup import Lookup, look_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = "site_src"


@dataclass(frozen=True, slots=True)
class Study:
    """A benchmark with its results, and both indexed for views."""

    benchmark: Benchmark
    results: Results
    lookup: Lookup


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
    """Read a project and check that its parts fit each other.

    Raises:
        TorusError: With every problem of every file.
    """
    config: SiteConfig | None = None
    problems: list[Problem] = []
    whole: list[tuple[Benchmark, Results]] = []
    try:
        config = load_config(root)
        names = config.benchmarks
    except TorusError as error:
        problems.extend(error.problems)
        names = tuple(sorted(path.parent.name for path in (root / SOURCE).glob("*/benchmark.toml")))
    for name in names:
        results, wrong = read_results(root, name)
        problems.extend(wrong)
        benchmark, wrong_too = read_benchmark(root, name)
        problems.extend(wrong_too)
        if benchmark is not None:
            problems.extend(check_results(benchmark, results, is_whole=not wrong))
            whole.append((benchmark, results))
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
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors or config is None:
        raise TorusError(problems)
    studies = tuple(Study(benchmark, results, look_up(benchmark, results)) for benchmark, results in whole)
    return Project(root, config, studies, tuple(pages), tuple(problems))


def _page_files(root: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    source = root / SOURCE
    for path in sorted(source.glob("*.md")):
        yield path, ""
    for name in names:
        for path in sorted((source / name).glob("*.md")):
            yield path, name


def check_project(root: Path) -> tuple[Problem, ...]:
    """Return every problem of a project without building it: files, fit, clips named and clips there.

    Returns:
        Errors and warnings, sorted.
    """
    try:
        project = load_project(root)
    except TorusError as error:
        return error.problems
    return tuple(sorted(set(project.warnings)))
