"""Captions from measurements, in words that the scene grammar reads back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torus_eval.listening.evidence import Evidence, measure
from torus_eval.listening.terms import load_profiles
from torus_eval.scene.lexicon import load_lexicon

if TYPE_CHECKING:
    from torus_eval.clips import Clip
    from torus_eval.listening.events import Event

_MOST_EVENTS = 6
_BETWEEN_HZ = 155.0
_SPEECH, _TONAL, _REGULAR = 0.35, 0.35, 0.75
_HUM = 0.22
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class MeasuredCaptioner:
    """Describes a clip by what was measured; words it cannot hear, such as speech, are left out."""

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Describe a clip in a few sentences."""
        del seed
        return describe(measure(clip.mono, clip.rate_hz))


def describe(evidence: Evidence) -> str:
    """Put evidence into words.

    Returns:
        Sentences about the room, the background and what happens, in order.
    """
    sentences = [describe_room(evidence), describe_bed(evidence)]
    if evidence.measures.get("speech", 0.0) > _SPEECH:
        sentences.append(_describe_speech(evidence))
    elif is_music(evidence):
        sentences.append(describe_music(evidence))
    else:
        sentences.append(_describe_events(evidence))
    return " ".join(sentence for sentence in sentences if sentence)


def describe_room(evidence: Evidence) -> str:
    """Name a place that sounds alike."""
    decay_s = evidence.measures.get("decay_s")
    if decay_s is None:
        return ""
    rooms = load_lexicon().rooms.values()
    room = min(rooms, key=lambda room: abs(room.decay_s - decay_s))
    return f"Heard in a place like this: {room.words[0]}."


def describe_bed(evidence: Evidence) -> str:
    """Name the background."""
    measures = evidence.measures
    if measures["floor_db"] < -65.0:  # noqa: PLR2004 -- as good as silence
        return "No background."
    faint = "faint " if measures["floor_db"] < -48.0 else ""  # noqa: PLR2004 -- hardly heard
    if measures["bed_tonality"] > _HUM and measures["bed_centroid_hz"] < 600.0:  # noqa: PLR2004 -- a low tone
        return f"A {faint}hum throughout."
    if measures["bed_centroid_hz"] > 2500.0:  # noqa: PLR2004 -- a bright noise
        return f"A {faint}rain throughout."
    return f"A {faint}wind throughout."


def is_music(evidence: Evidence) -> bool:
    """Tell held tones and regular patterns from other sound."""
    measures = evidence.measures
    regular = measures.get("regularity", 0.0) > _REGULAR and measures["onset_count"] > 5  # noqa: PLR2004 -- a pattern
    held = measures["tonality"] > _TONAL and measures["sounding_share"] > 0.8  # noqa: PLR2004 -- nearly always
    return regular or held


def describe_music(evidence: Evidence) -> str:
    """Name an instrument that sounds alike, and its pace."""
    measures = evidence.measures
    manner = "quiet " if measures["level_db"] < -32.0 else ""  # noqa: PLR2004 -- soft music
    if measures["onset_count"] < 5:  # noqa: PLR2004 -- a held note
        return f"A {manner}harmonium holds one note."
    rate = round(measures.get("pulse_hz", 3.0))
    instrument = "banjo" if measures["centroid_hz"] > 900.0 else "guitar"  # noqa: PLR2004 -- brighter than nylon
    return f"A {manner}{instrument} plays about {_NUMBERS[min(max(rate, 1), 10)]} notes a second."


def _describe_speech(evidence: Evidence) -> str:
    parts = []
    for phrase in evidence.phrases:
        who = "woman" if phrase.pitch_hz > _BETWEEN_HZ else "man"
        parts.append(f"a {who} speaks for {phrase.span.duration_s:.1f} seconds")
    return ", then ".join(parts[:4]).capitalize() + "." if parts else ""


def _describe_events(evidence: Evidence) -> str:
    loud = sorted(evidence.events, key=lambda event: -event.peak_db)[:_MOST_EVENTS]
    parts = [describe_event(event) for event in sorted(loud, key=lambda event: event.span.start_s)]
    return (", then ".join(parts) + ".").capitalize() if parts else ""


def describe_event(event: Event) -> str:
    """Name a sound that measures alike."""
    profiles = load_profiles()
    name = max(profiles, key=lambda name: profiles[name].compare(event))
    word = load_lexicon().sources[name].words[0]
    manner = "loud " if event.peak_db > -14.0 else "soft " if event.peak_db < -30.0 else ""  # noqa: PLR2004 -- forte and piano
    long = f" for {event.span.duration_s:.1f} seconds" if event.span.duration_s > 0.7 else ""  # noqa: PLR2004 -- worth saying
    return f"a {manner}{word}{long}"
