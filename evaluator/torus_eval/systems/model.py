"""The shape of a system file."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from torus_site.records.model import Record, Slug, Text

ANY = "any"


class SystemFile(Record):
    """A system as data: which heads it is made of, and how it edits.

    ``generate`` and ``edit`` map a value of the item facet ``route`` to a head; ``any`` serves the values not
    named. An arm says how a clip is changed: ``cascaded`` and ``native-edit`` have an editing head,
    ``self-caption`` has a captioning head instead.
    """

    schema_version: Literal[1] = Field(alias="schema")
    id: Slug
    arm: Literal["cascaded", "native-edit", "self-caption"]
    text: Text
    route: Slug | None = None
    generate: dict[str, Slug]
    edit: dict[str, Slug] = {}
    caption: Slug | None = None
    answer: Slug

    @model_validator(mode="after")
    def _can_do_what_its_arm_needs(self) -> Self:
        edits, captions = bool(self.edit), self.caption is not None
        if self.arm == "self-caption" and (edits or not captions):
            message = "the arm self-caption needs a caption head and no edit heads"
            raise ValueError(message)
        if self.arm != "self-caption" and (captions or not edits):
            message = f"the arm {self.arm} needs edit heads and no caption head"
            raise ValueError(message)
        for table in (self.generate, *([self.edit] if edits else [])):
            if ANY not in table or (self.route is None and len(table) > 1):
                message = "each table of heads has 'any', and further rows only under a route"
                raise ValueError(message)
        return self
