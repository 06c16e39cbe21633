"""Tell the steady background of a clip from what happens in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import rms_db
from torus_eval.signals.segments import Span, find_sounding, find_spans, keep_strong
from torus_eval.signals.spectra import level_contour, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

HOP_S = 0.01
_SIZE, _HOP = 2048, 512
_PERCENTILE = 15.0
# A Rayleigh-distributed magnitude lies below this multiple of its 15th percentile nearly always.
_MARGIN = 3.2
_LEAST_LOOP_S = 0.35
_STEADY_DB = 2.5
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
    floor_db = float(np.percentile(levels[10:-15], 10)) if len(levels) > 50 else float(levels.min())  # noqa: PLR2004 -- half a second
    mask = levels < floor_db + 4.0
    mask[:5] = False
    mask[-15:] = False
    spans = find_spans(mask, HOP_S, join_s=0.03, least_s=_LEAST_LOOP_S)
    # A dying echo is quiet as well, but it falls; a background does not.
    steady = [
        span
        for span in spans
        if abs(levels[int(span.end_s / HOP_S) - 8] - levels[int(span.start_s / HOP_S) + 8]) < _STEADY_DB
    ]
    return max(steady, key=lambda span: span.duration_s, default=None)


def find_phrases_s(signal: Signal, rate_hz: int, *, join_s: float = 0.35) -> tuple[Span, ...]:
    """Find the stretches in which the foreground sounds."""
    _, front = split_bed(signal)
    if rms_db(front) < rms_db(signal) - 40.0:
        return ()
    levels = level_contour(front, rate_hz, hop_s=HOP_S)
    spans = find_sounding(levels, HOP_S, above_db=12.0, join_s=join_s, least_s=0.05)
    return keep_strong(spans, levels, HOP_S)


def find_loud(signal: Signal, rate_hz: int) -> Span:
    """Find from where to where a clip is at its usual level, echoes and pauses at the ends left out."""
    levels = smooth(level_contour(signal, rate_hz, hop_s=HOP_S), 9)
    loud = np.flatnonzero(levels > float(np.percentile(levels, 80)) - _ECHO_BELOW_DB)
    return Span(float(loud[0]) * HOP_S, float(loud[-1] + 1) * HOP_S)
