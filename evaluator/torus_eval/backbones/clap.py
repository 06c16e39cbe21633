"""CLAP through laion-clap: one vector of 512 numbers for a clip, and one for a text.

The package fetches its default weights, so the first use needs a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.needs import need_library
from torus_eval.backbones.sound import to_rate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_RATE_HZ = 48000
_LONGEST = 10 * _RATE_HZ


class Clap:
    """The embedder CLAP, without fusion.

    Args:
        folder: Not used; the library keeps its own weights.

    Raises:
        EvaluationError: laion-clap is not installed.
    """

    name = "clap"

    def __init__(self, folder: Path) -> None:
        del folder
        self._model = need_library("laion_clap", package="laion-clap").CLAP_Module(enable_fusion=False)
        self._model.load_ckpt()

    def embed(self, mono: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        """Give a vector for each 10 s, shape (parts, 512).

        Without fusion the library takes a part of a longer clip at random; parts of 10 s keep it the same.

        Args:
            mono: Shape (frames,).
            rate_hz: Frames a second.
        """
        samples = to_rate(mono, rate_hz, _RATE_HZ)
        rows = [
            self._model.get_audio_embedding_from_data(
                x=samples[None, start : start + _LONGEST], use_tensor=False
            )
            for start in range(0, len(samples), _LONGEST)
        ]
        return np.concatenate(rows).astype(np.float32)

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give a row of length one per text, shape (texts, 512)."""
        # The library stumbles over a list of one text.
        rows = self._model.get_text_embedding([*texts, ""], use_tensor=False)[: len(texts)]
        rows = np.asarray(rows, dtype=np.float64)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)
