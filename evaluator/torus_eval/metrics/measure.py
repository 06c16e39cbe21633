"""Scores of a system's clips by every metric that a descriptor wants measured.

Where no clip was made nothing was said and no kind of sound was right; such clips count. Distances to a
reference are over the clips that there are. Same clips and models give the same scores on one machine.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from torus_eval.metrics.observe import list_wanted, observe_clip
from torus_eval.metrics.outcomes import SCORERS, Outcome
from torus_eval.metrics.requests import list_requests
from torus_site.records.model import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from torus_eval.metrics.observe import ClipCase, Observed
    from torus_eval.metrics.requests import Request
    from torus_site.benchmark.descriptor import Descriptor
    from torus_site.records.model import Point


def measure_clips(
    descriptor: Descriptor,
    system: str,
    clips: Iterable[ClipCase],
    references: Mapping[str, Iterable[ClipCase]],
    *,
    seed: int,
    apply: Callable[..., Iterable[Any]] = map,
) -> tuple[Score, ...]:
    """Measure the clips of a system.

    Args:
        descriptor: The benchmark's; its metrics say what is measured, with what and against whom.
        system: Whose clips they are.
        clips: The clips, those that were not made too.
        references: The clips of systems that others are measured against, by system.
        seed: Seed of the intervals.
        apply: What runs a function over clips in order, such as the ``map`` of an executor.

    Returns:
        Scores over all points and at each value of each axis, metric by metric.

    Raises:
        EvaluationError: The descriptor asks for what there is not, or weights or libraries are not installed.
    """
    requests = list_requests(descriptor)
    look = partial(observe_clip, wanted=list_wanted(requests))
    look_at_reference = partial(observe_clip, wanted=list_wanted(requests, is_reference=True))
    needed = {request.reference for request in requests if request.reference} - {system}
    observed = tuple(apply(look, tuple(clips)))
    others = {
        name: tuple(apply(look_at_reference, tuple(references[name])))
        for name in sorted(needed)
        if name in references
    }
    return score_observed(descriptor, system, observed, others, seed=seed)


def score_observed(
    descriptor: Descriptor,
    system: str,
    observed: Sequence[Observed],
    references: Mapping[str, Sequence[Observed]],
    *,
    seed: int,
) -> tuple[Score, ...]:
    """Score what was observed of a system's clips.

    Args:
        descriptor: The benchmark's.
        system: Whose clips they are.
        observed: What was observed of each of its clips.
        references: The same for the systems that others are measured against.
        seed: Seed of the intervals.

    Returns:
        Scores over all points and at each value of each axis, metric by metric.

    Raises:
        EvaluationError: The descriptor asks for what there is not.
    """
    return tuple(
        _score(request, system, at, observed, references, seed=seed)
        for request in list_requests(descriptor)
        for at in _list_places(descriptor)
    )


def _list_places(descriptor: Descriptor) -> Iterator[Point]:
    yield {}
    for axis in descriptor.axes:
        for value in axis.values:
            yield {axis.id: value.id}


def _score(
    request: Request,
    system: str,
    at: Point,
    observed: Sequence[Observed],
    references: Mapping[str, Sequence[Observed]],
    *,
    seed: int,
) -> Score:
    here = [each for each in observed if at.items() <= each.at.items()]
    if not here:
        outcome = Outcome(reason="no clip of this run is here")
    elif request.reference == system:
        outcome = Outcome(reason="this is the system that others are measured against")
    elif request.reference is not None and request.reference not in references:
        outcome = Outcome(reason=f"there are no clips of {request.reference} to measure against")
    else:
        other = [
            each for each in references.get(request.reference or "", ()) if at.items() <= each.at.items()
        ]
        outcome = SCORERS[request.measure](request, here, other, seed)
    return Score(
        metric=request.metric.id,
        at=at,
        status="unscored" if outcome.value is None else "scored",
        reason=outcome.reason,
        correct=outcome.correct,
        n=outcome.n,
        value=outcome.value,
        interval=outcome.interval,
        parameters={"measure": request.measure, **request.parameters, **outcome.details},
    )
