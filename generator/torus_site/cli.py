"""The ``torus-site`` command. The only place where problems become text and exit codes."""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., Any])

PROBLEMS = 1
_MOST_OF_A_FILE = 20


class _Group(click.Group):
    """A group that turns a user's mistake into text and exit code 1, and lists commands as declared."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Return the commands in the order a user meets them."""
        return [name for name in _ORDER if name in self.commands]

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401  click's signature
        """Run a command; problems end it with their list."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except BrokenPipeError:
            os._exit(PROBLEMS)
        except OSError as error:
            # No code here expects it: a full disk, a folder without rights, a file in a folder's place.
            from torus_site.errors import Problem  # noqa: PLC0415  a run without problems needs none

            place, found = str(error.filename or "the system"), str(error.strerror or error).lower()
            report((Problem(place, found=found, expected="a file or folder that can be used"),))
            sys.exit(PROBLEMS)
        except Exception as error:
            problems = getattr(error, "problems", None)
            if problems is None:
                raise
            report(problems)
            sys.exit(PROBLEMS)


_ORDER = ("build", "serve", "check", "schema", "new")


def report(problems: tuple[Any, ...]) -> None:
    """Print problems on standard error, errors first, with a closing count.

    Of a file with very many, only the first are printed; all are counted.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    warnings = [problem for problem in problems if problem.severity != "error"]
    for mark, colour, group in (("error", "red", errors), ("warning", "yellow", warnings)):
        told: Counter[str] = Counter()
        for problem in group:
            told[problem.file] += 1
            if told[problem.file] <= _MOST_OF_A_FILE:
                click.echo(click.style(f"{mark}: ", fg=colour, bold=True) + str(problem), err=True)
        for file, number in told.items():
            if number > _MOST_OF_A_FILE:
                more = f"… and {_count(number - _MOST_OF_A_FILE, f'more {mark}')} in {file}"
                click.echo(more if more.isprintable() else repr(more)[1:-1], err=True)
    counts = [_count(len(errors), "error")] if errors else []
    counts += [_count(len(warnings), "warning")] if warnings else []
    if counts:
        click.echo(", ".join(counts), err=True)


class _Place(click.Path):
    """A path. The library of paths is not loaded for a command that has none to give, such as help."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  click's signature
        """Return a checked path."""
        from pathlib import Path  # noqa: PLC0415  as said above

        return Path(os.fsdecode(super().convert(value, param, ctx)))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _project_option(command: F) -> F:
    return click.option(
        "--project",
        type=_Place(exists=True, file_okay=False),
        default=".",
        help="The project folder, the one that holds site_src. Default: this folder.",
    )(command)


def _build_options(command: F) -> F:
    for option in (
        click.option("-v", "--verbose", is_flag=True, help="Say what is done."),
        click.option("-q", "--quiet", is_flag=True, help="Say nothing but problems."),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            default=os.cpu_count() or 1,
            show_default="all cores",
            help="How many clips or pages are made at a time.",
        ),
        click.option("--strict", is_flag=True, help="Treat warnings as errors."),
        click.option(
            "--output",
            type=_Place(file_okay=False),
            default=None,
            help="Where the site goes. Default: build in the project.",
        ),
    ):
        command = option(command)
    return _project_option(command)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="torus-site", prog_name="torus-site")
def main() -> None:
    """Turn an audio evaluator's results and clips into a benchmark's site."""


@main.command()
@_build_options
def build(*, project: Path, output: Path | None, strict: bool, jobs: int, quiet: bool, verbose: bool) -> None:
    """Build the site. Nothing is written when anything is wrong."""
    from torus_site.run import Request, run  # noqa: PLC0415  loaded by the command that needs it

    request = Request(project, output or project / "build", strict=strict, jobs=jobs)
    console = _Console(quiet=quiet, verbose=verbose)
    if not run(request, report=console):
        console.say(f"Nothing changed in {request.into}.")


@main.command()
@_build_options
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free.")
@click.option("--open", "open_browser", is_flag=True, help="Open the site in the browser.")
def serve(
    *,
    project: Path,
    output: Path | None,
    strict: bool,
    jobs: int,
    quiet: bool,
    verbose: bool,
    port: int,
    open_browser: bool,
) -> None:
    """Build, show the site here, and rebuild on every change."""
    from torus_site.run import Request  # noqa: PLC0415  loaded by the command that needs it
    from torus_site.serve import serve as serve_site  # noqa: PLC0415  loaded by the command that needs it

    request = Request(project, output or project / "build", strict=strict, jobs=jobs)
    serve_site(request, port=port, open_browser=open_browser, report=_Console(quiet=quiet, verbose=verbose))


@main.command()
@click.argument("target", type=_Place(exists=True, file_okay=False), required=False)
@_project_option
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
def check(*, target: Path | None, project: Path, strict: bool) -> None:
    """Look for problems in a project, or in the built site TARGET."""
    problems = _check_site(target) if target else _check_project(project)
    report(problems)
    if any(strict or problem.severity == "error" for problem in problems):
        sys.exit(PROBLEMS)
    if not problems:
        click.echo("No problems.")


def _check_site(target: Path) -> tuple[Any, ...]:
    from torus_site.check import check_site  # noqa: PLC0415  loaded by the command that needs it

    return check_site(target)


def _check_project(project: Path) -> tuple[Any, ...]:
    from torus_site.build import check_project  # noqa: PLC0415  loaded by the command that needs it
    from torus_site.run import CACHE  # noqa: PLC0415  loaded by the command that needs it

    root, console = project.absolute(), _Console(quiet=False, verbose=False)
    return check_project(root, cache=root / CACHE, jobs=os.cpu_count() or 1, progress=console.progress)


@main.command()
@click.argument("name", type=click.Choice(["site", "descriptor", "item", "results"]))
def schema(*, name: str) -> None:
    """Print the JSON Schema of a kind of file."""
    from torus_site.schema import export  # noqa: PLC0415  loaded by the command that needs it

    click.echo(export(name), nl=False)


@main.command()
@click.argument("folder", type=_Place())
def new(*, folder: Path) -> None:
    """Make a small project in FOLDER that builds at once."""
    import shlex  # noqa: PLC0415  loaded by the command that needs it

    from torus_site.starter import make_project  # noqa: PLC0415  loaded by the command that needs it

    make_project(folder)
    if folder.resolve() == folder.cwd():
        click.echo("Made a project here. Build it with: torus-site build")
    else:
        click.echo(f"Made {folder}. Build it with: torus-site build --project {shlex.quote(str(folder))}")


class _Console:
    """Tells a person how a build goes: a bar on a terminal, lines elsewhere."""

    def __init__(self, *, quiet: bool, verbose: bool) -> None:
        self._quiet = quiet
        self._verbose = verbose
        self._bar = sys.stderr.isatty() and not quiet

    def progress(self, what: str, done: int, total: int) -> None:
        """Draw the bar; elsewhere say a line when a step is complete and details are wanted."""
        if self._bar:
            width = 24
            filled = width * done // max(total, 1)
            bar = "━" * filled + "─" * (width - filled)
            end = "\r\x1b[K" if done == total else ""
            click.echo(f"\r\x1b[K{what:<8} {bar} {done}/{total}{end}", nl=False, err=True)
        elif self._verbose and not self._quiet and done == total:
            click.echo(f"{what}: {total}", err=True)

    def problems(self, problems: tuple[Any, ...]) -> None:
        """Tell about problems that did not stop the build."""
        report(problems)

    def say(self, text: str) -> None:
        """Say a closing line."""
        if not self._quiet:
            click.echo(text)

    def detail(self, text: str) -> None:
        """Say a line only when details are wanted."""
        if self._verbose and not self._quiet:
            click.echo(text, err=True)
