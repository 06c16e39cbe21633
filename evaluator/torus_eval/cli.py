"""The command line of the evaluator."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torus_site.errors import TorusError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torus_eval.runner import Done, Plan

_LOUD = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="torus-site", prog_name="torus-eval")
def main() -> None:
    """Run audio systems through a benchmark and write results and clips."""


@main.command()
@click.option("--benchmark", "benchmark_id", required=True, metavar="ID", help="Benchmark to run.")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Folder that holds site_src.  [default: the current folder]",
)
@click.option("--system", "systems", multiple=True, metavar="ID", help="Run this system; may be repeated.")
@click.option(
    "--tests", default="*", show_default=True, metavar="GLOB", help="Run the tests whose id matches."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of every draw.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes at work.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Folder that receives results and audio.  [default: the project]",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but what is wrong.")
@click.option("-v", "--verbose", is_flag=True, help="Say what each system could not do.")
def run(
    *,
    benchmark_id: str,
    project: Path,
    systems: tuple[str, ...],
    tests: str,
    seed: int,
    jobs: int,
    output: Path | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Run systems over the tests of a benchmark.

    Writes results/ID/SYSTEM.json and audio/ID/SYSTEM/. Old results stay until the new ones are whole.
    """
    from torus_eval.runner import make_plan, run_plan  # noqa: PLC0415 -- keeps --help fast

    level = 0 if quiet else _LOUD if verbose else 1
    try:
        plan = make_plan(project, benchmark_id, systems=systems, tests=tests, seed=seed, jobs=jobs)
        _follow(plan, lambda report: run_plan(plan, output or project, report=report), level=level)
    except TorusError as error:
        _fail(error)


@main.command("systems")
def list_all() -> None:
    """List the systems this tool can run."""
    from torus_eval.systems.load import list_systems  # noqa: PLC0415 -- keeps --help fast

    for system in list_systems():
        click.echo(f"{system.id:16}{system.arm:14}{system.text}")


def _follow(plan: Plan, start: Callable[[Callable[[Done | Path], None]], None], *, level: int) -> None:
    """Run with a progress bar on a terminal and a line per written record elsewhere."""
    if not level or not sys.stderr.isatty():
        start(lambda step: _say(step, level=level))
        return
    length = len(plan.systems) * len(plan.items)
    with click.progressbar(length=length, label=plan.benchmark.id, file=sys.stderr) as bar:

        def advance(step: Done | Path) -> None:
            if not isinstance(step, Path):
                bar.update(1)

        start(advance)


def _say(step: Done | Path, *, level: int) -> None:
    if isinstance(step, Path):
        if level:
            click.echo(f"wrote {step}", err=True)
    elif level == _LOUD:
        click.echo(f"{step.system} {step.record.item}", err=True)
        for cell in step.record.cells:
            if cell.note:
                click.echo(f"  {' '.join(cell.at.values())}: {cell.note}", err=True)


def _fail(error: TorusError) -> None:
    for problem in error.problems:
        click.echo(f"torus-eval: {problem}", err=True)
    sys.exit(1)
