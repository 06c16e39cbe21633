"""A run that requires the browser cannot look like a success when a test was skipped or none ran."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.repository import ROOT

SKIPPED = """
import pytest

@pytest.mark.{mark}
def test_that_is_skipped():
    pytest.skip("needs a thing that is not here")
"""
RULES = "[pytest]\nmarkers =\n  browser\n  npm\n  slow\n"
PASSED = """
import pytest

@pytest.mark.{mark}
def test_that_passes():
    assert True
"""


@pytest.fixture
def run(tmp_path):
    """A function that runs a test file under this project's rules; it returns exit code and output."""

    def run_pytest(text, *options):
        (tmp_path / "test_written.py").write_text(text, encoding="utf-8")
        (tmp_path / "pytest.ini").write_text(RULES, encoding="utf-8")
        told = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "TORUS"))}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider", *options, tmp_path],
            cwd=tmp_path,
            env={**told, "PYTHONPATH": str(ROOT / "tests")},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    return run_pytest


@pytest.mark.parametrize(("mark", "workers"), [("browser", ["-n", "1"]), ("npm", [])])
def test_skip_fails_where_the_browser_is_required(run, mark, workers):
    code, said = run(SKIPPED.format(mark=mark), "--require-browser", *workers)
    assert code == 1
    assert "must not be skipped here" in said
    assert "needs a thing that is not here" in said


def test_skip_is_told_elsewhere(run):
    code, said = run(SKIPPED.format(mark="browser"), "-rs")
    assert code == 0
    assert "needs a thing that is not here" in said


def test_run_without_a_browser_test_fails_where_one_is_required(run):
    code, said = run(PASSED.format(mark="slow"), "--require-browser")
    assert code == 1
    assert "no browser test ran" in said


def test_run_with_a_browser_test_passes(run):
    code, _ = run(PASSED.format(mark="browser"), "--require-browser", "-n", "1")
    assert code == 0
