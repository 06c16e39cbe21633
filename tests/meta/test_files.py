"""Files stay short, suppressions give their reason, nothing tracked tells on which machine it was written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.repository import ROOT, list_sources, list_templates, list_tracked, name_inside

SHORTEST, LONGEST = 30, 400
SHORT_BY_NATURE = {
    "evaluator/torus_eval/errors.py",  # one error class
    "evaluator/torus_eval/listening/claims.py",  # one value that several heads pass on
    "evaluator/torus_eval/seeds.py",  # one function that every head uses
    "generator/torus_site/records/migrate.py",  # a table that grows with each schema version
}
VAGUE = {"utils", "util", "helper", "helpers", "manager", "common", "misc"}

SUPPRESSION = re.compile(r"#\s*(?:noqa|type:\s*ignore|pragma:\s*no cover|fmt:\s*off)(?P<rest>.*)")
CODES = r"(?::\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|\[[a-z-]+(?:,\s*[a-z-]+)*\])"
REASON = re.compile(rf"^{CODES}?[\s#-]*\w.{{4,}}")

LEAKS = {
    "a folder of one machine": re.compile(r"(?<![\w.])/(?:home|Users|root|work)/[\w.-]+"),
    "a package registry's host": re.compile(
        r"\b(?:registry\.npmjs|files\.pythonhosted|pypi\.org|deb\.debian)\b"
    ),
    "a Windows profile": re.compile(r"\b[A-Z]:\\Users\\\w+"),
}


def read_text(path):
    """Return a text file's text, nothing for a clip or a picture."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize("path", list_sources(), ids=name_inside)
def test_source_file_has_a_readable_length(path):
    lines = len(read_text(path).splitlines())
    shortest = 0 if path.name == "__init__.py" or name_inside(path) in SHORT_BY_NATURE else SHORTEST
    assert shortest <= lines <= LONGEST, f"{name_inside(path)} has {lines} lines"


@pytest.mark.parametrize("path", list_templates(), ids=name_inside)
def test_template_has_a_readable_length(path):
    lines = len(read_text(path).splitlines())
    assert lines <= LONGEST, f"{name_inside(path)} has {lines} lines"


def test_no_file_has_a_vague_name():
    vague = [
        name_inside(path) for path in list_tracked() if VAGUE & set(re.split(r"[^a-z]", path.stem.lower()))
    ]
    assert vague == []


def test_every_suppression_gives_its_reason():
    bare = [
        f"{name_inside(path)}:{number}"
        for path in list_tracked()
        if path.suffix == ".py" and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in SUPPRESSION.finditer(line)
        if not REASON.match(match["rest"])
    ]
    assert bare == [], "write why behind `# noqa: CODE` or `# type: ignore[code]`"


@pytest.mark.parametrize(
    ("rest", "is_reasoned"),
    [
        (": S603  # starts our own program", True),
        ("[arg-type]  # numpy's stub is wrong", True),
        (": S603", False),
        ("", False),
    ],
)
def test_reason_is_told_from_none(rest, is_reasoned):
    assert bool(REASON.match(rest)) == is_reasoned


@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_tracked_files_tell_no_machine(leak):
    own = re.escape(str(ROOT))
    pattern = re.compile(f"{LEAKS[leak].pattern}|{own}(?![\\w.-])")
    found = [
        f"{name_inside(path)}:{number}: {line.strip()[:80]}"
        for path in list_tracked()
        if path != Path(__file__)
        for number, line in enumerate(read_text(path).splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == [], f"{leak} stands in a tracked file"


def test_license_and_changelog_are_there():
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert re.search(r"^## Unreleased$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_version_stands_in_one_file_only():
    version = re.search(
        r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert version
    repeated = [
        name_inside(path)
        for path in list_sources()
        if re.search(rf"__version__|[\"']{re.escape(version[1])}[\"']", path.read_text(encoding="utf-8"))
    ]
    assert repeated == []
