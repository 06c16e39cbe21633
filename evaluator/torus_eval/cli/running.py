"""Commands that make calls, and the ones that tell what there is to run and how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from torus_eval.cli.options import (
    executor_option,
    jobs_option,
    name_command,
    project_option,
    quiet_option,
    run_argument,
)
from torus_eval.cli.telling import count_noun, tell_fate

if TYPE_CHECKING:
    from torus_eval.runner import Plan

_MOST_LINES = 20
_WIDTH = 80


@click.command()
@click.option(
    "--benchmark", "benchmark_id", required=True, metavar="ID", help="The benchmark, a folder of site_src."
)
@click.option(
    "--system",
    "names",
    multiple=True,
    metavar="FILE",
    help="A system file, or the id of a system that comes with this tool; may be repeated. Default: those of"
    " this tool that the benchmark declares.",
)
@click.option(
    "--tests", default="*", show_default=True, metavar="GLOB", help="Run the tests whose id matches."
)
@click.option("--limit", type=click.IntRange(min=1), default=None, help="Run at most so many tests.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of every draw."
)
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
    help="Where run directories go, as BENCHMARK/SYSTEM. Default: runs in the project.",
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
    """Run systems through a benchmark, or go on with a run.

    Every call is recorded before the next follows from it. What has a valid record is not done again.
    """
    from torus_eval.cli.choosing import Wanted, make_plans  # noqa: PLC0415 -- keeps --help fast

    wanted = Wanted(benchmark_id, names, tests, seed, orders, limit, executor)
    folder = (runs or project / "runs") / benchmark_id
    plans = [(plan, folder / plan.script.system.id) for plan in make_plans(project, wanted)]
    _run_all(plans, executor, jobs, project=project, quiet=quiet)


@click.command()
@run_argument
@click.option("--failed", is_flag=True, help="Also make those calls again whose model gave nothing usable.")
@executor_option
@jobs_option
@project_option
@quiet_option
def retry(*, path: Path, failed: bool, executor: str, jobs: int, project: Path, quiet: bool) -> None:
    """Make the calls that a run still owes."""
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.runner import plan_rest  # noqa: PLC0415 -- keeps --help fast

    plan = plan_rest(load_run(project, path), redo_failed=failed)
    _run_all([(plan, path)], executor, jobs, project=project, quiet=quiet)


@click.command()
@run_argument
@project_option
def status(*, path: Path, project: Path) -> None:
    """Tell how a run stands: what is done, failed and owed."""
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.runlog.folder import is_owned  # noqa: PLC0415 -- keeps --help fast

    read = load_run(project, path)
    count, spec = read.count(), read.spec
    noun = read.benchmark.descriptor.noun
    tests = f"{len(read.items)} {noun.one if len(read.items) == 1 else noun.many}"
    click.echo(f"{spec.system} on {spec.benchmark}, seed {spec.seed}: {tests}")
    parts = [f"{count.done - count.failed} of {count_noun(count.total, 'call')} done", f"{count.owed} owed"]
    parts += [f"{count.failed} failed"] if count.failed else []
    parts += [f"{count.unreached} not reached"] if count.unreached else []
    click.echo(", ".join(parts))
    losses = read.losses()
    for record in losses[:_MOST_LINES]:
        click.echo(f"  {tell_fate(record.slot, record.status, record.message)}")
    if len(losses) > _MOST_LINES:
        click.echo(f"  and {len(losses) - _MOST_LINES} more")
    if is_owned(path):
        click.echo("A run is writing here now.")
    elif count.owed:
        click.echo(f"Go on with: {name_command('retry', path, project)}")


@click.command("systems")
def list_all() -> None:
    """List the systems that come with this tool."""
    from torus_eval.systems.load import list_systems  # noqa: PLC0415 -- keeps --help fast

    for found in list_systems():
        click.echo(f"{found.system.id}: {found.system.arm}")
        click.echo(click.wrap_text(found.system.text, _WIDTH, "  ", "  "))


def _run_all(plans: list[tuple[Plan, Path]], executor: str, jobs: int, *, project: Path, quiet: bool) -> None:
    from torus_eval.cli.progress import Progress  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.errors import EvaluationError  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.executors import Crew  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.runner import run_plan  # noqa: PLC0415 -- keeps --help fast
    from torus_site.errors import Problem  # noqa: PLC0415 -- keeps --help fast

    owing = []
    for plan, path in plans:
        with Progress(quiet) as progress:
            last = run_plan(plan, path, Crew(executor, jobs), report=progress.show)
            progress.finish(last)
        if last.count.owed:
            status, again = (name_command(name, path, project) for name in ("status", "retry"))
            found, action = f"{count_noun(last.count.owed, 'call')} still owed", f"{status} says why; {again}"
            owing.append(Problem(path.as_posix(), found=found, action=action))
    if owing:
        raise EvaluationError(owing)
