"""The line that a melody or a gliding tone draws: the lowest strong partial over time, and where it heads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.spectra import give_frames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_WINDOW_S, _HOP_S = 0.18, 0.05
_LOW_HZ, _HIGH_HZ = 80.0, 4000.0
_NEAR_DB, _QUIET_DB = 12.0, 35.0
_CLEAR = 0.3
_LEAST_SHARE, _LEAST_FRAMES = 0.3, 8


def measure_line(signal: Signal, rate_hz: int) -> dict[str, float]:
    """Measure where the pitch of music or of a tone heads.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.

    Returns:
        ``melody_st``, the rise of a straight line from start to end in semitones; or nothing.
    """
    size = int(_WINDOW_S * rate_hz)
    if len(signal) < 2 * size:
        return {}
    frames = give_frames(signal, size, int(_HOP_S * rate_hz))
    power = np.square(np.abs(np.fft.rfft(frames * np.hanning(size), axis=1)))
    hz = np.fft.rfftfreq(size, 1.0 / rate_hz)
    inside = (hz >= _LOW_HZ) & (hz <= _HIGH_HZ)
    power, hz = power[:, inside], hz[inside]
    total = power.sum(axis=1)
    top = power.max(axis=1)
    around = np.stack([np.roll(power, step, axis=1) for step in (-2, -1, 0, 1, 2)]).sum(axis=0).max(axis=1)
    clear = (around > _CLEAR * total) & (total > total.max() * 10.0 ** (-_QUIET_DB / 10.0))
    if clear.sum() < max(_LEAST_FRAMES, _LEAST_SHARE * len(clear)):
        return {}
    strong = power >= top[:, None] * 10.0 ** (-_NEAR_DB / 10.0)
    tones = 12.0 * np.log2(hz[np.argmax(strong, axis=1)])
    place = np.linspace(-0.5, 0.5, len(tones))[clear]
    own = tones[clear]
    # A median of slopes between far points is not moved by a few wrong octaves.
    third = len(own) // 3
    run = float(np.median(place[-third:]) - np.median(place[:third]))
    rise = float(np.median(own[-third:]) - np.median(own[:third]))
    return {"melody_st": rise / max(run, 0.1)}
