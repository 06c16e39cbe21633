"""Filters that shape a spectrum or join a signal with an echo, all by FFT."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_BLOCK = 4096
_SILENCE_DB = -120.0


def to_gain(level_db: float) -> float:
    """Turn decibels into a factor.

    >>> to_gain(-20.0)
    0.1
    """
    return float(10.0 ** (level_db / 20.0))


def to_db(value: float) -> float:
    """Turn an amplitude into decibels, with a floor at -120 dB.

    >>> to_db(0.1), to_db(0.0)
    (-20.0, -120.0)
    """
    return float(20.0 * np.log10(value)) if value > to_gain(_SILENCE_DB) else _SILENCE_DB


def rms_db(signal: Signal) -> float:
    """Give the root mean square level in dB re full scale."""
    return to_db(float(np.sqrt(np.mean(np.square(signal))))) if signal.size else _SILENCE_DB


def low_pass(signal: Signal, rate_hz: int, cutoff_hz: float, *, order: int = 4) -> Signal:
    """Take away what lies above a frequency, by 6 dB an octave and order, without delay.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        cutoff_hz: Where the level has fallen by 3 dB.
        order: Steepness.

    Returns:
        Shape (frames,).
    """
    return shape_spectrum(signal, rate_hz, lambda hz: 1.0 / np.sqrt(1.0 + (hz / cutoff_hz) ** (2 * order)))


def high_pass(signal: Signal, rate_hz: int, cutoff_hz: float, *, order: int = 4) -> Signal:
    """Take away what lies below a frequency, by 6 dB an octave and order, without delay."""
    return shape_spectrum(
        signal, rate_hz, lambda hz: 1.0 / np.sqrt(1.0 + (cutoff_hz / np.maximum(hz, 1e-3)) ** (2 * order))
    )


def band_pass(signal: Signal, rate_hz: int, low_hz: float, high_hz: float, *, order: int = 3) -> Signal:
    """Keep what lies between two frequencies."""

    def response(hz: Signal) -> Signal:
        above = 1.0 + (hz / high_hz) ** (2 * order)
        below = 1.0 + (low_hz / np.maximum(hz, 1e-3)) ** (2 * order)
        return np.asarray(1.0 / np.sqrt(above * below), dtype=np.float64)

    return shape_spectrum(signal, rate_hz, response)


def tilt(signal: Signal, rate_hz: int, slope_db: float, *, pivot_hz: float = 1000.0) -> Signal:
    """Raise or lower the spectrum by a number of decibels an octave about a pivot.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        slope_db: Decibels an octave; -3 turns white noise into pink.
        pivot_hz: The frequency that keeps its level.

    Returns:
        Shape (frames,).
    """
    power = slope_db / (20.0 * np.log10(2.0))
    return shape_spectrum(signal, rate_hz, lambda hz: (np.maximum(hz, 20.0) / pivot_hz) ** power)


def shape_spectrum(signal: Signal, rate_hz: int, response: Callable[[Signal], Signal]) -> Signal:
    """Multiply the spectrum by a response that is a function of frequency in Hz.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        response: Maps frequencies, shape (bins,), to factors of the same shape.

    Returns:
        Shape (frames,).
    """
    size = pad_size(len(signal) + _BLOCK)
    spectrum = np.fft.rfft(signal, size)
    spectrum *= response(np.fft.rfftfreq(size, 1.0 / rate_hz).astype(np.float64))
    return np.asarray(np.fft.irfft(spectrum, size)[: len(signal)], dtype=np.float64)


def convolve(signal: Signal, impulse: Signal) -> Signal:
    """Join a signal with an impulse response.

    Returns:
        Shape (frames + impulse frames - 1,).
    """
    length = len(signal) + len(impulse) - 1
    size = pad_size(length)
    product = np.fft.rfft(signal, size) * np.fft.rfft(impulse, size)
    return np.asarray(np.fft.irfft(product, size)[:length], dtype=np.float64)


def pad_size(length: int) -> int:
    """Give a length at or above the asked one at which an FFT is fast.

    >>> pad_size(4097)
    8192
    """
    return -(-length // _BLOCK) * _BLOCK
