"""How a run shows how far it is: a bar on a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from torus_eval.runner import Step

_EVERY_S = 10.0


def describe_step(step: Step) -> str:
    """Say how a run stands.

    >>> from torus_eval.protocol import Count
    >>> from torus_eval.runner import Step
    >>> describe_step(Step("mine", Count(total=60, done=24, failed=1, unreached=6), cached=12, errors=2))
    '24 done (12 cached), 1 failed, 2 lost, 30 remaining'
    """
    count = step.count
    parts = [f"{count.done} done" + (f" ({step.cached} cached)" if step.cached else "")]
    if count.failed:
        parts.append(f"{count.failed} failed")
    if step.errors:
        parts.append(f"{step.errors} lost")
    parts.append(f"{count.owed} remaining")
    return ", ".join(parts)


@dataclass(slots=True)
class Progress:
    """Shows the steps of one run.

    Args:
        is_quiet: Whether nothing is shown.
        clock: Gives the time in seconds.
    """

    is_quiet: bool = False
    clock: Callable[[], float] = time.monotonic
    _bar: Any = field(default=None, repr=False)
    _last_s: float | None = None
    _shown: str = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def show(self, step: Step) -> None:
        """Show a step: at once on a terminal, elsewhere when ten seconds have passed."""
        if self.is_quiet:
            return
        if step.outcome is not None and step.outcome.status == "error" and step.call is not None:
            place = " ".join(filter(None, (step.call.item, step.call.point, step.call.question)))
            self._say(f"{step.system} {place}: {step.call.call} was lost: {step.outcome.message}")
        if sys.stderr.isatty():
            self._draw(step)
            return
        now = self.clock()
        if self._last_s is None:
            self._last_s = now
        elif now - self._last_s >= _EVERY_S:
            self._last_s = now
            click.echo(f"{step.system}: {describe_step(step)}", err=True)

    def finish(self, step: Step) -> None:
        """Say how the run ended."""
        if not self.is_quiet:
            self.__exit__(None, None, None)
            self._bar = None
            click.echo(f"{step.system}: {describe_step(step)}", err=True)

    def _draw(self, step: Step) -> None:
        count = step.count
        if self._bar is None:
            self._bar = click.progressbar(
                length=count.total - count.unreached,
                label=step.system,
                file=sys.stderr,
                show_pos=False,
                item_show_func=lambda _: self._shown,
            )
            self._bar.__enter__()
        self._shown = describe_step(step)
        self._bar.length = count.total - count.unreached
        self._bar.update(max(0, count.done - self._bar.pos))

    def _say(self, line: str) -> None:
        # Over the bar, which is drawn again below.
        click.echo(f"\r\033[K{line}" if sys.stderr.isatty() else line, err=True)
