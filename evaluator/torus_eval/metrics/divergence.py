"""How far what a tagger finds in one clip lies from what it finds in another.

Conventions:
    Logits go through an activation frame by frame, then frames are pooled, in that order. With ``softmax``
    classes exclude each other and pooled frames are scaled to sum to 1; the divergence is
    sum p ln(p / q). With ``sigmoid`` each class is a coin of its own; the divergence is the sum over classes
    of p ln(p / q) + (1 - p) ln((1 - p) / (1 - q)). All in natural logarithms and in the log domain, so that
    nothing is cut off or added to keep a zero away.

Metrics:
    KL(first || second) of pooled logits. It is not symmetric: state the direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Activation = Literal["softmax", "sigmoid"]
Pooling = Literal["mean", "max"]


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What a tagger finds, as logarithms of probabilities.

    Args:
        present: Of each class being there, shape (classes,).
        absent: Of it not being there, shape (classes,); nothing where classes exclude each other.
    """

    present: NDArray[np.float64]
    absent: NDArray[np.float64] | None


def pool_findings(logits: NDArray[np.floating], *, activation: Activation, pooling: Pooling) -> Findings:
    """Turn the logits of a clip into what is found in it.

    Args:
        logits: Shape (frames, classes).
        activation: ``softmax`` over classes, or ``sigmoid`` of each.
        pooling: ``mean`` or ``max`` over frames.

    Returns:
        Logarithms of probabilities.

    Raises:
        ValueError: There is no frame or no class.
    """
    if logits.ndim != 2 or not logits.size:  # noqa: PLR2004 -- frames and classes
        message = f"logits need the shape (frames, classes), not {logits.shape}"
        raise ValueError(message)
    values = logits.astype(np.float64)
    if activation == "softmax":
        pooled = _pool(values - np.logaddexp.reduce(values, axis=1, keepdims=True), pooling)
        return Findings(pooled - np.logaddexp.reduce(pooled), None)
    present, absent = -np.logaddexp(0.0, -values), -np.logaddexp(0.0, values)
    if pooling == "mean":
        return Findings(_pool(present, pooling), _pool(absent, pooling))
    return Findings(present.max(axis=0), absent.min(axis=0))


def average_findings(found: Sequence[Findings]) -> Findings:
    """Average the probabilities of several clips.

    Raises:
        ValueError: There is no clip.
    """
    if not found:
        message = "no clips to average"
        raise ValueError(message)
    present = _pool(np.stack([each.present for each in found]), "mean")
    absent = [each.absent for each in found if each.absent is not None]
    return Findings(present, _pool(np.stack(absent), "mean") if absent else None)


def diverge(first: Findings, second: Findings) -> float:
    """Compute KL(first || second) in nats.

    Args:
        first: What is expected.
        second: What is found instead, with the same activation.

    Returns:
        At least 0.

    Raises:
        ValueError: The two were made with different activations.

    >>> import numpy as np
    >>> p, q = (pool_findings(np.array([row]), activation="softmax", pooling="mean")
    ...         for row in ([0, 0, np.log(2)], [0, 0, 0.0]))
    >>> round(diverge(p, q), 7), round(diverge(q, p), 7)
    (0.0588915, 0.056633)
    """
    if (first.absent is None) != (second.absent is None):
        message = "findings of different activations"
        raise ValueError(message)
    total = _weigh(first.present, second.present)
    if first.absent is not None and second.absent is not None:
        total += _weigh(first.absent, second.absent)
    return max(total, 0.0)


def _weigh(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(np.sum(np.exp(first) * (first - second)))


def _pool(logs: NDArray[np.float64], pooling: Pooling) -> NDArray[np.float64]:
    if pooling == "max":
        return np.asarray(logs.max(axis=0), dtype=np.float64)
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - np.log(len(logs)), dtype=np.float64)
