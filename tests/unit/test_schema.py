"""The JSON Schema of every kind of file is valid, stable and as strict as the models."""

from __future__ import annotations

import json

import jsonschema
import pytest

import factories
from torus_site.schema import DIALECT, NAMES, export

SITE = {"schema": 1, "title": "Toys", "description": "All toys.", "benchmarks": ["toy"]}
RIGHT = {
    "site": [SITE],
    "descriptor": [factories.descriptor_data()],
    "item": [factories.item_data()],
    "results": [
        factories.run_data(),
        factories.lapsed_data(),
        factories.reported_data(),
        factories.study_data(),
        factories.composition_data(),
    ],
}


def validator(name):
    return jsonschema.Draft202012Validator(json.loads(export(name)))


def test_every_kind_has_a_schema():
    assert set(NAMES) == set(RIGHT)
    with pytest.raises(KeyError):
        export("clip")


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_valid_and_written_canonically(name):
    written = export(name)
    schema = json.loads(written)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == DIALECT
    assert written == json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
    assert written == export(name)


@pytest.mark.parametrize("name", NAMES)
def test_right_documents_are_valid(name):
    for data in RIGHT[name]:
        assert list(validator(name).iter_errors(data)) == []


@pytest.mark.parametrize("name", NAMES)
def test_unknown_keys_are_refused_and_the_version_is_required(name):
    for data in RIGHT[name]:
        assert not validator(name).is_valid({**data, "unknown": 1})
        assert not validator(name).is_valid({**data, "schema": 2})
        assert not validator(name).is_valid({**data, "schema_version": 1})


def test_keys_of_a_mapping_are_held_to_their_pattern():
    assert not validator("results").is_valid(factories.study_data(wins={"A b": {}}))


@pytest.mark.parametrize("path", ["/a", "../a", "a/../b", "a\\b", "C:/a", "a//b", "a/"])
def test_clip_paths_stay_inside(path):
    data = factories.run_data()
    data["items"][0]["cells"][0]["clip"]["path"] = path
    assert not validator("results").is_valid(data)
