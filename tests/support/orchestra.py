"""A small project that the evaluator can run: odd words for everything, two items, two systems."""

from __future__ import annotations

from factories import descriptor_data, item_data, question_data, write_project

SYSTEMS = ("chance", "dsp-native")
PROMPTS = {
    "spring": "A quiet room. Three knocks, then a bell.",
    "autumn": "The same knocks, louder, in a hall.",
}
KEYS = {"spring": "C", "autumn": "B"}


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
    systems = [
        {"id": name, "title": name, "source": "computed", "hue": hue, "facets": {"arm": "baseline"}}
        for hue, name in enumerate(SYSTEMS)
    ]
    return data | {"axes": [seasons], "systems": systems} | changes


def write_garden(root, names=("gong", "bell"), **changes):
    """Write the project and return its folder."""
    items = [garden_item(name, order=order) for order, name in enumerate(names)]
    return write_project(root, descriptor=garden_descriptor(**changes), items=items)
