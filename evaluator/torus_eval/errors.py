"""The errors a user of the evaluator can cause."""

from __future__ import annotations

from torus_site.errors import TorusError


class EvaluationError(TorusError):
    """A run cannot start or cannot go on: an unknown system, a missing program, a clip unfit for use."""
