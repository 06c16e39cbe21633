"""Writes the JSON Schema of every kind of file a user or the evaluator writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.config import SiteConfig
from torus_site.records.model import RESULTS

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import core_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_ADAPTERS: dict[str, tuple[str, TypeAdapter[Any]]] = {
    "site": ("site.toml", TypeAdapter(SiteConfig)),
    "descriptor": ("benchmark.toml", TypeAdapter(Descriptor)),
    "item": ("An item file", TypeAdapter(Item)),
    "results": ("A results file", RESULTS),
}
NAMES = tuple(_ADAPTERS)
"""The kinds of files that have a schema."""


class _Generator(GenerateJsonSchema):
    """Says all the models say: pydantic leaves keys free that do not match a mapping's pattern."""

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        written = super().dict_schema(schema)
        return written | {"additionalProperties": False} if "patternProperties" in written else written

    def field_title_should_be_set(self, _schema: object) -> bool:
        return False


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
    written = adapter.json_schema(by_alias=True, schema_generator=_Generator)
    schema = {"$schema": DIALECT, **written, "title": title}
    return json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
