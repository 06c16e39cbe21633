"""Libraries that not every installation has."""

from __future__ import annotations

import importlib
from typing import Any

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem


def need_library(module: str, *, extra: str = "", package: str = "") -> Any:  # noqa: ANN401 -- a module
    """Import a library that a backbone runs on.

    Args:
        module: Its name in Python.
        extra: The extra of this project that brings it.
        package: The package that brings it, when no extra does.

    Returns:
        The module.

    Raises:
        EvaluationError: It is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        wanted = f'"torus-site[{extra}]"' if extra else package or module
        raise EvaluationError(
            Problem(
                module,
                found=f"a Python library that cannot be imported ({error})",
                expected="it to be installed",
                action=f"run: pip install {wanted}",
            )
        ) from error
