"""What a signal looks like frame by frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

FLOOR_DB = -100.0


def give_frames(signal: Signal, size: int, hop: int) -> Signal:
    """Cut a signal into overlapping frames; the end is filled with silence.

    Returns:
        Shape (count, size), with frame i starting at i * hop.
    """
    count = max(1, 1 + (len(signal) - 1) // hop)
    padded = np.concatenate([signal, np.zeros(max(0, (count - 1) * hop + size - len(signal)))])
    return np.lib.stride_tricks.sliding_window_view(padded, size)[::hop][:count]


def level_contour(signal: Signal, rate_hz: int, *, hop_s: float = 0.01, window_s: float = 0.02) -> Signal:
    """Give the level of each frame in dB re full scale, floored at -100 dB.

    Returns:
        Shape (count,), one value every ``hop_s``.
    """
    frames = give_frames(signal, int(window_s * rate_hz), int(hop_s * rate_hz))
    power = np.mean(np.square(frames), axis=1)
    return np.asarray(10.0 * np.log10(np.maximum(power, 10.0 ** (FLOOR_DB / 10.0))), dtype=np.float64)


def spectrogram(signal: Signal, *, size: int, hop: int) -> Signal:
    """Give the magnitude of each frame's spectrum under a Hann window.

    Returns:
        Shape (count, size // 2 + 1); a sine of amplitude 1 peaks near 1.
    """
    window = np.hanning(size)
    frames = give_frames(signal, size, hop) * window
    return np.asarray(np.abs(np.fft.rfft(frames, axis=1)) * (2.0 / window.sum()), dtype=np.float64)


def centroid_hz(magnitudes: Signal, frequencies: Signal) -> float:
    """Give the mean frequency of a power spectrum, 0 for silence."""
    power = np.square(magnitudes)
    total = float(power.sum())
    return float((power * frequencies).sum() / total) if total > 0 else 0.0


def smooth(values: Signal, width: int) -> Signal:
    """Average over a moving window of odd width; the ends repeat their last value."""
    half = width // 2
    padded = np.concatenate([np.full(half, values[0]), values, np.full(half, values[-1])])
    return np.convolve(padded, np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")
