"""Pitch over time, and beating between sustained tones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import band_pass
from torus_eval.signals.spectra import give_frames, level_contour, smooth
from torus_eval.signals.timing import thin_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

HOP_S = 0.01
LOW_HZ, HIGH_HZ = 70.0, 520.0
_WINDOW_S = 0.04
_VOICED = 0.45
_BEAT_LOW_HZ, _BEAT_HIGH_HZ = 0.8, 12.0
_BANDS_HZ = ((60.0, 150.0), (150.0, 280.0), (280.0, 520.0), (520.0, 1000.0), (1000.0, 2200.0))
_LEAST_BEAT_S = 1.5


@dataclass(frozen=True, slots=True)
class Beating:
    """A regular wavering of level.

    Args:
        rate_hz: Wavers a second.
        depth_db: From the mean to the extreme.
    """

    rate_hz: float
    depth_db: float


def track_pitch(signal: Signal, rate_hz: int) -> Signal:
    """Give the pitch of each frame by autocorrelation.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.

    Returns:
        Hz every 10 ms, shape (count,); 0 where there is no clear pitch between 70 and 520 Hz.
    """
    low = band_pass(signal, rate_hz, 60.0, 1600.0, order=2)
    step = max(1, rate_hz // 11025)
    low, rate = low[::step], rate_hz / step
    size = int(_WINDOW_S * rate)
    frames = give_frames(low, size, round(HOP_S * rate)) * np.hanning(size)
    padded = 1 << (2 * size - 1).bit_length()
    power = np.abs(np.fft.rfft(frames, padded, axis=1)) ** 2
    correlation = np.fft.irfft(power, padded, axis=1)[:, :size]
    window = np.fft.irfft(np.abs(np.fft.rfft(np.hanning(size), padded)) ** 2, padded)[:size]
    correlation = correlation / np.maximum(window / window[0], 1e-3)
    first, last = int(rate / HIGH_HZ), min(int(rate / LOW_HZ), int(0.8 * size))
    energy = correlation[:, 0]
    region = correlation[:, first:last]
    height = region.max(axis=1)
    # The shortest lag that is nearly the best avoids an octave too low.
    near = region >= 0.9 * height[:, None]
    inner = np.zeros_like(near)
    inner[:, 1:-1] = (region[:, 1:-1] >= region[:, :-2]) & (region[:, 1:-1] >= region[:, 2:])
    lag = first + np.argmax(near & inner, axis=1)
    found = (near & inner).any(axis=1) & (height > _VOICED * energy) & (energy > 1e-7 * size)
    return np.where(found, rate / lag, 0.0)


def find_beating(signal: Signal, rate_hz: int) -> Beating:
    """Find the strongest regular wavering of level in any band, between 0.8 and 12 Hz.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.

    Returns:
        Rate and depth; a depth near 0 is no beating.
    """
    best = Beating(0.0, 0.0)
    if len(signal) < _LEAST_BEAT_S * rate_hz:
        return best
    step = max(1, rate_hz // 6000)
    signal, rate_hz = thin_out(signal, rate_hz, step), rate_hz // step
    total_db = level_contour(signal, rate_hz, hop_s=0.02, window_s=0.04).max()
    for low_hz, high_hz in _BANDS_HZ:
        levels = level_contour(
            band_pass(signal, rate_hz, low_hz, high_hz), rate_hz, hop_s=0.02, window_s=0.06
        )
        # Bands far below the loudest are noise.
        if np.percentile(levels, 70) < total_db - 30.0:
            continue
        levels = np.maximum(levels, float(np.median(levels)) - 15.0)
        found = _find_waver(levels, 0.02)
        if found.depth_db > best.depth_db:
            best = found
    return best


def _find_waver(levels: Signal, hop_s: float) -> Beating:
    flat = levels - smooth(levels, 2 * int(0.6 / hop_s) + 1)
    window = np.hanning(len(flat))
    size = 4 * len(flat)
    spectrum = np.abs(np.fft.rfft(flat * window, size)) * 2.0 / window.sum()
    hz = np.fft.rfftfreq(size, hop_s)
    inside = (hz >= _BEAT_LOW_HZ) & (hz <= _BEAT_HIGH_HZ)
    peak = int(np.argmax(np.where(inside, spectrum, 0.0)))
    rest = float(np.sqrt(np.mean(np.square(flat))))
    # The share of one sine in all the wavering tells beats from plucks and syllables.
    purity = min(1.0, float(spectrum[peak]) / max(np.sqrt(2.0) * rest, 1e-9))
    return Beating(float(hz[peak]), float(spectrum[peak] * purity))
