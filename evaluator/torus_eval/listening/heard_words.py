"""Captions from words, kinds of sound and measures, in sentences that the scene grammar reads back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torus_eval.backbones.opening import open_tagger, open_transcriber
from torus_eval.listening.describe import (
    describe_bed,
    describe_event,
    describe_music,
    describe_room,
    is_music,
)
from torus_eval.listening.hearing import Heard, Moment, Turn, hear
from torus_eval.listening.sentences import name_moment
from torus_eval.scene.lexicon import find_phrases, load_lexicon

if TYPE_CHECKING:
    from torus_eval.backbones.base import Tagger, Transcriber
    from torus_eval.clips import Clip

_MOST_STEPS = 8
_KINDS = 3
_LEAST_GAP_S = 0.8
_RANGE_DB = 30.0
_FORTE_DB, _PIANO_DB = -14.0, -30.0


@dataclass(slots=True)
class HeardCaptioner:
    """Describes a clip by what is said in it, what sounds in it, in which order and in which room.

    Args:
        transcriber: Gives the words.
        tagger: Gives the kinds of sound.
    """

    transcriber: Transcriber
    tagger: Tagger
    _clip: Clip | None = field(default=None, init=False)
    _heard: Heard | None = field(default=None, init=False)

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Describe a clip in a few sentences."""
        del seed
        if clip is not self._clip or self._heard is None:
            self._clip, self._heard = clip, hear(clip, transcriber=self.transcriber, tagger=self.tagger)
        return write_caption(self._heard)


def make_captioner() -> HeardCaptioner:
    """Make the captioner with the models that ``torus-eval models install`` brings.

    Raises:
        EvaluationError: Weights or a library are missing.
    """
    return HeardCaptioner(open_transcriber("whisper-tiny.en"), open_tagger("yamnet"))


def write_caption(heard: Heard) -> str:
    """Put what was heard into sentences: the room, the background, and what happens in order."""
    sentences = [describe_room(heard.evidence), describe_bed(heard.evidence)]
    if not heard.turns and is_music(heard.evidence):
        named = _name_instrument(heard)
        sentences.append(f"{named} plays." if named else describe_music(heard.evidence))
    else:
        sentences += _write_steps(heard)
    return " ".join(sentence for sentence in sentences if sentence)


def _write_steps(heard: Heard) -> list[str]:
    steps: list[tuple[float, float, str]] = [
        (turn.span.start_s, turn.span.end_s, _quote(turn)) for turn in heard.turns
    ]
    top_db = max((moment.measures["peak_db"] for moment in heard.moments), default=0.0)
    for moment in sorted(heard.moments, key=lambda moment: -moment.measures["peak_db"]):
        inside = any(
            turn.span.start_s - 0.3 < moment.span.end_s and moment.span.start_s < turn.span.end_s + 0.3
            for turn in heard.turns
        )
        if not inside and moment.measures["peak_db"] > top_db - _RANGE_DB and len(steps) < _MOST_STEPS:
            steps.append((moment.span.start_s, moment.span.end_s, _name(moment, heard)))
    written: list[str] = []
    end_s = 0.0
    for start_s, until_s, words in sorted(steps):
        gap_s = start_s - end_s
        late = (
            f"After {gap_s:.1f} seconds " if written and gap_s > _LEAST_GAP_S else "Then " if written else ""
        )
        sentence = late + (words if late else words[0].upper() + words[1:])
        written.append(sentence if sentence.endswith('"') else sentence + ".")
        end_s = until_s
    return written


def _quote(turn: Turn) -> str:
    who = "a woman" if turn.is_high else "a man"
    text = turn.text if turn.text.endswith((".", "?", "!")) else turn.text + "."
    return f'{who} says: "{text}"'


def _name(moment: Moment, heard: Heard) -> str:
    """Name a moment by a kind of sound that the grammar knows, or by what it measures like."""
    peak_db = moment.measures["peak_db"]
    loud = "loud " if peak_db > _FORTE_DB else "soft " if peak_db < _PIANO_DB else ""
    for kind in name_moment(moment.logits, heard.labels, _KINDS):
        hits = [hit for hit in find_phrases(kind, load_lexicon().sources) if hit.id != "voice"]
        if hits:
            return f"a {loud}{load_lexicon().sources[hits[0].id].words[0]}"
    events = heard.evidence.events
    if not events:
        return "a sound"
    return describe_event(min(events, key=lambda event: abs(event.span.start_s - moment.span.start_s)))


def _name_instrument(heard: Heard) -> str:
    for kind in name_moment(heard.frames.max(axis=0), heard.labels, 2 * _KINDS):
        hits = find_phrases(kind, load_lexicon().sources)
        if hits and load_lexicon().sources[hits[0].id].kind == "pattern":
            return f"A {load_lexicon().sources[hits[0].id].words[0]}"
    return ""
