"""Generating heads: the scene renderer with either kind of voice, and two that ignore the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.clips import RATE_HZ, Clip
from torus_eval.music.player import SoundfontPlayer
from torus_eval.scene.lexicon import load_lexicon
from torus_eval.scene.model import Layer, Scene
from torus_eval.scene.parse import parse_scene
from torus_eval.scene.render import render_scene
from torus_eval.scene.voices import BabbleVoice, ProgramVoice
from torus_eval.signals.filters import rms_db, tilt, to_gain
from torus_eval.signals.timing import fade
from torus_eval.systems.base import Made

if TYPE_CHECKING:
    from torus_eval.music.player import Player
    from torus_eval.scene.voices import Voice

_RANDOM_SOUNDS = 4
_RANDOM_S = 8.0
_NOISE_DB = -26.0


@dataclass(frozen=True, slots=True)
class SceneGenerator:
    """Reads the prompt as a scene and renders it.

    Args:
        voice: Who says the lines.
        player: Who plays the instruments; without one they are synthesised.
    """

    voice: Voice
    player: Player | None = None

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Render what the prompt mentions."""
        rng = np.random.default_rng(seed)
        scene = parse_scene(prompt)
        rendered = render_scene(scene, voice=self.voice, rng=rng, player=self.player)
        notes = list(scene.notes)
        if self.player is not None:
            notes += list_stand_ins(scene)
        if rendered.turned_db:
            notes.append(f"turned down by {-rendered.turned_db:.1f} dB to stay below full scale")
        return Made(Clip.from_mono(rendered.signal), "; ".join(notes))


@dataclass(frozen=True, slots=True)
class RandomSceneGenerator:
    """Renders sounds drawn from the lexicon, whatever the prompt."""

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Render four sounds drawn at random; the prompt is not read."""
        rng = np.random.default_rng(seed)
        del prompt
        names = [name for name, source in load_lexicon().sources.items() if source.kind != "voice"]
        chosen = rng.choice(names, _RANDOM_SOUNDS, replace=False)
        layers = tuple(
            Layer(source=str(name), start_s=0.5 + index * (_RANDOM_S - 2.0) / _RANDOM_SOUNDS)
            for index, name in enumerate(chosen)
        )
        rendered = render_scene(Scene(layers=layers, duration_s=_RANDOM_S), voice=BabbleVoice(), rng=rng)
        return Made(Clip.from_mono(rendered.signal), "the prompt is not read")


@dataclass(frozen=True, slots=True)
class NoiseGenerator:
    """Makes noise, whatever the prompt."""

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Make eight seconds of pink noise; the prompt is not read."""
        rng = np.random.default_rng(seed)
        del prompt
        noise = tilt(rng.standard_normal(int(_RANDOM_S * RATE_HZ)), RATE_HZ, -3.0)
        noise *= to_gain(_NOISE_DB - rms_db(noise))
        return Made(Clip.from_mono(fade(noise, RATE_HZ, in_s=0.05, out_s=0.1)), "the prompt is not read")


def make_scene() -> SceneGenerator:
    """Make the renderer with wordless babble for voices."""
    return SceneGenerator(BabbleVoice())


def make_voiced_scene() -> SceneGenerator:
    """Make the renderer with a text-to-speech program for voices.

    Raises:
        EvaluationError: No such program is installed.
    """
    return SceneGenerator(ProgramVoice.find())


def make_scored_scene() -> SceneGenerator:
    """Make the renderer with a soundfont player for music and a text-to-speech program for voices.

    Raises:
        EvaluationError: A program or the soundfont is missing.
    """
    return SceneGenerator(ProgramVoice.find(), SoundfontPlayer.find())


def list_stand_ins(scene: Scene) -> list[str]:
    """Say which instruments of a scene the soundfont has not, and what is played in their place."""
    sources = [load_lexicon().sources[layer.source] for layer in scene.layers]
    return [f"{source.nearest} for {source.id}" for source in sources if source.nearest]
