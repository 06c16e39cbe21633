from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from support.children import (
    PATIENCE_S,
    SPEAK,
    is_running,
    make_clip,
    open_example,
    open_script,
    opening_scripts,
)
from torus_eval.answering.questions import Asked
from torus_eval.errors import CallError, EvaluationError, OutputError
from torus_eval.systems.command import open_command
from torus_eval.systems.model import CommandWay

needs_proc = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="tells living processes by /proc")  # noqa: PTH112 -- no path of the project
pytestmark = [
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="this way in needs process groups"),
    needs_proc,
    pytest.mark.slow,
]


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch):
    monkeypatch.setattr("torus_eval.systems.child.GRACE_S", 0.3)


@pytest.fixture
def script(tmp_path):
    with opening_scripts(tmp_path) as start:
        yield start


def wait_until(is_so):
    """Wait for something to become so, and say whether it did."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def read_numbers(path):
    """Read process numbers that a child wrote, once they are there."""
    assert wait_until(lambda: path.exists() and path.read_text().endswith("\n"))
    return [int(word) for word in path.read_text().split()]


def caption(system):
    """Make one call."""
    return system.caption(make_clip(), seed=1)


def fail_to_caption(system):
    """Make one call that does not come back."""
    with pytest.raises(CallError) as caught:
        caption(system)
    return caught.value


# What a child prints


@pytest.mark.parametrize(
    "noise",
    [
        "print('Loading weights...', flush=True)",
        "print('no end of line', end='', flush=True)",
        "print('half an object {\"id\": ', end='', flush=True)",
        "sys.stdout.buffer.write(bytes(range(256)) * 9); sys.stdout.flush()",
        "print('{' * 5000, flush=True)",
        "print(json.dumps({'id': 1, 'status': 'busy'}), flush=True)",
        "print('got', json.dumps(asked), end=' ', flush=True)",
        "os.system('echo from a grandchild')",
        "print('x' * 3_000_000, flush=True)",
    ],
)
def test_stray_prints_do_not_break_the_protocol(script, noise):
    system = script(f"""
        asked = {{"id": 1, "call": "edit", "clip": {{"path": "x"}}}}
        {noise}
        hello()
        while True:
            asked = hear()
            {noise}
            say(id=asked["id"], text="reply %d" % asked["id"])
            {noise}
    """)
    assert [caption(system) for _ in range(3)] == ["reply 1", "reply 2", "reply 3"]


def test_calls_from_several_threads_wait_for_one_another(script):
    system = script("""
        hello()
        while True:
            asked = hear()
            say(id=asked["id"], text=asked["question"])
    """)
    texts = [f"question {number}" for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        replies = pool.map(lambda text: system.answer(make_clip(), Asked(text, {"A": "a"}), seed=1), texts)
        assert list(replies) == texts


def test_replies_with_other_ids_are_passed_over(script):
    system = script("""
        hello()
        while True:
            n = hear()["id"]
            for number in (n - 1, n + 1, -1, n, n):
                say(id=number, text=f"{number} of {n}")
            hello()
    """)
    assert [caption(system) for _ in range(3)] == ["1 of 1", "2 of 2", "3 of 3"]


def test_more_than_any_pipe_holds_on_stderr_stops_nobody(script):
    system = script("""
        hello()
        while True:
            n = hear()["id"]
            sys.stderr.write("warning\\n" * 300_000)
            say(id=n, text="done")
    """)
    assert [caption(system), caption(system)] == ["done", "done"]


def test_long_lines_go_both_ways_at_once(script):
    system = script("""
        print("y" * 3_000_000, flush=True)
        hello()
        print("y" * 3_000_000, flush=True)
        while True:
            asked = hear()
            say(id=asked["id"], error={"kind": "output", "message": asked["prompt"] * 2})
    """)
    prompt = "long " * 400_000
    with pytest.raises(OutputError) as caught:
        system.generate(prompt, seed=1)
    assert caught.value.message == "python child.py said: " + prompt * 2


# Deadlines and ends


def test_a_call_past_its_deadline_ends_the_child_and_the_next_starts_it_anew(script, tmp_path):
    system = script(
        """
        with open("started", "a") as file:
            file.write(f"{os.getpid()}\\n")
        print("thinking", file=sys.stderr, flush=True)
        hello()
        n = hear()["id"]
        if len(open("started").readlines()) == 1:
            time.sleep(600)
        say(id=n, text="in time")
        hear()
        """,
        deadline_s=0.3,
    )
    fault = fail_to_caption(system)
    assert fault.code == "deadline"
    assert fault.message == "python child.py did not reply within 0.3 s; last lines: thinking"
    assert wait_until(lambda: not is_running(read_numbers(tmp_path / "started")[0]))
    system._way = system._way.model_copy(update={"deadline_s": PATIENCE_S})
    assert caption(system) == "in time"


@pytest.mark.parametrize("own_ears", ["pass", "signal.signal(signal.SIGTERM, signal.SIG_IGN)"])
def test_a_deadline_ends_grandchildren_too_even_if_they_do_not_listen(script, tmp_path, own_ears):
    system = script(
        f"""
        {own_ears}
        sleep = [sys.executable, "-c", "import signal, time; {own_ears}; print(flush=True); time.sleep(600)"]
        other = subprocess.Popen(sleep, stdout=subprocess.PIPE)
        other.stdout.readline()
        with open("numbers", "w") as file:
            file.write(f"{{os.getpid()}} {{other.pid}}\\n")
        hello()
        time.sleep(600)
        """,
        deadline_s=0.3,
    )
    numbers = read_numbers(tmp_path / "numbers")
    assert all(map(is_running, numbers))
    assert fail_to_caption(system).code == "deadline"
    assert wait_until(lambda: not any(map(is_running, numbers)))


def test_a_child_that_does_not_read_a_long_request_meets_the_deadline(script):
    system = script("hello()\ntime.sleep(600)", deadline_s=0.3)
    with pytest.raises(CallError, match=r"did not read its request within 0\.3 s") as caught:
        system.generate("x" * 1_000_000, seed=1)
    assert caught.value.code == "deadline"


def test_no_hello_in_time_is_told(script):
    with pytest.raises(CallError, match=r"said no hello within 0\.3 s") as caught:
        script("time.sleep(600)", start_s=0.3)
    assert caught.value.code == "deadline"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("sys.exit(3)", "ended with exit status 3; last lines: a | b"),
        ("sys.exit(0)", "ended with exit status 0; last lines: a | b"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL; last lines: a | b"),
        ("os.abort()", "was ended by SIGABRT; last lines: a | b"),
    ],
)
@pytest.mark.parametrize("moment", ["start", "call"])
def test_how_a_child_ended_is_told_with_its_last_lines(script, end, told, moment):
    spoken = "" if moment == "start" else "hello(); hear()"
    text = f"{spoken}\nsys.stderr.write('a\\nb\\n'); sys.stderr.flush()\n{end}"
    with pytest.raises(CallError) as caught:
        caption(script(text))
    assert (caught.value.code, caught.value.message) == ("exited", f"python child.py {told}")


def test_a_child_that_closes_its_output_and_goes_on_is_ended(script, monkeypatch, tmp_path):
    monkeypatch.setattr("torus_eval.systems.child.STATUS_S", 0.2)
    system = script("""
        open("n", "w").write(f"{os.getpid()}\\n")
        hello()
        hear()
        os.close(1)
        time.sleep(600)
    """)
    assert fail_to_caption(system).message == "python child.py closed its output"
    assert wait_until(lambda: not is_running(read_numbers(tmp_path / "n")[0]))


def test_an_exception_of_the_child_is_told_by_its_last_lines(script):
    with pytest.raises(CallError, match=r"exit status 1; last lines: .*ModuleNotFoundError: No module named"):
        script("import no_such_module_anywhere")


def test_only_the_last_lines_are_told_without_signs_a_terminal_obeys(script):
    system = script("""
        hello()
        hear()
        for number in range(100):
            print(f"\\033[31mline {number}\\r", end="" if number % 2 else "\\n", file=sys.stderr)
        print("w" * 5000, file=sys.stderr, flush=True)
        sys.exit(3)
    """)
    *_, lines = fail_to_caption(system).message.partition("last lines: ")
    shown = lines.split(" | ")
    assert (len(shown), shown[0], shown[-1]) == (20, "[31mline 81", "w" * 300)


def test_a_reply_right_before_the_end_counts_and_the_next_call_starts_the_child_anew(script):
    system = script("hello()\nsay(id=hear()['id'], text=str(os.getpid()))")
    first = caption(system)
    assert wait_until(lambda: system._child.has_ended)
    assert caption(system) != first


def test_a_grandchild_that_holds_the_output_open_does_not_outlive_the_child(script, tmp_path):
    system = script("""
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open("numbers", "w") as file:
            file.write(f"{other.pid}\\n")
        hello()
        hear()
        sys.exit(4)
    """)
    assert "exit status 4" in fail_to_caption(system).message
    assert wait_until(lambda: not is_running(read_numbers(tmp_path / "numbers")[0]))


@pytest.mark.parametrize("restarts", [0, 2])
def test_a_child_is_started_anew_only_so_often(script, tmp_path, restarts):
    system = script("open('starts', 'a').write('x')\nhello()\nhear()\nsys.exit(3)", restarts=restarts)
    codes = [fail_to_caption(system).code for _ in range(restarts + 3)]
    assert codes == ["exited"] * (restarts + 1) + ["restarts"] * 2
    assert (tmp_path / "starts").read_text() == "x" * (restarts + 1)
    assert "exit status 3" in fail_to_caption(system).message


def test_a_child_that_does_not_come_up_again_uses_up_its_restarts(script):
    text = """
        if os.path.exists("once"):
            sys.exit(5)
        open("once", "w").close()
        hello()
        hear()
    """
    system = script(text, restarts=1)
    assert "exit status 0" in fail_to_caption(system).message
    assert "exit status 5" in fail_to_caption(system).message
    last = fail_to_caption(system)
    assert (last.code, "exit status 5" in last.message) == ("restarts", True)


def test_a_child_that_comes_back_as_another_is_refused(script):
    text = """
        say(torus_eval=1, capabilities=["caption"], model=str(os.path.exists("once")))
        open("once", "w").close()
        hear()
    """
    system = script(text, restarts=1)
    assert (system.model, fail_to_caption(system).code) == ("False", "exited")
    assert fail_to_caption(system).code == "changed"
    assert fail_to_caption(system).code == "restarts"


def test_another_protocol_is_refused_and_its_child_ended(tmp_path):
    with pytest.raises(
        EvaluationError, match=r"python child\.py at hello /torus_eval: found 2; expected protocol 1"
    ):
        open_script(tmp_path, "open('n', 'w').write(f'{os.getpid()}\\n')\nsay(torus_eval=2)\ntime.sleep(600)")
    assert wait_until(lambda: not is_running(read_numbers(tmp_path / "n")[0]))


def test_a_file_that_is_no_program_is_told(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"\0not a program")
    path.chmod(0o755)
    with pytest.raises(EvaluationError, match="found model could not be started: Exec format error"):
        open_command(CommandWay(argv=("./model",)), tmp_path, sampling={})


# Closing


def test_closing_lets_a_child_end_by_itself(script, tmp_path):
    system = script("""
        hello()
        for line in sys.stdin:
            pass
        open("farewell", "w").write("ended by itself")
    """)
    system.close()
    system.close()
    assert (tmp_path / "farewell").read_text() == "ended by itself"


def test_closing_ends_a_child_that_does_not(script, tmp_path, monkeypatch):
    monkeypatch.setattr("torus_eval.systems.command._CLOSE_S", 0.1)
    system = script("""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        open("n", "w").write(f"{os.getpid()}\\n")
        hello()
        time.sleep(600)
    """)
    system.close()
    assert wait_until(lambda: not is_running(read_numbers(tmp_path / "n")[0]))


def test_a_system_that_is_forgotten_ends_its_child(tmp_path):
    system = open_script(tmp_path, "open('n', 'w').write(f'{os.getpid()}\\n')\nhello()\ntime.sleep(600)")
    (number,) = read_numbers(tmp_path / "n")
    assert is_running(number)
    del system
    gc.collect()
    assert wait_until(lambda: not is_running(number))


def test_nothing_is_left_open_after_closing():
    open_example().close()
    before = (len(os.listdir("/proc/self/fd")), threading.active_count())  # noqa: PTH208 -- no path of the project
    for _ in range(3):
        system = open_example()
        assert caption(system)
        system.close()
    assert wait_until(
        lambda: (len(os.listdir("/proc/self/fd")), threading.active_count()) <= before  # noqa: PTH208 -- the same
    )


PARENT = """
from pathlib import Path
import sys, time
from torus_eval.systems.command import open_command
from torus_eval.systems.model import CommandWay
system = open_command(CommandWay(argv=("{python}", "child.py")), Path(sys.argv[1]), sampling={})
print("open", flush=True)
"""
DEAF = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open("n", "w").write(f"{os.getpid()} {other.pid}\\n")
hello()
time.sleep(600)
"""


def test_no_orphan_stays_when_our_process_is_killed(tmp_path):
    (tmp_path / "child.py").write_text(SPEAK + textwrap.dedent(DEAF))
    parent = [sys.executable, "-c", PARENT + "time.sleep(600)", str(tmp_path)]
    with subprocess.Popen(parent, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"open\n"
        numbers = read_numbers(tmp_path / "n")
        assert all(map(is_running, numbers))
        process.kill()
    assert wait_until(lambda: not any(map(is_running, numbers)))


def test_no_orphan_stays_when_our_process_ends_without_closing(tmp_path):
    (tmp_path / "child.py").write_text(SPEAK + textwrap.dedent(DEAF))
    parent = [sys.executable, "-W", "error", "-c", PARENT, str(tmp_path)]
    done = subprocess.run(parent, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert (done.stdout, done.stderr) == ("open\n", "")
    assert wait_until(lambda: not any(map(is_running, read_numbers(tmp_path / "n"))))
