"""Models that measure sound and text, each behind a small protocol and opened by name."""

from __future__ import annotations

from torus_eval.backbones.opening import open_embedder, open_tagger, open_text_embedder, open_transcriber

__all__ = ["open_embedder", "open_tagger", "open_text_embedder", "open_transcriber"]
