"""Brings results of an older schema to the present one: one pure function per step, old to new.

Each old version keeps its golden file in the tests for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

STEPS: Mapping[int, Callable[[dict[str, object]], dict[str, object]]] = {}
"""From a schema version to the function that writes the next one. Version 1 is the first."""


def migrate(
    data: object, *, steps: Mapping[int, Callable[[dict[str, object]], dict[str, object]]] = STEPS
) -> object:
    """Apply every step from the document's version on; anything without a known version stays as it is.

    >>> migrate({"schema": 7}, steps={7: lambda old: old | {"schema": 8, "new": []}})
    {'schema': 8, 'new': []}
    >>> migrate({"schema": 1})
    {'schema': 1}
    """
    while isinstance(data, dict) and isinstance(version := data.get("schema"), int) and version in steps:
        data = steps[version](data)
    return data
