"""A wrong document is mended so that its other mistakes are found, and stand-ins are never blamed."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

import factories
from torus_site.benchmark.descriptor import Descriptor, FigureSpec
from torus_site.errors import Problem
from torus_site.records.mend import Examined, examine
from torus_site.records.model import Count, Finite, Letter, Point, Record, Sha256, Slug, Text


class Inner(Record):
    name: Text
    note: str = ""


class Outer(Record):
    slug: Slug
    letter: Letter
    count: Count
    share: Annotated[float, Field(gt=0, lt=1)]
    number: Finite
    is_on: bool
    kind: Literal["x", "y"]
    at: Point
    many: tuple[Inner, ...] = Field(min_length=1)
    perhaps: Annotated[int, Field(ge=1)] | None
    figure: FigureSpec


def test_right_document_is_given_as_it_is():
    found = examine(Inner, {"name": "a"}, file="f")
    assert found == Examined(Inner(name="a"))


def test_every_kind_of_value_has_a_stand_in():
    found = examine(Outer, {}, file="f")
    assert found.record is not None
    assert found.mended == tuple(f"/{name}" for name in Outer.model_fields)
    assert found.record.slug == "mended"
    assert found.record.letter == "A"
    assert 0 < found.record.share < 1


def test_wrong_values_are_replaced_and_unknown_keys_dropped():
    data = {"name": 3, "more": [1], "note": dt.date(2024, 1, 1)}
    found = examine(Inner, data, file="f")
    assert found.record == Inner(name="mended", note="mended")
    assert found.mended == ("/name", "/note")
    assert [problem.place for problem in found.problems] == ["/name", "/note", "/more"]
    assert data["name"] == 3


def test_wrong_entry_of_a_list_is_mended_in_place():
    data = factories.descriptor_data()
    data["metrics"] = [*data["metrics"], "wer"]
    found = examine(Descriptor, data, file="f")
    assert found.record is not None
    assert [metric.id for metric in found.record.metrics] == ["coherence", "wer", "mended"]


@pytest.mark.parametrize("data", [[], 7, None])
def test_document_that_is_no_table_is_mended_whole(data):
    found = examine(Inner, data, file="f")
    assert found.record == Inner(name="mended")
    assert found.mended == ("",)


class Hashed(Record):
    sha256: Sha256


class Ruled(Record):
    low: int
    high: int

    @model_validator(mode="after")
    def _order(self):
        if self.low > self.high:
            message = "low comes first"
            raise ValueError(message)
        return self


def test_document_beyond_mending_gives_its_problems_alone():
    assert examine(Hashed, {}, file="f").record is None
    ruled = examine(Ruled, {"low": 1, "high": 0}, file="f")
    assert str(ruled.problems[0]) == "f: expected low comes first"
    assert ruled.record == Ruled(low=2, high=2)


def test_unknown_schema_version_is_the_only_problem():
    found = examine(Descriptor, {"schema": 2, "x": 1}, file="f")
    assert found.record is None
    assert [problem.place for problem in found.problems] == ["/schema"]


def test_problems_about_stand_ins_are_left_out():
    found = Examined(None, (Problem("f", "/a"),), ("/a", "/b/0"))
    others = [Problem("f", place) for place in ("/a", "/a/1", "/ab", "/b", "/b/0/c", "/b/01")]
    assert [problem.place for problem in found.join(others)] == ["/a", "/ab", "/b", "/b/01"]


def test_a_problem_that_shows_a_stand_in_is_left_out():
    found = Examined(record=None, problems=(), mended=("/axes",))
    others = (Problem("a.toml", "/tables/0", "'step'", "an axis, one of mended"), Problem("a.toml", "/id"))
    assert found.join(others) == others[1:]
