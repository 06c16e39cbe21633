"""Single changes to a signal, each from one entry of an instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.scene.voices import weaken
from torus_eval.signals.filters import high_pass, low_pass, rms_db, to_gain
from torus_eval.signals.segments import find_spans
from torus_eval.signals.spectra import level_contour, smooth
from torus_eval.signals.timing import fade, fit_length, shift_frequency, stretch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.signals.segments import Span

    Signal = NDArray[np.float64]

_HOP_S = 0.01
_PAUSE_BELOW_DB = 11.0
_LEAST_PAUSE_S = 0.22
_JOINT_S = 0.02
_ENTRY_STEP_DB = 4.0
_LOW_HZ = 420.0
_DULL_HZ = 700.0


def cut_pauses(signal: Signal, rate_hz: int) -> Signal:
    """Take out the pauses between phrases, echoes in them included."""
    levels = smooth(level_contour(signal, rate_hz, hop_s=_HOP_S), 9)
    speech_db = float(np.percentile(levels, 80))
    kept = find_spans(levels > speech_db - _PAUSE_BELOW_DB, _HOP_S, join_s=_LEAST_PAUSE_S, least_s=0.05)
    if not kept:
        return signal
    pieces = [
        fade(
            signal[int(span.start_s * rate_hz) : int(span.end_s * rate_hz)],
            rate_hz,
            in_s=_JOINT_S,
            out_s=_JOINT_S,
        )
        for span in kept
    ]
    return np.concatenate(pieces)


def change_speed(signal: Signal, rate_hz: int, speed: float, *, without_pauses: bool) -> Signal:
    """Make a signal faster or slower at the same pitch; taking out pauses counts towards the speed.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        speed: Factor; the result is 1 / speed as long.
        without_pauses: Whether pauses go first.

    Returns:
        Shape (frames / speed,).
    """
    joined = cut_pauses(signal, rate_hz) if without_pauses else signal
    wanted = len(signal) / speed
    factor = min(wanted / len(joined), 1.0) if speed > 1.0 else wanted / len(joined)
    return stretch(joined, rate_hz, factor) if speed != 1.0 else joined


def add_beating(signal: Signal, rate_hz: int, beat_hz: float, *, flat: bool, from_entry: bool) -> Signal:
    """Put a copy beside a sustained low sound that lies off pitch by so many Hz that it beats at that rate.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.
        beat_hz: Beats a second.
        flat: Whether the copy lies below.
        from_entry: Whether to begin where the low range rises to stay.

    Returns:
        Shape (frames,), at the level it had.
    """
    low = low_pass(signal, rate_hz, _LOW_HZ, order=6)
    shifted = shift_frequency(low, rate_hz, -beat_hz if flat else beat_hz)
    start = _find_entry(low, rate_hz) if from_entry else 0
    ramp = np.zeros(len(signal))
    rise = min(rate_hz // 10, len(signal) - start)
    ramp[start:] = 1.0
    ramp[start : start + rise] = np.linspace(0.0, 1.0, rise)
    mixed = signal + ramp * shifted
    return np.asarray(mixed * to_gain(rms_db(signal) - rms_db(mixed)), dtype=np.float64)


def _find_entry(low: Signal, rate_hz: int) -> int:
    """Find the frame at which the mean level steps up most and stays up."""
    levels = smooth(level_contour(low, rate_hz, hop_s=0.05, window_s=0.1), 5)
    steps = [
        float(np.mean(levels[i : i + 30]) - np.mean(levels[max(0, i - 20) : i]))
        for i in range(10, len(levels) - 10)
    ]
    best = int(np.argmax(steps)) if steps else 0
    return int((best + 10) * 0.05 * rate_hz) if steps and steps[best] >= _ENTRY_STEP_DB else 0


def weaken_part(signal: Signal, rate_hz: int, span: Span, *, rng: np.random.Generator) -> Signal:
    """Make a stretch of a voice weak and breathy, crossfaded at its start."""
    start, end = int(span.start_s * rate_hz), int(span.end_s * rate_hz)
    part = weaken(signal[start:end], rate_hz, rng=rng)
    rise = min(len(part), rate_hz // 10)
    blend = np.ones(len(part))
    blend[:rise] = np.linspace(0.0, 1.0, rise)
    changed = signal.copy()
    changed[start:end] = blend * part + (1.0 - blend) * signal[start:end]
    # What follows is the echo of a weaker voice, so it stays at the level the voice ends on.
    drop = min(1.0, to_gain(rms_db(part[-rise:]) - rms_db(signal[start:end][-rise:])))
    changed[end:] *= drop
    return changed


def make_duller(signal: Signal, rate_hz: int) -> Signal:
    """Take away the high range."""
    return low_pass(signal, rate_hz, _DULL_HZ, order=2)


def make_brighter(signal: Signal, rate_hz: int) -> Signal:
    """Lift what lies above 2 kHz by about 8 dB at an unchanged level."""
    lifted = signal + 1.5 * high_pass(signal, rate_hz, 2000.0, order=2)
    return np.asarray(lifted * to_gain(rms_db(signal) - rms_db(lifted)), dtype=np.float64)


def swap_halves(signal: Signal, rate_hz: int) -> Signal:
    """Change the order of what comes before and after the quietest moment near the middle."""
    levels = smooth(level_contour(signal, rate_hz, hop_s=_HOP_S), 21)
    first, last = len(levels) // 4, 3 * len(levels) // 4
    cut = int((first + int(np.argmin(levels[first:last]))) * _HOP_S * rate_hz)
    parts = (fade(signal[cut:], rate_hz, in_s=_JOINT_S), fade(signal[:cut], rate_hz, out_s=_JOINT_S))
    return fit_length(np.concatenate(parts), len(signal))
