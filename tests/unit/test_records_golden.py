"""Every golden results file is read and written the same; every wrong file gives the problems beside it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import rtoml
from pydantic import TypeAdapter, ValidationError

import factories
from torus_site import schema
from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.benchmark.load import load_descriptor, load_item
from torus_site.config import SiteConfig, load_config
from torus_site.errors import TorusError
from torus_site.records.model import RESULTS
from torus_site.records.parse import parse_results
from torus_site.records.store import dump

GOLDEN = Path(__file__).parents[1] / "golden"
RIGHT = sorted(GOLDEN.glob("results/v*/*.json"))
WRONG = sorted(path for path in GOLDEN.glob("invalid/*/*") if path.suffix in {".json", ".toml"})
SHAPES = {
    "results": RESULTS,
    "item": TypeAdapter(Item),
    "descriptor": TypeAdapter(Descriptor),
    "site": TypeAdapter(SiteConfig),
}
BEYOND_SCHEMA = {"rule"}
"""Errors of a model that compare two of its fields, which JSON Schema cannot say."""


def name_of(path):
    return "/".join(path.parts[-2:])


def read_document(path):
    """Read a file's content, ``None`` where it is no document at all."""
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else rtoml.loads(text)
    except (ValueError, RecursionError):
        return None


def list_documents():
    return [path for path in (*RIGHT, *WRONG) if read_document(path) is not None]


def find_problems(path, root):
    """Put a golden file where its kind belongs in a project and load it."""
    kind, data = path.parent.name, path.read_bytes()
    factories.write_project(root)
    try:
        if kind == "results":
            parse_results(path, file=path.name)
        elif kind == "item":
            load_item(path, descriptor=factories.make_descriptor(), file=path.name)
        elif kind == "descriptor":
            (root / "site_src/toy/benchmark.toml").write_bytes(data)
            return list(load_descriptor(root, "toy")[1])
        else:
            (root / "site_src/site.toml").write_bytes(data)
            load_config(root)
    except TorusError as error:
        return list(error.problems)
    return []


def test_golden_files_are_found():
    assert len(RIGHT) >= 4
    assert {path.parent.name for path in WRONG} == set(SHAPES)


@pytest.mark.parametrize("path", RIGHT, ids=name_of)
def test_golden_results_are_read_and_written_the_same(path):
    assert dump(parse_results(path, file=path.name)) == path.read_bytes()


@pytest.mark.parametrize("path", WRONG, ids=name_of)
def test_wrong_file_gives_its_problems(path, tmp_path, request):
    told = "".join(f"{problem.severity}: {problem}\n" for problem in find_problems(path, tmp_path))
    expected = path.with_suffix(".txt")
    if request.config.getoption("--update-golden"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    assert told


@pytest.mark.parametrize("path", list_documents(), ids=name_of)
def test_json_schema_and_model_agree_on_a_file(path):
    kind = "results" if path in RIGHT else path.parent.name
    validator = jsonschema.Draft202012Validator(json.loads(schema.export(kind)))
    data = read_document(path)
    assert validator.is_valid(data) == accepts(kind, data)


def accepts(kind, data):
    """Tell whether a model takes a document, rules that compare two fields aside."""
    if isinstance(data, dict) and data.get("schema") is True:
        return False  # pydantic takes true for 1; the loaders look at the version before pydantic does
    try:
        SHAPES[kind].validate_json(json.dumps(data, default=lambda date: [str(date)]))
    except ValidationError as error:
        return all(
            details["type"] in BEYOND_SCHEMA and details["loc"][-1] != "path"
            for details in error.errors(include_url=False)
        )
    return True
