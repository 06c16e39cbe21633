from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner

from factories import write_toml
from support.mortal import NAME, SILENT, lay_fault, lay_pause, write_mortal
from support.repository import ROOT
from torus_eval.calls import Outcome, Slot
from torus_eval.cli import main
from torus_eval.cli.progress import Progress, draw_bar
from torus_eval.protocol import Count
from torus_eval.runner import Step
from torus_site.records.store import load_results

CALLS = 8
RUN = f"runs/toy/{NAME}"
TORUS_EVAL = [sys.executable, "-c", "from torus_eval.cli import main; main()"]
HEAVY = {"numpy", "soundfile", "pydantic", "httpx", "distributed", "onnxruntime", "torus_site.records"}
LOST = [
    f"{NAME}: edit of {item} autumn was lost: edit raised RuntimeError: the device  [31mis busy"
    for item in ("bell", "gong")
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = write_mortal(tmp_path / "project")
    monkeypatch.chdir(root)
    return root


def call(*words):
    """Run a command; an exception other than its exit fails the test, as a traceback would a person."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def run(*words):
    return call("run", "--benchmark", "toy", "--system", f"{NAME}.toml", *words)


def start(folder, *words, **streams):
    """Start the command as a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "tests"), "COLUMNS": "80"}
    return subprocess.Popen([*TORUS_EVAL, *map(str, words)], cwd=folder, env=env, **streams)


def test_run_says_how_it_ended_and_does_nothing_twice(project):
    first, second = run(), run()
    assert (first.exit_code, first.stdout, first.stderr) == (0, "", f"{NAME}: 8 done, 0 remaining\n")
    assert (second.exit_code, second.stderr) == (0, f"{NAME}: 8 done, 0 remaining; 8 cached\n")
    assert (project / RUN / "records.jsonl").read_bytes().count(b"\n") == CALLS


def test_quiet_run_says_nothing(project):
    done = run("-q")
    assert (done.exit_code, done.output) == (0, "")
    assert (project / RUN / "run.json").exists()


def test_runs_go_where_they_are_told_from_any_folder(project, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call(
        "run",
        *("--benchmark", "toy", "--project", project, "--system", project / f"{NAME}.toml"),
        *("--runs", tmp_path / "else", "--tests", "be*", "--limit", 1, "--orders", 2),
    )
    assert (done.exit_code, done.stderr) == (0, f"{NAME}: 6 done, 0 remaining\n")
    assert not (project / "runs").exists()
    status = call("status", tmp_path / "else" / "toy" / NAME, "--project", project)
    assert status.stdout.splitlines()[0] == f"{NAME} on toy, seed 0: 1 test"


@pytest.mark.usefixtures("project")
def test_without_a_system_those_of_the_benchmark_that_come_along_are_run():
    done = call("run", "--benchmark", "toy")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: --system: found none; expected a system file, or one of chance, ")


def test_calls_that_were_lost_are_told_and_made_again(project):
    fault = lay_fault(project / NAME, "edit")
    lost = run()
    assert lost.exit_code == 1
    lines = lost.stderr.splitlines()
    assert [*sorted(lines[:2]), *lines[2:]] == [
        *LOST,
        f"{NAME}: 4 done, 2 lost, 2 remaining",
        f"error: {RUN}: found 4 calls still owed; torus-eval status {RUN} says why; torus-eval retry {RUN}",
        "1 error",
    ]
    assert call("status", RUN).stdout.splitlines() == [
        f"{NAME} on toy, seed 0: 2 tests",
        "4 of 8 calls done, 4 owed",
        "  edit of gong autumn was lost: edit raised RuntimeError: the device  [31mis busy",
        "  edit of bell autumn was lost: edit raised RuntimeError: the device  [31mis busy",
        f"Go on with: torus-eval retry {RUN}",
    ]
    refused = call("export", RUN)
    assert refused.exit_code == 1
    assert "found 4 calls still owed; expected a complete run" in refused.stderr
    assert not (project / "results").exists()
    assert call("export", RUN, "--allow-incomplete", "--output", "part").exit_code == 0
    assert load_results(project / "part", "toy").run(NAME, "computed").status == "incomplete"
    fault.unlink()
    again = call("retry", RUN)
    assert (again.exit_code, again.stderr) == (0, f"{NAME}: 8 done, 0 remaining; 4 cached\n")
    assert call("status", RUN).stdout.splitlines()[1:] == ["8 of 8 calls done, 0 owed"]


def test_calls_that_failed_are_told_and_made_again_when_that_is_asked_for(project):
    silent = project / NAME / SILENT
    silent.touch()
    failed = run()
    assert failed.exit_code == 0
    *why, ending = failed.stderr.splitlines()
    assert [line.partition(" spring ")[2] for line in why] == ["failed: the model returned no audio"] * 2
    assert ending == f"{NAME}: 0 done, 2 failed, 6 not reached, 0 remaining"
    assert call("status", RUN).stdout.splitlines()[1] == "0 of 8 calls done, 0 owed, 2 failed, 6 not reached"
    silent.unlink()
    assert call("retry", RUN).stderr == f"{NAME}: 0 done, 2 failed, 6 not reached, 0 remaining; 2 cached\n"
    assert call("retry", RUN, "--failed").stderr == f"{NAME}: 8 done, 0 remaining\n"


def test_finished_run_is_scored_and_exported(project):
    run()
    scored = call("score", RUN)
    assert scored.exit_code == 0
    lines = scored.stdout.splitlines()
    assert lines[0] == f"{NAME} on toy"
    assert lines[1].split() == ["metric", "where", "right/asked", "value", "95", "%", "interval"]
    exported = call("export", RUN)
    assert exported.exit_code == 0
    assert exported.stderr == f"wrote results/toy/{NAME}.json\n"
    written = (project / "results" / "toy" / f"{NAME}.json").read_text(encoding="utf-8")
    assert call("score", RUN, "--json").stdout == written
    assert json.loads(written)["scores"]
    assert len(list((project / "audio" / "toy" / NAME).iterdir())) == 4


@pytest.mark.usefixtures("project")
def test_two_runs_are_compared():
    run()
    run("--runs", "others", "--seed", 3)
    done = call("compare", RUN, f"others/toy/{NAME}")
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{RUN} minus others/toy/{NAME}, on the 2 tests that both have.")
    wrong = call("compare", RUN, f"others/toy/{NAME}", "--subset", "cleer")
    assert wrong.exit_code == 1
    assert "--subset: found 'cleer'; expected one of all, clear; did you mean 'clear'?" in wrong.stderr


@pytest.mark.usefixtures("project")
def test_benchmark_that_measures_nothing_needs_no_models():
    run()
    first, second = call("measure", RUN), call("measure", RUN)
    assert (first.exit_code, first.stderr) == (0, f"{NAME}: measuring\n{NAME}: 0 scores measured\n")
    assert second.stderr == f"{NAME}: 0 scores already measured\n"


@pytest.mark.usefixtures("project")
def test_everything_wrong_with_a_run_is_told_at_once():
    done = call(
        "run",
        *("--benchmark", "toy", "--system", "chanse", "--system", "gone.toml", "--executor", "proces"),
    )
    assert done.exit_code == 1
    assert done.stdout == ""
    assert [line.partition(";")[0] for line in done.stderr.splitlines()] == [
        "error: --executor: found 'proces'",
        "error: --system: found 'chanse'",
        "error: gone.toml: found no such file",
        "3 errors",
    ]


def test_everything_wrong_with_several_systems_is_told_before_any_runs(project):
    head = {"schema": 1, "arm": "native-edit", "text": "A system."}
    write_toml(project / "one.toml", head | {"id": "one", "python": {"target": "no_such:Thing"}})
    write_toml(project / "two.toml", head | {"id": "two", "command": {"argv": ["no-such-program"]}})
    words = [word for name in (f"{NAME}.toml", "one.toml", "two.toml") for word in ("--system", name)]
    done = call("run", "--benchmark", "toy", *words, "--tests", "no*")
    assert done.exit_code == 1
    assert [line.partition(":")[2].partition(":")[0].strip() for line in done.stderr.splitlines()[:-1]] == [
        "--tests",
        "one.toml at /python/target",
        "two.toml at /command/argv",
    ]
    assert not (project / "runs").exists()


@pytest.mark.usefixtures("project")
def test_benchmark_and_system_that_are_not_there_are_told_together():
    done = call("run", "--benchmark", "tay", "--system", "chanse")
    assert done.exit_code == 1
    assert "no such file" in done.stderr
    assert "'chanse'" in done.stderr


def test_program_that_cannot_do_a_call_ends_the_run(project):
    child = (
        "import json, sys\n"
        "print(json.dumps({'torus_eval': 1, 'capabilities': ['answer']}), flush=True)\n"
        "sys.stdin.read()\n"
    )
    (project / "child.py").write_text(child, encoding="utf-8")
    data = {"schema": 1, "id": "mute", "arm": "native-edit", "text": "It hears."}
    write_toml(project / "mute.toml", data | {"command": {"argv": ["{python}", "child.py"]}})
    done = call("run", "--benchmark", "toy", "--system", "mute.toml")
    assert done.exit_code == 1
    assert re.fullmatch(
        "error: mute.toml at generate of (gong|bell): found the system cannot generate; it can answer; "
        "expected a system that can generate",
        done.stderr.splitlines()[-2],
    )


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", ["status", "retry", "score", "measure", "export"])
def test_folder_that_is_no_run_is_told(command):
    done = call(command, "runs/toy/nothing")
    assert done.exit_code == 1
    assert done.stderr.startswith(
        "error: runs/toy/nothing: found no such directory; expected a run directory"
    )
    assert done.stderr.endswith("\n1 error\n")


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "--benchmark", "toy", "--jobs", "0"),
        ("run", "--benchmark", "toy", "--seed", "-1"),
        ("run", "--benchmark", "toy", "--limit", "0"),
        ("run", "--benchmark", "toy", "--orders", "0"),
        ("run", "--benchmark", "toy", "--project", "/nowhere/at/all"),
        ("export",),
        ("compare", "one"),
        ("models", "delete"),
        ("walk",),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2(words):
    assert call(*words).exit_code == 2


def test_folder_that_cannot_be_written_is_told(project):
    (project / "runs").mkdir()
    (project / "runs" / "toy").write_text("a file", encoding="utf-8")
    done = run()
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: {RUN}: found Not a directory; make room or choose another")


def test_output_that_nobody_reads_to_its_end_is_no_error(project):
    run()
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        process = start(project, "score", RUN, "--json", stdout=closed, stderr=subprocess.PIPE)
        _, told = process.communicate()
    assert (process.returncode, told) == (1, b"")


def test_very_many_errors_of_a_file_are_counted(project):
    data = {"schema": 1, "id": "many", "arm": "native-edit", "text": "A system."}
    parts = {f"p{number}": {"model": "m"} for number in range(30)}
    write_toml(project / "many.toml", data | {"answer": "p1", "parts": parts})
    done = call("run", "--benchmark", "toy", "--system", "many.toml")
    lines = done.stderr.splitlines()
    assert (done.exit_code, len(lines)) == (1, 22)
    assert lines[-2:] == ["… and 10 more errors in many.toml", "30 errors"]


def test_systems_are_listed_within_80_columns():
    done = call("systems")
    assert done.exit_code == 0
    heads = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert heads == sorted(heads)
    assert {"chance: native-edit", "recaption: self-caption", "scene-cascade: cascaded"} <= set(heads)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_models_are_listed_with_state_source_and_licence(tmp_path, monkeypatch):
    monkeypatch.setenv("TORUS_MODELS", str(tmp_path))
    done = call("models", "list")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[::3] == ["whisper-tiny.en: missing", "yamnet: missing", "minilm: missing"]
    assert all(re.fullmatch(r"  from \S+ [\d.]+.*; licence: .+", line) for line in lines[2::3])


def test_unknown_model_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TORUS_MODELS", str(tmp_path))
    done = call("models", "install", "yamnett", "-q")
    assert done.exit_code == 1
    assert "did you mean 'yamnet'?" in done.stderr


def make_step(done, *, total=60, name="mine", call_of=None, outcome=None, **counts):
    cached, errors = counts.pop("cached", 0), counts.pop("errors", 0)
    return Step(name, Count(total=total, done=done, **counts), cached, errors, call_of, outcome)


def test_elsewhere_than_on_a_terminal_a_line_comes_every_ten_seconds(capsys):
    now = {"s": 0.0}
    progress = Progress(clock=lambda: now["s"])
    for second in range(35):
        now["s"] = float(second)
        progress.show(make_step(second))
    progress.finish(make_step(60))
    assert capsys.readouterr().err.splitlines() == [
        "mine: 10 done, 50 remaining",
        "mine: 20 done, 40 remaining",
        "mine: 30 done, 30 remaining",
        "mine: 60 done, 0 remaining",
    ]


def test_lost_call_is_told_at_once_in_one_line(capsys):
    progress = Progress(clock=lambda: 0.0)
    outcome = Outcome("error", "exited", "it ended\nby \x1b[2Jitself")
    progress.show(make_step(0, call_of=Slot("bell", "S1", "answer", "S1.1"), outcome=outcome))
    assert capsys.readouterr().err == "mine: answer of bell S1 S1.1 was lost: it ended by  [2Jitself\n"


def test_very_many_lost_calls_are_only_counted(capsys):
    progress = Progress(clock=lambda: 0.0)
    for number in range(30):
        outcome = Outcome("error", "exited", "it ended")
        progress.show(make_step(0, errors=number + 1, call_of=Slot("bell", "S1", "edit"), outcome=outcome))
    progress.finish(make_step(0, errors=30))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[19:] == [
        "mine: edit of bell S1 was lost: it ended",
        "mine: further calls without a result are only counted",
        "mine: 0 done, 30 lost, 30 remaining",
    ]


def test_quiet_progress_says_nothing(capsys):
    with Progress(is_quiet=True) as progress:
        progress.show(make_step(0, call_of=Slot("bell", "S1", "edit"), outcome=Outcome("error")))
        progress.finish(make_step(1))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
@pytest.mark.parametrize("name", ["a", "a-system-with-a-very-long-id-indeed"])
def test_bar_fits_its_line(columns, name):
    step = make_step(12_345, total=99_999, name=name, cached=4_321, errors=17, failed=11, unreached=100)
    line = draw_bar(step, columns)
    assert len(line) < columns
    assert ("━" in line) == (columns == 200)


def test_bar_is_full_when_nothing_remains():
    assert draw_bar(make_step(50, unreached=10), 80).count("━") == 24
    assert draw_bar(make_step(0, total=0), 80).count("━") == 0


def test_bar_on_a_terminal_stays_in_one_line_and_goes_at_the_end(project):
    lay_pause(project / NAME, "answer", 0.15)
    lay_fault(project / NAME, "edit")
    ours, theirs = pty.openpty()
    words = ("run", "--benchmark", "toy", "--system", f"{NAME}.toml")
    process = start(project, *words, stdout=theirs, stderr=theirs)
    os.close(theirs)
    told = read_all(ours)
    assert process.wait() == 1
    lines = told.replace("\r\n", "\n").split("\n")
    frames = [frame for line in lines for frame in line.split("\r\x1b[K")]
    bars = [frame for frame in frames if "─" in frame]
    assert len(bars) >= 2
    assert max(map(len, bars)) < 80
    # What stays on the screen is the text after the last time that the line was wiped.
    left = [re.sub(r"\x1b\[[0-9;]*m", "", line.rpartition("\r\x1b[K")[2]) for line in lines]
    stay = [line.partition(";")[0] for line in left if line]
    assert [*sorted(stay[:2]), *stay[2:]] == [
        *LOST,
        f"{NAME}: 4 done, 2 lost, 2 remaining",
        f"error: {RUN}: found 4 calls still owed",
        "1 error",
    ]


def read_all(descriptor):
    pieces = []
    # A terminal whose other end is closed says so by an error.
    while True:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(descriptor)
    return b"".join(pieces).decode()


def list_helps():
    nested = [("models", name) for name in main.commands["models"].commands]
    return [(), *((name,) for name in main.commands), *nested]


def test_help_of_every_command_fits_the_screen_and_loads_nothing_heavy():
    script = (
        "import sys\n"
        "from torus_eval.cli import main\n"
        f"for words in {list_helps()!r}:\n"
        "    try:\n"
        "        main([*words, '--help'])\n"
        "    except SystemExit as end:\n"
        "        assert not end.code\n"
        f"print(sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)\n"
    )
    env = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env)
    assert done.stderr.strip() == "[]"
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert done.stdout.count("Usage:") == len(list_helps())
    assert "..." not in re.sub(r"\w*\[?\w+\]?\.\.\.", "", done.stdout.replace("[ARGS]...", ""))


def test_commands_are_listed_in_the_order_in_which_they_are_needed():
    text = call("--help").stdout
    names = re.findall(r"^  (\w+) ", text[text.index("Commands:") :], re.MULTILINE)
    assert names[:4] == ["run", "status", "retry", "score"]
    assert names == list(main.commands)
