"""The place of an error is found by walking the models' annotations."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import Field, JsonValue

from torus_site.benchmark.descriptor import BarsSpec, Descriptor
from torus_site.benchmark.items import Item, Question
from torus_site.records.model import AgreementRecord, Count, Record, ResultsFile, Slug, StudyRecord
from torus_site.records.shapes import Place, bare, describe, is_model, keys_of, members, tags


@pytest.mark.parametrize(
    ("shape", "loc", "parts", "model"),
    [
        (Item, ("cells", 0, "questions", 1, "key"), ["cells", 0, "questions", 1, "key"], Question),
        (Item, ("schema",), ["schema"], Item),
        (Item, ("facets", "family"), ["facets", "family"], None),
        (Descriptor, ("figures", 2, "bars", "metric"), ["figures", 2, "metric"], BarsSpec),
        (ResultsFile, ("study", "agreement", "basis"), ["agreement", "basis"], AgreementRecord),
        (ResultsFile, ("study", "agreement"), ["agreement"], AgreementRecord),
        (ResultsFile, ("study", "wins", "A", "[key]"), ["wins", "A"], None),
        (ResultsFile, (), [], None),
    ],
)
def test_place_is_walked(shape, loc, parts, model):
    place = Place(shape, loc)
    assert place.parts == parts
    assert model is None or place.model is model


def test_place_of_an_unknown_key_has_no_shape():
    assert Place(Item, ("titel",)).shape is None


def test_key_of_a_mapping_has_the_shape_of_keys():
    assert describe(Place(StudyRecord, ("wins", "A", "[key]")).shape) == describe(Slug)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (str, "text"),
        (bool, "true or false"),
        (float | None, "a number"),
        (Annotated[str, Field(pattern="x")], "text"),
        (Count, "a whole number, 0 or more"),
        (Count | None, "a whole number, 0 or more"),
        (tuple[Count, ...], "a list"),
        (Literal["a"], "a"),
        (Item, "keys and values"),
        (dict[str, str], "keys and values"),
        (Item.model_fields["order"], "a whole number"),
        (Question.model_fields["key"], "one letter from A to Z"),
    ],
)
def test_annotation_is_said_in_words(shape, words):
    assert describe(shape) == words


def test_union_is_told_from_an_optional_value():
    assert bare(AgreementRecord | None) is AgreementRecord
    assert members(bare(AgreementRecord | None)) == ()
    assert [tags(member) for member in members(bare(ResultsFile))] == [("run",), ("study",), ("composition",)]
    assert not is_model(ResultsFile)


def test_keys_are_those_of_the_file():
    assert keys_of(Item)[:3] == ["schema", "id", "title"]


def test_place_inside_a_value_of_any_shape_is_named_and_nothing_more():
    class Loose(Record):
        options: dict[str, JsonValue]

    place = Place(Loose, ("options", "layers", 0, "name"))
    assert (place.parts[-1], place.shape) == ("name", None)
