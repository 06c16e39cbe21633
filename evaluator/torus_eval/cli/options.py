"""What the commands share: options, and how problems are told."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from torus_site.errors import TorusError

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTERRUPTED = 130

project_option = click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Folder that holds site_src.  [default: the current folder]",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Say nothing but what is wrong.")
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
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Calls at work."
)


@contextmanager
def telling() -> Iterator[None]:
    """Turn what a user got wrong into lines on standard error and exit code 1; no traceback."""
    try:
        yield
    except TorusError as error:
        for problem in error.problems:
            click.echo(f"torus-eval: {problem}", err=True)
        sys.exit(1)
    except KeyboardInterrupt:
        click.echo("\ntorus-eval: stopped; the same command goes on from here", err=True)
        sys.stderr.flush()
        if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
            sys.exit(_INTERRUPTED)
        # Threads wait for a model that nobody can interrupt.
        os._exit(_INTERRUPTED)
