"""What the rest of the evaluator may ask of a model that measures sound or text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Word:
    """A word that was heard.

    Args:
        text: The word, without the space before it.
        start_s: Where it starts.
        end_s: Where it ends.
        probability: How sure the model is, from 0 to 1.
    """

    text: str
    start_s: float
    end_s: float
    probability: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of speech.

    Args:
        text: What was said.
        start_s: Where it starts.
        end_s: Where it ends.
        words: Its words with their times.
        mean_log_probability: How likely the model found its own text, per token.
        no_speech_probability: How likely it found that nobody speaks.
    """

    text: str
    start_s: float
    end_s: float
    words: tuple[Word, ...]
    mean_log_probability: float
    no_speech_probability: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in a clip.

    Args:
        text: All of it, segments parted by a space.
        segments: The same in stretches.
    """

    text: str
    segments: tuple[Segment, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        """Every word in order."""
        return tuple(word for segment in self.segments for word in segment.words)


@dataclass(frozen=True, slots=True, eq=False)
class Tags:
    """What kinds of sound a clip holds over time.

    Args:
        times_s: The middle of each frame, shape (frames,).
        logits: Scores before the sigmoid, shape (frames, classes).
        labels: The names of the classes.
        frame_s: How long a frame is.
    """

    times_s: NDArray[np.float64]
    logits: NDArray[np.float32]
    labels: tuple[str, ...]
    frame_s: float

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The sigmoid of the logits, shape (frames, classes); classes do not exclude each other."""
        clipped = np.clip(self.logits.astype(np.float64), -500.0, 500.0)
        return np.asarray(1.0 / (1.0 + np.exp(-clipped)), dtype=np.float64)

    def rank(self, count: int = 5) -> tuple[tuple[str, float], ...]:
        """Give the likeliest classes by their mean probability over the clip, the likeliest first."""
        mean = self.probabilities.mean(axis=0)
        order = np.argsort(-mean, kind="stable")[:count]
        return tuple((self.labels[index], float(mean[index])) for index in order)


class Transcriber(Protocol):
    """Turns speech into text."""

    name: str

    def transcribe(self, mono: NDArray[np.float32], rate_hz: int) -> Transcript:
        """Write down what is said in shape (frames,)."""
        ...


class Tagger(Protocol):
    """Names kinds of sound."""

    name: str

    def tag(self, mono: NDArray[np.float32], rate_hz: int) -> Tags:
        """Score every class over the time of shape (frames,)."""
        ...


class Embedder(Protocol):
    """Turns sound into vectors."""

    name: str

    def embed(self, mono: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        """Give a vector per frame, shape (frames, dimension)."""
        ...


class TextEmbedder(Protocol):
    """Turns text into vectors."""

    name: str

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a row of length one per text, shape (texts, dimension)."""
        ...
