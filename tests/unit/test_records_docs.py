"""The pages on contracts name every key there is, and their examples are valid."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest
import rtoml
from pydantic import BaseModel

from support.documents import list_blocks
from support.repository import DOCS
from torus_site.benchmark.check import Vocabulary, check_descriptor, check_item
from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.config import SiteConfig
from torus_site.errors import TorusError
from torus_site.records.model import RESULTS, CompositionRecord, RunRecord, StudyRecord
from torus_site.records.parse import parse
from torus_site.records.shapes import keys_of

CONTRACTS, DESCRIPTOR = DOCS / "contracts.md", DOCS / "descriptor.md"


def list_models(shape):
    """Return a model and every model its fields use."""
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        yield shape
        for info in shape.model_fields.values():
            yield from list_models(info.annotation)
    else:
        for inner in get_args(shape):
            yield from list_models(inner)


@pytest.mark.parametrize(
    ("page", "model"),
    [
        (CONTRACTS, SiteConfig),
        (CONTRACTS, RunRecord),
        (CONTRACTS, StudyRecord),
        (CONTRACTS, CompositionRecord),
        (DESCRIPTOR, Descriptor),
        (DESCRIPTOR, Item),
    ],
)
def test_every_key_is_explained(page, model):
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r'[`"]([a-z_0-9]+)["`]', text)) | set(
        re.findall(r"(?m)(?:\[\[)?([a-z_]+)(?: =|\]\])", text)
    )
    assert [key for used in list_models(model) for key in keys_of(used) if key not in named] == []


def blocks(page, language):
    return [block.text for block in list_blocks(page) if block.language == language]


def test_examples_of_results_are_valid():
    kinds = [RESULTS.validate_json(text).kind for text in blocks(CONTRACTS, "json")]
    assert kinds == ["run", "study", "composition"]
    assert all(json.loads(text)["schema"] == 1 for text in blocks(CONTRACTS, "json"))


def test_example_of_a_site_is_valid():
    (text,) = blocks(CONTRACTS, "toml")
    assert parse(SiteConfig, rtoml.loads(text), file="site.toml", error=TorusError).benchmarks == ("toy",)


def test_examples_of_descriptor_and_item_fit_each_other():
    descriptor_text, item_text = blocks(DESCRIPTOR, "toml")
    descriptor = parse(Descriptor, rtoml.loads(descriptor_text), file="benchmark.toml", error=TorusError)
    item = parse(Item, rtoml.loads(item_text), file="bell.toml", error=TorusError)
    words = Vocabulary(descriptor, file="bell.toml")
    check_item(item, words)
    assert check_descriptor(descriptor, file="benchmark.toml") == []
    assert words.problems == []
