"""An item file: one test of a benchmark, with its prompts, intended audio, questions and keys."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from torus_site.records.model import Letter, Point, Record, Slug, Text


class Question(Record):
    """One question with lettered options, one of them the key."""

    id: Text
    element: Text
    text: Text
    options: tuple[Text, ...]
    key: Letter
    flags: tuple[str, ...] = ()


class ItemCell(Record):
    """What happens to an item at one point of the axes, and what is asked there."""

    at: Point = {}
    operation: str | None = None
    prompt: Text
    intended: str = ""
    transcript: str | None = None
    questions: tuple[Question, ...] = ()


class Item(Record):
    """One item. Its id equals the file's name without the ending."""

    schema_version: Literal[1] = Field(alias="schema")
    id: Slug
    title: Text
    order: int = 0
    summary: str = ""
    notice: str = ""
    facets: Point = {}
    flags: tuple[str, ...] = ()
    cells: tuple[ItemCell, ...] = Field(min_length=1)
