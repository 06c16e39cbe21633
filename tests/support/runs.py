"""Runs of systems that a test gives, over the small project, inside the test's own process."""

from __future__ import annotations

from factories import write_toml
from support.heads import KEPT, Watched
from support.orchestra import SYSTEM, write_garden
from torus_eval.assembly import load_run
from torus_eval.executors import Crew
from torus_eval.export import export_runs
from torus_eval.runner import make_plan, run_plan
from torus_eval.systems.load import find_systems


def write_system(root, system=None, *, name=SYSTEM, arm="native-edit", **tables):
    """Write the file of a system whose calls an object of this process takes; return the file."""
    if system is not None:
        KEPT[name] = system
    way = {"python": {"target": "support.heads:bring", "options": {"name": name}}}
    data = {"schema": 1, "id": name, "arm": arm, "text": "A system of a test."}
    path = root / f"{name}.toml"
    write_toml(path, data | (tables or way))
    return path


def plant_garden(folder):
    """Write the small project with a system whose answers are known; return its folder."""
    root = write_garden(folder / "garden")
    write_system(root, Watched(wanted="three"))
    return root


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
