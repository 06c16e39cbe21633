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

from torus_site.media.weighting import weigh

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32] | npt.NDArray[np.float64]

_ABSOLUTE_GATE_LUFS: Final = -70.0
_RELATIVE_GATE_LU: Final = -10.0
_HOPS_PER_BLOCK: Final = 4
_HOP_S: Final = 0.1
_OVERSAMPLING: Final = 4
_TAPS: Final = 24
_BLOCK: Final = 512
_SHORT: Final = 32
# Products this small stay on one core each, and a few of them in its cache.
_SHORTS_PER_PRODUCT: Final = 48
_SHORTS_AT_ONCE: Final = 8 * _SHORTS_PER_PRODUCT


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
    if not samples.size:
        return None
    peak = max(float(samples.max()), -float(samples.min()))
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
    for weighted in weigh(channel, rate_hz):
        stop = start + len(weighted)
        first, last = np.searchsorted(edges, [start, stop - 1], side="right") - 1
        inner = edges[first + 1 : last + 1] - start
        parts = np.add.reduceat(np.square(weighted), np.concatenate([[0], inner]))
        energy[first : last + 1] += parts
        start = stop


def _oversampled_peak(channel: Floats, floor: float) -> float:
    """Find the greatest interpolated magnitude above ``floor``, looking only where one can be.

    No interpolated value exceeds the filter's gain times the greatest sample that its taps touch.
    """
    band, gain = _interpolator()
    blocks = -(-len(channel) // _BLOCK)
    padded = np.zeros((blocks + 2) * _BLOCK, dtype=np.float32)
    padded[_BLOCK : _BLOCK + len(channel)] = channel
    edges = np.arange(0, len(padded), _BLOCK)
    peaks = np.maximum(np.maximum.reduceat(padded, edges), -np.minimum.reduceat(padded, edges))
    reach = np.maximum(np.maximum(peaks[:-2], peaks[1:-1]), peaks[2:])
    chosen = np.flatnonzero(reach * gain > floor) + 1
    if not chosen.size:
        return floor
    shorts = (chosen[:, None] * _BLOCK + np.arange(0, _BLOCK, _SHORT)).reshape(-1)
    # Whole products only; what is repeated changes no maximum.
    shorts = np.pad(shorts, (0, -len(shorts) % _SHORTS_PER_PRODUCT), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, len(band))
    best = floor
    for start in range(0, len(shorts), _SHORTS_AT_ONCE):
        rows = windows[shorts[start : start + _SHORTS_AT_ONCE] - (_TAPS // 2 - 1)]
        between = np.matmul(rows.reshape(-1, _SHORTS_PER_PRODUCT, len(band)), band)
        best = max(best, float(between.max()), -float(between.min()))
    return best


@lru_cache(maxsize=1)
def _interpolator() -> tuple[npt.NDArray[np.float32], float]:
    """Build the windowed-sinc interpolator.

    Returns:
        A matrix that takes a short block with its neighbours to the three points after each of its samples,
        of which the fourth is the next sample itself, and the most it can raise a magnitude.
    """
    offsets = np.arange(_TAPS) - (_TAPS // 2 - 1)
    fractions = np.arange(1, _OVERSAMPLING) / _OVERSAMPLING
    distance = fractions[None, :] - offsets[:, None]
    taps = np.sinc(distance) * np.cos(np.pi * distance / (_TAPS + 2)) ** 2
    taps /= taps.sum(axis=0)
    band = np.zeros((_SHORT + _TAPS - 1, _SHORT, _OVERSAMPLING - 1), dtype=np.float32)
    for frame in range(_SHORT):
        band[frame : frame + _TAPS, frame] = taps
    return band.reshape(len(band), -1), float(np.abs(taps).sum(axis=0).max())
