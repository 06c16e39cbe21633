"""A small picture of a clip: time to the right, pitch upwards on the mel scale, level as colour.

Every picture has the same scales, so two can be compared by eye: ``COLUMNS_PER_S`` columns a second, ``ROWS``
mel bands from 40 Hz to 16 kHz, and colours from -90 dB (dark) to -14 dB, where 0 dB is a sine at full scale.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    import numpy.typing as npt

COLUMNS_PER_S: Final = 60
ROWS: Final = 128

# A longer span gets fewer columns a second, so that no picture is wider.
_MOST_COLUMNS: Final = 1600
_LOWEST_HZ: Final = 40.0
_HIGHEST_HZ: Final = 16000.0
_FLOOR_DB: Final = -90.0
_CEILING_DB: Final = -14.0
_WINDOW_S: Final = 0.046
_FRAMES_AT_ONCE: Final = 32
_ROWS_AT_ONCE: Final = 8
_QUALITY: Final = 70
_EFFORT: Final = 1
# Dark to light with an even rise of lightness, so that it also reads in grey.
_RAMP: Final = (
    (0.0, (8, 10, 28)),
    (0.25, (48, 26, 98)),
    (0.5, (142, 38, 120)),
    (0.75, (236, 104, 78)),
    (1.0, (254, 236, 176)),
)


def draw_spectrogram(samples: npt.NDArray[np.float32], rate_hz: int, *, span_s: float | None = None) -> bytes:
    """Draw the log-mel spectrogram of a clip.

    Args:
        samples: Shape (frames, channels), full scale at 1.0; the mean of the channels is drawn.
        rate_hz: Frames a second.
        span_s: The time the picture covers, for clips that share a time axis: after a shorter clip the
            picture is dark, a longer clip is cut off. ``None`` covers the clip itself.

    Returns:
        A WebP image of ``ROWS`` rows and about ``COLUMNS_PER_S`` columns a second.

    >>> import numpy as np
    >>> draw_spectrogram(np.zeros((8000, 1), dtype=np.float32), 8000)[8:12]
    b'WEBP'
    """
    span_s = span_s or len(samples) / rate_hz
    columns = min(max(math.ceil(span_s * COLUMNS_PER_S), 1), _MOST_COLUMNS)
    levels = measure_levels(samples, rate_hz, columns=columns, span_s=span_s)
    shades = np.clip((levels - _FLOOR_DB) * (255 / (_CEILING_DB - _FLOOR_DB)), 0, 255).astype(np.uint8)
    image = Image.fromarray(_colours()[shades.T[::-1]])
    file = io.BytesIO()
    image.save(file, "WEBP", quality=_QUALITY, method=_EFFORT)
    return file.getvalue()


def measure_levels(
    samples: npt.NDArray[np.float32], rate_hz: int, *, columns: int, span_s: float
) -> npt.NDArray[np.float32]:
    """Measure the level of each mel band at even times.

    Args:
        samples: Shape (frames, channels).
        rate_hz: Frames a second.
        columns: Number of times.
        span_s: The time they cover from the start of the clip.

    Returns:
        Decibels, shape (columns, ROWS), lowest band first; a sine at full scale in the middle of a band is
        near 0.
    """
    mono = samples[:, 0] if samples.shape[1] == 1 else samples.mean(axis=1)
    size = 1 << round(math.log2(_WINDOW_S * rate_hz))
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    # A sine at full scale gives (sum of the window / 2) squared.
    scale = np.float32((2 / window.sum()) ** 2)
    bands = _mel_bands(size, rate_hz)
    centres = ((np.arange(columns) + 0.5) * (span_s / columns * rate_hz)).astype(np.int64)
    sounding = int(np.searchsorted(centres, len(mono) + size // 2))
    power = np.zeros((columns, ROWS), dtype=np.float32)
    padded = np.zeros(max(int(centres[-1]), len(mono)) + 2 * size, dtype=np.float32)
    padded[size // 2 : size // 2 + len(mono)] = mono
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)
    for start in range(0, sounding, _FRAMES_AT_ONCE):
        spectrum = np.fft.rfft(
            frames[centres[start : min(start + _FRAMES_AT_ONCE, sounding)]] * window, axis=1
        )
        energy = spectrum.real**2 + spectrum.imag**2
        for group in bands:
            power[start : start + len(energy), group.rows] = energy[:, group.bins] @ group.weights
    return np.asarray(10 * np.log10(power * scale + np.float32(1e-12)), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Bands:
    """Weights from a stretch of bins to neighbouring bands, shape (bins, rows)."""

    bins: slice
    rows: slice
    weights: npt.NDArray[np.float32]


@lru_cache(maxsize=16)
def _mel_bands(size: int, rate_hz: int) -> tuple[_Bands, ...]:
    """Weigh bins into mel bands, in groups, since a band touches only a few bins.

    The peak of each triangle is 1. Where bands lie closer than bins, a triangle is widened to reach both
    neighbours, so that no band falls between two bins.
    """
    edges = _from_mel(np.linspace(_to_mel(_LOWEST_HZ), _to_mel(_HIGHEST_HZ), ROWS + 2))
    step = rate_hz / size
    bins = np.arange(size // 2 + 1)[:, None] * step
    centre = edges[1:-1]
    low = np.minimum(edges[:-2], centre - step)
    high = np.maximum(edges[2:], centre + step)
    weights = np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre))
    weights = np.maximum(weights, 0.0).astype(np.float32)
    groups = []
    for first in range(0, ROWS, _ROWS_AT_ONCE):
        rows = slice(first, min(first + _ROWS_AT_ONCE, ROWS))
        touched = np.flatnonzero(weights[:, rows].any(axis=1))
        if touched.size:
            reach = slice(int(touched[0]), int(touched[-1]) + 1)
            groups.append(_Bands(reach, rows, np.ascontiguousarray(weights[reach, rows])))
    return tuple(groups)


def _to_mel(frequency_hz: float) -> float:
    return 2595 * math.log10(1 + frequency_hz / 700)


def _from_mel(mel: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(700 * (10 ** (mel / 2595) - 1))


@lru_cache(maxsize=1)
def _colours() -> npt.NDArray[np.uint8]:
    places = [place for place, _ in _RAMP]
    shades = np.linspace(0, 1, 256)
    return (
        np.stack(
            [np.interp(shades, places, [colour[part] for _, colour in _RAMP]) for part in range(3)], axis=1
        )
        .round()
        .astype(np.uint8)
    )
