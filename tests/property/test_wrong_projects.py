"""Whatever value stands wherever in a project, the answer is a list of problems or a site that renders."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.oddities import odd_files
from support.projects import write_files
from torus_site.build import plan
from torus_site.errors import TorusError

REMOVED = object()
VALUES = [REMOVED, "", "x", "a/../b <&\"' \u202e", 0, -1, 1e300, True, [], {}, ["x"], {"x": "y"}]
TEXTS = (".html", ".json", ".csv")


def list_places(data, at=()):
    """Yield the way to every value in nested dictionaries and lists."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from list_places(value, (*at, key))


FILES = odd_files()
PLACES = [
    (name, place) for name, data in FILES.items() if isinstance(data, dict) for place in list_places(data)
]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A right project with its clips known."""
    root = write_files(tmp_path_factory.mktemp("wrong") / "project", FILES)
    make_plan(root)
    return root


def make_plan(root):
    return plan(root, cache=root / ".cache", jobs=1, progress=lambda *_: None)


def list_problems(root):
    """Return what is wrong with a project; one that is right is rendered to its last page."""
    try:
        texts = [entry for entry in make_plan(root).entries if entry.path.endswith(TEXTS)]
    except TorusError as error:
        return error.problems
    assert all(entry.make() for entry in texts)
    return ()


@settings(max_examples=40, deadline=None)
@given(where=st.sampled_from(PLACES), value=st.sampled_from(VALUES))
def test_a_wrong_value_anywhere_gives_problems_or_a_plan_that_renders(root, where, value):
    name, (*way, last) = where
    data = copy.deepcopy(FILES[name])
    inner = data
    for key in way:
        inner = inner[key]
    if value is REMOVED:
        del inner[last]
    else:
        inner[last] = value
    write_files(root, {name: data})
    problems = list_problems(root)
    write_files(root, {name: FILES[name]})
    assert all(problem.file and problem.found for problem in problems)
