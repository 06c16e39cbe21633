"""The K-weighting of ITU-R BS.1770, a recursive filter run as matrix products.

Two second-order stages, a shelf of +4 dB above about 1.5 kHz and a cut below 38 Hz, are one linear system
with four state values. Over a run of samples its output is one matrix times the samples plus another times
the state before the run; the states follow each other linearly and are found by doubling. In coordinates
where noise moves all state values alike, 32-bit floats are exact enough: the error stays 100 dB below the
samples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

# Products this small stay on one core each, and a stretch stays in its cache.
_RUN: Final = 64
_RUNS_PER_PRODUCT: Final = 48
_PRODUCTS_PER_STRETCH: Final = 12
_NEGLIGIBLE: Final = 1e-9
_STATES: Final = 4

Biquad = tuple[tuple[float, float, float], tuple[float, float]]
"""Numerator, and denominator without its leading 1."""


def weigh(channel: npt.NDArray[np.floating], rate_hz: int) -> Iterator[npt.NDArray[np.float32]]:
    """Apply the K-weighting to one channel.

    Args:
        channel: Samples, shape (frames,).
        rate_hz: Frames a second.

    Yields:
        The weighted samples, stretch by stretch.
    """
    system = _make_runs(rate_hz)
    state = np.zeros((1, _STATES), dtype=np.float32)
    shape = (_PRODUCTS_PER_STRETCH, _RUNS_PER_PRODUCT, _RUN)
    buffer: npt.NDArray[np.float32] = np.empty((*shape[:2], _RUN + _STATES), dtype=np.float32)
    product = buffer.reshape(-1, _RUN + _STATES)
    for start in range(0, len(channel), math.prod(shape)):
        part = channel[start : start + math.prod(shape)].astype(np.float32, copy=False)
        length = len(part)
        if length < math.prod(shape):
            part = np.pad(part, (0, math.prod(shape) - length))
        np.matmul(part.reshape(shape), system.product, out=buffer)
        states = product[:, _RUN:].copy()
        states[0] += state[0] @ system.steps[0]
        for doubling, step in enumerate(system.steps):
            states[1 << doubling :] += states[: -(1 << doubling)] @ step
        before = np.concatenate([state, states[:-1]])
        state = states[-1:]
        weighted = product[:, :_RUN] + before @ system.observe
        yield np.asarray(weighted, dtype=np.float32).reshape(-1)[:length]


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Matrices of the filter over one run, for row vectors.

    Args:
        product: Samples to output and, in the last columns, to the state after the run, shape (run, run + 4).
        observe: State before the run to output, shape (4, run).
        steps: State before to state after 1, 2, 4, ... runs, until nothing is left of it.
    """

    product: npt.NDArray[np.float32]
    observe: npt.NDArray[np.float32]
    steps: tuple[npt.NDArray[np.float32], ...]


@lru_cache(maxsize=16)
def _make_runs(rate_hz: int) -> _Runs:
    a, b, c, d = _make_system(rate_hz)
    powers = [np.linalg.matrix_power(a, count) for count in range(_RUN + 1)]
    impulse = np.array([d, *(c @ power @ b for power in powers[: _RUN - 1])])
    lag = np.arange(_RUN) - np.arange(_RUN)[:, None]
    toeplitz = np.where(lag >= 0, impulse[np.maximum(lag, 0)], 0.0)
    reach = np.array([powers[_RUN - 1 - place] @ b for place in range(_RUN)])
    observe = np.array([c @ power for power in powers[:_RUN]]).T
    step: npt.NDArray[np.float64] = powers[_RUN].T
    steps: list[npt.NDArray[np.float32]] = []
    while np.abs(step).max() > _NEGLIGIBLE and 1 << len(steps) < _PRODUCTS_PER_STRETCH * _RUNS_PER_PRODUCT:
        steps.append(step.astype(np.float32))
        step = step @ step
    product = np.concatenate([toeplitz, reach], axis=1).astype(np.float32)
    return _Runs(product, observe.astype(np.float32), tuple(steps))


def _make_system(rate_hz: int) -> tuple[npt.NDArray[np.float64], ...]:
    """State space of both stages: state' = a state + b x, output = c state + d x."""
    (b0, b1, b2), (a1, a2) = make_shelf(rate_hz)
    (g0, g1, g2), (e1, e2) = make_high_pass(rate_hz)
    # Two transposed direct forms in a row; the shelf's output, state[0] + b0 x, enters the cut.
    h1, h2 = g1 - e1 * g0, g2 - e2 * g0
    a = np.array([[-a1, 1, 0, 0], [-a2, 0, 0, 0], [h1, 0, -e1, 1], [h2, 0, -e2, 0]])
    b = np.array([b1 - a1 * b0, b2 - a2 * b0, h1 * b0, h2 * b0])
    c = np.array([g0, 0, 1, 0])
    # The covariance of the state under white noise, summed by doubling, gives balanced coordinates.
    covariance, power = np.outer(b, b), a
    while np.abs(power).max() > np.finfo(float).tiny ** 0.25:
        covariance = covariance + power @ covariance @ power.T
        power = power @ power
    root = np.linalg.cholesky(covariance)
    inverse = np.linalg.inv(root)
    return inverse @ a @ root, inverse @ b, c @ root, np.array(g0 * b0)


def make_shelf(rate_hz: int) -> Biquad:
    """Make the shelf that stands for the head; at 48 kHz these are the numbers of the standard's table."""
    tangent = math.tan(math.pi * 1681.974450955533 / rate_hz)
    quality = 0.7071752369554196
    high = 10 ** (3.999843853973347 / 20)
    band = high**0.4996667741545416
    norm = 1 + tangent / quality + tangent**2
    return (
        (
            (high + band * tangent / quality + tangent**2) / norm,
            2 * (tangent**2 - high) / norm,
            (high - band * tangent / quality + tangent**2) / norm,
        ),
        (2 * (tangent**2 - 1) / norm, (1 - tangent / quality + tangent**2) / norm),
    )


def make_high_pass(rate_hz: int) -> Biquad:
    """Make the cut below 38 Hz; the standard does not normalise its numerator."""
    tangent = math.tan(math.pi * 38.13547087602444 / rate_hz)
    quality = 0.5003270373238773
    norm = 1 + tangent / quality + tangent**2
    return (
        (1.0, -2.0, 1.0),
        (2 * (tangent**2 - 1) / norm, (1 - tangent / quality + tangent**2) / norm),
    )
