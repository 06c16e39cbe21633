"""Change the rate of a clip for codecs that know only a few."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_GUARD_S: Final = 0.05
# The share of the band over which the filter falls, so that edges ring less.
_SLOPE: Final = 0.04


def choose_rate(rate_hz: int, allowed: Sequence[int]) -> int:
    """Choose the rate to publish a clip at.

    An allowed rate stays. Otherwise the greatest allowed rate that divides it is taken if it is a common
    full-band one (96 kHz becomes 48 kHz, 88.2 kHz becomes 44.1 kHz), then the next allowed above, then the
    greatest.

    >>> [choose_rate(rate, (8000, 32000, 44100, 48000)) for rate in (44100, 96000, 88200, 37800, 50000)]
    [44100, 48000, 44100, 44100, 48000]
    """
    if rate_hz in allowed:
        return rate_hz
    top = max(allowed)
    if rate_hz > top:
        return max((rate for rate in allowed if rate_hz % rate == 0 and 2 * rate > top), default=top)
    return min(rate for rate in allowed if rate > rate_hz)


def resample(samples: npt.NDArray[np.float32], *, rate_hz: int, to_hz: int) -> npt.NDArray[np.float32]:
    """Change the rate by way of the spectrum, without delay.

    Args:
        samples: Shape (frames, channels).
        rate_hz: Their rate.
        to_hz: The rate wanted.

    Returns:
        The same clip with ``ceil(frames * to_hz / rate_hz)`` frames; it can overshoot the samples it came
        from.

    >>> import numpy as np
    >>> sine = np.sin(2 * np.pi * 440 * np.arange(9600) / 96000, dtype=np.float32)[:, None]
    >>> half = resample(sine, rate_hz=96000, to_hz=48000)
    >>> half.shape, bool(np.abs(half - sine[::2])[500:-500].max() < 1e-3)
    ((4800, 1), True)
    """
    frames = len(samples)
    common = math.gcd(rate_hz, to_hz)
    unit, to_unit = rate_hz // common, to_hz // common
    # The spectrum sees the clip as a ring; silence keeps its end from leaking into its beginning.
    units = -(-(frames + math.ceil(_GUARD_S * rate_hz)) // unit)
    spectrum = np.fft.rfft(samples, n=units * unit, axis=0)
    bins = min(units * unit, units * to_unit) // 2 + 1
    fall = max(round(_SLOPE * bins), 1)
    kept = np.zeros((units * to_unit // 2 + 1, samples.shape[1]), dtype=spectrum.dtype)
    kept[:bins] = spectrum[:bins]
    if to_hz < rate_hz:
        kept[bins - fall : bins] *= (0.5 + 0.5 * np.cos(np.linspace(0, np.pi, fall)))[:, None]
    changed = np.fft.irfft(kept, n=units * to_unit, axis=0) * (to_hz / rate_hz)
    return np.ascontiguousarray(changed[: -(-frames * to_hz // rate_hz)], dtype=np.float32)
