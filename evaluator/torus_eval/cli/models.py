"""Commands that bring the offline models and tell which are there."""

from __future__ import annotations

import click

from torus_eval.cli.options import quiet_option
from torus_eval.cli.telling import Group


@click.group(cls=Group)
def models() -> None:
    """Bring the models that listen and measure offline."""


@models.command()
@click.argument("names", metavar="[MODEL]...", nargs=-1)
@quiet_option
def install(*, names: tuple[str, ...], quiet: bool) -> None:
    """Bring models into the cache, about 100 MB for all.

    Each comes out of a pinned package whose sha256 is checked. What is there already is left. Without a name,
    all are brought.
    """
    from torus_eval.models.install import install_models  # noqa: PLC0415 -- keeps --help fast

    def say(line: str) -> None:
        if not quiet:
            click.echo(line, err=True)

    install_models(names, report=say)


@models.command("list")
def list_them() -> None:
    """List the models, their sources and licences."""
    from torus_eval.models.catalogue import list_models  # noqa: PLC0415 -- keeps --help fast

    for listed in list_models():
        model = listed.model
        sources = ", ".join(f"{wheel.package} {wheel.version}" for wheel in model.wheels)
        click.echo(
            f"{model.name}: {listed.state}\n  {model.about}\n  from {sources}; licence: {model.licence}"
        )
