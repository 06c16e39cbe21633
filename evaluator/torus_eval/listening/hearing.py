"""What is heard in a clip: measures, words with their times, kinds of sound over time, all gathered once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.evidence import Evidence, measure
from torus_eval.listening.line import measure_line
from torus_eval.signals.filters import band_pass
from torus_eval.signals.segments import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.backbones.base import Segment, Tagger, Transcriber, Word
    from torus_eval.clips import Clip

_BEFORE_S, _AFTER_S = 0.03, 0.25
_LONGEST_S = 1.5
_NEAR_S = 0.25
_MANY = 24
_NO_SPEECH, _LEAST_LIKELY = 0.75, -1.3
_SPEECH_CLASSES = (
    "Speech",
    "Child speech, kid speaking",
    "Conversation",
    "Narration, monologue",
    "Whispering",
)
_LEAST_SPEECH = 0.1
_AROUND_S = 0.8
_LOOP_WORDS, _LOOP_SHARE = 10, 0.35
_TURN_S = 0.45
_BETWEEN_HZ = 155.0
_LOW_HZ, _HIGH_HZ = 70.0, 400.0


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A stretch of a clip in which one thing is going on.

    Args:
        span: When.
        logits: Scores of the kinds of sound, shape (classes,).
        measures: A few quantities of this stretch alone.
    """

    span: Span
    logits: NDArray[np.float64]
    measures: dict[str, float]


@dataclass(frozen=True, slots=True)
class Turn:
    """Words said by one voice without a long pause.

    Args:
        words: The words.
        span: When.
        is_high: The voice is a high one, as most women's; ``None`` where there is no pitch.
    """

    words: tuple[Word, ...]
    span: Span
    is_high: bool | None

    @property
    def text(self) -> str:
        """What was said."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """All there is to go by.

    Args:
        evidence: What was measured of the whole clip.
        moments: What goes on, in order.
        turns: What was said, in order.
        frames: Scores of kinds of sound over time, shape (frames, classes).
        times_s: The middle of each frame, shape (frames,).
        labels: The names of the kinds.
        measures: Quantities of the whole clip by name, those of the evidence included.
    """

    evidence: Evidence
    moments: tuple[Moment, ...]
    turns: tuple[Turn, ...]
    frames: NDArray[np.float64]
    times_s: NDArray[np.float64]
    labels: tuple[str, ...]
    measures: dict[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that was said."""
        return " ".join(turn.text for turn in self.turns)


def hear(clip: Clip, *, transcriber: Transcriber, tagger: Tagger) -> Heard:
    """Gather what is heard in a clip.

    Args:
        clip: The clip.
        transcriber: Gives the words.
        tagger: Gives the kinds of sound.
    """
    mono = clip.mono
    evidence = measure(mono, clip.rate_hz)
    sound = mono.astype(np.float32)
    tags = tagger.tag(sound, clip.rate_hz)
    frames = tags.logits.astype(np.float64)
    moments = []
    for span, whole in _cut(evidence):
        first = max(0, int((span.start_s - _BEFORE_S) * clip.rate_hz))
        last = min(len(mono), int((span.end_s + _AFTER_S) * clip.rate_hz))
        logits = tagger.tag(sound[first:last], clip.rate_hz).logits.max(axis=0).astype(np.float64)
        moments.append(Moment(span, logits, _measure_moment(mono[first:last], clip.rate_hz, whole)))
    speech = [tags.labels.index(name) for name in _SPEECH_CLASSES if name in tags.labels]
    chance = tags.probabilities[:, speech].max(axis=1, initial=0.0)
    stretch = _find_speech(tags.times_s, chance, clip.duration_s)
    words = _read_words(sound, clip.rate_hz, stretch, transcriber) if stretch else []
    turns = _take_turns(words, evidence, clip)
    measures = dict(evidence.measures)
    measures |= _measure_more(evidence, moments, turns)
    measures |= measure_line(mono, clip.rate_hz) if not turns else {}
    measures["speech_share"] = (
        float(np.clip(chance.max() * 1.5, 0.0, 1.0)) if turns else 0.5 * float(chance.max())
    )
    measures["turn_count"] = float(len(turns))
    return Heard(evidence, tuple(moments), turns, frames, tags.times_s, tags.labels, measures)


def _cut(evidence: Evidence) -> list[tuple[Span, float]]:
    """Join events that follow at once, cut long ones; each with the length of what it is a part of."""
    spans: list[Span] = []
    events = [event.span for event in evidence.events] or [Span(0.0, evidence.duration_s)]
    near_s = _NEAR_S if len(events) > _MANY else 0.0
    for span in events:
        if spans and near_s and span.start_s - spans[-1].end_s < near_s:
            spans[-1] = Span(spans[-1].start_s, span.end_s)
        else:
            spans.append(span)
    cut: list[tuple[Span, float]] = []
    for span in spans:
        count = max(1, round(span.duration_s / _LONGEST_S))
        edges = np.linspace(span.start_s, span.end_s, count + 1)
        cut += [(Span(float(a), float(b)), span.duration_s) for a, b in pairwise(edges)]
    return cut


def _measure_moment(signal: NDArray[np.float64], rate_hz: int, whole_s: float) -> dict[str, float]:
    power = np.square(np.abs(np.fft.rfft(signal * np.hanning(len(signal)))))
    hz = np.fft.rfftfreq(len(signal), 1.0 / rate_hz)
    inside = hz > 40.0  # noqa: PLR2004 -- below hearing
    centroid = float((power * hz)[inside].sum() / max(power[inside].sum(), 1e-20))
    size = max(1, rate_hz // 20)
    count = max(1, len(signal) // size)
    blocks = np.array([np.mean(np.square(block)) for block in np.array_split(signal, count)])
    return {
        "peak_db": float(10.0 * np.log10(blocks.max() + 1e-12)),
        "centroid_hz": max(centroid, 20.0),
        "event_s": whole_s,
    }


def _find_speech(times_s: NDArray[np.float64], chance: NDArray[np.float64], length_s: float) -> Span | None:
    """Find where somebody may speak: a transcriber makes words up over anything else."""
    likely = times_s[chance > _LEAST_SPEECH]
    if not likely.size:
        return None
    return Span(max(0.0, float(likely[0]) - _AROUND_S), min(length_s, float(likely[-1]) + _AROUND_S))


def _read_words(
    sound: NDArray[np.float32], rate_hz: int, stretch: Span, transcriber: Transcriber
) -> list[Word]:
    first, last = int(stretch.start_s * rate_hz), int(stretch.end_s * rate_hz)
    found = transcriber.transcribe(sound[first:last], rate_hz)
    kept = [
        word
        for segment in found.segments
        if segment.no_speech_probability < _NO_SPEECH
        and segment.mean_log_probability > _LEAST_LIKELY
        and not _is_loop(segment)
        for word in segment.words
    ]
    return [
        replace(word, start_s=word.start_s + stretch.start_s, end_s=word.end_s + stretch.start_s)
        for word in kept
    ]


def _is_loop(segment: Segment) -> bool:
    """Tell the same few words over and over, which nobody said."""
    words = segment.text.lower().split()
    return len(words) > _LOOP_WORDS and len(set(words)) < _LOOP_SHARE * len(words)


def _take_turns(words: list[Word], evidence: Evidence, clip: Clip) -> tuple[Turn, ...]:
    groups: list[list[Word]] = []
    for word in words:
        # Times of words are rough: a silence that was measured between two words parts them too.
        apart = groups and (
            word.start_s - groups[-1][-1].end_s > _TURN_S
            or any(
                groups[-1][-1].start_s < gap.start_s + 0.15
                and gap.end_s - 0.15 < word.end_s
                and gap.duration_s > _TURN_S
                for gap in evidence.gaps
            )
        )
        if not groups or apart:
            groups.append([])
        groups[-1].append(word)
    turns: list[Turn] = []
    for group in groups:
        span = Span(group[0].start_s, group[-1].end_s)
        turns.append(Turn(tuple(group), span, _is_high(span, clip)))
    return tuple(turns)


def _is_high(span: Span, clip: Clip) -> bool | None:
    from torus_eval.listening.pitch import track_pitch  # noqa: PLC0415 -- only where somebody speaks

    first, last = int(span.start_s * clip.rate_hz), int(span.end_s * clip.rate_hz) + 1
    part = clip.mono[first:last]
    if len(part) < clip.rate_hz // 5:
        return None
    pitch = track_pitch(band_pass(part, clip.rate_hz, 60.0, 1600.0), clip.rate_hz)
    voiced = pitch[(pitch > _LOW_HZ) & (pitch < _HIGH_HZ)]
    return bool(np.median(voiced) > _BETWEEN_HZ) if len(voiced) > 5 else None  # noqa: PLR2004 -- 50 ms


def _measure_more(evidence: Evidence, moments: list[Moment], turns: tuple[Turn, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    starts = np.array(
        evidence.onsets_s
        if len(evidence.onsets_s) > len(evidence.events)
        else [e.span.start_s for e in evidence.events]
    )
    if len(starts) > 3:  # noqa: PLR2004 -- three steps make a trend
        steps = np.log2(np.maximum(np.diff(starts), 0.03))
        half = len(steps) // 2
        found["step_trend_oct"] = float(np.median(steps[-half:]) - np.median(steps[:half]))
    if evidence.events:
        top = max(event.peak_db for event in evidence.events)
        found["lead_s"] = evidence.events[0].span.start_s
        found["loud_share"] = float(np.mean([event.peak_db > top - 6.0 for event in evidence.events]))
    if moments:
        loudest = max(moments, key=lambda moment: moment.measures["peak_db"])
        found["loudest_s"] = loudest.span.start_s
    highs = [turn.is_high for turn in turns if turn.is_high is not None]
    if highs:
        found["voice_height"] = 2.0 * float(np.mean(highs)) - 1.0
        found["voices"] = float(len(set(highs)))
    return found
