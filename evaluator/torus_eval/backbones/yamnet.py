"""YAMNet through onnxruntime: what kinds of sound there are, and a vector for each moment.

The model is quantised: it takes 8-bit patches. Scale and zero point of its input are constants of its graph
and are read from there, as inner outputs; so are the scores before they are rounded to 8 bits and the 1024
numbers before the last layer. Rounding inside the model stays, so figures are those of this file of weights.
"""

from __future__ import annotations

import csv
import threading
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.base import Tags
from torus_eval.backbones.logmel import PATCH_HOP_S, PATCH_S, RATE_HZ, make_patches
from torus_eval.backbones.sessions import open_session
from torus_eval.backbones.sound import to_rate

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_INPUT = "audio"
_LOGITS = "class_scores_updated"
_EMBEDDING = "/model/Reshape_output_0_qdq"
_SCALE, _ZERO = "audio_scale", "audio_zero_point"
_SHAPE = (1, 1, 96, 64)


class Yamnet:
    """The tagger and embedder YAMNet.

    Args:
        folder: Where its files are.

    Raises:
        EvaluationError: onnxruntime is not installed.
    """

    name = "yamnet"

    def __init__(self, folder: Path) -> None:
        self._session = open_session(folder / "model.onnx", outputs=(_LOGITS, _EMBEDDING, _SCALE, _ZERO))
        with (folder / "classes.csv").open(encoding="utf-8", newline="") as file:
            self.labels = tuple(row["display_name"] for row in csv.DictReader(file))
        silence = {_INPUT: np.zeros(_SHAPE, dtype=np.uint8)}
        scale, zero = self._session.run([_SCALE, _ZERO], silence)
        self._scale, self._zero = float(scale.item()), int(zero.item())
        self._lock = threading.Lock()
        self._last: tuple[bytes, tuple[NDArray[np.float32], NDArray[np.float32]]] | None = None

    def tag(self, mono: NDArray[np.float32], rate_hz: int) -> Tags:
        """Score the 521 AudioSet classes every 0.48 s, over 0.96 s each.

        Args:
            mono: Shape (frames,).
            rate_hz: Frames a second.
        """
        logits, _ = self._run(mono, rate_hz)
        times = np.arange(len(logits), dtype=np.float64) * PATCH_HOP_S + PATCH_S / 2
        return Tags(times, logits, self.labels, PATCH_S)

    def embed(self, mono: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        """Give 1024 numbers every 0.48 s, over 0.96 s each, shape (frames, 1024).

        Args:
            mono: Shape (frames,).
            rate_hz: Frames a second.
        """
        return self._run(mono, rate_hz)[1]

    def _run(
        self, mono: NDArray[np.float32], rate_hz: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        patches = make_patches(to_rate(mono, rate_hz, RATE_HZ))
        rounded = np.clip(np.rint(patches / self._scale + self._zero), 0, 255).astype(np.uint8)
        key = rounded.tobytes()
        # Tags and vectors of one clip are mostly asked for one after the other.
        with self._lock:
            if self._last is None or self._last[0] != key:
                runs = [
                    self._session.run([_LOGITS, _EMBEDDING], {_INPUT: patch.reshape(_SHAPE)})
                    for patch in rounded
                ]
                logits = np.concatenate([run[0] for run in runs])
                vectors = np.concatenate([run[1] for run in runs])
                self._last = (key, (logits, vectors))
            logits, vectors = self._last[1]
        return logits.copy(), vectors.copy()
