"""Changes along time: fades, mixing, resampling, stretching and shifting in frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import low_pass, pad_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_WINDOW_S = 0.05
_SEARCH_S = 0.012


def fade(signal: Signal, rate_hz: int, *, in_s: float = 0.005, out_s: float = 0.005) -> Signal:
    """Fade the ends with half cosines so that nothing clicks."""
    faded = signal.copy()
    head = min(int(in_s * rate_hz), len(signal) // 2)
    tail = min(int(out_s * rate_hz), len(signal) // 2)
    if head:
        faded[:head] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(head) / head)
    if tail:
        faded[-tail:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, tail + 1) / tail)
    return faded


def add_at(base: Signal, part: Signal, start: int) -> None:
    """Add a part into a base in place, from a frame on; what lies outside the base is dropped."""
    first = max(start, 0)
    last = min(start + len(part), len(base))
    if last > first:
        base[first:last] += part[first - start : last - start]


def fit_length(signal: Signal, frames: int) -> Signal:
    """Cut or fill with silence to a number of frames."""
    if len(signal) >= frames:
        return signal[:frames]
    return np.concatenate([signal, np.zeros(frames - len(signal))])


def thin_out(signal: Signal, rate_hz: int, step: int) -> Signal:
    """Keep one frame in every few, after taking away what the lower rate cannot carry."""
    return low_pass(signal, rate_hz, 0.4 * rate_hz / step, order=8)[::step] if step > 1 else signal


def change_rate(signal: Signal, from_hz: int, to_hz: int) -> Signal:
    """Resample to another rate by cutting or padding the spectrum.

    Returns:
        Shape (frames * to_hz / from_hz,), rounded.

    >>> change_rate(np.zeros(22050), 22050, 44100).shape
    (44100,)
    """
    if from_hz == to_hz:
        return signal
    wanted = round(len(signal) * to_hz / from_hz)
    # A whole second of padding makes both lengths exact multiples of the rates.
    seconds = len(signal) // from_hz + 2
    spectrum = np.fft.rfft(signal, seconds * from_hz)
    bins = seconds * to_hz // 2 + 1
    sized = np.zeros(bins, dtype=np.complex128)
    kept = min(bins, len(spectrum))
    sized[:kept] = spectrum[:kept]
    return np.asarray(np.fft.irfft(sized, seconds * to_hz)[:wanted] * (to_hz / from_hz), dtype=np.float64)


def stretch(signal: Signal, rate_hz: int, factor: float) -> Signal:
    """Change the length and keep the pitch, by overlapping windows that fit best (WSOLA).

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        factor: Length after over length before; 2.0 is half speed.

    Returns:
        Shape (frames * factor,), rounded.
    """
    frames = round(len(signal) * factor)
    size = int(_WINDOW_S * rate_hz) // 2 * 2
    if abs(factor - 1.0) < 1e-3 or len(signal) < 2 * size:  # noqa: PLR2004 -- two windows are the least to overlap
        return fit_length(signal, frames)
    hop, search = size // 2, int(_SEARCH_S * rate_hz)
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(size) / size)
    padded = np.concatenate([np.zeros(search), signal, np.zeros(size + hop + search)])
    out = np.zeros(frames + 2 * size)
    follow = padded[search : search + size]
    for start in range(0, frames, hop):
        middle = min(int(start / factor), len(signal) - 1)
        best = middle + _find_fit(padded[middle : middle + 2 * search + size], follow)
        out[start : start + size] += window * padded[best : best + size]
        follow = padded[best + hop : best + hop + size]
        if len(follow) < size:
            follow = fit_length(follow, size)
    out[:hop] += (1.0 - window[:hop]) * signal[:hop]
    return np.asarray(out[:frames], dtype=np.float64)


def _find_fit(region: Signal, follow: Signal) -> int:
    size = pad_size(len(region))
    product = np.fft.rfft(region, size) * np.conj(np.fft.rfft(follow, size))
    matches = np.fft.irfft(product, size)[: len(region) - len(follow) + 1]
    energy = np.concatenate([[0.0], np.cumsum(np.square(region))])
    power = energy[len(follow) :] - energy[: -len(follow)]
    return int(np.argmax(matches / np.sqrt(power + 1e-9)))


def shift_frequency(signal: Signal, rate_hz: int, shift_hz: float) -> Signal:
    """Move every partial by the same number of Hz, so that it beats with the original at that rate."""
    size = pad_size(len(signal) + rate_hz // 4)
    spectrum = np.fft.fft(signal, size)
    spectrum[1 : size // 2] *= 2.0
    spectrum[size // 2 + 1 :] = 0.0
    analytic = np.fft.ifft(spectrum)[: len(signal)]
    turned = analytic * np.exp(2j * np.pi * shift_hz * np.arange(len(signal)) / rate_hz)
    return np.asarray(turned.real, dtype=np.float64)
