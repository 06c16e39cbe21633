"""Measures of a run's clips, kept in the run directory until its clips change."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from torus_eval.clips import RATE_HZ, decode_clip
from torus_eval.errors import EvaluationError
from torus_eval.metrics.measure import measure_clips
from torus_eval.metrics.observe import ClipCase
from torus_eval.metrics.requests import list_requests
from torus_eval.runlog.folder import read_clip
from torus_site.errors import Problem
from torus_site.records.model import Record, Score, Sha256
from torus_site.records.parse import parse, read_json
from torus_site.records.store import write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torus_eval.assembly import Run

MEASURES_FILE = "measures.json"
_LABEL = re.compile(r"^[ \t]*[A-Z][\w \t]{0,30}:[ \t]+", re.MULTILINE)


class Measures(Record):
    """Scores of the clips of a run, and the digest of what they were measured on."""

    clips: Sha256
    scores: tuple[Score, ...]


def measure_run(run: Run, references: Mapping[str, Run]) -> tuple[Score, ...]:
    """Measure the clips of a run and keep the scores in its directory.

    Args:
        run: The run.
        references: Runs of the systems that others are measured against, by system.

    Returns:
        The scores, in percent or in the unit of their metric.

    Raises:
        EvaluationError: Clips are gone, or models and libraries are not installed.
    """
    scores = measure_clips(
        run.benchmark.descriptor,
        run.spec.system,
        list_cases(run),
        {name: list_cases(other) for name, other in references.items()},
        seed=run.spec.seed,
    )
    write(Measures(clips=digest_clips(run, references), scores=scores), run.path / MEASURES_FILE)
    return scores


def read_measures(run: Run, references: Mapping[str, Run]) -> tuple[Score, ...] | None:
    """Return the scores that were kept, or ``None`` where clips have changed since or none were kept."""
    file = run.path / MEASURES_FILE
    if not file.is_file():
        return None
    name = file.as_posix()
    kept = parse(
        Measures, read_json(file, file=name, error=EvaluationError), file=name, error=EvaluationError
    )
    return kept.scores if kept.clips == digest_clips(run, references) else None


def list_references(run: Run) -> frozenset[str]:
    """List the systems whose clips the benchmark's metrics measure this run's clips against."""
    wanted = {request.reference for request in list_requests(run.benchmark.descriptor)}
    return frozenset(name for name in wanted if name) - {run.spec.system}


def list_cases(run: Run) -> tuple[ClipCase, ...]:
    """List the clips of a run with what was asked of them; a cell without a clip has none."""
    return tuple(_list_cases(run))


def drop_labels(transcript: str) -> str:
    r"""Leave out who speaks: a name and a colon at the start of a line are not said.

    >>> drop_labels("Woman: Take the left fork.\nMan: Which?")
    'Take the left fork.\nWhich?'
    """
    return _LABEL.sub("", transcript)


def digest_clips(run: Run, references: Mapping[str, Run]) -> str:
    """Give the sha256 of which clips are measured, against which, and by which metrics."""
    parts = [repr(request) for request in list_requests(run.benchmark.descriptor)]
    parts += _name_clips(run)
    for name in sorted(references):
        parts += [name, *_name_clips(references[name])]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _name_clips(run: Run) -> Iterator[str]:
    for item, state in run.cells():
        clip = state.made.clip if state.made is not None else None
        yield f"{item.id} {state.cell.at} {clip or 'no clip'}"


def _list_cases(run: Run) -> Iterator[ClipCase]:
    for item, state in run.cells():
        samples, rate_hz = None, RATE_HZ
        if state.made is not None and state.made.clip is not None:
            clip = decode_clip(read_clip(run.path, state.made.clip), file=state.made.clip)
            samples, rate_hz = clip.mono, clip.rate_hz
        elif state.waiting:
            found = f"{item.id} {state.point}: no clip yet"
            action = f"torus-eval retry {run.path}"
            raise EvaluationError(
                Problem(run.path.as_posix(), found=found, expected="every clip", action=action)
            )
        spoken = state.cell.transcript
        yield ClipCase(
            item=item.id,
            at=state.cell.at,
            facets=item.facets,
            transcript=None if spoken is None else drop_labels(spoken),
            samples=samples,
            rate_hz=rate_hz,
        )
