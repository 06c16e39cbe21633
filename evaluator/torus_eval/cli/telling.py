"""How problems are told: as text and exit codes, like those of the site's command, never as a traceback."""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torus_eval.calls import Slot
    from torus_site.errors import Problem

PROBLEMS = 1
INTERRUPTED = 130
_MOST_OF_A_FILE = 20


class Group(click.Group):
    """A group that turns a user's mistake into text and exit code 1, and lists commands as they are added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        """Return the commands in the order a user meets them."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 -- click's signature
        """Run a command; problems end it with their list."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            _stop()
        except BrokenPipeError:
            # Whoever read the output has what was wanted.
            os._exit(PROBLEMS)
        except OSError as error:
            # No code here expects it: a full disk, a folder without rights, a file in a folder's place.
            from torus_site.errors import Problem  # noqa: PLC0415 -- a run without problems needs none

            place, found = str(error.filename or "the system"), str(error.strerror or error).lower()
            report((Problem(place, found=found, expected="a file or folder that can be used"),))
            sys.exit(PROBLEMS)
        except Exception as error:
            problems = getattr(error, "problems", None)
            if problems is None:
                raise
            report(problems)
            sys.exit(PROBLEMS)


def report(problems: Iterable[Problem]) -> None:
    """Print problems on standard error with a closing count; of a file with very many, only the first."""
    told: Counter[str] = Counter()
    for problem in problems:
        told[problem.file] += 1
        if told[problem.file] <= _MOST_OF_A_FILE:
            click.echo(f"{click.style('error:', fg='red', bold=True)} {problem}", err=True)
    for file, number in told.items():
        if number > _MOST_OF_A_FILE:
            click.echo(
                f"… and {count_noun(number - _MOST_OF_A_FILE, 'more error')} in {show_line(file)}", err=True
            )
    click.echo(count_noun(told.total(), "error"), err=True)


def count_noun(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> count_noun(1, "test"), count_noun(2, "test")
    ('1 test', '2 tests')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def tell_fate(call: Slot, status: str, message: str) -> str:
    """Say what became of a call that gave nothing.

    >>> from torus_eval.calls import Slot
    >>> tell_fate(Slot("bell", "S1", "edit"), "failed", "the model returned no audio")
    'edit of bell S1 failed: the model returned no audio'
    """
    place = " ".join(filter(None, (call.item, call.point, call.question)))
    fate = "failed" if status == "failed" else "was lost"
    return f"{call.call} of {place} {fate}: {show_line(message)}"


def show_line(text: str) -> str:
    r"""Write what a model or a server said as one line that no terminal obeys.

    >>> show_line("no\nroom \x1b[31m")
    'no room  [31m'
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _stop() -> None:
    # Over the sign that a terminal shows for Ctrl-C.
    start = "\r\x1b[K" if sys.stderr.isatty() else ""
    click.echo(f"{start}stopped; what was recorded is kept", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        sys.exit(INTERRUPTED)
    # Threads wait for a model that nobody can interrupt.
    os._exit(INTERRUPTED)
