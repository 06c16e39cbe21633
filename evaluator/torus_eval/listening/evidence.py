"""What a clip measures: events, gaps and some thirty quantities, all from the sound alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.pitch import HOP_S, find_beating, track_pitch
from torus_eval.signals.background import split_bed
from torus_eval.signals.segments import Span, find_sounding, find_spans
from torus_eval.signals.spectra import centroid_hz, level_contour, smooth, spectrogram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_SIZE, _HOP_S = 1024, 0.01
# Lines 50 Hz apart need a long window to be told from noise.
_FINE_SIZE = 4096
_LEAST_GAP_S = 0.3
_ONSET_DB = 6.0
_ONSET_APART_S = 0.07
# The direct sound falls first; the room is heard in what is left.
_DIRECT_DB = 10.0
_DECAY_DROP_DB = 7.0
# Dips inside a sound are short; the falls that end it tell about the room.
_DECAY_RANK = 0.7
_QUIET_DB = -75.0
_STANDS_OUT_DB = 12.0
_RANGE_DB = 60.0
_SPEECH = 0.3
_NEW_EVENT_DB = 8.0
_LASTING_DB = 15.0


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
class Evidence:
    """Everything measured of a clip or of a part of it.

    Args:
        duration_s: Its length.
        measures: Quantities by name; one that cannot be measured is not there.
        spans: Stretches that stand out from the background, in order.
        events: The spans, cut where something new starts within one.
        gaps: Stretches between spans.
        onsets_s: When something starts.
    """

    duration_s: float
    measures: dict[str, float]
    spans: tuple[Span, ...]
    events: tuple[Event, ...]
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
    levels = smooth(level_contour(signal, rate_hz, hop_s=_HOP_S), 3)
    # What lies 60 dB below the loudest moment is as good as silence.
    levels = np.maximum(levels, levels.max() - _RANGE_DB)
    front_levels = level_contour(front, rate_hz, hop_s=_HOP_S)
    present = float(front_levels.max()) > _QUIET_DB
    spans = find_sounding(front_levels, _HOP_S, above_db=_STANDS_OUT_DB, join_s=0.12) if present else ()
    spectra = spectrogram(signal, size=_SIZE, hop=round(_HOP_S * rate_hz))
    front_spectra = spectrogram(front, size=_SIZE, hop=round(_HOP_S * rate_hz))
    fine = spectrogram(front, size=_FINE_SIZE, hop=round(_HOP_S * rate_hz))
    hz = np.fft.rfftfreq(_SIZE, 1.0 / rate_hz)
    pitch = track_pitch(front, rate_hz)
    onsets = _find_onsets(front_spectra, front_levels) if present else ()
    duration_s = len(signal) / rate_hz
    if present and not spans and float(front_levels.max()) > float(levels.max()) - _LASTING_DB:
        spans = (Span(0.0, duration_s),)
    cut = _cut_spans(spans, onsets, front_levels)
    events = tuple(_describe(span, front_levels, front_spectra, fine, hz, pitch) for span in cut)
    gaps = _find_gaps(spans, duration_s)
    measures = {
        **_measure_level(levels, front_levels, spans, bed, rate_hz),
        **_measure_time(spans, gaps, onsets, duration_s),
        "event_count": float(len(events)),
        **_measure_colour(spectra, front_spectra, hz, front_levels),
        **_measure_tones(signal, fine, front_levels, rate_hz),
        **_measure_pitch(
            pitch,
            front_levels,
            tuple(_describe(span, front_levels, front_spectra, fine, hz, pitch) for span in spans),
        ),
        **_measure_decay(levels),
    }
    beating = find_beating(signal, rate_hz)
    if events:
        measures["mean_event_s"] = float(np.mean([event.span.duration_s for event in events]))
    fast = measures.get("syllable_rate_hz", 0.0) if measures["speech"] > _SPEECH else measures.get("pulse_hz", 0.0)
    if fast:
        measures["event_rate_hz"] = fast
    measures |= {"beat_hz": beating.rate_hz, "beat_depth_db": beating.depth_db}
    return Evidence(duration_s, measures, spans, events, gaps, onsets)


def _find_onsets(spectra: Signal, levels: Signal) -> tuple[float, ...]:
    """Find where the log spectrum rises at once over many bins, and the level with it."""
    log = 20.0 * np.log10(spectra + 1e-5)
    ahead, behind = 2, 2
    rise = np.zeros(len(log))
    rise[behind:-ahead] = np.maximum(0.0, log[behind + ahead :] - log[: -behind - ahead])[:, 2:200].mean(axis=1)
    floor_db = float(np.percentile(levels, 95)) - 45.0
    found: list[float] = []
    threshold = max(_ONSET_DB, float(np.median(rise)) + 3.0)
    for index in range(1, len(rise) - 1):
        is_peak = rise[index] >= rise[index - 1] and rise[index] > rise[index + 1]
        loud = levels[index : index + 6].max() > floor_db
        if is_peak and loud and rise[index] > threshold:
            time_s = index * _HOP_S
            if not found or time_s - found[-1] >= _ONSET_APART_S:
                found.append(time_s)
    return tuple(found)


def _cut_spans(spans: tuple[Span, ...], onsets: tuple[float, ...], levels: Signal) -> tuple[Span, ...]:
    """Cut spans at onsets before which the level had fallen clearly."""
    cut: list[Span] = []
    for span in spans:
        start_s = span.start_s
        for onset_s in onsets:
            if not start_s + _ONSET_APART_S < onset_s < span.end_s - _ONSET_APART_S:
                continue
            at = int(onset_s / _HOP_S)
            before = levels[int(start_s / _HOP_S) : at + 1]
            after = levels[at : at + 8]
            if float(after.max()) - float(before[-8:].min()) >= _NEW_EVENT_DB:
                cut.append(Span(start_s, onset_s))
                start_s = onset_s
        cut.append(Span(start_s, span.end_s))
    return tuple(cut)


def _describe(
    span: Span, levels: Signal, spectra: Signal, fine: Signal, hz: Signal, pitch: Signal
) -> Event:
    first, last = int(span.start_s / _HOP_S), max(int(span.end_s / _HOP_S), int(span.start_s / _HOP_S) + 1)
    own = levels[first:last]
    power = np.sqrt(np.mean(np.square(spectra[first:last]), axis=0))
    tones = pitch[first:last]
    tones = tones[tones > 0]
    return Event(
        span=span,
        peak_db=float(own.max()),
        attack_s=float(np.argmax(own >= own.max() - 1.0)) * _HOP_S,
        centroid_hz=centroid_hz(power, hz),
        tonality=_tonality(np.sqrt(np.mean(np.square(fine[first:last]), axis=0))),
        pitch_hz=float(np.median(tones)) if tones.size else 0.0,
        glide_st=_glide_st(tones),
        voiced=tones.size / len(own),
    )


def _tonality(magnitudes: Signal) -> float:
    """Give 0 for a smooth spectrum and 1 for separate lines, from the flatness around each bin."""
    power = np.square(magnitudes[4:460]) + 1e-14
    around = smooth(power, 31)
    weight = power / power.sum()
    peaks = 10.0 * np.log10(power / around)
    return float(np.clip((weight * peaks).sum() / 8.0, 0.0, 1.0))


def _glide_st(tones: Signal) -> float:
    if len(tones) < 12:  # noqa: PLR2004 -- 120 ms of pitch
        return 0.0
    end = max(4, len(tones) // 6)
    return float(12.0 * np.log2(np.median(tones[-end:]) / np.median(tones[:-end])))


def _find_gaps(spans: tuple[Span, ...], duration_s: float) -> tuple[Span, ...]:
    if not spans:
        return (Span(0.0, duration_s),)
    edges = [Span(a.end_s, b.start_s) for a, b in zip(spans, spans[1:], strict=False)]
    return tuple(gap for gap in edges if gap.duration_s >= _LEAST_GAP_S)


def _measure_level(
    levels: Signal, front: Signal, spans: tuple[Span, ...], bed: Signal, rate_hz: int
) -> dict[str, float]:
    third = max(1, len(levels) // 3)
    found = {
        "level_db": float(10.0 * np.log10(np.mean(10.0 ** (levels / 10.0)))),
        "peak_db": float(levels.max()),
        "loudest_at": float(np.argmax(front)) / len(front),
        "start_db": float(np.percentile(levels[:third], 90)),
        "end_db": float(np.percentile(levels[-third:], 90)),
    }
    found["level_trend_db"] = found["end_db"] - found["start_db"]
    bed_levels = level_contour(bed, rate_hz, hop_s=0.05, window_s=0.1)
    found["bed_db"] = float(np.median(bed_levels))
    calm = np.percentile(levels, 10)
    found["floor_db"] = float(calm)
    found["stand_out_db"] = float(levels.max() - calm)
    rest = np.ones(len(levels), dtype=bool)
    for span in spans:
        rest[int(span.start_s / _HOP_S) - 2 : int(span.end_s / _HOP_S) + 10] = False
    if rest.sum() > 80:  # noqa: PLR2004 -- 0.8 s in all
        slow = smooth(levels, 31)[rest]
        found["bed_swell_db"] = float(np.percentile(slow, 90) - np.percentile(slow, 10))
    return found


def _measure_time(
    spans: tuple[Span, ...], gaps: tuple[Span, ...], onsets: tuple[float, ...], duration_s: float
) -> dict[str, float]:
    found = {
        "span_count": float(len(spans)),
        "onset_count": float(len(onsets)),
        "onset_rate_hz": len(onsets) / duration_s,
        "gap_count": float(len(gaps)) if spans else 0.0,
        "longest_gap_s": max((gap.duration_s for gap in gaps), default=0.0),
        "sounding_share": sum(span.duration_s for span in spans) / duration_s,
        "longest_event_s": max((span.duration_s for span in spans), default=0.0),
        "duration_s": duration_s,
    }
    if spans:
        found |= {
            "first_start_s": spans[0].start_s,
            "tail_s": duration_s - spans[-1].end_s,
            "active_s": spans[-1].end_s - spans[0].start_s,
        }
    if len(onsets) > 3:  # noqa: PLR2004 -- three steps make a rhythm
        steps = np.diff(onsets)
        middle = float(np.median(steps))
        found["regularity"] = float(np.mean(np.abs(steps / middle - np.rint(steps / middle).clip(1)) < 0.15))  # noqa: PLR2004 -- an ear's tolerance
        found["pulse_hz"] = 1.0 / middle
    return found


def _measure_colour(spectra: Signal, front: Signal, hz: Signal, levels: Signal) -> dict[str, float]:
    mean = np.sqrt(np.mean(np.square(front), axis=0))
    whole = np.sqrt(np.mean(np.square(spectra), axis=0))
    power = np.square(whole) + 1e-14
    found = {
        "centroid_hz": max(centroid_hz(mean, hz), 20.0),
        "whole_centroid_hz": max(centroid_hz(whole, hz), 20.0),
        "low_share": float(power[hz < 250.0].sum() / power.sum()),  # noqa: PLR2004 -- the low range
        "high_share": float(power[hz > 3000.0].sum() / power.sum()),  # noqa: PLR2004 -- the high range
    }
    quiet = levels <= np.percentile(levels, 25)
    calm = np.sqrt(np.mean(np.square(spectra[: len(quiet)][quiet[: len(spectra)]]), axis=0))
    found["bed_centroid_hz"] = max(centroid_hz(calm, hz), 20.0)
    half = len(front) // 2
    early = centroid_hz(np.sqrt(np.mean(np.square(front[:half]), axis=0)), hz)
    late = centroid_hz(np.sqrt(np.mean(np.square(front[half:]), axis=0)), hz)
    if early > 0 and late > 0:
        found["colour_trend_oct"] = float(np.log2(late / early))
    return found


def _measure_tones(signal: Signal, fine: Signal, levels: Signal, rate_hz: int) -> dict[str, float]:
    whole = spectrogram(signal, size=_FINE_SIZE, hop=round(_HOP_S * rate_hz))
    quiet = levels <= np.percentile(levels, 25)
    calm = whole[: len(quiet)][quiet[: len(whole)]]
    return {
        "tonality": _tonality(np.sqrt(np.mean(np.square(fine), axis=0))),
        "bed_tonality": _tonality(np.sqrt(np.mean(np.square(calm), axis=0))),
    }


def _measure_pitch(pitch: Signal, levels: Signal, events: tuple[Event, ...]) -> dict[str, float]:
    count = min(len(pitch), len(levels))
    loud = levels[:count] > levels.max() - 22.0
    own = pitch[:count]
    voiced = (own > 0) & loud
    found = {"voiced_share": float(voiced.sum() / max(1, loud.sum()))}
    if voiced.sum() < 15:  # noqa: PLR2004 -- 150 ms of pitch
        return {**found, "speech": 0.0}
    tones = 12.0 * np.log2(own[voiced])
    steps = np.abs(np.diff(12.0 * np.log2(np.maximum(own, 1.0))))[voiced[1:] & voiced[:-1]]
    small = steps[steps < 3.0]  # noqa: PLR2004 -- larger steps are new notes
    found |= {
        "pitch_hz": float(np.median(own[voiced])),
        "pitch_spread_st": float(np.percentile(tones, 90) - np.percentile(tones, 10)),
        "pitch_trend_st": float(np.median(tones[len(tones) // 2 :]) - np.median(tones[: len(tones) // 2])),
        "glide": float(small.mean()) if small.size else 0.0,
    }
    syllables = _count_syllables(levels[:count], loud)
    rate_hz = syllables / max(float(loud.sum()) * HOP_S, 0.1)
    found["syllable_rate_hz"] = rate_hz
    # Speech glides between pitches without jumping, for a good part of the time, a few syllables a second.
    smooth_share = _share_of_runs(own) / max(1, loud.sum())
    gliding = np.clip((found["glide"] - 0.04) / 0.05, 0.0, 1.0) * np.clip((0.4 - found["glide"]) / 0.1, 0.0, 1.0)
    often = np.clip((smooth_share - 0.2) / 0.3, 0.0, 1.0)
    moving = np.clip((rate_hz - 0.8) / 1.0, 0.0, 1.0)
    found["speech"] = float(gliding * often * moving)
    said = [event for event in events if event.voiced > 0.3 and event.span.duration_s > 0.25]  # noqa: PLR2004 -- long enough to be said
    found["phrase_count"] = float(len(_join(said)))
    if said:
        found["final_glide_st"] = said[-1].glide_st
        pitches = np.log2([event.pitch_hz for event in said if event.pitch_hz])
        if pitches.size:
            found["voice_gap_st"] = float(12.0 * (pitches.max() - pitches.min()))
    return found


def _share_of_runs(pitch: Signal) -> float:
    """Count the frames in stretches of at least 100 ms whose pitch moves in small steps only."""
    jumps = np.abs(np.diff(12.0 * np.log2(np.maximum(pitch, 1.0)))) < 1.2  # noqa: PLR2004 -- a step a voice makes in 10 ms
    runs = find_spans((pitch[1:] > 0) & (pitch[:-1] > 0) & jumps, HOP_S, least_s=0.1)
    return sum(run.duration_s for run in runs) / HOP_S


def _join(events: list[Event]) -> tuple[Span, ...]:
    mask = np.zeros(int(events[-1].span.end_s / HOP_S) + 1 if events else 1, dtype=bool)
    for event in events:
        mask[int(event.span.start_s / HOP_S) : int(event.span.end_s / HOP_S)] = True
    return find_spans(mask, HOP_S, join_s=_LEAST_GAP_S)


def _count_syllables(levels: Signal, loud: NDArray[np.bool_]) -> int:
    slow = smooth(levels, 7)
    count, low = 0, slow[0]
    rising = True
    high = slow[0]
    for value, on in zip(slow, loud, strict=True):
        if rising:
            high = max(high, value)
            if value < high - 3.0:  # noqa: PLR2004 -- a dip that can be heard
                count += int(on or high > levels.max() - 30.0)
                rising, low = False, value
        else:
            low = min(low, value)
            if value > low + 3.0:  # noqa: PLR2004 -- a rise that can be heard
                rising, high = True, value
    return count


def _measure_decay(levels: Signal) -> dict[str, float]:
    """Estimate the time to fall by 60 dB from the stretches in which the level falls without a rise."""
    slow = smooth(levels, 5)
    # Near the background a fall flattens and says nothing about the room.
    floor_db = float(np.percentile(slow, 5)) + 4.0
    found: list[tuple[float, float]] = []
    start = 0
    for index in range(1, len(slow) + 1):
        if index < len(slow) and slow[index] <= slow[start:index].min() + 1.0:
            continue
        peak = start + int(np.argmax(slow[start:index]))
        fall = slow[peak:index]
        below = np.flatnonzero(fall < fall[0] - _DIRECT_DB) if fall.size else fall
        if below.size:
            first = int(below[0])
            last = int(np.argmin(np.maximum(fall, max(floor_db, fall[0] - _DIRECT_DB - 25.0))))
            drop = float(fall[first] - fall[last])
            if drop >= _DECAY_DROP_DB and last > first:
                found.append((60.0 * (last - first) * _HOP_S / drop, drop))
        start = index
    if not found:
        return {}
    found.sort()
    weights = np.cumsum([drop for _, drop in found])
    return {"decay_s": found[int(np.searchsorted(weights, _DECAY_RANK * weights[-1]))][0]}
