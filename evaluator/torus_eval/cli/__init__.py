"""The command line of the evaluator."""

from __future__ import annotations

import click

from torus_eval.cli.models import models
from torus_eval.cli.results import compare, export, measure, score
from torus_eval.cli.running import list_all, retry, run, status
from torus_eval.cli.telling import Group


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="torus-site", prog_name="torus-eval")
def main() -> None:
    """Run audio models through a benchmark, score them, and write what the site shows."""


for _command in (run, status, retry, score, measure, compare, export, list_all, models):
    main.add_command(_command)
