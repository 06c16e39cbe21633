"""A descriptor knows its letters and its points."""

from __future__ import annotations

import factories


def test_letters_are_as_many_as_options():
    assert factories.make_descriptor().letters == "ABC"
    assert factories.make_descriptor(options=None).letters == ""


def test_points_run_along_the_last_axis_first():
    axes = [
        {"id": "stage", "title": "Stage", "values": [{"id": "S1", "title": "1"}, {"id": "S2", "title": "2"}]},
        {"id": "take", "title": "Take", "values": [{"id": "a", "title": "a"}, {"id": "b", "title": "b"}]},
    ]
    assert factories.make_descriptor(axes=axes).points == (
        {"stage": "S1", "take": "a"},
        {"stage": "S1", "take": "b"},
        {"stage": "S2", "take": "a"},
        {"stage": "S2", "take": "b"},
    )
    assert factories.make_descriptor(axes=[]).points == ({},)
