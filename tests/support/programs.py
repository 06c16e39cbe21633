"""Programs from outside Python that some tests need, and the skip that names the missing one."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from support.repository import ROOT

if TYPE_CHECKING:
    from pathlib import Path

NODE_MODULES = ROOT / "tests" / "node_modules"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)
"""A browser that asks no host for anything by itself and may run as root in a container."""


def find_chromium() -> str | None:
    """Return Chromium's path: the variable CHROMIUM, else the first known name on PATH."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


def need_chromium() -> str:
    """Return Chromium's path or skip the test."""
    path = find_chromium()
    if path is None:
        pytest.skip("needs Chromium: install the package chromium, or set CHROMIUM to its path")
    return path


def need_program(name: str) -> str:
    """Return the path of a program on PATH or skip the test."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"needs the program {name}")
    return path


def need_npm_file(inside: str) -> Path:
    """Return a file of an npm package of tests/package.json or skip the test."""
    path = NODE_MODULES / inside
    if not path.exists():
        package = inside.partition("/")[0]
        pytest.skip(f"needs the npm package {package}: run `npm install` in tests/")
    return path
