"""Every error of a model becomes a problem in plain words, without a trace of pydantic."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError, model_validator

import factories
from torus_site.benchmark.descriptor import Descriptor
from torus_site.records.explain import explain
from torus_site.records.model import Record, ResultsFile, Slug, Text
from torus_site.records.parse import freeze


class Part(Record):
    name: Text


class Whole(Record):
    above: Annotated[float, Field(gt=0)] = 1.0
    below: Annotated[float, Field(lt=1)] = 0.0
    finite: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    short: Annotated[str, Field(max_length=3)] = ""
    parts: tuple[Part, ...] = Field(default=(Part(name="a"),), min_length=1)
    counts: dict[Slug, int] = {}
    inner: dict[str, Part] = {}

    @model_validator(mode="after")
    def _hold(self):
        if self.short == "no":
            message = "yes"
            raise ValueError(message)
        return self


def tell(shape, data):
    with pytest.raises(ValidationError) as error:
        TypeAdapter(shape).validate_python(freeze(data))
    return [str(problem) for problem in explain(error.value, shape, file="f")]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"above": 0}, "f at /above: found 0; expected a number above 0"),
        ({"below": 1.0}, "f at /below: found 1.0; expected a number below 1"),
        ({"finite": float("nan")}, "f at /finite: found nan; expected a finite number"),
        ({"short": "long text"}, "f at /short: found 'long text'; expected text of at most 3 characters"),
        ({"short": "no"}, "f: expected yes"),
        ({"parts": []}, "f at /parts: found 0 entries; expected at least 1"),
        ({"parts": [{}]}, "f at /parts/0/name: found nothing; expected text"),
        ({"parts": ["a"]}, "f at /parts/0: found 'a'; expected keys and values"),
        ({"inner": {"a/b": {"name": 1}}}, "f at /inner/a~1b/name: found 1; expected text"),
        (
            {"counts": {"A b": 1}},
            "f at /counts/A b: found 'A b'; expected lower-case letters and digits, joined by - or _",
        ),
        ({"inner": 3}, "f at /inner: found 3; expected keys and values"),
    ],
)
def test_error_is_told_in_plain_words(data, told):
    assert tell(Whole, data) == [told]


def test_list_is_not_called_short_for_its_wrong_entries():
    data = factories.descriptor_data(
        tables=[{"id": "a", "title": "A", "source": "computed", "columns": [{"metric": 1}]}]
    )
    assert tell(Descriptor, data) == [
        "f at /tables/0/columns/0/metric: found 1; expected lower-case letters and digits, joined by - or _"
    ]


def test_union_members_are_not_part_of_the_place():
    assert tell(ResultsFile, {**factories.study_data(), "raters": "five"}) == [
        "f at /raters: found 'five'; expected a whole number, 0 or more"
    ]
    assert tell(ResultsFile, {"schema": 1, "kind": "stdy"}) == [
        "f at /kind: found 'stdy'; expected one of run, study, composition; did you mean 'study'?"
    ]


def test_text_that_is_not_json_is_placed_by_line():
    with pytest.raises(ValidationError) as error:
        TypeAdapter(ResultsFile).validate_json('{\n "schema": \n')
    (problem,) = explain(error.value, ResultsFile, file="f")
    assert problem.place.startswith("line 3, column")
    assert problem.expected == "valid JSON"


def test_nothing_of_pydantic_shows():
    data = factories.run_data(scores=[{"metric": "a"}, {"metric": "b", "value": "1"}, {}], system=3)
    told = " ".join(tell(ResultsFile, data))
    assert "Value error" not in told
    assert "pydantic" not in told
    assert "Input should" not in told
