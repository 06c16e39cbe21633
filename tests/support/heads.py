"""Systems that a test can look into: they keep what they were given, and answer by a rule."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from torus_eval.clips import RATE_HZ, Clip
from torus_eval.systems.base import Made

KEPT = {}
"""The objects that system files name, by the name they give."""


def bring(*, name):
    """Return the object kept under a name: what a system file of a test names as its target."""
    return KEPT[name]


def make_tone(frequency_hz=440.0, *, duration_s=1.0, level=0.2):
    """A sine as a clip."""
    times_s = np.arange(int(duration_s * RATE_HZ)) / RATE_HZ
    return Clip.from_mono(level * np.sin(2.0 * np.pi * frequency_hz * times_s))


@dataclass
class Watched:
    """Generates a tone, edits it to the next octave, answers by the wording; keeps every call."""

    wanted: str = "two"
    generated: list = field(default_factory=list)
    edited: list = field(default_factory=list)
    answered: list = field(default_factory=list)
    captioned: list = field(default_factory=list)

    def generate(self, prompt, *, seed):
        self.generated.append((prompt, seed))
        return Made(make_tone(400.0 + 40.0 * len(self.generated), duration_s=0.1))

    def edit(self, clip, instruction, *, seed):
        self.edited.append((clip, instruction, seed))
        return Made(make_tone(880.0, duration_s=0.1), "half done")

    def caption(self, clip, *, seed):
        self.captioned.append((clip, seed))
        return "A bell rings."

    def answer(self, clip, asked, *, seed):
        self.answered.append((clip, asked, seed))
        return next(letter for letter, text in asked.options.items() if text == self.wanted)
