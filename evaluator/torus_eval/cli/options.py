"""Options that commands share."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

project_option = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="The project folder, the one that holds site_src. Default: this folder.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems.")
run_argument = click.argument("path", metavar="RUN", type=click.Path(path_type=Path))
runs_argument = click.argument(
    "paths", metavar="RUN...", type=click.Path(path_type=Path), nargs=-1, required=True
)
executor_option = click.option(
    "--executor",
    default="thread",
    show_default=True,
    metavar="KIND",
    help="Where calls are made: thread, process or dask://HOST:PORT.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many calls are made at a time; a cluster decides by itself.",
)


def name_command(name: str, run: Path, project: Path) -> str:
    """Write a command about a run as it can be typed again.

    >>> name_command("retry", Path("runs/toy/mine"), Path()), name_command("retry", Path("a b"), Path("p"))
    ('torus-eval retry runs/toy/mine', "torus-eval retry 'a b' --project p")
    """
    words = ["torus-eval", name, str(run), *(["--project", str(project)] if project != Path() else [])]
    return shlex.join(words)
