"""What shall be run, checked as a whole before anything is."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.errors import EvaluationError
from torus_eval.executors import check_kind
from torus_eval.runner import list_declared, make_plan
from torus_eval.systems.load import find_systems
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import TorusError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from torus_eval.runner import Plan
    from torus_eval.systems.load import Found
    from torus_site.errors import Problem


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user asks to be run.

    Args:
        benchmark_id: The benchmark.
        names: Ids or files of systems; without any, those of this tool that the benchmark declares.
        tests: A glob that the ids of the items match.
        seed: The seed of everything drawn.
        orders: In how many orders of its options each question is asked.
        limit: The most items.
        executor: Where calls are made.
    """

    benchmark_id: str
    names: tuple[str, ...]
    tests: str
    seed: int
    orders: int
    limit: int | None
    executor: str


def make_plans(project: Path, wanted: Wanted) -> tuple[Plan, ...]:
    """Plan a run for each system.

    Raises:
        EvaluationError: Everything that is wrong with any of them, with the benchmark or with the executor.
    """
    problems: list[Problem] = []
    plans: list[Plan] = []
    found: tuple[Found, ...] = ()
    with _collecting(problems):
        check_kind(wanted.executor)
    with _collecting(problems):
        load_benchmark(project, wanted.benchmark_id)
    with _collecting(problems):
        found = find_systems(wanted.names) if wanted.names else list_declared(project, wanted.benchmark_id)
    for each in found:
        with _collecting(problems):
            plan = make_plan(
                project,
                wanted.benchmark_id,
                each,
                tests=wanted.tests,
                seed=wanted.seed,
                orders=wanted.orders,
                limit=wanted.limit,
            )
            plans.append(plan)
    if problems:
        raise EvaluationError(problems)
    return tuple(plans)


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    try:
        yield
    except TorusError as error:
        problems += error.problems
