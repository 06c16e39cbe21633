"""Weights of offline models, and the skip that names the missing one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from torus_eval.errors import EvaluationError
from torus_eval.models.catalogue import find_folder

if TYPE_CHECKING:
    from pathlib import Path

REQUIRED = "TORUS_REQUIRE_MODELS"


def need_weights(*names: str) -> tuple[Path, ...]:
    """Return the folders of models, or skip the test; with TORUS_REQUIRE_MODELS set, fail it instead."""
    try:
        return tuple(find_folder(name) for name in names)
    except EvaluationError as error:
        if os.environ.get(REQUIRED, "") not in {"", "0"}:
            pytest.fail(f"{REQUIRED} is set, and {error}")
        pytest.skip(f"needs weights: {error}")
