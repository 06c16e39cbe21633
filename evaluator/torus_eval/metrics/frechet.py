"""The Fréchet distance between two clouds of vectors, each taken for a normal distribution.

Conventions:
    Covariances divide by n - 1. A and B are the centred clouds divided by sqrt(n - 1). The distance is the
    squared one, as it is reported in the field.

Metrics:
    |m1 - m2|^2 + |A|_F^2 + |B|_F^2 - 2 nuclear(A B^T), where the nuclear norm is the sum of singular values.
    Where n is much larger than the dimension the same comes from the eigenvalues of covariances. Rounding can
    give a value just below 0, which becomes 0. Few vectors make the distance larger than it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Form = Literal["svd", "eigh"]
_FEWEST = 2
# From this many vectors per dimension on, squaring a cloud costs less than its decomposition.
_MANY = 4
# Fewer vectors per dimension than this are called few.
_ENOUGH = 10


@dataclass(frozen=True, slots=True)
class Frechet:
    """A Fréchet distance and what it was computed from.

    Args:
        distance: The squared distance, at least 0.
        n: Vectors of the first cloud.
        other_n: Vectors of the second.
        dimension: Numbers in a vector.
        rank: Directions in which the smaller-ranked cloud spreads.
        form: How it was computed.
    """

    distance: float
    n: int
    other_n: int
    dimension: int
    rank: int
    form: Form

    @property
    def warning(self) -> str | None:
        """What to say beside the distance when there are few vectors."""
        few = min(self.n, self.other_n)
        if few >= _ENOUGH * self.dimension:
            return None
        return (
            f"{few} vectors for {self.dimension} dimensions: few vectors make this distance larger than "
            "it is, so compare it only with one from as many"
        )


def compute_frechet(
    first: NDArray[np.floating], second: NDArray[np.floating], *, form: Form | None = None
) -> Frechet:
    """Compute the Fréchet distance between two clouds.

    Args:
        first: Shape (n, dimension).
        second: Shape (other n, dimension).
        form: ``svd`` or ``eigh``; by default whichever suits the sizes.

    Returns:
        The distance with its sizes.

    Raises:
        ValueError: A cloud has fewer than two vectors, or the dimensions differ.

    >>> import numpy as np
    >>> round(compute_frechet(np.array([[-1.0], [1.0]]), np.array([[1.0], [3.0]])).distance, 9)
    4.0
    """
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1]:  # noqa: PLR2004 -- n, dimension
        message = f"clouds need the shapes (n, dimension), not {first.shape} and {second.shape}"
        raise ValueError(message)
    if min(len(first), len(second)) < _FEWEST:
        message = (
            f"a Fréchet distance needs at least two vectors on each side, not {len(first)} and {len(second)}"
        )
        raise ValueError(message)
    dimension = first.shape[1]
    few = min(len(first), len(second))
    chosen: Form = form or ("eigh" if few >= _MANY * dimension else "svd")
    (mean, spread), (other_mean, other_spread) = _centre(first), _centre(second)
    shared = _sum_roots(spread, other_spread) if chosen == "eigh" else _sum_singular(spread, other_spread)
    distance = (
        float(np.sum((mean - other_mean) ** 2))
        + float(np.sum(spread**2))
        + float(np.sum(other_spread**2))
        - 2.0 * shared
    )
    rank = min(_find_rank(spread), _find_rank(other_spread))
    return Frechet(max(distance, 0.0), len(first), len(second), dimension, rank, chosen)


def _centre(cloud: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    values = cloud.astype(np.float64)
    mean = values.mean(axis=0)
    return mean, (values - mean) / np.sqrt(len(values) - 1)


def _sum_singular(spread: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Give the nuclear norm of A B^T; a tall cloud is first made a triangle, which changes nothing."""
    first, second = _shorten(spread), _shorten(other)
    return float(np.linalg.svd(first @ second.T, compute_uv=False).sum())


def _shorten(spread: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(spread) <= spread.shape[1]:
        return spread
    return np.asarray(np.linalg.qr(spread, mode="r"), dtype=np.float64)


def _sum_roots(spread: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Give the trace of the root of root(S1) S2 root(S1) from eigenvalues."""
    values, vectors = np.linalg.eigh(spread.T @ spread)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    product = root @ (other.T @ other) @ root
    return float(np.sqrt(np.maximum(np.linalg.eigvalsh((product + product.T) / 2), 0.0)).sum())


def _find_rank(spread: NDArray[np.float64]) -> int:
    """Count the directions of a cloud from the smaller of its two products with itself."""
    tall = len(spread) > spread.shape[1]
    values = np.linalg.eigvalsh(spread.T @ spread if tall else spread @ spread.T)
    largest = float(values.max(initial=0.0))
    return int(np.sum(values > largest * max(spread.shape) * np.finfo(np.float64).eps)) if largest else 0
