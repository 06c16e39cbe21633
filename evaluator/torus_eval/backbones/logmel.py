"""The picture of sound that YAMNet looks at: logarithmic mel bands in overlapping patches.

It is the one the model was trained with: 16 kHz, windows of 25 ms (a periodic Hann window) every 10 ms, the
magnitude of a transform of 512 points, 64 mel bands from 125 to 7500 Hz that are triangles on the mel scale,
the natural logarithm of 0.001 more than each, and patches of 96 windows every 48.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RATE_HZ = 16000
PATCH_S = 0.96
PATCH_HOP_S = 0.48
_WINDOW = 400
_HOP = 160
_POINTS = 512
_BANDS = 64
_LOW_HZ, _HIGH_HZ = 125.0, 7500.0
_OFFSET = 0.001
_PATCH = 96
_PATCH_HOP = 48


def make_patches(mono: NDArray[np.float32]) -> NDArray[np.float32]:
    """Cut the logarithmic mel bands of a clip into patches.

    The end is filled with silence up to a whole patch, so that every sample is looked at.

    Args:
        mono: Shape (frames,) at 16 kHz.

    Returns:
        Shape (patches, 96, 64), at least one patch.

    >>> import numpy as np
    >>> [make_patches(np.zeros(frames, dtype=np.float32)).shape for frames in (16000, 9)]
    [(2, 96, 64), (1, 96, 64)]
    """
    shortest = (_PATCH - 1) * _HOP + _WINDOW
    patches = 1 + max(-(-(len(mono) - shortest) // (_PATCH_HOP * _HOP)), 0)
    filled = np.zeros(shortest + (patches - 1) * _PATCH_HOP * _HOP)
    filled[: len(mono)] = mono
    bands = compute_log_mel(filled)
    starts = np.arange(patches) * _PATCH_HOP
    return np.stack([bands[start : start + _PATCH] for start in starts]).astype(np.float32)


def compute_log_mel(mono: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute logarithmic mel bands of every whole window.

    Args:
        mono: Shape (frames,) at 16 kHz, at least one window of 400.

    Returns:
        Shape (windows, 64).
    """
    windows = np.lib.stride_tricks.sliding_window_view(mono, _WINDOW)[::_HOP]
    shape = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)
    magnitude = np.abs(np.fft.rfft(windows * shape, n=_POINTS, axis=1))
    return np.asarray(np.log(magnitude @ _weigh_bands() + _OFFSET), dtype=np.float64)


@cache
def _weigh_bands() -> NDArray[np.float64]:
    """Give the triangles of the bands, shape (bins, bands); the bin of 0 Hz belongs to none."""
    edges = np.linspace(_to_mel(np.array(_LOW_HZ)), _to_mel(np.array(_HIGH_HZ)), _BANDS + 2)
    mel = _to_mel(np.arange(_POINTS // 2 + 1) * RATE_HZ / _POINTS)[:, None]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    weights = np.maximum(0.0, np.minimum((mel - low) / (middle - low), (high - mel) / (high - middle)))
    weights[0] = 0.0
    return np.asarray(weights, dtype=np.float64)


def _to_mel(frequency_hz: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(frequency_hz / 700.0), dtype=np.float64)
