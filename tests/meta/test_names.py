"""The engine knows no benchmark: what the descriptors name stands in no package and no template."""

from __future__ import annotations

import ast
import re
import tomllib

import pytest

from support.repository import CONTENT, list_sources, list_templates, name_inside

GENERIC = {"chance", "text-prior"}
"""Systems named after the answering head that they are made of: the evaluator knows its heads by name."""


def read_names():
    """Return each id of a benchmark, system, metric, axis or axis value with the place that gives it."""
    names = {}
    for path in sorted(CONTENT.glob("*/benchmark.toml")):
        descriptor = tomllib.loads(path.read_text(encoding="utf-8"))
        named = [("the benchmark", descriptor)]
        for part in ("systems", "metrics", "axes"):
            named += [(part, entry) for entry in descriptor.get(part, ())]
        named += [("axes", value) for axis in descriptor.get("axes", ()) for value in axis["values"]]
        names |= {entry["id"]: f"{where} of {name_inside(path)}" for where, entry in named}
    return {name: where for name, where in names.items() if name not in GENERIC}


NAMES = read_names()


def list_strings(path):
    """Yield every string of a source file that is not a docstring, with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.lineno, node.value


@pytest.mark.parametrize("path", list_sources(), ids=name_inside)
def test_package_names_nothing_of_a_benchmark(path):
    found = [f"{line}: {text!r}, {NAMES[text]}" for line, text in list_strings(path) if text in NAMES]
    assert found == []


@pytest.mark.parametrize("path", list_templates(), ids=name_inside)
def test_template_names_nothing_of_a_benchmark(path):
    text = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"""\b(?:class|id)=["'][^"']*["']""", "", text)
    quoted = set(re.findall(r"""["']([\w-]+)["']""", text))
    assert {name: NAMES[name] for name in sorted(quoted & NAMES.keys())} == {}


def test_descriptors_give_names_to_look_for():
    assert len(NAMES) > 10
