"""One figure for each kind of measure, from what was observed of some clips."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.metrics import requests as asked
from torus_eval.metrics.divergence import average_findings, diverge, pool_findings
from torus_eval.metrics.frechet import compute_frechet
from torus_eval.metrics.modality import MODALITIES, SILENCE_DBFS, Modality, tell_modality
from torus_eval.metrics.normalise import find_normaliser
from torus_eval.metrics.spread import resample_ratio
from torus_eval.metrics.wer import add_errors, count_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torus_eval.metrics.divergence import Activation, Findings, Pooling
    from torus_eval.metrics.observe import Observed
    from torus_eval.metrics.requests import Request
    from torus_site.records.model import IntervalRecord

_PERCENT = 100.0
_NOT_MADE = "clips not made"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a measure comes to.

    Args:
        value: The figure, or nothing and a reason.
        reason: Why there is no figure.
        n: Clips it is over.
        correct: Clips that are right, where clips are right or wrong.
        interval: Its interval.
        details: What stands beside it.
    """

    value: float | None = None
    reason: str | None = None
    n: int | None = None
    correct: int | None = None
    interval: IntervalRecord | None = None
    details: Mapping[str, str] = field(default_factory=dict)


def score_words(
    request: Request, observed: Sequence[Observed], reference: Sequence[Observed], seed: int
) -> Outcome:
    """Score the words of clips that should say something; a clip that was not made says nothing."""
    del reference
    spoken = [each for each in observed if each.transcript is not None]
    if not spoken:
        return Outcome(reason="no clip here has a transcript")
    normalise = find_normaliser(request.parameters["normaliser"])
    counted = [
        count_errors(normalise(each.transcript or ""), normalise(each.heard.get(request.backbone, "")))
        for each in spoken
    ]
    total = add_errors(counted)
    if total.rate is None:
        return Outcome(reason="the transcripts here hold no words")
    factor = _PERCENT if request.metric.unit == "%" else 1.0
    parts = [(each.item, one.errors, one.words) for each, one in zip(spoken, counted, strict=True)]
    details = {
        "words": total.words,
        "substitutions": total.substitutions,
        "deletions": total.deletions,
        "insertions": total.insertions,
        "clips with more errors than words": total.above_one,
        "clips whose text loops": total.looping,
        _NOT_MADE: sum(not each.is_made for each in spoken),
    }
    return Outcome(
        value=total.rate * factor,
        n=total.clips,
        interval=resample_ratio(parts, seed=seed, factor=factor),
        details={name: str(count) for name, count in details.items()},
    )


def score_modality(
    request: Request, observed: Sequence[Observed], reference: Sequence[Observed], seed: int
) -> Outcome:
    """Score how many clips are of the kind asked for; silence and a clip that was not made are of none."""
    del reference
    facet = request.parameters["facet"]
    due = [each for each in observed if each.facets.get(facet) in MODALITIES]
    if not due:
        return Outcome(reason=f"no clip here has one of {', '.join(MODALITIES)} as its {facet}")
    found = [_tell(each, request.backbone) for each in due]
    right = [each.facets[facet] == kind for each, kind in zip(due, found, strict=True)]
    parts = [(each.item, float(hit), 1.0) for each, hit in zip(due, right, strict=True)]
    counts = Counter(found)
    outcomes = (*MODALITIES, "silence")
    return Outcome(
        value=_PERCENT * sum(right) / len(right),
        n=len(right),
        correct=sum(right),
        interval=resample_ratio(parts, seed=seed, factor=_PERCENT),
        details={
            "outcomes": ", ".join(f"{kind} {counts[kind]}" for kind in outcomes),
            "silence": f"loudest 100 ms below {SILENCE_DBFS:g} dBFS",
            _NOT_MADE: str(counts[_NOT_MADE]),
            "clips asked to be of another kind": str(len(observed) - len(due)),
        },
    )


def score_divergence(
    request: Request, observed: Sequence[Observed], reference: Sequence[Observed], seed: int
) -> Outcome:
    """Average the divergence of clips of the same item and place; without such pairs, take that of means."""
    mine, theirs = _find(request, observed), _find(request, reference)
    if not mine or not theirs:
        return Outcome(reason=f"no clips of {'the reference' if mine else 'this system'} here")
    forward = request.parameters["direction"] == asked.REFERENCE_FIRST
    pairs = [key for key in mine if key in theirs]
    if not pairs:
        sides = average_findings(list(theirs.values())), average_findings(list(mine.values()))
        value = diverge(*(sides if forward else sides[::-1]))
        details = {"pairs": "none: of the mean of all clips", "reference clips": str(len(theirs))}
        return Outcome(value=value, n=len(mine), details=details)
    values = [
        diverge(theirs[key], mine[key]) if forward else diverge(mine[key], theirs[key]) for key in pairs
    ]
    parts = [(key[0], value, 1.0) for key, value in zip(pairs, values, strict=True)]
    return Outcome(
        value=float(np.mean(values)),
        n=len(pairs),
        interval=resample_ratio(parts, seed=seed),
        details={"pairs": f"{len(pairs)} of {len(observed)} clips, same item and place"},
    )


def score_frechet(
    request: Request, observed: Sequence[Observed], reference: Sequence[Observed], seed: int
) -> Outcome:
    """Compute the distance between all vectors of the clips and all of the reference's."""
    del seed
    mine, theirs = (
        [each.vectors[request.backbone] for each in side if each.is_made] for side in (observed, reference)
    )
    if not mine or not theirs:
        return Outcome(reason=f"no clips of {'the reference' if mine else 'this system'} here")
    try:
        found = compute_frechet(np.concatenate(mine), np.concatenate(theirs))
    except ValueError as error:
        return Outcome(reason=str(error))
    details = {
        "n": str(found.n),
        "reference n": str(found.other_n),
        "dimension": str(found.dimension),
        "rank": str(found.rank),
        "form": found.form,
    }
    if found.warning:
        details["warning"] = found.warning
    return Outcome(value=found.distance, n=len(mine), details=details)


SCORERS: dict[str, Callable[[Request, Sequence[Observed], Sequence[Observed], int], Outcome]] = {
    asked.WORD_ERRORS: score_words,
    asked.MODALITY: score_modality,
    asked.DIVERGENCE: score_divergence,
    asked.FRECHET: score_frechet,
}


def _tell(each: Observed, backbone: str) -> str:
    if not each.is_made:
        return _NOT_MADE
    tags = each.tags[backbone]
    found: Modality | str = tell_modality(tags.probabilities.mean(axis=0), tags.labels, each.level_db)
    return found


def _find(request: Request, observed: Sequence[Observed]) -> dict[tuple[str, ...], Findings]:
    """Pool what the tagger found in each clip, by item and place."""
    activation: Activation = "softmax" if request.parameters["activation"] == "softmax" else "sigmoid"
    pooling: Pooling = "mean" if request.parameters["pooling"] == "mean" else "max"
    return {
        (each.item, *(part for pair in sorted(each.at.items()) for part in pair)): pool_findings(
            each.tags[request.backbone].logits, activation=activation, pooling=pooling
        )
        for each in observed
        if each.is_made
    }
