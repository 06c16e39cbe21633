"""The signal editor: applies what an instruction asks for, and notes what it could not do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.clips import RATE_HZ, Clip
from torus_eval.editing.instruction import Instruction, read_instruction
from torus_eval.editing.operations import (
    add_beating,
    change_speed,
    make_brighter,
    make_duller,
    swap_halves,
    weaken_part,
)
from torus_eval.music.player import SoundfontPlayer
from torus_eval.scene.head import list_stand_ins
from torus_eval.scene.lexicon import load_lexicon
from torus_eval.scene.render import LONGEST_S, limit_peak, render_scene
from torus_eval.scene.voices import BabbleVoice, ProgramVoice
from torus_eval.signals.background import find_loud, find_phrases_s, loop_bed, split_bed
from torus_eval.signals.filters import low_pass, rms_db, to_gain
from torus_eval.signals.rooms import add_room, make_impulse
from torus_eval.signals.segments import Span
from torus_eval.signals.timing import add_at, change_rate, fade, fit_length
from torus_eval.systems.base import Made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.music.player import Player
    from torus_eval.scene.model import Scene
    from torus_eval.scene.voices import Voice

    Signal = NDArray[np.float64]

_SHORTEST_S = 5.0
_TAIL_S = 1.0
_LEAD_S = 0.4
_EDGE_S = 0.03
_KEPT_WET_DB = -5.0
_SILENT = 1e-4


@dataclass(frozen=True, slots=True)
class SignalEditor:
    """Edits by signal processing; new sounds are rendered as the generator renders them.

    Args:
        voice: Who says new lines.
        player: Who plays new instruments; without one they are synthesised.
    """

    voice: Voice
    player: Player | None = None

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change a clip as an instruction says."""
        rng = np.random.default_rng(seed)
        asked = read_instruction(instruction)
        notes = list(asked.unmet)
        if asked.is_empty:
            return Made(clip, "; ".join([*notes, "nothing of the instruction can be done"]))
        signal = change_rate(clip.mono, clip.rate_hz, RATE_HZ)
        bed = np.zeros(0)
        if asked.keep_bed or asked.remove_bed:
            bed, signal = split_bed(signal)
        signal = self._change_time(signal, asked, rng)
        signal = _change_sound(signal, asked, rng)
        if asked.keep_bed and bed.size:
            longer = loop_bed(bed, RATE_HZ, len(signal), rng=rng) if len(signal) > len(bed) else bed
            longer[: len(bed)] = bed[: len(longer)]
            signal = signal + fit_length(longer, len(signal))
        if asked.scene is not None:
            notes += list_stand_ins(asked.scene) if self.player is not None else []
            signal = self._put_in(signal, asked, asked.scene, rng)
        rendered = limit_peak(fade(signal, RATE_HZ, in_s=_EDGE_S, out_s=_EDGE_S))
        if rendered.turned_db:
            notes.append(f"turned down by {-rendered.turned_db:.1f} dB to stay below full scale")
        return Made(Clip.from_mono(rendered.signal), "; ".join(notes))

    def _change_time(self, signal: Signal, asked: Instruction, rng: np.random.Generator) -> Signal:
        if asked.reverse:
            signal = signal[::-1].copy()
        if asked.swap:
            signal = swap_halves(signal, RATE_HZ)
        if asked.speed == 1.0 and not asked.cut_pauses:
            return signal
        spans = find_phrases_s(signal, RATE_HZ)
        start = int(spans[0].start_s * RATE_HZ) if spans else 0
        end = int(spans[-1].end_s * RATE_HZ) if spans else len(signal)
        changed = change_speed(signal[start:end], RATE_HZ, asked.speed, without_pauses=asked.cut_pauses)
        if asked.cut_pauses and asked.kept_room:
            changed = _add_named_room(changed, asked.kept_room, _KEPT_WET_DB, rng)
        frames = start + len(changed) + int(_TAIL_S * RATE_HZ)
        frames = max(int(_SHORTEST_S * RATE_HZ), min(frames, int(LONGEST_S * RATE_HZ)))
        out = loop_bed(signal, RATE_HZ, frames, rng=rng)
        _crossfade_into(out, np.concatenate([signal[:start], changed])[:frames])
        return out

    def _put_in(self, signal: Signal, asked: Instruction, scene: Scene, rng: np.random.Generator) -> Signal:
        """Render new sounds and mix them in, after or in place of what is there."""
        lexicon = load_lexicon()
        spans = find_phrases_s(signal, RATE_HZ)
        lasting = all(lexicon.sources[layer.source].kind in {"bed", "pattern"} for layer in scene.layers)
        if lasting:
            fitted = replace(scene, duration_s=len(signal) / RATE_HZ)
            return signal + fit_length(
                render_scene(fitted, voice=self.voice, rng=rng, player=self.player).signal, len(signal)
            )
        speech = any(layer.text for layer in scene.layers)
        start_s = _choose_start(spans, replacing=asked.replace, speech=speech)
        first_s = min(layer.start_s for layer in scene.layers)
        new = render_scene(scene, voice=self.voice, rng=rng, player=self.player).signal[
            int(first_s * RATE_HZ) :
        ]
        new = fade(_cut_silence(new), RATE_HZ, in_s=0.001, out_s=_EDGE_S)
        end_s = start_s + len(new) / RATE_HZ + max(asked.tail_s, _TAIL_S)
        kept_s = len(signal) / RATE_HZ
        frames = int(min(max(end_s, _SHORTEST_S, kept_s if not asked.replace else 0.0), LONGEST_S) * RATE_HZ)
        bed = loop_bed(signal, RATE_HZ, frames, rng=rng)
        base = bed.copy()
        keep = int((start_s if asked.replace else kept_s) * RATE_HZ)
        _crossfade_into(base, signal[: min(keep, frames, len(signal))])
        add_at(base, new, int(start_s * RATE_HZ))
        return base


def make_signal() -> SignalEditor:
    """Make the editor with wordless babble for new lines."""
    return SignalEditor(BabbleVoice())


def make_voiced_signal() -> SignalEditor:
    """Make the editor with a text-to-speech program for new lines.

    Raises:
        EvaluationError: No such program is installed.
    """
    return SignalEditor(ProgramVoice.find())


def make_scored_signal() -> SignalEditor:
    """Make the editor with a soundfont player for new music and a text-to-speech program for new lines.

    Raises:
        EvaluationError: A program or the soundfont is missing.
    """
    return SignalEditor(ProgramVoice.find(), SoundfontPlayer.find())


def _choose_start(spans: tuple[Span, ...], *, replacing: bool, speech: bool) -> float:
    """Give the time at which new sounds begin: a line replaces the last phrase, other sounds replace all."""
    if not spans:
        return _LEAD_S
    if not replacing:
        return spans[-1].end_s + 0.4
    return spans[-1].start_s if speech else spans[0].start_s


def _cut_silence(signal: Signal) -> Signal:
    loud = np.flatnonzero(np.abs(signal) > _SILENT)
    return signal[: loud[-1] + 1] if loud.size else signal


def _crossfade_into(base: Signal, part: Signal) -> None:
    """Lay a part over the start of a base, with a short crossfade at its end."""
    rise = min(len(part), int(_EDGE_S * RATE_HZ))
    blend = np.ones(len(part))
    if rise:
        blend[-rise:] = np.linspace(1.0, 0.0, rise)
    base[: len(part)] = blend * part + (1.0 - blend) * base[: len(part)]


def _change_sound(signal: Signal, asked: Instruction, rng: np.random.Generator) -> Signal:
    lexicon = load_lexicon()
    if asked.weaken is not None:
        voiced = find_loud(signal, RATE_HZ)
        low, high = asked.weaken
        part = Span(voiced.start_s + low * voiced.duration_s, voiced.start_s + high * voiced.duration_s)
        signal = weaken_part(signal, RATE_HZ, part, rng=rng)
    if asked.beat_hz is not None:
        signal = add_beating(
            signal, RATE_HZ, asked.beat_hz, flat=asked.flat, from_entry=asked.beat_from_entry
        )
    if asked.duller:
        signal = make_duller(signal, RATE_HZ)
    if asked.barrier:
        barrier = lexicon.barriers[asked.barrier]
        signal = low_pass(signal, RATE_HZ, barrier.cutoff_hz, order=3) * to_gain(barrier.loss_db)
    if asked.room:
        before_db = rms_db(signal)
        if asked.brighter:
            signal = make_brighter(signal, RATE_HZ)
        length = len(signal)
        signal = _add_named_room(signal, asked.room, lexicon.rooms[asked.room].wet_db, rng)[:length]
        # A reflecting room is louder than a dead one at the same distance, by a few decibels.
        signal = signal * to_gain(
            before_db + max(0.0, 6.0 + lexicon.rooms[asked.room].wet_db) - rms_db(signal)
        )
    elif asked.brighter:
        signal = make_brighter(signal, RATE_HZ)
    return signal * to_gain(asked.gain_db)


def _add_named_room(signal: Signal, name: str, wet_db: float, rng: np.random.Generator) -> Signal:
    room = load_lexicon().rooms[name]
    impulse = make_impulse(rng, RATE_HZ, decay_s=room.decay_s, bright_hz=room.bright_hz, delay_s=room.delay_s)
    return add_room(signal, impulse, wet_db=wet_db)
