"""Render a scene: synthesise each layer, set its level, put it into its room and mix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.clips import RATE_HZ
from torus_eval.scene.lexicon import Lexicon, Source, load_lexicon
from torus_eval.scene.parse import split_phrases
from torus_eval.scene.synthesis import SYNTHS, Voicing
from torus_eval.scene.voices import Line
from torus_eval.signals.filters import low_pass, rms_db, to_gain
from torus_eval.signals.rooms import add_room, make_impulse
from torus_eval.signals.timing import add_at, fade

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.music.player import Player
    from torus_eval.scene.model import Layer, Scene
    from torus_eval.scene.voices import Voice

    Signal = NDArray[np.float64]

PEAK = 0.89
LONGEST_S = 12.0
_STEP_DB = 5.0
_AFTER_LINE_S = 0.7
_EDGE_S = 0.02
_SPOKEN_WET_DB = -7.0
_BUILD_UP_DB = 1.5
_UNDER_SPEECH_DB = {"pattern": -6.0, "bed": -4.0}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered scene.

    Args:
        signal: Shape (frames,) at 44.1 kHz.
        turned_db: By how much the mix was turned down to stay below full scale, 0 or less.
    """

    signal: Signal
    turned_db: float


def render_scene(
    scene: Scene, *, voice: Voice, rng: np.random.Generator, player: Player | None = None
) -> Rendered:
    """Render a scene.

    Levels are absolute: what is gentle in one scene stays below what is hard in another.

    Args:
        scene: What to render.
        voice: Who says the lines.
        rng: Source of all noise and jitter.
        player: Who plays the instruments; what it does not play is synthesised.

    Returns:
        The sound.
    """
    lexicon = load_lexicon()
    placed, length_s = _place_lines(scene, lexicon, voice, rng)
    frames = int(length_s * RATE_HZ)
    mix = np.zeros(frames)
    impulses: dict[str, Signal] = {}
    spoken = any(line is not None for _, line in placed)
    for layer, line in placed:
        source = lexicon.sources[layer.source]
        dry = (
            line
            if line is not None
            else _play(layer, source, scene.text, length_s=length_s, player=player, rng=rng)
        )
        for name in layer.barriers:
            barrier = lexicon.barriers.get(name) or lexicon.distances[name]
            dry = low_pass(dry, RATE_HZ, barrier.cutoff_hz, order=2) * to_gain(barrier.loss_db)
        if layer.room and source.kind != "bed":
            room = lexicon.rooms[layer.room]
            if layer.room not in impulses:
                impulses[layer.room] = make_impulse(
                    rng,
                    RATE_HZ,
                    decay_s=room.decay_s * scene.echo,
                    bright_hz=room.bright_hz,
                    delay_s=room.delay_s,
                )
            # A speaker stands near enough to be understood.
            wet_db = room.wet_db + (_SPOKEN_WET_DB if line is not None else 0.0)
            before_db, frames_dry = rms_db(dry), len(dry)
            dry = add_room(dry, impulses[layer.room], wet_db=wet_db)
            if source.kind == "pattern":
                # Long notes build up in a room; the instrument keeps its level all the same.
                dry = dry * to_gain(min(0.0, before_db + _BUILD_UP_DB - rms_db(dry[:frames_dry])))
        if spoken:
            dry = dry * to_gain(_UNDER_SPEECH_DB.get(source.kind, 0.0))
        add_at(mix, dry, int(layer.start_s * RATE_HZ))
    return limit_peak(fade(mix, RATE_HZ, in_s=_EDGE_S, out_s=5.0 * _EDGE_S))


def limit_peak(signal: Signal) -> Rendered:
    """Turn a signal down as a whole if it would come too near to full scale."""
    peak = float(np.abs(signal).max())
    if peak <= PEAK:
        return Rendered(signal, 0.0)
    return Rendered(signal * (PEAK / peak), 20.0 * float(np.log10(PEAK / peak)))


def render_layer(layer: Layer, source: Source, *, length_s: float, rng: np.random.Generator) -> Signal:
    """Render one layer that is not a spoken line, at its level, dry.

    Args:
        layer: What to render.
        source: Its entry in the lexicon.
        length_s: Length of the scene; a bed or pattern lasts to its end unless the layer says otherwise.
        rng: Source of noise and jitter.

    Returns:
        Shape (frames,), from the start of the layer on.
    """
    left_s = max(0.1, length_s - layer.start_s)
    event = source.kind == "event"
    duration_s = layer.duration_s or (source.duration_s if event else left_s)
    voicing = Voicing(
        rate_hz=RATE_HZ,
        duration_s=min(duration_s, left_s) if not event else duration_s,
        params=source.params,
        steps=source.steps,
        force=layer.force,
        pace=layer.pace,
        pitch=layer.pitch,
        note_hz=layer.note_hz,
        pulse_hz=layer.rate_hz,
    )
    level_db = source.level_db + _STEP_DB * layer.force
    if not event:
        signal = SYNTHS[source.synth](rng, voicing)
        return signal * to_gain(level_db) / max(float(np.sqrt(np.mean(np.square(signal)))), 1e-9)
    strokes = [SYNTHS[source.synth](rng, voicing) for _ in range(layer.count)]
    spacing = int(layer.spacing_s * RATE_HZ)
    out = np.zeros(spacing * (layer.count - 1) + max(len(stroke) for stroke in strokes))
    for index, stroke in enumerate(strokes):
        add_at(out, stroke / max(float(np.abs(stroke).max()), 1e-9), index * spacing)
    return out * to_gain(level_db)


def _play(
    layer: Layer,
    source: Source,
    text: str,
    *,
    length_s: float,
    player: Player | None,
    rng: np.random.Generator,
) -> Signal:
    if player is not None:
        left_s = max(0.1, length_s - layer.start_s)
        played = player.play(
            layer, source, text=text, length_s=min(layer.duration_s or left_s, left_s), rng=rng
        )
        if played is not None:
            if source.kind == "event":
                played = played / max(float(np.abs(played).max()), 1e-9)
            return played * to_gain(source.level_db + _STEP_DB * layer.force)
    return render_layer(layer, source, length_s=length_s, rng=rng)


def say_line(layer: Layer, source: Source, *, voice: Voice, rng: np.random.Generator) -> Signal:
    """Say a line phrase by phrase with its pauses, at its level, dry.

    Returns:
        Shape (frames,).
    """
    phrases = split_phrases(layer.text)
    pause = np.zeros(int(layer.pause_s * RATE_HZ))
    parts: list[Signal] = []
    for index, phrase in enumerate(phrases):
        line = Line(
            text=phrase,
            speaker=source.id,
            base_hz=source.params["base_hz"] * layer.pitch,
            pace=layer.pace,
            rising=layer.rising and index == len(phrases) - 1,
        )
        parts += [voice.say(line, rng=rng), pause]
    return np.concatenate(parts[:-1]) * to_gain(source.level_db + _STEP_DB * layer.force)


def _place_lines(
    scene: Scene, lexicon: Lexicon, voice: Voice, rng: np.random.Generator
) -> tuple[list[tuple[Layer, Signal | None]], float]:
    """Say the lines first: how long they really take moves what comes after them."""
    late_s, length_s = 0.0, scene.duration_s
    placed: list[tuple[Layer, Signal | None]] = []
    for layer in sorted(scene.layers, key=lambda layer: layer.start_s):
        source = lexicon.sources[layer.source]
        moves = source.kind in {"event", "voice"}
        moved = replace(layer, start_s=max(0.0, layer.start_s + late_s)) if moves else layer
        line = None
        if source.kind == "voice":
            line = say_line(layer, source, voice=voice, rng=rng)
            late_s += len(line) / RATE_HZ - (layer.duration_s or 0.0)
            length_s = max(length_s, moved.start_s + len(line) / RATE_HZ + _AFTER_LINE_S)
        placed.append((moved, line))
    return placed, min(length_s, LONGEST_S)
