"""Quantities of a clip by name, in groups: level, time, colour, pitch and decay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.events import HOP_S, Event, Views, measure_tonality
from torus_eval.signals.segments import Span, find_spans
from torus_eval.signals.spectra import centroid_hz, level_contour, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

# The direct sound falls first; the room is heard in what is left.
_DIRECT_DB = 10.0
_DECAY_DROP_DB = 7.0
# Dips inside a sound are short; the falls that end it tell about the room.
_DECAY_RANK = 0.7
_TREND_S = 1.5
# An echo flutters by this much while it falls.
_FLUTTER_DB = 2.5


def measure_level(
    levels: Signal, front: Signal, spans: tuple[Span, ...], bed: Signal, *, rate_hz: int
) -> dict[str, float]:
    """Measure levels over time, of the whole, the foreground and the background."""
    found = {
        "level_db": float(10.0 * np.log10(np.mean(10.0 ** (levels / 10.0)))),
        "peak_db": float(levels.max()),
        "loudest_at": float(np.argmax(front)) / len(front),
    }
    active = levels[int(spans[0].start_s / HOP_S) : int(spans[-1].end_s / HOP_S)] if spans else levels
    if len(active) * HOP_S > _TREND_S:
        third = len(active) // 3
        found["start_db"] = float(np.percentile(active[:third], 90))
        found["end_db"] = float(np.percentile(active[-third:], 90))
        found["level_trend_db"] = found["end_db"] - found["start_db"]
    bed_levels = level_contour(bed, rate_hz, hop_s=0.05, window_s=0.1)
    found["bed_db"] = float(np.median(bed_levels))
    found["front_over_bed_db"] = float(np.percentile(front, 90)) - found["bed_db"]
    calm = np.percentile(levels, 10)
    found["floor_db"] = float(calm)
    found["stand_out_db"] = float(levels.max() - calm)
    rest = np.ones(len(levels), dtype=bool)
    for span in spans:
        rest[int(span.start_s / HOP_S) - 2 : int(span.end_s / HOP_S) + 10] = False
    if rest.sum() > 80:  # noqa: PLR2004 -- 0.8 s in all
        slow = smooth(levels, 31)[rest]
        found["bed_swell_db"] = float(np.percentile(slow, 90) - np.percentile(slow, 10))
    return found


def measure_time(
    spans: tuple[Span, ...], gaps: tuple[Span, ...], onsets: tuple[float, ...], duration_s: float
) -> dict[str, float]:
    """Measure how much happens, when, and how regularly."""
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


def measure_colour(spectra: Signal, views: Views) -> dict[str, float]:
    """Measure where in the spectrum the power lies; ``spectra`` are those of the whole clip."""
    front, hz, levels = views.spectra, views.hz, views.levels
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
    if not half:
        return found
    early = centroid_hz(np.sqrt(np.mean(np.square(front[:half]), axis=0)), hz)
    late = centroid_hz(np.sqrt(np.mean(np.square(front[half:]), axis=0)), hz)
    if early > 0 and late > 0:
        found["colour_trend_oct"] = float(np.log2(late / early))
    return found


def measure_tones(fine: Signal, front_fine: Signal, levels: Signal) -> dict[str, float]:
    """Measure how tonal the foreground and the background are."""
    quiet = levels <= np.percentile(levels, 25)
    calm = fine[: len(quiet)][quiet[: len(fine)]]
    return {
        "tonality": measure_tonality(np.sqrt(np.mean(np.square(front_fine), axis=0))),
        "bed_tonality": measure_tonality(np.sqrt(np.mean(np.square(calm), axis=0))),
    }


def measure_pitch(views: Views, phrases: tuple[Event, ...]) -> dict[str, float]:
    """Measure pitch and likeness to speech."""
    pitch, levels = views.pitch, views.levels
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
    gliding = np.clip((found["glide"] - 0.04) / 0.05, 0.0, 1.0) * np.clip(
        (0.4 - found["glide"]) / 0.1, 0.0, 1.0
    )
    often = np.clip((smooth_share - 0.2) / 0.3, 0.0, 1.0)
    moving = np.clip((rate_hz - 0.8) / 1.0, 0.0, 1.0)
    found["speech"] = float(gliding * often * moving)
    found["phrase_count"] = float(len(phrases))
    if phrases:
        found["final_glide_st"] = phrases[-1].glide_st
        pitches = np.log2([phrase.pitch_hz for phrase in phrases])
        found["voice_gap_st"] = float(12.0 * (pitches.max() - pitches.min()))
    active = np.flatnonzero(loud)
    found["spoken_rate_hz"] = syllables / max(float(active[-1] - active[0]) * HOP_S, 0.1)
    third = max(1, (active[-1] - active[0]) // 3)
    shares = [
        float(voiced[part].sum() / max(1, loud[part].sum()))
        for part in (slice(active[0], active[0] + third), slice(active[-1] - third, active[-1]))
    ]
    found["voiced_trend"] = shares[1] - shares[0]
    return found


def _share_of_runs(pitch: Signal) -> float:
    """Count the frames in stretches of at least 100 ms whose pitch moves in small steps only."""
    jumps = np.abs(np.diff(12.0 * np.log2(np.maximum(pitch, 1.0)))) < 1.2  # noqa: PLR2004 -- a step a voice makes in 10 ms
    runs = find_spans((pitch[1:] > 0) & (pitch[:-1] > 0) & jumps, HOP_S, least_s=0.1)
    return sum(run.duration_s for run in runs) / HOP_S


def _count_syllables(levels: Signal, loud: NDArray[np.bool_]) -> int:
    slow = smooth(levels, 7)
    count, low = 0, slow[0]
    rising = True
    high = slow[0]
    for value, on in zip(slow, loud, strict=True):
        if rising:
            high = max(high, value)
            if value < high - 3.0:
                count += int(on or high > levels.max() - 30.0)
                rising, low = False, value
        else:
            low = min(low, value)
            if value > low + 3.0:
                rising, high = True, value
    return count


def measure_decay(levels: Signal) -> dict[str, float]:
    """Estimate the time to fall by 60 dB from the stretches in which the level falls without a rise."""
    slow = smooth(levels, 11)
    # Near the background a fall flattens and says nothing about the room.
    floor_db = float(np.percentile(slow, 5)) + 4.0
    found: list[tuple[float, float]] = []
    start = 0
    for index in range(1, len(slow) + 1):
        if index < len(slow) and slow[index] <= slow[start:index].min() + _FLUTTER_DB:
            continue
        peak = start + int(np.argmax(slow[start:index]))
        fall = slow[peak:index]
        below = np.flatnonzero(fall < fall[0] - _DIRECT_DB) if fall.size else fall
        if below.size:
            first = int(below[0])
            last = int(np.argmin(np.maximum(fall, max(floor_db, fall[0] - _DIRECT_DB - 25.0))))
            drop = float(fall[first] - fall[last])
            if drop >= _DECAY_DROP_DB and last > first:
                found.append((60.0 * (last - first) * HOP_S / drop, drop))
        start = index
    if not found:
        return {}
    found.sort()
    weights = np.cumsum([drop for _, drop in found])
    return {"decay_s": found[int(np.searchsorted(weights, _DECAY_RANK * weights[-1]))][0]}
