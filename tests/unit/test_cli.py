from __future__ import annotations

import json
import os
import pty
import select
import subprocess

import pytest

from support.built import find_command
from support.console import run_site
from support.projects import make_clip, small_files
from torus_site.cli import report
from torus_site.errors import Problem

COMMANDS = ("build", "serve", "check", "schema", "new")
LEFT_OVER = {"audio/toy/cascade/left-over.wav": make_clip(100.0)}
WARNING = "warning: audio/toy/cascade/left-over.wav: found a clip no results name; remove it\n1 warning\n"


@pytest.mark.parametrize(
    "words", [["--help"], ["-h"], *([command, "-h"] for command in COMMANDS)], ids=" ".join
)
def test_help_is_there_and_says_how_to_use_it(words):
    told = run_site(*words)
    assert told.code == 0
    assert told.out.startswith(f"Usage: main {'' if words[0].startswith('-') else words[0] + ' '}")


def test_commands_are_listed_in_the_order_a_user_meets_them():
    lines = run_site("--help").out.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)


def test_help_cuts_no_line():
    assert "..." not in run_site("--help").out.partition("Commands:")[2]


@pytest.mark.parametrize("command", ["build", "check", "serve"])
def test_a_folder_without_a_project_is_one_problem(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = run_site(command)
    assert (told.code, told.out) == (1, "")
    assert told.err == (
        f"error: {tmp_path.as_posix()}: found no site_src here; expected a project; "
        "name the project with --project, or make one with torus-site new\n1 error\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_the_packages():
    assert run_site("--version").out.startswith("torus-site, version ")


def test_a_build_says_where_the_site_is_and_what_it_did(make_site):
    project = make_site(small_files())
    told = run_site("build", "--project", project)
    assert told.code == 0
    assert told.out.startswith(f"Built {project}/build/index.html: ")
    assert told.out.endswith(" written, 0 unchanged, 0 removed.\n")
    assert told.err == ""
    assert run_site("build", "--project", project).out == f"Nothing changed in {project}/build.\n"


def test_the_output_is_below_the_project_unless_named(make_site, tmp_path):
    project = make_site(small_files())
    told = run_site("build", "--project", project, "--output", tmp_path / "else where")
    assert (told.code, (tmp_path / "else where/index.html").is_file()) == (0, True)
    assert not (project / "build").exists()


def test_a_quiet_build_says_nothing_but_problems(make_site):
    project = make_site(small_files())
    told = run_site("build", "-q", "--project", project)
    assert (told.code, told.out, told.err) == (0, "", "")
    told = run_site("build", "-q", "--project", project)
    assert (told.code, told.out, told.err) == (0, "", "")
    project = make_site(LEFT_OVER)
    told = run_site("build", "--quiet", "--project", project)
    assert (told.code, told.out, told.err) == (0, "", WARNING)


def test_a_verbose_build_says_what_is_done(make_site):
    told = run_site("build", "-v", "--project", make_site(small_files()))
    steps = [line.split(":")[0] for line in told.err.splitlines()]
    assert steps == ["clips", "files"]


def test_a_strict_build_takes_warnings_for_errors(make_site):
    project = make_site(small_files() | LEFT_OVER)
    told = run_site("build", "--strict", "--project", project)
    assert (told.code, told.out, told.err) == (1, "", WARNING)
    told = run_site("build", "--project", project)
    assert (told.code, told.err) == (0, WARNING)


def test_check_says_that_all_is_well(make_site):
    project = make_site(small_files())
    told = run_site("check", "--project", project)
    assert (told.code, told.out, told.err) == (0, "No problems.\n", "")
    assert not (project / "build").exists()


def test_check_tells_warnings_and_fails_for_them_when_strict(make_site):
    project = make_site(small_files() | LEFT_OVER)
    told = run_site("check", "--project", project)
    assert (told.code, told.out, told.err) == (0, "", WARNING)
    assert run_site("check", "--strict", "--project", project).code == 1


def test_check_looks_at_a_built_site(make_site):
    project = make_site(small_files())
    run_site("build", "--project", project)
    assert run_site("check", project / "build").out == "No problems.\n"
    (project / "build/about/index.html").unlink()
    told = run_site("check", project / "build")
    assert told.code == 1
    assert any("a link to 'about/index.html'" in line for line in told.errors)


@pytest.mark.parametrize("name", ["site", "descriptor", "item", "results"])
def test_a_schema_is_printed_as_json(name):
    told = run_site("schema", name)
    assert told.code == 0
    assert json.loads(told.out)["$schema"].startswith("https://json-schema.org/")


def test_new_makes_a_project_and_says_how_to_go_on(tmp_path):
    told = run_site("new", tmp_path / "demo")
    folder = tmp_path / "demo"
    assert told.out == f"Made {folder}. Build it with: torus-site build --project {folder}\n"
    assert (folder / "site_src/site.toml").is_file()


def test_errors_come_before_warnings_and_are_counted(capsys):
    report(
        (
            Problem("b.toml", found="y", severity="warning"),
            Problem("a.toml", found="x"),
            Problem("c.toml", found="z"),
        )
    )
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "error: a.toml: found x",
        "error: c.toml: found z",
        "warning: b.toml: found y",
        "2 errors, 1 warning",
    ]


def test_of_a_file_with_very_many_problems_the_first_are_printed_and_all_counted(capsys):
    many = [Problem("a.json", f"/items/{number:02}", "x") for number in range(23)]
    report(
        (
            *many,
            Problem("b.json", found="y"),
            *(Problem("c.json", f"{n}", severity="warning") for n in range(21)),
        )
    )
    lines = capsys.readouterr().err.splitlines()
    assert [sum(line.startswith(f"error: {file}") for line in lines) for file in ("a", "b")] == [20, 1]
    assert "error: a.json at /items/19: found x" in lines
    assert "… and 3 more errors in a.json" in lines
    assert lines[-2:] == ["… and 1 more warning in c.json", "24 errors, 21 warnings"]


def test_nothing_is_reported_of_no_problems(capsys):
    report(())
    assert capsys.readouterr() == ("", "")


def test_an_interrupted_build_ends_without_a_traceback(make_site, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("torus_site.run.run", interrupt)
    told = run_site("build", "--project", make_site(small_files()))
    assert (told.code, told.err.strip()) == (1, "Aborted!")


def test_a_bug_is_not_taken_for_a_mistake_of_the_user(make_site, monkeypatch):
    def fail(*_, **__):
        message = "a bug"
        raise RuntimeError(message)

    monkeypatch.setattr("torus_site.run.run", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        run_site("build", "--project", make_site(small_files()))


def test_a_reader_that_leaves_early_brings_no_traceback():
    words = f"{find_command()} schema results | head -c 1"
    done = subprocess.run(words, shell=True, capture_output=True, text=True, check=True)  # noqa: S602  a pipe
    assert (done.stdout, done.stderr) == ("{", "")


def run_on_terminal(*words):
    """Run a command whose output goes to a terminal, and return what it showed there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([find_command(), *words], stdout=theirs, stderr=theirs, stdin=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                ready, _, _ = select.select([ours], [], [], 60)
                part = os.read(ours, 65536) if ready else b""
            except OSError:
                break
            if not part:
                break
            shown += part
        process.wait(60)
    os.close(ours)
    return process.returncode, shown.decode()


def test_a_terminal_gets_a_bar_that_goes_away_and_a_line_that_stays(make_site):
    project = make_site(small_files())
    code, shown = run_on_terminal("build", "--project", str(project))
    assert code == 0
    assert "━" in shown
    assert "clips" in shown
    last = shown.rstrip("\r\n").splitlines()[-1].rpartition("\x1b[K")[2]
    assert last.startswith(f"Built {project}/build/index.html: ")


def test_a_terminal_gets_colour_and_other_readers_none(make_site):
    project = make_site({"site_src/site.toml": "schema = 1"})
    _, shown = run_on_terminal("build", "--project", str(project))
    assert "\x1b[31m" in shown
    told = run_site("build", "--project", project)
    assert "\x1b" not in told.err
    assert told.err.startswith("error: ")


def test_a_quiet_build_draws_no_bar(make_site):
    code, shown = run_on_terminal("build", "-q", "--project", str(make_site(small_files())))
    assert (code, shown) == (0, "")
