"""The scripts of the theme: their own tests pass, and their types hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support.programs import need_npm_file, need_program
from support.repository import TEMPLATES

pytestmark = pytest.mark.npm

HERE = Path(__file__).parent
SCRIPTS = sorted((TEMPLATES / "assets" / "js").glob("*.js"))
SUITES = sorted(HERE.glob("*.test.cjs"))


@pytest.mark.parametrize("suite", SUITES, ids=lambda path: path.name)
def test_suite_passes(suite):
    done = subprocess.run(
        [need_program("node"), "--test", "--test-reporter=tap", suite],
        capture_output=True,
        text=True,
        check=False,
    )
    counts = dict(re.findall(r"^# (pass|fail|skipped|cancelled) (\d+)$", done.stdout, re.MULTILINE))
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(counts["pass"]) > 0
    assert counts["skipped"] == counts["cancelled"] == "0"


def test_types_hold():
    compiler = need_npm_file("typescript/bin/tsc")
    done = subprocess.run(
        [need_program("node"), compiler, "--pretty", "false", "--project", HERE],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_asks_for_its_types_to_be_checked(script):
    assert script.read_text(encoding="utf-8").startswith("// @ts-check")
