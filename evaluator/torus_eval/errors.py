"""What can go wrong in an evaluation: with what a user gave, with a call, with what a model returned."""

from __future__ import annotations

from torus_site.errors import TorusError


class EvaluationError(TorusError):
    """A run cannot start or cannot go on: an unknown system, a missing program, a folder unfit for use."""


class _CodedError(Exception):
    """An error with a short name of its reason beside the words.

    Args:
        code: The short name, such as ``no_audio``.
        message: What was wrong, in plain words; never a key or another secret.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(code, message)

    def __str__(self) -> str:
        return self.message


class OutputError(_CodedError):
    """A model came back, but with nothing that can be used: it failed, and its questions count as wrong."""


class CallError(_CodedError):
    """A model could not be asked or did not come back: the call is still owed, and no answer was wrong."""


class CapabilityError(CallError):
    """A system says that it cannot do this kind of call at all, so that asking again is no use.

    Args:
        message: What it cannot do, in plain words.
    """

    def __init__(self, message: str) -> None:
        super().__init__("capability", message)

    def __reduce__(self) -> tuple[type[CapabilityError], tuple[str]]:
        """Let the error travel between processes."""
        return (type(self), (self.message,))
