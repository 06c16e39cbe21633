"""VGGish through torch: 128 numbers for every 0.96 s, what most published Fréchet audio distances use.

The model and its weights come by way of ``torch.hub``, so the first use needs a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.needs import need_library
from torus_eval.backbones.sound import to_rate

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_RATE_HZ = 16000
_SHORTEST = 15600
_REPOSITORY = "harritaylor/torchvggish"


class Vggish:
    """The embedder VGGish, without the whitening and rounding of the AudioSet release.

    Args:
        folder: Not used; the library keeps its own weights.

    Raises:
        EvaluationError: torch is not installed.
    """

    name = "vggish"

    def __init__(self, folder: Path) -> None:
        del folder
        self._torch = need_library("torch", package="torch resampy soundfile")
        self._model = self._torch.hub.load(_REPOSITORY, "vggish", postprocess=False)
        self._model.eval()

    def embed(self, mono: NDArray[np.float32], rate_hz: int) -> NDArray[np.float32]:
        """Give 128 numbers for every 0.96 s, shape (frames, 128).

        Args:
            mono: Shape (frames,); a clip shorter than one frame is filled with silence.
            rate_hz: Frames a second.
        """
        samples = to_rate(mono, rate_hz, _RATE_HZ)
        samples = np.pad(samples, (0, max(_SHORTEST - len(samples), 0)))
        with self._torch.no_grad():
            found = self._model.forward(samples, _RATE_HZ)
        return np.asarray(found.cpu().numpy(), dtype=np.float32).reshape(-1, 128)
