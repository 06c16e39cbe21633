"""Whatever is changed in a right document, its JSON Schema and its model judge alike."""

from __future__ import annotations

import copy
import json

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

import factories
from torus_site import schema
from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.config import SiteConfig
from torus_site.records.model import RESULTS

FIGURES = [
    {"kind": "donut", "id": "a", "title": "A", "composition": "bank", "of": "items", "facet": "family"},
    {
        "kind": "bars",
        "id": "b",
        "title": "B",
        "metric": "coherence",
        "source": "computed",
        "axis": "stage",
        "reference": {"value": 16.7, "label": "chance"},
    },
    {"kind": "win-rates", "id": "c", "title": "C", "study": "human"},
]
DOCUMENTS = [
    ("results", RESULTS, factories.run_data()),
    ("results", RESULTS, factories.lapsed_data()),
    ("results", RESULTS, factories.reported_data()),
    ("results", RESULTS, factories.study_data()),
    ("results", RESULTS, factories.composition_data()),
    ("item", TypeAdapter(Item), factories.item_data(flags=["doubtful"], order=3)),
    ("descriptor", TypeAdapter(Descriptor), factories.descriptor_data(figures=FIGURES)),
    (
        "site",
        TypeAdapter(SiteConfig),
        {
            "schema": 1,
            "title": "Toys",
            "description": "All.",
            "benchmarks": ["toy"],
            "language": "en",
            "links": [{"title": "Code", "url": "https://example.org"}],
            "audio": {"format": "mp3", "bitrate_kbps": 96},
        },
    ),
]
VALIDATORS = {name: jsonschema.Draft202012Validator(json.loads(schema.export(name))) for name in schema.NAMES}
VALUES = st.sampled_from(
    [
        None,
        False,
        0,
        -1,
        1,
        7,
        1.5,
        "",
        "x",
        "A",
        "A b",
        "a/../b",
        "x" * 99,
        [],
        [1],
        ["A"],
        {},
        {"a": 1},
        {"": "b"},
    ]
)
KEYS = st.sampled_from(["", "x", "A b", "schema_version", "title", "kind", "id", "interval", "caption"])


def list_places(data, at=()):
    yield at
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for part, inner in items:
        yield from list_places(inner, (*at, part))


def find(data, parts):
    for part in parts:
        data = data[part]
    return data


@st.composite
def changed_documents(draw):
    """A right document of which up to two places are replaced, removed or given another key."""
    name, adapter, right = draw(st.sampled_from(DOCUMENTS))
    data = copy.deepcopy(right)
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.sampled_from(list(list_places(data))[1:]))
        holder, last = find(data, place[:-1]), place[-1]
        change = draw(st.sampled_from(["replace", "remove", "add"]))
        if change == "replace":
            holder[last] = copy.deepcopy(draw(VALUES))
        elif change == "remove":
            del holder[last]
        elif isinstance(holder, dict):
            holder[draw(KEYS)] = copy.deepcopy(draw(VALUES))
    return name, adapter, data


def accepts(adapter, data):
    """Tell whether a model takes a document, rules that compare two of its fields aside."""
    try:
        adapter.validate_json(json.dumps(data))
    except ValidationError as error:
        details = error.errors(include_url=False)
        return all(each["type"] == "rule" and each["loc"][-1] != "path" for each in details)
    return True


@given(changed_documents())
@settings(max_examples=250, deadline=None)
def test_schema_and_model_judge_alike(case):
    name, adapter, data = case
    assert VALIDATORS[name].is_valid(data) == accepts(adapter, data)
