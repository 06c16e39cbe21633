"""How a run shows how far it is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import click

from torus_eval.cli.telling import tell_fate

if TYPE_CHECKING:
    from collections.abc import Callable

    from torus_eval.calls import Outcome, Slot
    from torus_eval.runner import Step

_EVERY_S = 10.0
_REDRAW_S = 0.1
_LONGEST_BAR, _SHORTEST_BAR = 24, 6
_LONGEST_NAME = 20
_MOST_LOST = 20
_CLEAR = "\r\x1b[K"


def describe_step(step: Step) -> str:
    """Say how a run stands.

    >>> from torus_eval.protocol import Count
    >>> from torus_eval.runner import Step
    >>> describe_step(Step("mine", Count(total=60, done=24, failed=1, unreached=6), cached=12, errors=2))
    '23 done, 1 failed, 6 not reached, 2 lost, 28 remaining; 12 cached'
    """
    count = step.count
    parts = [f"{count.done - count.failed} done"]
    parts += [f"{count.failed} failed"] if count.failed else []
    parts += [f"{count.unreached} not reached"] if count.unreached else []
    parts += [f"{step.errors} lost"] if step.errors else []
    parts.append(f"{count.owed - step.errors} remaining")
    return ", ".join(parts) + (f"; {step.cached} cached" if step.cached else "")


def draw_bar(step: Step, columns: int) -> str:
    """Draw how a run stands into one line of a terminal, without its last column, where some wrap.

    >>> from torus_eval.protocol import Count
    >>> from torus_eval.runner import Step
    >>> draw_bar(Step("mine", Count(total=8, done=4), cached=0, errors=0), 80)
    'mine ━━━━━━━━━━━━──────────── 4 done, 4 remaining'
    """
    count = step.count
    name = step.system if len(step.system) <= _LONGEST_NAME else f"{step.system[: _LONGEST_NAME - 1]}…"
    told = describe_step(step)
    width = min(_LONGEST_BAR, columns - len(f"{name}  {told}") - 1)
    if width < _SHORTEST_BAR:
        return f"{name} {told}"[: columns - 1]
    filled = width * count.done // max(count.done + count.owed, 1)
    return f"{name} {'━' * filled}{'─' * (width - filled)} {told}"


@dataclass(slots=True)
class Progress:
    """Shows the steps of one run.

    Args:
        is_quiet: Whether nothing is shown.
        clock: Gives the time in seconds.
    """

    is_quiet: bool = False
    clock: Callable[[], float] = time.monotonic
    _last_s: float | None = None
    _is_drawn: bool = False
    _told: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wipe()

    def show(self, step: Step) -> None:
        """Show a step: at once on a terminal, elsewhere when ten seconds have passed."""
        if self.is_quiet:
            return
        if step.outcome is not None and step.outcome.status != "ok" and step.call is not None:
            self._tell_loss(step, step.call, step.outcome)
        if sys.stderr.isatty():
            self._draw(step)
        elif self._last_s is None:
            self._last_s = self.clock()
        elif self.clock() - self._last_s >= _EVERY_S:
            self._last_s = self.clock()
            click.echo(f"{step.system}: {describe_step(step)}", err=True)

    def finish(self, step: Step) -> None:
        """Say how the run ended."""
        if not self.is_quiet:
            self._wipe()
            click.echo(f"{step.system}: {describe_step(step)}", err=True)

    def _tell_loss(self, step: Step, call: Slot, outcome: Outcome) -> None:
        self._told += 1
        if self._told > _MOST_LOST:
            return
        self._wipe()
        click.echo(f"{step.system}: {tell_fate(call, outcome.status, outcome.message)}", err=True)
        if self._told == _MOST_LOST:
            click.echo(f"{step.system}: further calls without a result are only counted", err=True)

    def _draw(self, step: Step) -> None:
        now_s = self.clock()
        if self._is_drawn and self._last_s is not None and now_s - self._last_s < _REDRAW_S:
            return
        self._last_s, self._is_drawn = now_s, True
        click.echo(_CLEAR + draw_bar(step, shutil.get_terminal_size().columns), nl=False, err=True)

    def _wipe(self) -> None:
        if self._is_drawn:
            self._is_drawn = False
            click.echo(_CLEAR, nl=False, err=True)
