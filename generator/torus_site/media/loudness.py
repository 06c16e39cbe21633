"""How loud a clip is: integrated loudness and true peak.

Conventions:
    Samples are float arrays of shape (frames, channels) with full scale at 1.0, and one or two channels, each
    with weight 1. A sine of 997 Hz at full scale in one channel measures -3.01 LUFS.

Metrics:
    Integrated loudness follows ITU-R BS.1770: K-weighting, blocks of 400 ms that overlap by three quarters,
    an absolute gate at -70 LUFS and a relative gate 10 LU below the mean of what passed the first. True peak
    is the greatest magnitude after fourfold oversampling.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32] | npt.NDArray[np.float64]

_ABSOLUTE_GATE_LUFS: Final = -70.0
_RELATIVE_GATE_LU: Final = -10.0
_HOPS_PER_BLOCK: Final = 4
_HOP_S: Final = 0.1
# The recursive filter runs as matrix products over short runs; many small products stay on one core each.
_RUN: Final = 64
_RUNS_PER_PRODUCT: Final = 64
_PRODUCTS_PER_STRETCH: Final = 8
_NEGLIGIBLE: Final = 1e-20
_OVERSAMPLING: Final = 4
_TAPS: Final = 24
_CHUNK: Final = 32
_CHUNKS_PER_PRODUCT: Final = 48


def measure_loudness(samples: Floats, rate_hz: int) -> float | None:
    """Measure the integrated loudness of a clip.

    Args:
        samples: Shape (frames, channels), full scale at 1.0.
        rate_hz: Frames a second.

    Returns:
        Loudness in LUFS, or ``None`` when the clip is shorter than one 400 ms block or never rises above the
        absolute gate, where loudness is undefined.

    >>> import numpy as np
    >>> sine = np.sin(2 * np.pi * 997 * np.arange(96000) / 48000)[:, None]
    >>> round(measure_loudness(0.1 * sine, 48000), 2)
    -23.01
    >>> measure_loudness(0.0 * sine, 48000) is None
    True
    """
    frames = samples.shape[0]
    hops = math.floor(frames / (_HOP_S * rate_hz) + 1e-9)
    if hops < _HOPS_PER_BLOCK:
        return None
    edges = np.rint(np.arange(hops + 1) * _HOP_S * rate_hz).astype(np.intp)
    energy = np.zeros(hops)
    for channel in range(samples.shape[1]):
        _add_energy(energy, samples[: edges[-1], channel], edges=edges, rate_hz=rate_hz)
    sums = np.concatenate([[0.0], np.cumsum(energy)])
    lengths = edges[_HOPS_PER_BLOCK:] - edges[:-_HOPS_PER_BLOCK]
    # A difference of running sums can fall a rounding error below zero in silence.
    power = np.maximum(sums[_HOPS_PER_BLOCK:] - sums[:-_HOPS_PER_BLOCK], 0.0) / lengths
    loud = power[power > _to_power(_ABSOLUTE_GATE_LUFS)]
    if not loud.size:
        return None
    gate = float(loud.mean()) * 10 ** (_RELATIVE_GATE_LU / 10)
    return _to_lufs(float(loud[loud > gate].mean()))


def measure_true_peak(samples: Floats) -> float | None:
    """Measure the true peak of a clip by fourfold oversampling.

    Args:
        samples: Shape (frames, channels), full scale at 1.0.

    Returns:
        Decibels relative to full scale (dBTP), or ``None`` for silence.

    >>> import numpy as np
    >>> sine = np.sin(np.pi / 2 * np.arange(4800) + np.pi / 4)  # every sample misses the crest, at 0.707
    >>> round(measure_true_peak((np.hanning(4800) * sine)[:, None]), 1)
    0.0
    """
    peak = float(np.abs(samples).max(initial=0.0))
    if peak == 0.0:
        return None
    for channel in range(samples.shape[1]):
        peak = max(peak, _oversampled_peak(samples[:, channel], peak))
    return 20 * math.log10(peak)


def _to_lufs(power: float) -> float:
    return -0.691 + 10 * math.log10(power)


def _to_power(lufs: float) -> float:
    return float(10 ** ((lufs + 0.691) / 10))


def _add_energy(
    energy: npt.NDArray[np.float64], channel: Floats, *, edges: npt.NDArray[np.intp], rate_hz: int
) -> None:
    """Add the K-weighted energy of one channel between neighbouring ``edges`` to ``energy``."""
    start = 0
    for weighted in _weight(channel, rate_hz):
        stop = start + len(weighted)
        first, last = np.searchsorted(edges, [start, stop - 1], side="right") - 1
        inner = edges[first + 1 : last + 1] - start
        parts = np.add.reduceat(np.square(weighted), np.concatenate([[0], inner]))
        energy[first : last + 1] += parts
        start = stop


def _weight(channel: Floats, rate_hz: int) -> Iterator[npt.NDArray[np.float64]]:
    """Apply the K-weighting to one channel and yield it in stretches that stay in the processor's cache.

    A run of samples gives its output from its own samples (a Toeplitz product) and from the filter's state at
    its start; the states follow each other linearly and are found by doubling.
    """
    toeplitz, observe, reach, step = _run_matrices(rate_hz)
    state = np.zeros(len(step))
    runs = np.empty((_PRODUCTS_PER_STRETCH, _RUNS_PER_PRODUCT, _RUN))
    flat = runs.reshape(-1)
    for start in range(0, len(channel), len(flat)):
        part = channel[start : start + len(flat)]
        flat[: len(part)] = part
        flat[len(part) :] = 0.0
        states = np.matmul(runs, reach.T).reshape(-1, len(step))
        states[0] += step @ state
        power, shift = step, 1
        while shift < len(states) and float(np.abs(power).max()) > _NEGLIGIBLE:
            states[shift:] = states[shift:] + states[:-shift] @ power.T
            power, shift = power @ power, shift * 2
        before = np.concatenate([state[None], states[:-1]]).reshape(*runs.shape[:2], -1)
        state = states[-1].copy()
        weighted = np.matmul(runs, toeplitz.T)
        weighted += np.matmul(before, observe.T)
        yield weighted.reshape(-1)[: len(part)]


@lru_cache(maxsize=16)
def _run_matrices(rate_hz: int) -> tuple[npt.NDArray[np.float64], ...]:
    """Matrices of the K-weighting over one run.

    Returns:
        Samples to output (run, run); state to output (run, 4); samples to next state (4, run); state to next
        state (4, 4).
    """
    shelf, high_pass = _shelf(rate_hz), _high_pass(rate_hz)
    # State space of two transposed direct forms in a row: state' = a state + b x, y = c state + d x.
    a = np.zeros((4, 4))
    b = np.zeros(4)
    c = np.zeros(4)
    (b0, b1, b2), (a1, a2) = shelf
    (g0, g1, g2), (e1, e2) = high_pass
    a[0] = [-a1, 1, 0, 0]
    a[1] = [-a2, 0, 0, 0]
    b[:2] = [b1 - a1 * b0, b2 - a2 * b0]
    # The shelf's output, state[0] + b0 x, enters the high-pass.
    a[2] = [g1 - e1 * g0, 0, -e1, 1]
    a[3] = [g2 - e2 * g0, 0, -e2, 0]
    b[2:] = [(g1 - e1 * g0) * b0, (g2 - e2 * g0) * b0]
    c[:] = [g0, 0, 1, 0]
    d = g0 * b0
    powers = [np.eye(4)]
    for _ in range(_RUN):
        powers.append(a @ powers[-1])
    impulse = np.array([d, *(c @ powers[k] @ b for k in range(_RUN - 1))])
    lag = np.subtract.outer(np.arange(_RUN), np.arange(_RUN))
    toeplitz = np.where(lag >= 0, impulse[np.maximum(lag, 0)], 0.0)
    observe = np.array([c @ powers[k] for k in range(_RUN)])
    reach = np.array([powers[_RUN - 1 - k] @ b for k in range(_RUN)]).T
    return toeplitz, observe, np.ascontiguousarray(reach), powers[_RUN]


_Biquad = tuple[tuple[float, float, float], tuple[float, float]]


def _shelf(rate_hz: int) -> _Biquad:
    """The head's effect: a shelf of +4 dB. The constants give back the standard's table at 48 kHz."""
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


def _high_pass(rate_hz: int) -> _Biquad:
    """The cut below 38 Hz. The standard does not normalise its numerator."""
    tangent = math.tan(math.pi * 38.13547087602444 / rate_hz)
    quality = 0.5003270373238773
    norm = 1 + tangent / quality + tangent**2
    return (
        (1.0, -2.0, 1.0),
        (2 * (tangent**2 - 1) / norm, (1 - tangent / quality + tangent**2) / norm),
    )


def _oversampled_peak(channel: Floats, floor: float) -> float:
    """Find the greatest interpolated magnitude above ``floor``, looking only where one can be."""
    band, gain = _interpolator()
    chunks = -(-len(channel) // _CHUNK)
    padded = np.zeros((chunks + 2) * _CHUNK, dtype=np.float32)
    padded[_CHUNK : _CHUNK + len(channel)] = channel
    peaks = np.abs(padded)
    # Folding neighbours is several times faster than a maximum along a short axis.
    while len(peaks) > chunks + 2:
        peaks = np.maximum(peaks[0::2], peaks[1::2])
    # No interpolated value exceeds the filter's gain times the greatest sample its taps touch.
    reach = np.maximum(np.maximum(peaks[:-2], peaks[1:-1]), peaks[2:])
    chosen = np.flatnonzero(reach * gain > floor) + 1
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(band))
    best = floor
    for start in range(0, len(chosen), _CHUNKS_PER_PRODUCT * _PRODUCTS_PER_STRETCH):
        places = chosen[start : start + _CHUNKS_PER_PRODUCT * _PRODUCTS_PER_STRETCH]
        places = np.pad(places, (0, -len(places) % _CHUNKS_PER_PRODUCT), mode="edge")
        rows = windows[places * _CHUNK - (_TAPS // 2 - 1)]
        between = np.matmul(rows.reshape(-1, _CHUNKS_PER_PRODUCT, len(band)), band)
        best = max(best, float(between.max()), -float(between.min()))
    return best


@lru_cache(maxsize=1)
def _interpolator() -> tuple[npt.NDArray[np.float32], float]:
    """Build the windowed-sinc interpolator.

    Returns:
        A matrix that takes a chunk with its neighbours to the three points after each of its samples (the
        fourth is the sample itself), and the most it can raise a magnitude.
    """
    offsets = np.arange(_TAPS) - (_TAPS // 2 - 1)
    fractions = np.arange(1, _OVERSAMPLING) / _OVERSAMPLING
    distance = fractions[None, :] - offsets[:, None]
    taps = np.sinc(distance) * np.cos(np.pi * distance / (_TAPS + 2)) ** 2
    taps /= taps.sum(axis=0)
    band = np.zeros((_CHUNK + _TAPS - 1, _CHUNK, _OVERSAMPLING - 1), dtype=np.float32)
    for frame in range(_CHUNK):
        band[frame : frame + _TAPS, frame] = taps
    return band.reshape(len(band), -1), float(np.abs(taps).sum(axis=0).max())
