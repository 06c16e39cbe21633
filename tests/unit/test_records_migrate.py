"""Old results are brought forward step by step, and only by known steps."""

from __future__ import annotations

import pytest

from torus_site.records.migrate import STEPS, migrate
from torus_site.records.model import SCHEMA_VERSION

TWO_STEPS = {
    1: lambda old: {**old, "schema": 2, "first": True},
    2: lambda old: {**old, "schema": 3, "second": old["first"]},
}


def test_every_step_from_the_version_on_is_taken():
    assert migrate({"schema": 1}, steps=TWO_STEPS) == {"schema": 3, "first": True, "second": True}


@pytest.mark.parametrize("data", [[], None, {}, {"schema": "1"}, {"schema": 3}, {"schema": [1]}])
def test_what_has_no_known_version_stays_as_it_is(data):
    assert migrate(data, steps=TWO_STEPS) is data


def test_every_older_version_has_a_step():
    assert sorted(STEPS) == list(range(1, SCHEMA_VERSION))
