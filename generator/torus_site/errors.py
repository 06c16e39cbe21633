"""What can be wrong with a project, and the errors that carry it.

Nothing here knows about terminals: the command line alone turns problems into text and exit codes.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["error", "warning"]
_LONGEST_PART = 1000


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong, told so that its owner can mend it.

    Args:
        file: The file, relative to the project, with forward slashes.
        place: Where in the file: a JSON pointer, a line and column, or an element.
        found: What stands there.
        expected: What should stand there.
        action: What to do about it, often the nearest allowed name.
        severity: An ``error`` stops the command; a ``warning`` does so only under ``--strict``.

    >>> print(Problem("site.toml", "/audio/format", "'mp4'", "one of mp3, flac, copy", "did you mean 'mp3'?"))
    site.toml at /audio/format: found 'mp4'; expected one of mp3, flac, copy; did you mean 'mp3'?
    """

    file: str
    place: str = ""
    found: str = ""
    expected: str = ""
    action: str = ""
    severity: Severity = "error"

    def __str__(self) -> str:
        where = f"{self.file} at {self.place}" if self.place else self.file
        parts = [
            f"found {self.found}" if self.found else "",
            f"expected {self.expected}" if self.expected else "",
            self.action,
        ]
        return _on_a_line(f"{where}: ") + "; ".join(_on_a_line(part) for part in parts if part)


def _on_a_line(text: str) -> str:
    """Show signs that a terminal would obey, and cut what is too long to be read."""
    if len(text) > _LONGEST_PART:
        text = f"{text[: _LONGEST_PART // 2]} … {text[-_LONGEST_PART // 2 :]}"
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


class TorusError(Exception):
    """Base of every error that a user's input can cause.

    Args:
        problems: Everything that is wrong, at least one.
    """

    def __init__(self, problems: Iterable[Problem] | Problem) -> None:
        self.problems: tuple[Problem, ...] = (
            (problems,) if isinstance(problems, Problem) else tuple(sorted(set(problems)))
        )
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[TorusError], tuple[tuple[Problem, ...]]]:
        """Let the error travel between processes."""
        return (type(self), (self.problems,))


class ConfigError(TorusError):
    """``site.toml`` or a benchmark descriptor is wrong."""


class ResultsError(TorusError):
    """A results file is wrong or does not fit its benchmark."""


class MediaError(TorusError):
    """A clip is missing, unreadable or unfit to be published."""


class ContentError(TorusError):
    """A Markdown page or an item file is wrong."""


class BuildError(TorusError):
    """The output cannot be written."""


def nearest(name: str, allowed: Iterable[str], *, cutoff: float = 0.6) -> str:
    """Suggest the allowed name that is closest to a mistyped one.

    Args:
        name: What was written.
        allowed: What may be written.
        cutoff: How alike they must be, from 0 to 1.

    Returns:
        A question such as ``did you mean 'stage'?``, or an empty string when nothing is close.

    >>> nearest("stge", ["stage", "family"])
    "did you mean 'stage'?"
    >>> nearest("zzz", ["stage", "family"])
    ''
    """
    close = difflib.get_close_matches(name, list(allowed), n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else ""
