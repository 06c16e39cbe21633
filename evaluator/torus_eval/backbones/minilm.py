"""MiniLM sentence vectors through onnxruntime."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.backbones.needs import need_library
from torus_eval.backbones.sessions import open_session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_LONGEST_TOKENS = 256
_DIMENSION = 384


class MiniLm:
    """The text embedder all-MiniLM-L6-v2.

    Args:
        folder: Where its files are.

    Raises:
        EvaluationError: onnxruntime or tokenizers is not installed.
    """

    name = "minilm"

    def __init__(self, folder: Path) -> None:
        tokenizers = need_library("tokenizers", extra="models")
        self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(max_length=_LONGEST_TOKENS)
        self._tokenizer.no_padding()
        self._session = open_session(folder / "model.onnx")
        self._known: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.Lock()

    def embed_texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Give the mean of the vectors of a text's tokens, as a row of length one.

        Each text runs by itself, so that its row does not depend on what else is asked for.

        Args:
            texts: Texts; tokens past the 256th are left out.

        Returns:
            Shape (texts, 384).
        """
        with self._lock:
            for text in texts:
                if text not in self._known:
                    self._known[text] = self._embed(text)
            rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, _DIMENSION), dtype=np.float32)

    def _embed(self, text: str) -> NDArray[np.float32]:
        encoded = self._tokenizer.encode(text)
        ids = np.array([encoded.ids], dtype=np.int64)
        mask = np.array([encoded.attention_mask], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(["last_hidden_state"], feed)
        weights = mask[0].astype(np.float64)
        mean = weights @ states[0].astype(np.float64) / weights.sum()
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)
