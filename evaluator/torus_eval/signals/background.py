"""Tell the steady background of a clip from what happens in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import high_pass, rms_db
from torus_eval.signals.segments import Span, find_sounding, find_spans, keep_strong
from torus_eval.signals.spectra import level_contour, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

HOP_S = 0.01
_SIZE, _HOP = 2048, 512
_PERCENTILE = 15.0
# A Rayleigh-distributed magnitude lies below this multiple of its 15th percentile 97 times in 100.
_MARGIN = 4.6
_LEAST_LOOP_S = 0.35
_STEADY_DB = 2.5
_DEEPER_DB = 10.0
_EDGE = 15
_CALM_S = 0.6
_NEAR_DB = 4.0
_ABOVE_HUM_HZ = 1000.0
_CROSSFADE_S = 0.08
_ECHO_BELOW_DB = 9.0


def split_bed(signal: Signal) -> tuple[Signal, Signal]:
    """Split a signal into its steady background and the rest, which add up to it.

    Args:
        signal: Shape (frames,).

    Returns:
        Background and foreground, each of shape (frames,).
    """
    window = np.sqrt(0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(_SIZE) / _SIZE))
    padded = np.concatenate([np.zeros(_SIZE), signal, np.zeros(2 * _SIZE)])
    starts = range(0, len(padded) - _SIZE, _HOP)
    spectra = np.stack([np.fft.rfft(window * padded[start : start + _SIZE]) for start in starts])
    magnitudes = np.abs(spectra)
    inner = magnitudes[_SIZE // _HOP : -2 * _SIZE // _HOP]
    inner = inner if len(inner) else magnitudes
    bed = np.percentile(inner, _PERCENTILE, axis=0) * _MARGIN
    mask = np.clip(1.0 - np.square(bed / np.maximum(magnitudes, 1e-12)), 0.0, 1.0)
    mask = (np.roll(mask, 1, axis=0) + 2.0 * mask + np.roll(mask, -1, axis=0)) / 4.0
    front = np.zeros(len(padded))
    for index, start in enumerate(starts):
        front[start : start + _SIZE] += window * np.fft.irfft(spectra[index] * mask[index], _SIZE)
    front = front[_SIZE : _SIZE + len(signal)] * (_HOP * 2.0 / _SIZE)
    return signal - front, front


def loop_bed(signal: Signal, rate_hz: int, frames: int, *, rng: np.random.Generator) -> Signal:
    """Make more of a clip's background from the longest stretch in which nothing else sounds.

    Args:
        signal: The clip, shape (frames of the clip,).
        rate_hz: Frames a second.
        frames: How much to make.
        rng: Chooses where each repeat begins.

    Returns:
        Shape (frames,); silence if the clip has no quiet stretch to take it from.
    """
    quiet = find_quiet(signal, rate_hz)
    fade = int(_CROSSFADE_S * rate_hz)
    if quiet is None:
        return np.zeros(frames)
    source = signal[int(quiet.start_s * rate_hz) : int(quiet.end_s * rate_hz)]
    ramp = np.sqrt(np.linspace(0.0, 1.0, fade))
    out = np.zeros(frames + len(source))
    at = 0
    while at < frames:
        first = int(rng.integers(0, max(1, len(source) // 4)))
        piece = source[first:].copy()
        if at:
            piece[:fade] *= ramp
        piece[-fade:] *= ramp[::-1]
        out[at : at + len(piece)] += piece
        at += len(piece) - fade
    return out[:frames]


def find_quiet(signal: Signal, rate_hz: int) -> Span | None:
    """Find the longest stretch of background alone, clear of the clip's own fades."""
    levels = smooth(level_contour(signal, rate_hz, hop_s=HOP_S), 5)
    inner = slice(_EDGE, -_EDGE) if len(levels) > 4 * _EDGE else slice(None)
    floor_db = float(np.percentile(levels[inner], 10))
    if float(np.percentile(levels[inner], 1)) < floor_db - _DEEPER_DB:
        # Something is far quieter still, so what looked like a background is an echo.
        return None
    # A small click hides under a hum, but not in the range above it.
    above = smooth(level_contour(high_pass(signal, rate_hz, _ABOVE_HUM_HZ), rate_hz, hop_s=HOP_S), 3)
    mask = (levels < floor_db + 4.0) & (above < float(np.percentile(above[inner], 10)) + 6.0)
    mask[:_EDGE] = False
    mask[-_EDGE:] = False
    spans = find_spans(mask, HOP_S, join_s=0.03, least_s=_LEAST_LOOP_S)
    # A dying echo is quiet as well, but it falls; a background does not.
    steady = [
        span
        for span in spans
        if abs(levels[int(span.end_s / HOP_S) - 8] - levels[int(span.start_s / HOP_S) + 8]) < _STEADY_DB
    ]
    if steady:
        return max(steady, key=lambda span: span.duration_s)
    return _find_calmest(levels, floor_db)


def _find_calmest(levels: Signal, floor_db: float) -> Span | None:
    """Find the window with the lowest mean level, if it is near the background and even."""
    size = round(_CALM_S / HOP_S)
    if len(levels) < size + 2 * _EDGE:
        return None
    windows = np.lib.stride_tricks.sliding_window_view(levels[_EDGE:-_EDGE], size)
    best = int(np.argmin(windows.mean(axis=1)))
    calm = windows[best]
    if float(calm.mean()) > floor_db + _NEAR_DB or float(np.ptp(calm)) > 2.0 * _NEAR_DB:
        return None
    return Span((best + _EDGE) * HOP_S, (best + _EDGE + size) * HOP_S)


def find_phrases_s(signal: Signal, rate_hz: int, *, join_s: float = 0.35) -> tuple[Span, ...]:
    """Find the stretches in which the foreground sounds."""
    _, front = split_bed(signal)
    if rms_db(front) < rms_db(signal) - 40.0:
        return ()
    levels = smooth(level_contour(front, rate_hz, hop_s=HOP_S), 5)
    spans = find_sounding(levels, HOP_S, above_db=12.0, join_s=join_s, least_s=0.05)
    return keep_strong(spans, levels, HOP_S)


def find_loud(signal: Signal, rate_hz: int) -> Span:
    """Find from where to where a clip is at its usual level, echoes and pauses at the ends left out."""
    levels = smooth(level_contour(signal, rate_hz, hop_s=HOP_S), 9)
    loud = np.flatnonzero(levels > float(np.percentile(levels, 80)) - _ECHO_BELOW_DB)
    return Span(float(loud[0]) * HOP_S, float(loud[-1] + 1) * HOP_S)
