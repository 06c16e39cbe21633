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

TYPE_RULES = (
    "--noEmit",
    "--allowJs",
    "--checkJs",
    "--strict",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom,dom.iterable",
    "--skipLibCheck",
    "--pretty",
    "false",
)


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
    if not SCRIPTS:
        pytest.skip("there are no scripts yet")
    need_program("node")
    compiler = need_npm_file("typescript/bin/tsc")
    declarations = sorted(HERE.glob("*.d.ts"))
    done = subprocess.run(
        [need_program("node"), compiler, *TYPE_RULES, *declarations, *SCRIPTS],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
