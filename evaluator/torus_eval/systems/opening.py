"""Open a part: make the system behind it ready to be called, by whichever way in it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from torus_eval.systems.base import System
    from torus_eval.systems.model import Part


def open_part(part: Part, folder: Path) -> System:
    """Make a part ready to be called.

    Args:
        part: The part.
        folder: Where its system file lies; relative programs and folders start there.

    Raises:
        EvaluationError: It cannot be opened: no such class, program or variable.
        CallError: Its process or server does not come up.
    """
    # Each way in is loaded when it is needed: one that is not used need not be installed.
    if part.python is not None:
        from torus_eval.systems.python import open_python  # noqa: PLC0415 -- see above

        return open_python(part.python, folder, sampling=part.sampling)
    if part.command is not None:
        from torus_eval.systems.command import open_command  # noqa: PLC0415 -- see above

        return open_command(part.command, folder, sampling=part.sampling)
    if part.http is not None:
        from torus_eval.systems.http import open_http  # noqa: PLC0415 -- see above

        return open_http(part.http, sampling=part.sampling)
    message = "a part without a way in"
    raise ValueError(message)
