"""A small project that the evaluator can run: odd words for everything, two items, a system of a test."""

from __future__ import annotations

from factories import descriptor_data, item_data, question_data, write_project

SYSTEM = "player"
PROMPTS = {
    "spring": "A quiet room. Three knocks, then a bell.",
    "autumn": "The same knocks, louder, in a hall.",
}
KEYS = {"spring": "C", "autumn": "B"}
CALLS = 8
"""What the two items ask of a system that edits: a clip and an answer at each of two points."""


def garden_item(name, **changes):
    """An item with two seasons, one question each."""
    cells = [
        {
            "at": {"season": season},
            "operation": "make" if season == "spring" else "edit",
            "prompt": prompt,
            "questions": [
                question_data("S1.1", id=f"{season}.1", key=KEYS[season], text="How many knocks are there?")
            ],
        }
        for season, prompt in PROMPTS.items()
    ]
    return item_data(name, cells=cells, **changes)


def garden_descriptor(**changes):
    """A descriptor whose axis is not the usual one."""
    data = descriptor_data()
    seasons = {"id": "season", "title": "Season", "values": [{"id": s, "title": s} for s in PROMPTS]}
    return data | {"axes": [seasons], "systems": [declare(SYSTEM)]} | changes


def declare(name, **changes):
    """The entry of a computed system in a descriptor."""
    return {
        "id": name,
        "title": name,
        "source": "computed",
        "hue": 0,
        "facets": {"arm": "baseline"},
    } | changes


def write_garden(root, names=("gong", "bell"), **changes):
    """Write the project and return its folder."""
    items = [garden_item(name, order=order) for order, name in enumerate(names)]
    return write_project(root, descriptor=garden_descriptor(**changes), items=items)
