"""One build from request to report: is there anything to do, and if so plan it and write it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from torus_site import freshness
from torus_site.theme import theme_root

if TYPE_CHECKING:
    from pathlib import Path

    from torus_site.errors import Problem
    from torus_site.memory import Memory

CACHE = ".cache"
MEMORY = "memory.sqlite"


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked for.

    Args:
        project: The project folder.
        into: The output folder.
        strict: Whether warnings stop the build.
        jobs: How many things are made at a time.
    """

    project: Path
    into: Path
    strict: bool = False
    jobs: int = 1


class Reporter(Protocol):
    """Where a build says how it goes."""

    def progress(self, what: str, done: int, total: int) -> None:
        """Tell that ``done`` of ``total`` are through."""

    def problems(self, problems: tuple[Problem, ...]) -> None:
        """Tell about problems that did not stop the build."""

    def say(self, text: str) -> None:
        """Say a closing line."""

    def detail(self, text: str) -> None:
        """Say a line for who wants details."""


def run(request: Request, *, report: Reporter, memory: Memory | None = None) -> bool:
    """Build if anything changed.

    Args:
        request: What to build and where.
        report: Where to say how it goes.
        memory: What earlier builds of this process remember.

    Returns:
        Whether anything was written.

    Raises:
        TorusError: With every problem; then nothing was written.
    """
    project = request.project.absolute()
    into = request.into.absolute()
    cache = project / CACHE
    file = freshness.state_file(cache, into)
    state = freshness.read_state(file)
    signature = freshness.signature(strict=request.strict)
    inputs = freshness.inputs(project, theme=theme_root(), skip=into)
    if freshness.is_fresh(state, signature=signature, inputs=inputs, into=into):
        return False

    from torus_site.build import plan  # noqa: PLC0415  not needed when nothing changed
    from torus_site.errors import TorusError  # noqa: PLC0415  not needed when nothing changed
    from torus_site.memory import Memory  # noqa: PLC0415  not needed when nothing changed
    from torus_site.output import refuse_foreign, write  # noqa: PLC0415  not needed when nothing changed

    refuse_foreign(into, project=project)
    memory = memory or Memory(cache / MEMORY)
    with memory.build(inputs, maker=signature):
        site = plan(project, cache=cache, jobs=request.jobs, progress=report.progress, memory=memory)
    if site.warnings and request.strict:
        raise TorusError(site.warnings)
    total = len(site.entries)
    # Under other options or another version what is made from the same may differ, the same bytes do not.
    known = state if state.signature == signature else state.forget_digests()
    done = write(
        site.entries,
        into,
        previous=known.outputs,
        jobs=request.jobs,
        progress=lambda number: report.progress("files", number, total),
    )
    freshness.write_state(file, freshness.State(signature, inputs, done.outputs))
    report.problems(site.warnings)
    report.say(
        f"Built {request.into}{os.sep}index.html: {done.written} written, {done.unchanged} unchanged, "
        f"{done.removed} removed."
    )
    return True
