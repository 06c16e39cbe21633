"""Every command and option is documented, and starting a command stays light."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys

import click
import pytest

from support.repository import DOCS

PROGRAMS = {"torus-site": "torus_site.cli", "torus-eval": "torus_eval.cli"}
HEAVY = {"numpy", "pandas", "plotly", "soundfile", "scipy", "livereload", "tornado", "watchfiles", "markdown"}


def list_commands():
    """Return every command with its program and its parameters."""
    groups = {program: importlib.import_module(module).main for program, module in PROGRAMS.items()}
    return [(program, *found) for program, group in groups.items() for found in walk(group)]


def walk(group, above=""):
    """Yield every command below a group with its name, those of nested groups too."""
    for name, command in sorted(group.commands.items()):
        yield f"{above}{name}", command
        if isinstance(command, click.Group):
            yield from walk(command, f"{above}{name} ")


OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")

every_command = pytest.mark.parametrize(
    ("program", "name", "command"), list_commands(), ids=lambda part: part if isinstance(part, str) else ""
)


@every_command
def test_command_is_documented_with_every_option(program, name, command):
    section = find_section(program, name)
    assert section, f"docs/commands.md has no heading for {program} {name}"
    for other in re.findall(r"options of `(\w+)`", section):
        section += find_section(program, other)
    documented = set(OPTION.findall(section))
    options = {
        option
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    assert sorted(options - documented) == []
    rows = "\n".join(re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE))
    assert sorted(set(OPTION.findall(rows)) - options) == []


def find_section(program, name):
    """Return the text below the heading of a command."""
    heading = re.compile(rf"^#+ `?{program} {name}\b.*?(?=^#+ `?torus-|^# |\Z)", re.DOTALL | re.MULTILINE)
    match = heading.search((DOCS / "commands.md").read_text(encoding="utf-8"))
    return match[0] if match else None


@every_command
def test_command_and_options_say_what_they_do(program, name, command):
    assert command.get_short_help_str(), f"{program} {name} has no help"
    silent = [
        parameter.opts[0]
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.help
    ]
    assert silent == []


def loaded_by(*words):
    """Return the heavy libraries that a run of the command line loads."""
    script = (
        "import json, sys\n"
        "from torus_site.cli import main\n"
        f"sys.argv = ['torus-site', *{list(words)!r}]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return HEAVY & set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("words", [["--help"], ["build", "--help"], ["--version"]], ids=" ".join)
def test_asking_for_help_loads_nothing_heavy(words):
    assert loaded_by(*words) == set()


def test_build_with_nothing_to_do_loads_nothing_heavy(tmp_path):
    project = tmp_path / "fresh"
    assert loaded_by("new", str(project)) == set()
    build = ("build", "-q", "--project", str(project))
    assert loaded_by(*build) != set()
    assert loaded_by(*build) == set()
