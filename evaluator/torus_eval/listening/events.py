"""Things that happen in a clip: where they start, where one ends and the next begins, what each is like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.segments import Span
from torus_eval.signals.spectra import centroid_hz, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

HOP_S = 0.01
_ONSET_DB = 6.0
_ONSET_APART_S = 0.07
_NEW_EVENT_DB = 8.0
_SHORTEST_S = 0.02
LEAST_GAP_S = 0.3
_VOICED, _PHRASE_S = 0.3, 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happens in a clip.

    Args:
        span: When.
        peak_db: Its highest level.
        attack_s: From its start to its peak.
        centroid_hz: Mean frequency of its power.
        tonality: From 0 for noise to 1 for tones.
        pitch_hz: Its median pitch, 0 where there is none.
        glide_st: Pitch at its end against the rest, in semitones.
        voiced: Share of its time that has a pitch.
    """

    span: Span
    peak_db: float
    attack_s: float
    centroid_hz: float
    tonality: float
    pitch_hz: float
    glide_st: float
    voiced: float


@dataclass(frozen=True, slots=True)
class Views:
    """One sound seen in several ways, all with one row or value every 10 ms.

    Args:
        levels: Level in dB, shape (count,).
        spectra: Magnitudes, shape (count, bins).
        hz: Frequency of each bin of ``spectra``, shape (bins,).
        fine: Magnitudes up to 5 kHz in narrow bins, shape (count, fine bins).
        pitch: Pitch in Hz or 0, shape (count,).
    """

    levels: Signal
    spectra: Signal
    hz: Signal
    fine: Signal
    pitch: Signal


def find_onsets(views: Views) -> tuple[float, ...]:
    """Find where the log spectrum rises at once over many bins, and the level with it; times in seconds."""
    spectra, levels = views.spectra, views.levels
    log = 20.0 * np.log10(spectra + 1e-5)
    ahead, behind = 2, 2
    rise = np.zeros(len(log))
    rise[behind:-ahead] = np.maximum(0.0, log[behind + ahead :] - log[: -behind - ahead])[:, 2:200].mean(
        axis=1
    )
    floor_db = float(np.percentile(levels, 95)) - 45.0
    found: list[float] = []
    threshold = max(_ONSET_DB, float(np.median(rise)) + 3.0)
    for index in range(1, len(rise) - 1):
        is_peak = rise[index] >= rise[index - 1] and rise[index] > rise[index + 1]
        loud = levels[index : index + 6].max() > floor_db
        if is_peak and loud and rise[index] > threshold:
            time_s = index * HOP_S
            if not found or time_s - found[-1] >= _ONSET_APART_S:
                found.append(time_s)
    return tuple(found)


def cut_spans(spans: tuple[Span, ...], onsets: tuple[float, ...], levels: Signal) -> tuple[Span, ...]:
    """Cut spans at onsets before which the level had fallen clearly."""
    cut: list[Span] = []
    for span in spans:
        start_s = span.start_s
        for onset_s in onsets:
            if not start_s + _ONSET_APART_S < onset_s < span.end_s - _SHORTEST_S:
                continue
            at = int(onset_s / HOP_S)
            before = levels[int(start_s / HOP_S) : at + 1]
            after = levels[at : at + 8]
            if float(after.max()) - float(before[-8:].min()) >= _NEW_EVENT_DB:
                cut.append(Span(start_s, onset_s))
                start_s = onset_s
        cut.append(Span(start_s, span.end_s))
    return tuple(cut)


def describe_event(span: Span, views: Views) -> Event:
    """Measure what happens in a span."""
    first, last = int(span.start_s / HOP_S), max(int(span.end_s / HOP_S), int(span.start_s / HOP_S) + 1)
    own = views.levels[first:last]
    power = np.sqrt(np.mean(np.square(views.spectra[first:last]), axis=0))
    tones = views.pitch[first:last]
    tones = tones[tones > 0]
    return Event(
        span=span,
        peak_db=float(own.max()),
        attack_s=float(np.argmax(own >= own.max() - 1.0)) * HOP_S,
        centroid_hz=centroid_hz(power, views.hz),
        tonality=measure_tonality(np.sqrt(np.mean(np.square(views.fine[first:last]), axis=0))),
        pitch_hz=float(np.median(tones)) if tones.size else 0.0,
        glide_st=_glide_st(tones),
        voiced=tones.size / len(own),
    )


def find_phrases(spans: tuple[Span, ...], views: Views) -> tuple[Event, ...]:
    """Close short gaps and keep the stretches that have a pitch for a good part of their time."""
    joined: list[Span] = []
    for span in spans:
        if joined and span.start_s - joined[-1].end_s < LEAST_GAP_S:
            joined[-1] = Span(joined[-1].start_s, span.end_s)
        else:
            joined.append(span)
    described = [describe_event(span, views) for span in joined if span.duration_s > _PHRASE_S]
    return tuple(event for event in described if event.voiced > _VOICED and event.pitch_hz)


def measure_tonality(magnitudes: Signal) -> float:
    """Give 0 for a smooth spectrum and 1 for separate lines, from the flatness around each bin."""
    power = np.square(magnitudes[4:420]) + 1e-14
    around = smooth(power, 31)
    weight = power / power.sum()
    peaks = 10.0 * np.log10(power / around)
    return float(np.clip((weight * peaks).sum() / 8.0, 0.0, 1.0))


def _glide_st(tones: Signal) -> float:
    if len(tones) < 12:  # noqa: PLR2004 -- 120 ms of pitch
        return 0.0
    end = max(4, len(tones) // 6)
    return float(12.0 * np.log2(np.median(tones[-end:]) / np.median(tones[:-end])))
