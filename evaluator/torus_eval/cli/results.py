"""Commands that need no model that is evaluated: score, measure, compare, export."""

from __future__ import annotations

from pathlib import Path

import click

from torus_eval.cli.options import project_option, quiet_option, run_argument, runs_argument


@click.command()
@run_argument
@project_option
@click.option("--json", "as_json", is_flag=True, help="Print the results record, as it would be exported.")
def score(*, path: Path, project: Path, as_json: bool) -> None:
    """Score the answers of a run. No model is needed."""
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.export import make_record  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.report import render_scores  # noqa: PLC0415 -- keeps --help fast
    from torus_site.records.store import dump  # noqa: PLC0415 -- keeps --help fast

    run = load_run(project, path)
    record = make_record(project, run)
    click.echo(dump(record).decode() if as_json else render_scores(run.benchmark, record), nl=not as_json)


@click.command()
@runs_argument
@project_option
@quiet_option
def measure(*, paths: tuple[Path, ...], project: Path, quiet: bool) -> None:
    """Measure the clips of runs.

    The models that listen are those that `torus-eval models install` brings. The scores are kept in the run
    directory, and exported with it.
    """
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.export import find_references  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.measuring import measure_run, read_measures  # noqa: PLC0415 -- keeps --help fast

    runs = [load_run(project, path) for path in dict.fromkeys(paths)]
    known = {run.spec.system: run for run in runs}
    for run in runs:
        references = find_references(project, run, known)
        kept = read_measures(run, references)
        if kept is None and not quiet:
            click.echo(f"{run.spec.system}: measuring", err=True)
        scores = measure_run(run, references) if kept is None else kept
        if not quiet:
            how = "measured" if kept is None else "already measured"
            click.echo(f"{run.spec.system}: {len(scores)} scores {how}", err=True)


@click.command()
@click.argument("first", metavar="RUN", type=click.Path(path_type=Path))
@click.argument("second", metavar="RUN", type=click.Path(path_type=Path))
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the resampling."
)
@click.option("--subset", default="all", show_default=True, metavar="ID", help="A subset of the questions.")
@project_option
def compare(*, first: Path, second: Path, seed: int, subset: str, project: Path) -> None:
    """Compare two runs, first minus second.

    The difference of their shares of right answers stands in total and along each axis and facet. Both are
    resampled on the same tests, so what makes a test hard for both cancels out.
    """
    from torus_eval.assembly import load_run  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.comparison import compare_runs, render_comparison  # noqa: PLC0415 -- keeps --help fast
    from torus_eval.report import check_comparable  # noqa: PLC0415 -- keeps --help fast

    one, two = load_run(project, first), load_run(project, second)
    check_comparable(one, two, subset)
    names = (one.spec.system, two.spec.system)
    if names[0] == names[1]:
        names = (str(first), str(second))
    found = compare_runs(
        one.benchmark, one.item_records(), two.item_records(), names=names, seed=seed, subset=subset
    )
    click.echo(render_comparison(found))


@click.command()
@runs_argument
@click.option(
    "--allow-incomplete", is_flag=True, help="Export runs that still owe calls, marked as incomplete."
)
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="The folder that receives results and audio. Default: the project.",
)
@project_option
@quiet_option
def export(
    *, paths: tuple[Path, ...], allow_incomplete: bool, output: Path | None, project: Path, quiet: bool
) -> None:
    """Write results and clips of runs for the site.

    They go to results/ID/SYSTEM.json and audio/ID/SYSTEM. What was there stays until the new is whole.
    """
    from torus_eval.export import export_runs  # noqa: PLC0415 -- keeps --help fast

    def say(file: Path) -> None:
        if not quiet:
            click.echo(f"wrote {file}", err=True)

    export_runs(project, paths, output or project, allow_incomplete=allow_incomplete, report=say)
