"""Backbones by name, each loaded once in a process."""

from __future__ import annotations

import importlib
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from torus_eval.errors import EvaluationError
from torus_eval.models.catalogue import find_cache, find_folder
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from pathlib import Path

    from torus_eval.backbones.base import Embedder, Tagger, TextEmbedder, Transcriber

Kind = Literal["transcriber", "tagger", "embedder", "text embedder"]


@dataclass(frozen=True, slots=True)
class Backbone:
    """Where a backbone is made.

    Args:
        kinds: What it can be opened as.
        place: ``module:Class`` below this package; the class takes the folder of its weights.
        has_weights: Whether its weights come with ``torus-eval models install``; otherwise its own library
            brings them.
    """

    kinds: frozenset[Kind]
    place: str
    has_weights: bool = True


BACKBONES: dict[str, Backbone] = {
    "whisper-tiny.en": Backbone(frozenset({"transcriber"}), "whisper:Whisper"),
    "yamnet": Backbone(frozenset({"tagger", "embedder"}), "yamnet:Yamnet"),
    "minilm": Backbone(frozenset({"text embedder"}), "minilm:MiniLm"),
    "vggish": Backbone(frozenset({"embedder"}), "vggish:Vggish", has_weights=False),
    "clap": Backbone(frozenset({"embedder", "text embedder"}), "clap:Clap", has_weights=False),
    "passt": Backbone(frozenset({"tagger"}), "passt:Passt", has_weights=False),
}

_LOADED: dict[tuple[str, Path], Any] = {}
_LOCK = threading.Lock()


def list_backbones(kind: Kind) -> tuple[str, ...]:
    """List the names that can be opened as a kind.

    >>> list_backbones("tagger")
    ('yamnet', 'passt')
    """
    return tuple(name for name, backbone in BACKBONES.items() if kind in backbone.kinds)


def open_transcriber(name: str) -> Transcriber:
    """Open what turns speech into text.

    Raises:
        EvaluationError: No such transcriber, its weights or its library are not installed.
    """
    return _open(name, "transcriber")  # type: ignore[no-any-return]  # the table says what it is


def open_tagger(name: str) -> Tagger:
    """Open what names kinds of sound.

    Raises:
        EvaluationError: No such tagger, its weights or its library are not installed.
    """
    return _open(name, "tagger")  # type: ignore[no-any-return]  # the table says what it is


def open_embedder(name: str) -> Embedder:
    """Open what turns sound into vectors.

    Raises:
        EvaluationError: No such embedder, its weights or its library are not installed.
    """
    return _open(name, "embedder")  # type: ignore[no-any-return]  # the table says what it is


def open_text_embedder(name: str) -> TextEmbedder:
    """Open what turns text into vectors.

    Raises:
        EvaluationError: No such embedder, its weights or its library are not installed.
    """
    return _open(name, "text embedder")  # type: ignore[no-any-return]  # the table says what it is


def _open(name: str, kind: Kind) -> Any:  # noqa: ANN401 -- the callers say what it is
    allowed = list_backbones(kind)
    if name not in allowed:
        raise EvaluationError(
            Problem(
                "backbone",
                found=f"no {kind} {name!r}",
                expected=f"one of {', '.join(allowed)}",
                action=nearest(name, allowed),
            )
        )
    backbone = BACKBONES[name]
    key = (name, find_cache())
    with _LOCK:
        if key not in _LOADED:
            folder = find_folder(name) if backbone.has_weights else find_cache()
            module, _, member = backbone.place.partition(":")
            make = getattr(importlib.import_module(f"torus_eval.backbones.{module}"), member)
            _LOADED[key] = make(folder)
        return _LOADED[key]
