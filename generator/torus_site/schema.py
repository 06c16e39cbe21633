"""Writes the JSON Schema of every kind of file a user or the evaluator writes."""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.config import SiteConfig
from torus_site.records.model import RESULTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ADAPTERS: dict[str, tuple[str, TypeAdapter[Any]]] = {
    "site": ("site.toml", TypeAdapter(SiteConfig)),
    "descriptor": ("benchmark.toml", TypeAdapter(Descriptor)),
    "item": ("An item file", TypeAdapter(Item)),
    "results": ("A results file", RESULTS),
}
NAMES = tuple(_ADAPTERS)
"""The kinds of files that have a schema."""


def export(name: str) -> bytes:
    """Return the JSON Schema of one kind of file.

    What a schema cannot say is checked by the loaders alone: references between entries and files,
    numbers that must recompute, and keys that stand twice.

    Args:
        name: One of :data:`NAMES`.

    Raises:
        KeyError: There is no such kind.

    >>> export("site").splitlines()[1]
    b'  "$defs": {'
    """
    title, adapter = _ADAPTERS[name]
    schema = {"$schema": DIALECT, **adapter.json_schema(by_alias=True), "title": title}
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
