"""The one small protocol that every system speaks, whatever the way in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, get_args

if TYPE_CHECKING:
    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip

Capability = Literal["generate", "edit", "caption", "answer"]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)


@dataclass(frozen=True, slots=True)
class Made:
    """What a generating or editing call gave.

    Args:
        clip: The sound.
        note: What the system could not do, in plain words; empty when it did everything.
    """

    clip: Clip
    note: str = ""


class System(Protocol):
    """A system ready to be called.

    Every call may raise ``OutputError`` (it came back with nothing usable), ``CallError`` (it did not come
    back) or ``CapabilityError`` (it cannot do this at all). ``seed`` is there for whatever the call draws:
    equal calls with equal seeds should give equal results.
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The calls it can take."""

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Make a clip from nothing but the prompt."""

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change a clip as an instruction says."""

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Say in words what a clip holds, from its sound alone."""

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the raw response; the clip and the question are all there is to go by."""

    def close(self) -> None:
        """Give back what the system holds; it is not called again."""
