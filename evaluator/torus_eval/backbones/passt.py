"""PaSST through hear21passt: scores over the 527 classes of AudioSet for every 10 s.

The package fetches its weights, so the first use needs a network. It does not name its classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.base import Tags
from torus_eval.backbones.needs import need_library
from torus_eval.backbones.sound import to_rate

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_RATE_HZ = 32000
_FRAME_S = 10.0


class Passt:
    """The tagger PaSST, for divergences: its classes are numbered, so it cannot tell kinds of sound.

    Args:
        folder: Not used; the library keeps its own weights.

    Raises:
        EvaluationError: torch or hear21passt is not installed.
    """

    name = "passt"

    def __init__(self, folder: Path) -> None:
        del folder
        self._torch = need_library("torch", package="torch hear21passt")
        base = need_library("hear21passt.base", package="hear21passt")
        self._model = base.get_basic_model(mode="logits")
        self._model.eval()

    def tag(self, mono: NDArray[np.float32], rate_hz: int) -> Tags:
        """Score every class over each 10 s; the last part is filled with silence.

        Args:
            mono: Shape (frames,).
            rate_hz: Frames a second.
        """
        samples = to_rate(mono, rate_hz, _RATE_HZ)
        length = round(_FRAME_S * _RATE_HZ)
        parts = np.pad(samples, (0, -len(samples) % length)).reshape(-1, length)
        with self._torch.no_grad():
            found = [self._model(self._torch.from_numpy(part[None])) for part in parts]
        logits = np.concatenate([each.cpu().numpy() for each in found]).astype(np.float32)
        times = (np.arange(len(logits), dtype=np.float64) + 0.5) * _FRAME_S
        return Tags(times, logits, tuple(f"class {place}" for place in range(logits.shape[1])), _FRAME_S)
