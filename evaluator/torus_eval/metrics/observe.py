"""What the backbones make of one clip: all that metrics need, so that clips can be looked at anywhere.

A clip and what is wanted go in, numbers and text come out; both travel between processes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.opening import open_embedder, open_tagger, open_transcriber
from torus_eval.metrics.modality import measure_peak_level
from torus_eval.metrics.requests import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from torus_eval.backbones.base import Tags
    from torus_eval.metrics.requests import Request
    from torus_site.records.model import Point


@dataclass(frozen=True, slots=True, eq=False)
class ClipCase:
    """A clip and what it was asked to be.

    Args:
        item: The item.
        at: The point of the axes.
        facets: The item's facets.
        samples: The clip, shape (frames,) or (frames, channels); nothing where none was made.
        rate_hz: Frames a second.
        transcript: What it should say, if anything.
    """

    item: str
    at: Point
    facets: Point
    samples: NDArray[np.floating] | None
    rate_hz: int = 44100
    transcript: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which backbones look at a clip.

    Args:
        transcribers: Names.
        taggers: Names.
        embedders: Names.
    """

    transcribers: tuple[str, ...] = ()
    taggers: tuple[str, ...] = ()
    embedders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """What was made of a clip.

    Args:
        item: The item.
        at: The point of the axes.
        facets: The item's facets.
        is_made: Whether there is a clip.
        transcript: What it should say, if anything.
        level_db: Its loudest 100 ms in dBFS.
        heard: What each transcriber heard; only where there is a transcript.
        tags: What each tagger found.
        vectors: What each embedder gave, shape (frames, dimension).
    """

    item: str
    at: Point
    facets: Point
    is_made: bool
    transcript: str | None = None
    level_db: float = 0.0
    heard: Mapping[str, str] = field(default_factory=dict)
    tags: Mapping[str, Tags] = field(default_factory=dict)
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)


def list_wanted(requests: Iterable[Request], *, is_reference: bool = False) -> Wanted:
    """List the backbones that some metrics need.

    Args:
        requests: The metrics.
        is_reference: Whether the clips are only what others are measured against.
    """
    found: dict[str, set[str]] = {"transcriber": set(), "tagger": set(), "embedder": set()}
    for request in requests:
        if request.reference or not is_reference:
            found[MEASURES[request.measure].kind].add(request.backbone)
    return Wanted(*(tuple(sorted(names)) for names in found.values()))


def observe_clip(case: ClipCase, wanted: Wanted) -> Observed:
    """Let the backbones look at a clip.

    Args:
        case: The clip.
        wanted: Which backbones.

    Raises:
        EvaluationError: Weights or libraries of a backbone are not installed.
    """
    if case.samples is None:
        return Observed(case.item, case.at, case.facets, is_made=False, transcript=case.transcript)
    samples = case.samples if case.samples.ndim == 1 else case.samples.mean(axis=1)
    mono = samples.astype(np.float32)
    rate = case.rate_hz
    names = wanted.transcribers if case.transcript is not None else ()
    return Observed(
        case.item,
        case.at,
        case.facets,
        is_made=True,
        transcript=case.transcript,
        level_db=measure_peak_level(mono, rate),
        heard={name: open_transcriber(name).transcribe(mono, rate).text for name in names},
        tags={name: open_tagger(name).tag(mono, rate) for name in wanted.taggers},
        vectors={name: open_embedder(name).embed(mono, rate) for name in wanted.embedders},
    )
