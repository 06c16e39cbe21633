"""Where the pieces of this repository are, independent of the working directory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (ROOT / "generator" / "torus_site", ROOT / "evaluator" / "torus_eval")
TEMPLATES = ROOT / "templates"
CONTENT = ROOT / "site_src"
DOCS = ROOT / "docs"


def list_sources() -> list[Path]:
    """Return every Python file of the two packages, sorted."""
    return sorted(path for package in PACKAGES for path in package.rglob("*.py"))


def list_templates() -> list[Path]:
    """Return every template, style sheet and script that a browser sees, sorted."""
    kinds = {".html", ".css", ".js", ".svg", ".json"}
    return sorted(path for path in TEMPLATES.rglob("*") if path.suffix in kinds)


def list_tracked() -> list[Path]:
    """Return every file that git tracks, or skip where there is no git checkout."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("needs git and a checkout to know which files are tracked")
    listing = subprocess.run(
        [git, "-c", "core.quotePath=false", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    names = listing.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def name_inside(path: Path) -> str:
    """Return a path relative to the repository, with forward slashes."""
    return path.relative_to(ROOT).as_posix()
