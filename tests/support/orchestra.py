"""A small project that the evaluator can run: odd words for everything, two items, a system of a test."""

from __future__ import annotations

from factories import descriptor_data, item_data, question_data, write_project, write_toml
from support.heads import KEPT
from torus_eval.assembly import load_run
from torus_eval.executors import Crew
from torus_eval.export import export_runs
from torus_eval.runner import make_plan, run_plan
from torus_eval.systems.load import find_systems

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


def garden_descriptor(systems=(SYSTEM,), **changes):
    """A descriptor whose axis is not the usual one."""
    data = descriptor_data()
    seasons = {"id": "season", "title": "Season", "values": [{"id": s, "title": s} for s in PROMPTS]}
    declared = [declare(name, hue=hue) for hue, name in enumerate(systems)]
    return data | {"axes": [seasons], "systems": declared} | changes


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


def write_system(root, system=None, *, name=SYSTEM, arm="native-edit", **tables):
    """Write the file of a system whose calls an object of this process takes; return the file."""
    if system is not None:
        KEPT[name] = system
    way = {"python": {"target": "support.heads:bring", "options": {"name": name}}}
    data = {"schema": 1, "id": name, "arm": arm, "text": "A system of a test."}
    path = root / f"{name}.toml"
    write_toml(path, data | (tables or way))
    return path


def plan(root, *, name=SYSTEM, **how):
    """Plan the run of a system whose file lies in the project."""
    return make_plan(root, "toy", find_systems((str(root / f"{name}.toml"),))[0], **how)


def run(root, *, name=SYSTEM, into="runs", jobs=1, report=lambda _: None, **how):
    """Run a system whose file lies in the project; return how the run stands at its end."""
    place = root / into / "toy" / name
    return run_plan(plan(root, name=name, **how), place, Crew("thread", jobs), report=report)


def read(root, *, name=SYSTEM, into="runs"):
    """Read the run of a system."""
    return load_run(root, root / into / "toy" / name)


def export(root, *, names=(SYSTEM,), into="runs", output=None, **how):
    """Export runs; return the bytes of every file by its path."""
    output = output or root / f"export-{into}"
    paths = [root / into / "toy" / name for name in names]
    export_runs(root, paths, output, report=lambda _: None, **how)
    return read_tree(output)


def read_tree(root):
    """Return the bytes of every result and clip by its path."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("audio", "results")
        for path in sorted((root / folder).rglob("*"))
        if path.is_file()
    }
