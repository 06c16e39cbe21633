"""What a descriptor asks to be measured: metrics that name a measure, with their parameters filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.backbones.opening import list_backbones
from torus_eval.errors import EvaluationError
from torus_eval.metrics.normalise import NORMALISERS, PLAIN
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torus_eval.backbones.opening import Kind
    from torus_site.benchmark.descriptor import Descriptor, Metric

WORD_ERRORS = "word-errors"
MODALITY = "modality"
DIVERGENCE = "divergence"
FRECHET = "frechet"
REFERENCE_FIRST = "reference-to-system"
DIRECTIONS = (REFERENCE_FIRST, "system-to-reference")
_NEEDED = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that can be measured over clips.

    Args:
        kind: What its backbone must be able to do.
        defaults: Its parameters; an empty one has no default.
        choices: What a parameter may be, where there is a list.
    """

    kind: Kind
    defaults: Mapping[str, str]
    choices: Mapping[str, tuple[str, ...]]


MEASURES: dict[str, Measure] = {
    WORD_ERRORS: Measure(
        "transcriber",
        {"backbone": "whisper-tiny.en", "normaliser": PLAIN},
        {"normaliser": NORMALISERS},
    ),
    MODALITY: Measure("tagger", {"backbone": "yamnet", "facet": _NEEDED}, {"backbone": ("yamnet",)}),
    DIVERGENCE: Measure(
        "tagger",
        {
            "backbone": "yamnet",
            "reference": _NEEDED,
            "direction": REFERENCE_FIRST,
            "activation": "softmax",
            "pooling": "mean",
        },
        {"direction": DIRECTIONS, "activation": ("softmax", "sigmoid"), "pooling": ("mean", "max")},
    ),
    FRECHET: Measure("embedder", {"backbone": "yamnet", "reference": _NEEDED}, {}),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A metric to measure.

    Args:
        metric: The metric of the descriptor.
        measure: What is measured, a key of ``MEASURES``.
        parameters: Every parameter of the measure.
    """

    metric: Metric
    measure: str
    parameters: Mapping[str, str]

    @property
    def backbone(self) -> str:
        """The model it is measured with."""
        return self.parameters["backbone"]

    @property
    def reference(self) -> str | None:
        """The system whose clips it is measured against, if any."""
        return self.parameters.get("reference")


def list_requests(descriptor: Descriptor) -> tuple[Request, ...]:
    """List the metrics of a descriptor that are measured over clips.

    Args:
        descriptor: Metrics with another measure, or none, are not for here.

    Raises:
        EvaluationError: Parameters are unknown, missing, or not what they can be.
    """
    problems: list[Problem] = []
    requests = []
    for index, metric in enumerate(descriptor.metrics):
        if metric.measure not in MEASURES:
            continue
        measure = MEASURES[metric.measure]
        requests.append(Request(metric, metric.measure, {**measure.defaults, **metric.parameters}))
        problems += _check(
            requests[-1], measure, f"{descriptor.id}/benchmark.toml", f"/metrics/{index}/parameters"
        )
        problems += _check_names(requests[-1], descriptor, f"/metrics/{index}/parameters")
    if problems:
        raise EvaluationError(problems)
    return tuple(requests)


def _check(request: Request, measure: Measure, file: str, place: str) -> list[Problem]:
    problems = []
    choices = {"backbone": list_backbones(measure.kind), **measure.choices}
    for name, value in request.parameters.items():
        if name not in measure.defaults:
            expected = f"one of {', '.join(measure.defaults)}"
            problems.append(
                Problem(
                    file, f"{place}/{name}", "an unknown parameter", expected, nearest(name, measure.defaults)
                )
            )
        elif value == _NEEDED:
            problems.append(Problem(file, place, f"no {name!r}", f"what {request.measure} is measured by"))
        elif name in choices and value not in choices[name]:
            expected = f"one of {', '.join(choices[name])}"
            problems.append(
                Problem(file, f"{place}/{name}", repr(value), expected, nearest(value, choices[name]))
            )
    return problems


def _check_names(request: Request, descriptor: Descriptor, place: str) -> list[Problem]:
    """Check the names of a facet and of a system."""
    known = {
        "facet": [facet.id for facet in descriptor.facets if facet.on == "item"],
        "reference": [system.id for system in descriptor.systems],
    }
    return [
        Problem(
            f"{descriptor.id}/benchmark.toml",
            f"{place}/{name}",
            repr(value),
            f"one of {', '.join(allowed)}",
            nearest(value, allowed),
        )
        for name, allowed in known.items()
        if (value := request.parameters.get(name)) and value not in allowed
    ]
