"""Where a clip is: from a path in the project to a file that may be read."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from torus_site.errors import MediaError, Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CLOSE = 0.85
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Place:
    """A clip's file, as it was when it was found.

    Args:
        path: The file.
        size: Its bytes.
        mtime_ns: When it was last changed.
    """

    path: Path
    size: int
    mtime_ns: int


class Places:
    """Finds clips inside a project and nowhere else.

    Args:
        root: The project's folder.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real_root = os.path.realpath(root)
        self._folders: dict[str, bool] = {}

    def find(self, clip: str) -> Place:
        """Find the file of a clip without opening it.

        Args:
            clip: Its path in the project, with forward slashes.

        Raises:
            MediaError: The path leaves the project, or leads to nothing or to something other than a file.
        """
        inside = "a path inside the project with forward slashes"
        if not clip or "\0" in clip or _leaves(clip):
            raise MediaError(
                Problem(clip or "(empty)", found="a path that leaves the project", expected=inside)
            )
        path = self._root / clip
        try:
            # A link's target is followed only after it is known to stay inside.
            status = path.lstat()
            linked = stat.S_ISLNK(status.st_mode)
            if not self._holds(path if linked else path.parent):
                raise MediaError(
                    Problem(
                        clip,
                        found="a link that leaves the project",
                        expected=inside,
                        action="put the clip into the project",
                    )
                )
            status = path.stat() if linked else status
        except OSError as error:
            raise MediaError(_explain(clip, path, error)) from error
        if not stat.S_ISREG(status.st_mode):
            found = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
            raise MediaError(Problem(clip, found=found, expected="a clip"))
        return Place(path, status.st_size, status.st_mtime_ns)

    def _holds(self, path: Path) -> bool:
        key = str(path)
        if key not in self._folders:
            real = os.path.realpath(path)
            self._folders[key] = real == self._real_root or real.startswith(self._real_root + os.sep)
        return self._folders[key]


def _leaves(clip: str) -> bool:
    """Tell whether a path is absolute, climbs up, or would mean something else on another system."""
    return clip.startswith("/") or "\\" in clip or clip[1:2] == ":" or ".." in clip.split("/")


def _explain(clip: str, path: Path, error: OSError) -> Problem:
    # Unlike the methods of a path, this never raises.
    linked = os.path.islink(path)  # noqa: PTH114 -- see above
    if linked and "annex/objects" in path.readlink().as_posix():
        return Problem(
            clip,
            found="a git-annex link whose content is not here",
            expected="the clip",
            action="run 'git annex get' on it",
        )
    if linked:
        return Problem(clip, found="a link to nothing", expected="the clip")
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        suggestion = nearest(path.name, _likely(path), cutoff=_CLOSE)
        return Problem(clip, found="no such file", expected="a clip", action=suggestion)
    return Problem(clip, found=(error.strerror or "an unreadable file").lower(), expected="a clip")


def _likely(path: Path) -> Iterator[str]:
    """List the names beside a missing clip; one with other numbers is the clip of something else."""
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return
    numbers = _NUMBER.findall(path.stem)
    yield from (name for name in names if _NUMBER.findall(PurePath(name).stem) == numbers)
