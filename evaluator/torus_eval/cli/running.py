"""Commands that make calls, and the ones that tell what there is to run and how it stands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torus_eval.cli.options import (
    executor_option,
    jobs_option,
    project_option,
    quiet_option,
    run_argument,
    telling,
)

if TYPE_CHECKING:
    from torus_eval.runner import Plan
    from torus_eval.systems.load import Found

_MOST_LINES = 20


@click.command()
@click.option("--benchmark", "benchmark_id", required=True, metavar="ID", help="Benchmark to run.")
@click.option(
    "--system",
    "names",
    multiple=True,
    metavar="FILE",
    help="System file, or the id of one that comes with this tool; may be repeated.  [default: those that"
    " come with it and that the benchmark declares]",
)
@click.option(
    "--tests", default="*", show_default=True, metavar="GLOB", help="Run the tests whose id matches."
)
@click.option("--limit", type=click.IntRange(min=1), default=None, help="Run at most so many tests.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of every draw.")
@click.option(
    "--orders",
    type=click.IntRange(min=1, max=100),
    default=1,
    show_default=True,
    help="Ask each question in so many orders of its options.",
)
@executor_option
@jobs_option
@click.option(
    "--runs",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Folder of the run directories, RUNS/BENCHMARK/SYSTEM.  [default: runs in the project]",
)
@project_option
@quiet_option
def run(
    *,
    benchmark_id: str,
    names: tuple[str, ...],
    tests: str,
    limit: int | None,
    seed: int,
    orders: int,
    executor: str,
    jobs: int,
    runs: Path | None,
    project: Path,
    quiet: bool,
) -> None:
    """Run systems over the tests of a benchmark, or go on with a run that was stopped.

    Every call is recorded before the next one. What has a valid record is not done again.
    """
    from torus_eval.runner import make_plan  # noqa: PLC0415 -- keeps --help fast

    with telling():
        found = _find(project, benchmark_id, names)
        plans = [
            make_plan(project, benchmark_id, each, tests=tests, seed=seed, orders=orders, limit=limit)
            for each in found
        ]
        folder = (runs or project / "runs") / benchmark_id
        _run_all([(plan, folder / plan.script.system.id) for plan in plans], executor, jobs, quiet=quiet)


@click.command()
@run_argument
@click.option(
    "--failed", is_flag=True, help="Make the calls again whose model came back with nothing usable."
)
@executor_option
@jobs_option
@project_option
@quiet_option
def retry(*, path: Path, failed: bool, executor: str, jobs: int, project: Path, quiet: bool) -> None:
    """Make the calls that a run still owes, as it was started."""
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.runner import Plan, check_runnable  # noqa: PLC0415 -- keeps --help fast

    with telling():
        read = load_run(project, path)
        check_runnable(read.found)
        _run_all([(Plan(read.script, read.found, read.items, failed), path)], executor, jobs, quiet=quiet)


@click.command()
@run_argument
@project_option
def status(*, path: Path, project: Path) -> None:
    """Tell how a run stands: what is done, failed and owed, and why."""
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast

    with telling():
        read = load_run(project, path)
        count, spec = read.count(), read.spec
        click.echo(f"{spec.system} on {spec.benchmark}, seed {spec.seed}: {len(read.items)} tests")
        click.echo(
            f"{count.done} of {count.total} calls done, {count.failed} failed, {count.unreached} not reached,"
            f" {count.owed} owed"
        )
        errors = read.errors()
        for record in errors[:_MOST_LINES]:
            place = " ".join(filter(None, (record.item, record.point, record.question)))
            click.echo(f"  {place}: {record.call} was lost: {record.message}")
        if len(errors) > _MOST_LINES:
            click.echo(f"  and {len(errors) - _MOST_LINES} more")
        if count.owed:
            click.echo(f"To go on: torus-eval retry {path}")


@click.command("systems")
def list_all() -> None:
    """List the systems that come with this tool."""
    from torus_eval.systems.load import list_systems  # noqa: PLC0415 -- keeps --help fast

    for found in list_systems():
        click.echo(f"{found.system.id:16}{found.system.arm:14}{found.system.text}")


def _find(project: Path, benchmark_id: str, names: tuple[str, ...]) -> tuple[Found, ...]:
    from torus_eval.runner import list_declared  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.systems.load import find_systems  # noqa: PLC0415 -- keeps --help fast

    return find_systems(names) if names else list_declared(project, benchmark_id)


def _run_all(plans: list[tuple[Plan, Path]], executor: str, jobs: int, *, quiet: bool) -> None:
    from torus_eval.cli.progress import Progress  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.executors import Crew  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.runner import run_plan  # noqa: PLC0415 -- keeps --help fast

    owing = []
    for plan, path in plans:
        with Progress(quiet) as progress:
            last = run_plan(plan, path, Crew(executor, jobs), report=progress.show)
            progress.finish(last)
        if last.count.owed:
            owing.append((path, last.count.owed))
    for path, owed in owing:
        click.echo(
            f"torus-eval: {path}: found {owed} calls still owed; see torus-eval status {path}, then"
            f" torus-eval retry {path}",
            err=True,
        )
    if owing:
        sys.exit(1)
