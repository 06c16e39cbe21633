"""What a clip measures, all from the sound alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.events import (
    HOP_S,
    LEAST_GAP_S,
    Event,
    Views,
    cut_spans,
    describe_event,
    find_onsets,
    find_phrases,
)
from torus_eval.listening.measures import (
    measure_colour,
    measure_decay,
    measure_level,
    measure_pitch,
    measure_time,
    measure_tones,
)
from torus_eval.listening.notes import measure_entry, measure_notes
from torus_eval.listening.pitch import find_beating, track_pitch
from torus_eval.signals.background import split_bed
from torus_eval.signals.filters import rms_db
from torus_eval.signals.segments import Span, find_sounding, keep_strong
from torus_eval.signals.spectra import level_contour, smooth, spectrogram
from torus_eval.signals.timing import thin_out

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_SIZE = 1024
# Lines 50 Hz apart need a long window to be told from noise; a quarter of the rate is enough for them.
_FINE_SIZE, _FINE_STEP = 1024, 4
_QUIET_DB = -75.0
_STANDS_OUT_DB = 12.0
_RANGE_DB = 60.0
_SPEECH = 0.3
_LASTING_DB = 15.0
_FLAT_DB = 8.0
# A hum of the mains has no pitch above this.
_LEAST_TONE_HZ = 105.0
_MOSTLY = 0.8
_STILL_DB = 50.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything measured of a clip or of a part of it.

    Args:
        duration_s: Its length.
        measures: Quantities by name; one that cannot be measured is not there.
        spans: Stretches that stand out from the background, in order.
        events: The spans, cut where something new starts within one.
        phrases: Stretches with a pitch, as a voice has, short gaps in them closed.
        gaps: Stretches between spans.
        onsets_s: When something starts.
    """

    duration_s: float
    measures: dict[str, float]
    spans: tuple[Span, ...]
    events: tuple[Event, ...]
    phrases: tuple[Event, ...]
    gaps: tuple[Span, ...]
    onsets_s: tuple[float, ...]


def measure(signal: Signal, rate_hz: int) -> Evidence:
    """Measure a signal.

    Args:
        signal: Shape (frames,).
        rate_hz: Frames a second.

    Returns:
        The evidence.
    """
    bed, front = split_bed(signal)
    levels = smooth(level_contour(signal, rate_hz, hop_s=HOP_S), 3)
    # What lies 60 dB below the loudest moment is as good as silence.
    levels = np.maximum(levels, levels.max() - _RANGE_DB)
    # A note that is held all the time would be taken for its own background.
    held = _is_held(levels, level_contour(front, rate_hz, hop_s=HOP_S)) or _is_tone(signal, front, rate_hz)
    views = _look(signal if held else front, rate_hz)
    present = float(views.levels.max()) > _QUIET_DB
    onsets = find_onsets(views) if present else ()
    duration_s = len(signal) / rate_hz
    spans = (Span(0.0, duration_s),) if held else _find_spans(views.levels, levels) if present else ()
    events = tuple(describe_event(span, views) for span in cut_spans(spans, onsets, views.levels))
    gaps = _find_gaps(spans, duration_s)
    phrases = find_phrases(spans, views)
    spectra = spectrogram(signal, size=_SIZE, hop=round(HOP_S * rate_hz))
    beating = find_beating(signal, rate_hz)
    measures = {
        "event_count": float(len(events)),
        "beat_hz": beating.rate_hz,
        "beat_depth_db": beating.depth_db,
        **measure_level(levels, views.levels, spans, bed, rate_hz=rate_hz),
        **measure_time(spans, gaps, onsets, duration_s),
        **measure_colour(spectra, views),
        **measure_tones(_look_closely(signal, rate_hz), views.fine, views.levels),
        **measure_pitch(views, phrases),
        **measure_notes(views, onsets),
        **measure_entry(signal, rate_hz),
        **measure_decay(levels),
    }
    if events:
        measures["mean_event_s"] = float(np.mean([event.span.duration_s for event in events]))
    spoken = measures["speech"] > _SPEECH
    fast = measures.get("spoken_rate_hz" if spoken else "pulse_hz", 0.0)
    if fast:
        measures["event_rate_hz"] = fast
    return Evidence(duration_s, measures, spans, events, phrases, gaps, onsets)


def _is_held(levels: Signal, front: Signal) -> bool:
    """Tell sound that never lets go, such as music in an echo, from a background with something in front."""
    flat = float(levels.max() - np.percentile(levels, 10)) < _FLAT_DB and float(levels.max()) > _QUIET_DB
    return flat and float(front.max()) > float(levels.max()) - _LASTING_DB


def _is_tone(signal: Signal, front: Signal, rate_hz: int) -> bool:
    if rms_db(front) > rms_db(signal) - _LASTING_DB or rms_db(signal) < _QUIET_DB:
        return False
    pitch = track_pitch(signal, rate_hz)
    return float(np.mean(pitch > _LEAST_TONE_HZ)) > _MOSTLY


def _look(signal: Signal, rate_hz: int) -> Views:
    return Views(
        levels=level_contour(signal, rate_hz, hop_s=HOP_S),
        spectra=spectrogram(signal, size=_SIZE, hop=round(HOP_S * rate_hz)),
        hz=np.fft.rfftfreq(_SIZE, 1.0 / rate_hz).astype(np.float64),
        fine=_look_closely(signal, rate_hz),
        pitch=track_pitch(signal, rate_hz),
    )


def _find_spans(front: Signal, levels: Signal) -> tuple[Span, ...]:
    if float(np.percentile(levels, 10)) < float(levels.max()) - _STILL_DB:
        # Before silence even a faint sound stands out.
        return find_sounding(front, HOP_S, above_db=_STANDS_OUT_DB, join_s=0.12, range_db=_STILL_DB)
    spans = find_sounding(front, HOP_S, above_db=_STANDS_OUT_DB, join_s=0.12)
    return keep_strong(spans, front, HOP_S)


def _look_closely(signal: Signal, rate_hz: int) -> Signal:
    thin = thin_out(signal, rate_hz, _FINE_STEP)
    return spectrogram(thin, size=_FINE_SIZE, hop=round(HOP_S * rate_hz / _FINE_STEP))


def _find_gaps(spans: tuple[Span, ...], duration_s: float) -> tuple[Span, ...]:
    if not spans:
        return (Span(0.0, duration_s),)
    edges = [Span(a.end_s, b.start_s) for a, b in pairwise(spans)]
    return tuple(gap for gap in edges if gap.duration_s >= LEAST_GAP_S)
