"""What a system is made of: heads that generate, edit, caption and answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip


@dataclass(frozen=True, slots=True)
class Made:
    """What a generating or editing call gave.

    Args:
        clip: The sound.
        note: What the head could not do, in plain words; empty when it did everything.
        caption: The caption that an edit went through, if it did.
    """

    clip: Clip
    note: str = ""
    caption: str | None = None


class Generator(Protocol):
    """Makes a clip from a prompt."""

    def generate(self, prompt: str, *, rng: np.random.Generator) -> Made:
        """Make a clip from nothing but the prompt."""


class Editor(Protocol):
    """Changes a clip as an instruction says."""

    def edit(self, clip: Clip, instruction: str, *, rng: np.random.Generator) -> Made:
        """Change a clip; what cannot be done is left and noted."""


class Captioner(Protocol):
    """Says in words what a clip holds."""

    def caption(self, clip: Clip, *, rng: np.random.Generator) -> str:
        """Describe a clip from its sound alone."""


class Answerer(Protocol):
    """Answers a question about a clip."""

    def answer(self, clip: Clip, asked: Asked, *, rng: np.random.Generator) -> str:
        """Return the raw response; the clip and the question are all there is to go by."""


@dataclass(frozen=True, slots=True)
class System:
    """A system ready to run on an item.

    Args:
        generator: Makes the first clip.
        editor: Changes the clip at later points.
        answerer: Answers the questions.
    """

    generator: Generator
    editor: Editor
    answerer: Answerer


@dataclass(frozen=True, slots=True)
class CaptionEditor:
    """Edits without touching the sound: caption the clip, join the instruction, generate anew."""

    captioner: Captioner
    generator: Generator

    def edit(self, clip: Clip, instruction: str, *, rng: np.random.Generator) -> Made:
        """Generate from the clip's caption followed by the instruction."""
        caption = self.captioner.caption(clip, rng=rng)
        made = self.generator.generate(f"{caption} {instruction}", rng=rng)
        return Made(made.clip, made.note, caption)
