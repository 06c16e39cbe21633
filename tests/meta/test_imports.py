"""Imports point one way, and each heavy library lives where it belongs."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter

import pytest

from support.imports import list_imports, name_module
from support.repository import list_sources, name_inside

LAYERS = (
    {"errors", "memory", "workers"},
    {"records", "benchmark", "config"},
    {"stats", "media", "content", "theme", "freshness", "memory", "workers", "links"},
    {"views"},
    {"render", "blocks", "clips", "project", "reading", "anonymity"},
    {"build", "output", "check", "schema", "starter"},
    {"run"},
    {"cli", "serve"},
)
"""The site's modules from the ground up. Each may use those before it and its own layer, without a circle."""

EVALUATOR_MAY_USE = {"records", "benchmark", "stats", "media", "errors"}

HOMES = {
    "click": ("torus_site.cli", "torus_eval.cli"),
    "distributed": ("torus_eval.executors",),
    "faster_whisper": ("torus_eval.backbones",),
    "filelock": ("torus_eval.models", "torus_eval.runlog", "torus_eval.store"),
    "httpx": ("torus_eval.systems.http",),
    "jinja2": ("torus_site.render",),
    "jiwer": ("torus_eval.metrics.wer",),
    "lameenc": ("torus_site.media",),
    "livereload": ("torus_site.serve",),
    "markdown": ("torus_site.content",),
    "onnxruntime": ("torus_eval.backbones",),
    "pandas": ("torus_site.views",),
    "plotly": ("torus_site.views",),
    "soundfile": ("torus_site.media", "torus_eval.clips"),
    "tokenizers": ("torus_eval.backbones",),
    "tornado": ("torus_site.serve",),
    "watchfiles": ("torus_site.serve",),
}
"""The only modules, and what lies below them, that may import a library."""

DEFERRED = {"pandas", "plotly"}
"""Libraries so heavy that only the function that needs one may import it."""

SOURCES = list_sources()


def rank(module):
    """Return the layer of a module of the site, by the first name below the package."""
    part = module.split(".")[1]
    return next((place for place, layer in enumerate(LAYERS) if part in layer), None)


def is_within(module, homes):
    return any(module == home or module.startswith(f"{home}.") for home in homes)


@pytest.fixture(scope="module")
def modules():
    """Every module of both packages with its imports."""
    return {name_module(path): list_imports(path) for path in SOURCES}


def test_every_module_of_the_site_has_a_layer(modules):
    homeless = [name for name in modules if name.startswith("torus_site.") and rank(name) is None]
    assert homeless == [], "give each of these a place in LAYERS"


def test_imports_of_the_site_point_to_the_ground(modules):
    wrong = [
        f"{name}:{used.line} uses {used.module}, which stands above it"
        for name, imports in modules.items()
        if name.startswith("torus_site.")
        for used in imports
        if used.module.startswith("torus_site.") and (rank(used.module) or 0) > (rank(name) or 0)
    ]
    assert wrong == []


def test_the_evaluator_uses_only_the_ground_of_the_site(modules):
    wrong = [
        f"{name}:{used.line} uses {used.module}"
        for name, imports in modules.items()
        if is_within(name, ["torus_eval"])
        for used in imports
        if used.module.startswith("torus_site.") and used.module.split(".")[1] not in EVALUATOR_MAY_USE
    ]
    assert wrong == []


def test_the_site_never_uses_the_evaluator(modules):
    wrong = [
        f"{name}:{used.line}"
        for name, imports in modules.items()
        if is_within(name, ["torus_site"])
        for used in imports
        if is_within(used.module, ["torus_eval"])
    ]
    assert wrong == []


def test_no_circle_of_imports(modules):
    graph = {
        name: {
            used.module
            for used in imports
            # A package's own module may name the package: it is being loaded already.
            if used.module in modules and not used.is_typing and not is_within(name, [used.module])
        }
        for name, imports in modules.items()
    }
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail("a circle of imports: " + " -> ".join(error.args[1]))
    assert set(order) == set(modules)


@pytest.mark.parametrize("library", sorted(HOMES))
def test_library_is_imported_only_where_it_belongs(modules, library):
    wrong = [
        f"{name}:{used.line}"
        for name, imports in modules.items()
        for used in imports
        if is_within(used.module, [library]) and not is_within(name, HOMES[library])
    ]
    assert wrong == []


@pytest.mark.parametrize("library", sorted(DEFERRED))
def test_heavy_library_is_imported_inside_functions(modules, library):
    wrong = [
        f"{name}:{used.line}"
        for name, imports in modules.items()
        for used in imports
        if is_within(used.module, [library]) and not used.is_deferred and not used.is_typing
    ]
    assert wrong == []


@pytest.mark.parametrize("path", SOURCES, ids=name_inside)
def test_annotations_are_not_evaluated(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if any(not isinstance(node, ast.Expr) for node in tree.body):
        assert any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
