"""A run: several systems over the items of a benchmark, in one process or in several."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.metadata import version
from multiprocessing import get_context
from typing import TYPE_CHECKING

from torus_eval.errors import EvaluationError
from torus_eval.protocol import run_item
from torus_eval.scorers import score_run
from torus_eval.store import Store, open_store
from torus_eval.systems.load import assemble, hash_system, list_systems, select_systems
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import Problem, nearest
from torus_site.records.model import Provenance, RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from torus_eval.systems.model import SystemFile
    from torus_site.benchmark.items import Item
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord

_TOOL = "torus-eval"


@dataclass(frozen=True, slots=True)
class Plan:
    """What shall be run.

    Args:
        project: The project's folder.
        benchmark: The benchmark.
        systems: The systems.
        items: The items.
        seed: The seed of everything drawn.
        jobs: How many processes work at once.
        started: When the run began, if the records shall tell.
    """

    project: Path
    benchmark: Benchmark
    systems: tuple[SystemFile, ...]
    items: tuple[Item, ...]
    seed: int
    jobs: int = 1
    started: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """One item of one system that has been run."""

    system: str
    record: ItemRecord


def make_plan(
    project: Path,
    benchmark_id: str,
    *,
    systems: tuple[str, ...] = (),
    tests: str = "*",
    seed: int = 0,
    jobs: int = 1,
) -> Plan:
    """Load a benchmark and choose what to run on it.

    Args:
        project: The project's folder.
        benchmark_id: The benchmark's id.
        systems: System ids; every system that the benchmark declares and this tool has, when empty.
        tests: A glob that the ids of the items match.
        seed: The seed of everything drawn.
        jobs: How many processes work at once.

    Raises:
        TorusError: The benchmark does not load, a system is unknown or not declared, no item matches, or a
            program that a system needs is missing.
    """
    benchmark = load_benchmark(project, benchmark_id)
    chosen = _choose_systems(benchmark, systems)
    items = tuple(item for item in benchmark.items if fnmatchcase(item.id, tests))
    if not items:
        ids = ", ".join(item.id for item in benchmark.items)
        problem = Problem("--tests", found=repr(tests), expected=f"a glob matching one of {ids}")
        raise EvaluationError(problem)
    _check_programs(chosen, items)
    return Plan(project, benchmark, chosen, items, seed, jobs, _read_started())


def run_plan(plan: Plan, output: Path, *, report: Callable[[Done | Path], None]) -> None:
    """Run a plan and write its results; each system appears in its place when it is whole.

    Args:
        plan: What to run.
        output: The folder that receives ``results/`` and ``audio/``.
        report: Told of each item that is done and of each record that is written.

    Raises:
        EvaluationError: The output cannot be written, or holds tests that this run leaves out.
    """
    with open_store(output, plan.benchmark.id) as store:
        _check_whole(plan, store)
        waiting: dict[str, dict[str, ItemRecord]] = {system.id: {} for system in plan.systems}
        for done in _run_all(plan, store):
            report(done)
            finished = waiting[done.system]
            finished[done.record.item] = done.record
            if len(finished) == len(plan.items):
                system = next(system for system in plan.systems if system.id == done.system)
                report(store.publish(make_record(plan, system, finished)))


def make_record(plan: Plan, system: SystemFile, finished: dict[str, ItemRecord]) -> RunRecord:
    """Put a system's items in order, score them and say where they come from."""
    items = tuple(finished[item.id] for item in plan.items)
    config_hash = hash_system(system)
    return RunRecord(
        schema=1,
        kind="run",
        benchmark=plan.benchmark.id,
        source="computed",
        system=system.id,
        provenance=Provenance(
            tool=_TOOL,
            tool_version=version("torus-site"),
            seed=plan.seed,
            model_revision=f"{system.id}-{config_hash[:12]}",
            config_hash=config_hash,
            started=plan.started,
        ),
        items=items,
        scores=score_run(plan.benchmark, items, seed=plan.seed),
    )


def _read_started() -> str | None:
    """Return the time given by ``SOURCE_DATE_EPOCH``; without it a record holds none and stays the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(given), tz=UTC).isoformat() if given else None
    except (ValueError, OverflowError, OSError):
        expected = "seconds since 1970 as a whole number"
        raise EvaluationError(Problem("SOURCE_DATE_EPOCH", found=repr(given), expected=expected)) from None


def _choose_systems(benchmark: Benchmark, wanted: tuple[str, ...]) -> tuple[SystemFile, ...]:
    chosen = select_systems(wanted, list_systems())
    declared = [entry.id for entry in benchmark.descriptor.systems if entry.source == "computed"]
    strange = [system.id for system in chosen if system.id not in declared]
    if wanted and strange:
        raise EvaluationError(
            Problem(
                benchmark.file,
                "/systems",
                f"no computed system {name!r}",
                f"one of {', '.join(declared)}" if declared else "systems with source = 'computed'",
                nearest(name, declared) or "declare it in the descriptor",
            )
            for name in strange
        )
    chosen = tuple(system for system in chosen if system.id in declared)
    if not chosen:
        raise EvaluationError(
            Problem(
                benchmark.file,
                "/systems",
                "none of the systems of this tool",
                "an entry with source = 'computed'",
                "'torus-eval systems' lists them",
            )
        )
    return chosen


def _check_programs(systems: tuple[SystemFile, ...], items: tuple[Item, ...]) -> None:
    problems: list[Problem] = []
    for system in systems:
        for item in items:
            try:
                assemble(system, item.facets)
            except EvaluationError as error:
                problems += error.problems
    if problems:
        raise EvaluationError(problems)


def _check_whole(plan: Plan, store: Store) -> None:
    own = {item.id for item in plan.items}
    problems = [
        Problem(
            f"results/{plan.benchmark.id}/{system.id}.json",
            found=f"results of {', '.join(sorted(lost))}, which this run leaves out",
            action="run all tests, or give another folder with --output",
        )
        for system in plan.systems
        if (lost := store.held_items(system.id) - own)
    ]
    if problems:
        raise EvaluationError(problems)


def _run_all(plan: Plan, store: Store) -> Iterator[Done]:
    calls = [(system, item) for system in plan.systems for item in plan.items]
    if plan.jobs == 1:
        for system, item in calls:
            yield _run(system, item, plan.benchmark, plan.seed, store)
        return
    with ProcessPoolExecutor(min(plan.jobs, len(calls)), mp_context=get_context("spawn")) as pool:
        futures = [
            pool.submit(_run_apart, system, item, (plan.project, plan.benchmark.id), plan.seed, store)
            for system, item in calls
        ]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            found, action = "a process that was ended from outside", "give it more memory or fewer --jobs"
            raise EvaluationError(Problem("--jobs", found=found, action=action)) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _run(system: SystemFile, item: Item, benchmark: Benchmark, seed: int, store: Store) -> Done:
    record = run_item(
        assemble(system, item.facets),
        system.id,
        item,
        benchmark=benchmark,
        seed=seed,
        keep=lambda path, data: store.keep(system.id, path, data),
    )
    return Done(system.id, record)


def _run_apart(system: SystemFile, item: Item, place: tuple[Path, str], seed: int, store: Store) -> Done:
    return _run(system, item, _load_once(*place), seed, store)


@lru_cache(maxsize=1)
def _load_once(project: Path, benchmark_id: str) -> Benchmark:
    return load_benchmark(project, benchmark_id)
