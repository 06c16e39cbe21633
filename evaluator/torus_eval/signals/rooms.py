"""Synthetic rooms: impulse responses of decaying noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import convolve, low_pass, to_gain

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_BANDS = 4


def make_impulse(
    rng: np.random.Generator, rate_hz: int, *, decay_s: float, bright_hz: float, delay_s: float
) -> Signal:
    """Make the echo of a room without the direct sound, of energy 1.

    Args:
        rng: Source of the noise.
        rate_hz: Frames a second.
        decay_s: Time in which the low range falls by 60 dB; the high range falls faster.
        bright_hz: Where the echo turns dull.
        delay_s: When the echo begins.

    Returns:
        Shape (frames,), 1.2 times the decay time plus the delay long.
    """
    frames = max(64, int(1.2 * decay_s * rate_hz))
    times_s = np.arange(frames) / rate_hz
    noise = rng.standard_normal(frames)
    edges = bright_hz / 2.0 ** np.arange(_BANDS)[::-1]
    out = np.zeros(frames)
    below = np.zeros(frames)
    for index, edge_hz in enumerate(edges):
        upto = low_pass(noise, rate_hz, min(float(edge_hz), 0.45 * rate_hz), order=2)
        shorter = 1.0 - 0.12 * index
        out += (upto - below) * np.exp(-6.9078 * times_s / (decay_s * shorter))
        below = upto
    out *= np.minimum(1.0, times_s / 0.004)
    delayed = np.concatenate([np.zeros(int(delay_s * rate_hz)), out])
    return np.asarray(delayed / np.sqrt(np.sum(np.square(delayed))), dtype=np.float64)


def add_room(signal: Signal, impulse: Signal, *, wet_db: float, length: int | None = None) -> Signal:
    """Add a room's echo to a signal.

    Args:
        signal: Shape (frames,).
        impulse: From :func:`make_impulse`.
        wet_db: Level of the echo's energy against the direct sound.
        length: Frames to return; the whole tail by default.

    Returns:
        Shape (length,).
    """
    echo = convolve(signal, impulse) * to_gain(wet_db)
    echo[: len(signal)] += signal
    return echo if length is None else echo[:length]
