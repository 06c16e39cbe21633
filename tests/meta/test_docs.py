"""What the documentation shows holds: examples run, commands print what is shown, data parses, links lead."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import tomllib

import pytest

from support.built import find_command, run_command
from support.documents import list_blocks, list_documents, list_steps
from support.repository import ROOT, name_inside

DOCUMENTS = list_documents()
OURS = ("torus-site", "torus-eval")
MOVING = (r"\d+(?:\.\d+)? m?s\b", r"\d+ files?\b")
"""What a run prints anew each time: durations and counts of files are compared by shape alone."""

every_document = pytest.mark.parametrize("path", DOCUMENTS, ids=name_inside)


def blocks_of(path, *languages):
    return [block for block in list_blocks(path) if block.language in languages]


@every_document
def test_python_examples_give_what_they_show(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    wrong: list[str] = []
    for block in blocks_of(path, "python"):
        if ">>>" not in block.text:
            compile(block.text, f"{path.name}:{block.line}", "exec")
            continue
        example = doctest.DocTestParser().get_doctest(block.text, names, path.name, str(path), block.line - 1)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        runner.run(example, out=wrong.append, clear_globs=False)
        names = example.globs
    assert not wrong, "".join(wrong)


@every_document
def test_data_blocks_parse(path):
    parsers = {"toml": tomllib.loads, "json": json.loads}
    for block in blocks_of(path, *parsers):
        try:
            parsers[block.language](block.text)
        except ValueError as error:
            pytest.fail(f"{path.name}:{block.line}: {error}")
    assert path.exists()


@every_document
def test_commands_print_what_is_shown(path, tmp_path):
    steps = [step for block in blocks_of(path, "console") for step in list_steps(block)]
    ours = [step for step in steps if step.command.split()[0] in OURS]
    if not ours:
        return
    run_command("new", "my-benchmark", cwd=tmp_path)
    for step in ours:
        words = shlex.split(step.command)
        if words[:2] == ["torus-site", "serve"]:
            continue
        if words[:2] == ["torus-site", "new"] and (tmp_path / words[-1]).exists():
            (tmp_path / words[-1]).rename(tmp_path / f"{words[-1]}-line-{step.line}")
        done = subprocess.run(
            [find_command(words[0]), *words[1:]],
            cwd=tmp_path if words[1:2] == ["new"] or "--project" in words else tmp_path / "my-benchmark",
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "COLUMNS": "100"},
        )
        place = f"{path.name}:{step.line}: {step.command}"
        assert "Traceback" not in done.stderr, f"{place}\n{done.stderr}"
        if step.output:
            shown, printed = settle(step.output), settle(done.stdout + done.stderr)
            checker = doctest.OutputChecker()
            assert checker.check_output(shown, printed, doctest.ELLIPSIS), f"{place}\n{printed}"
        else:
            assert done.returncode == 0, f"{place}\n{done.stdout}{done.stderr}"


def settle(text):
    """Put one word in place of what differs from run to run."""
    for pattern in MOVING:
        text = re.sub(pattern, "<moving>", text)
    return "".join(f"{line.rstrip()}\n" for line in text.strip().splitlines())


@every_document
def test_links_between_documents_lead_somewhere(path):
    prose = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        file, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        goal = (path.parent / file).resolve() if file else path
        if not goal.exists() or (anchor and goal.suffix == ".md" and anchor not in list_anchors(goal)):
            broken.append(target)
    assert broken == []


def list_anchors(path):
    """Return the anchors a reader of the repository gets from headings."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_page_of_the_documentation_is_linked_from_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [name_inside(path) for path in DOCUMENTS if path.parent != ROOT]
    assert [page for page in pages if f"({page}" not in readme] == []
