"""The heads a system file can name, each loaded when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Literal, cast

Kind = Literal["generate", "edit", "caption", "answer"]

HEADS: dict[Kind, dict[str, str]] = {
    "generate": {
        "scene": "torus_eval.scene.head:make_scene",
        "voiced-scene": "torus_eval.scene.head:make_voiced_scene",
        "random-scene": "torus_eval.scene.head:make_random_scene",
        "noise": "torus_eval.scene.head:make_noise",
    },
    "edit": {
        "signal": "torus_eval.editing.head:make_signal",
        "voiced-signal": "torus_eval.editing.head:make_voiced_signal",
        "level-and-speed": "torus_eval.editing.plain:LevelAndSpeedEditor",
        "untouched": "torus_eval.editing.plain:UntouchedEditor",
    },
    "caption": {"measured-words": "torus_eval.listening.describe:MeasuredCaptioner"},
    "answer": {
        "measuring-listener": "torus_eval.listening.head:make_measuring",
        "level-and-length": "torus_eval.listening.head:make_coarse",
        "typical-wording": "torus_eval.answering.floors:TextPriorAnswerer",
        "random-letter": "torus_eval.answering.floors:ChanceAnswerer",
    },
}


def make_head(kind: Kind, name: str) -> object:
    """Make a head by its name.

    Args:
        kind: What the head does.
        name: A name in ``HEADS[kind]``.

    Returns:
        A fresh head.

    Raises:
        EvaluationError: A program that the head needs is missing.
    """
    module, _, factory = HEADS[kind][name].partition(":")
    return cast("object", getattr(import_module(module), factory)())
