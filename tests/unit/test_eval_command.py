from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from support.children import EXAMPLES, make_clip, open_example, open_script, opening_scripts
from torus_eval.answering.questions import Asked, format_question
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.systems.child import describe_status
from torus_eval.systems.command import find_program
from torus_eval.systems.lines import LineCutter, find_message, mend_text, read_hello
from torus_eval.systems.model import CommandWay, SystemFile
from torus_eval.systems.opening import open_part
from torus_eval.systems.route import choose_part, list_calls
from torus_site.records.parse import parse, read_toml

ASKED = Asked("What barks?", {"A": "A dog", "B": "A tree"})


@pytest.fixture(scope="module")
def example():
    system = open_example()
    yield system
    system.close()


@pytest.fixture
def script(tmp_path):
    with opening_scripts(tmp_path) as start:
        yield start


def write_system(folder, argv):
    """Write a program that may be executed."""
    path = folder / argv
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    return path


# The lines


def test_a_line_too_long_is_cut_and_the_next_is_whole():
    cutter = LineCutter(4)
    assert [*cutter.cut(b"abc"), *cutter.cut(b"def"), *cutter.cut(b"gh\nij\n")] == [b"abcd", b"ij"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe\x00",
        b"[1, 2]",
        b'{"id": 1}',
        b'{"id": true, "text": "B"}',
        b'{"id": "1", "text": "B"}',
        b'{"id": 1, "text": "B"',
        b'got {"id": 1, "call": "edit", "clip": {"path": "x"}}',
        b'{"got": {"id": 1, "text": "B"}}',
        b"{" * 100_000,
        b'{"a":' * 50_000,
    ],
)
def test_what_is_no_reply_is_passed_over(line):
    assert find_message(line) is None


@pytest.mark.parametrize(
    ("hello", "told"),
    [
        ({"torus_eval": 2, "capabilities": ["edit"]}, "found 2; expected protocol 1"),
        ({"torus_eval": True, "capabilities": ["edit"]}, "found True; expected protocol 1"),
        ({"torus_eval": "1", "capabilities": ["edit"]}, "found '1'; expected protocol 1"),
        ({"torus_eval": 1}, "found None; expected a list of one or more of generate, edit, caption, answer"),
        ({"torus_eval": 1, "capabilities": []}, "expected a list of one or more"),
        ({"torus_eval": 1, "capabilities": ["anser"]}, "did you mean 'answer'?"),
        ({"torus_eval": 1, "capabilities": [["edit"]]}, "expected one of"),
        ({"torus_eval": 1, "capabilities": ["edit"], "model": 3}, "at hello /model: found 3; expected text"),
    ],
)
def test_a_wrong_hello_is_told(hello, told):
    with pytest.raises(EvaluationError) as caught:
        read_hello(hello, file="child")
    assert told in str(caught.value)


def test_everything_wrong_with_a_hello_is_told_at_once():
    with pytest.raises(EvaluationError) as caught:
        read_hello({"torus_eval": 0, "capabilities": ["x", "y"], "revision": 1}, file="child")
    assert len(caught.value.problems) == 4


def test_half_a_surrogate_pair_is_replaced():
    assert mend_text("a\udc00\U0001f600") == "a\ufffd\U0001f600"


def test_an_unknown_signal_is_told_by_its_number():
    assert describe_status("-64").endswith(("SIGRTMAX", "signal 64"))
    assert describe_status("-200") == "was ended by signal 200"


# Finding the program


def test_a_program_with_a_slash_starts_at_the_system_file(tmp_path):
    path = write_system(tmp_path, "bin/model")
    (tmp_path / "home").mkdir()
    program = find_program(CommandWay(argv=("bin/model", "-v"), folder="home"), tmp_path)
    assert (program.argv, program.folder) == ((str(path), "-v"), tmp_path / "home")


def test_a_link_to_a_program_is_not_followed(tmp_path):
    path = write_system(tmp_path, "real")
    (tmp_path / "link").symlink_to(path)
    assert find_program(CommandWay(argv=("./link",)), tmp_path).argv == (str(tmp_path / "link"),)


def test_a_bare_name_is_looked_for_in_the_path_of_the_child(tmp_path):
    path = write_system(tmp_path, "bin/python")
    way = CommandWay(argv=("python", "x.py"), env={"PATH": str(path.parent)})
    program = find_program(way, tmp_path)
    assert (program.argv, program.name) == ((str(path), "x.py"), "python x.py")


def test_the_running_interpreter_has_a_word_of_its_own(tmp_path):
    program = find_program(CommandWay(argv=("{python}", "{python}", "{x}")), tmp_path)
    assert program.argv == (sys.executable, sys.executable, "{x}")


def test_the_environment_of_the_way_is_added_to_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("TORUS_TEST_OURS", "1")
    env = find_program(CommandWay(argv=("{python}",), env={"TORUS_TEST_ITS": "2"}), tmp_path).env
    assert (env["TORUS_TEST_OURS"], env["TORUS_TEST_ITS"]) == ("1", "2")


@pytest.mark.parametrize("argv", ["no-such-program-anywhere", "./nothing", "bin/nothing"])
def test_no_such_program_and_no_such_folder_are_told_at_once(tmp_path, argv):
    with pytest.raises(EvaluationError) as caught:
        find_program(CommandWay(argv=(argv,), folder="gone"), tmp_path)
    told = str(caught.value)
    assert f"no program '{argv}'" in told
    assert "/command/folder: found 'gone'; expected a folder" in told


def test_a_program_that_may_not_be_executed_is_told(tmp_path):
    write_system(tmp_path, "model").chmod(0o644)
    with pytest.raises(EvaluationError, match=r"'\./model', which may not be executed"):
        find_program(CommandWay(argv=("./model",)), tmp_path)


def test_a_system_without_process_groups_is_told(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "killpg")
    with pytest.raises(EvaluationError, match="expected a system with process groups"):
        find_program(CommandWay(argv=("{python}",)), tmp_path)


# The documented example


def test_the_example_says_what_it_can(example):
    assert example.capabilities == {"generate", "edit", "caption", "answer"}
    assert (example.model, example.revision) == ("example", "")


def test_the_example_takes_every_call(example):
    made = example.generate("A dog barks.", seed=1)
    assert (made.clip.samples.shape, made.clip.rate_hz) == ((16000, 1), 16000)
    assert made.note == "silence, since there is no model yet"
    assert example.caption(make_clip(4000), seed=1) == "A sound of 0.5 s."
    assert example.answer(make_clip(), ASKED, seed=1) == "A"


@pytest.mark.parametrize("channels", [1, 2])
def test_a_clip_goes_there_and_back_unchanged(example, channels):
    clip = make_clip(channels=channels)
    made = example.edit(clip, "Leave it.", seed=1)
    assert made.clip.rate_hz == clip.rate_hz
    np.testing.assert_array_equal(made.clip.samples, clip.samples)


def test_the_example_is_short():
    lines = (EXAMPLES / "wrap_command.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 40


def test_the_documented_system_file_opens_and_can_do_what_its_arm_needs():
    path = EXAMPLES / "command-system.toml"
    file = parse(
        SystemFile,
        read_toml(path, file=path.name, error=EvaluationError),
        file=path.name,
        error=EvaluationError,
    )
    assert file.id == path.stem
    system = open_part(choose_part(file, "answer", {}), EXAMPLES)
    assert system.capabilities >= set(list_calls(file))
    assert system.answer(make_clip(), ASKED, seed=1) == "A"
    system.close()


# What a child is told

ECHO = """
    hello()
    while True:
        asked = hear()
        say(id=asked["id"], text=json.dumps(asked))
"""


def test_an_answering_call_carries_the_clip_and_the_question_and_no_more(script):
    system = script(ECHO, sampling={"temperature": 0.5})
    request = json.loads(system.answer(make_clip(), ASKED, seed=7))
    path = request["clip"].pop("path")
    assert request == {
        "id": 1,
        "call": "answer",
        "question": ASKED.text,
        "options": ASKED.options,
        "text": format_question(ASKED),
        "clip": {"sha256": Path(path).stem},
        "seed": 7,
        "sampling": {"temperature": 0.5},
    }


def test_a_clip_is_named_by_its_content_and_gone_after_the_call(script):
    system = script("""
        import hashlib
        hello()
        while True:
            asked = hear()
            path = asked["clip"]["path"]
            digest = hashlib.sha256(open(path, "rb").read()).hexdigest()
            mode = oct(os.stat(os.path.dirname(path)).st_mode & 0o777)
            say(id=asked["id"], text=json.dumps([path, digest, asked["clip"]["sha256"], mode]))
    """)
    replies = [json.loads(system.caption(make_clip(), seed=1)) for _ in range(2)]
    for path, digest, stated, mode in replies:
        assert digest == stated == Path(path).stem
        assert mode == "0o700"
        assert not Path(path).parent.exists()
    assert replies[0][0] != replies[1][0]
    assert replies[0][1] == replies[1][1]


def test_every_sign_of_a_prompt_arrives(script):
    system = script("""
        hello()
        while True:
            asked = hear()
            say(id=asked["id"], error={"kind": "output", "message": asked["prompt"][::-1]})
    """)
    with pytest.raises(OutputError) as caught:
        system.generate("a\u2028\x00\n\U0001f600\u00e9", seed=1)
    assert caught.value.message == "python child.py said: \u00e9\U0001f600\n\x00\u2028a"


# What a child may reply


@pytest.fixture(scope="module")
def puppet(tmp_path_factory):
    """A child that replies with what the prompt or the question says."""
    system = open_script(
        tmp_path_factory.mktemp("puppet"),
        """
        hello()
        for line in sys.stdin:
            asked = json.loads(line)
            say(id=asked["id"], **json.loads(asked.get("prompt") or asked["question"]))
        """,
    )
    yield system
    system.close()


@pytest.mark.parametrize(
    ("error", "kind", "code", "told"),
    [
        ({"kind": "output", "message": "no sound"}, OutputError, "reported", "no sound"),
        ({"kind": "call", "message": "busy"}, CallError, "reported", "busy"),
        ({"kind": "capability", "message": "no"}, CapabilityError, "capability", "no"),
        ({"kind": "?", "message": "odd"}, CallError, "reported", "odd"),
        ("bare", CallError, "reported", "bare"),
    ],
)
def test_an_error_of_the_child_becomes_a_fault_of_its_kind(puppet, error, kind, code, told):
    with pytest.raises(kind) as caught:
        puppet.generate(json.dumps({"error": error}), seed=1)
    assert (type(caught.value), caught.value.code) == (kind, code)
    assert caught.value.message == f"python child.py said: {told}"


@pytest.mark.parametrize("text", ["B", "", "x" * 1_000_000, "two\nlines", "\u00e9\u2028"])
def test_a_text_is_returned_as_it_is(puppet, text):
    assert puppet.answer(make_clip(), Asked(json.dumps({"text": text}), {"A": "a"}), seed=1) == text


def test_a_capability_not_in_the_hello_is_refused_without_asking(script):
    system = script("hello('answer')\nsay(id=hear()['id'], text='B')\nhear()")
    with pytest.raises(CapabilityError, match=r"python child\.py cannot generate"):
        system.generate("A dog.", seed=1)
    assert system.answer(make_clip(), ASKED, seed=1) == "B"


@pytest.mark.parametrize("reply", [{"clip": {"path": "x"}}, {"text": None}, {"text": 3}])
def test_a_reply_without_text_is_a_failure_of_the_model(puppet, reply):
    with pytest.raises(OutputError) as caught:
        puppet.answer(make_clip(), Asked(json.dumps(reply), {"A": "a"}), seed=1)
    assert caught.value.code == "no_text"


@pytest.mark.parametrize(
    ("reply", "kind", "code"),
    [
        ({"text": "I cannot"}, OutputError, "no_audio"),
        ({"clip": None}, OutputError, "no_audio"),
        ({"clip": {"path": "gone.wav"}}, OutputError, "no_audio"),
        ({"clip": {"path": "."}}, OutputError, "no_audio"),
        ({"clip": {"path": "/dev/zero"}}, OutputError, "no_audio"),
        ({"clip": {"path": "child.py"}}, OutputError, "not_sound"),
        ({"clip": {"path": "child.py", "sha256": "0" * 64}}, CallError, "sha256"),
        ({"clip": {"path": "a\0b"}}, CallError, "bad_reply"),
        ({"clip": {"path": 3}}, CallError, "bad_reply"),
        ({"clip": "made.wav"}, CallError, "bad_reply"),
        ({"clip": {"path": "child.py"}, "note": 3}, CallError, "bad_reply"),
    ],
)
def test_a_reply_without_a_sound_is_told(puppet, reply, kind, code):
    with pytest.raises(kind) as caught:
        puppet.generate(json.dumps(reply), seed=1)
    assert caught.value.code == code


def test_a_file_too_large_is_not_read(script, monkeypatch):
    monkeypatch.setattr("torus_eval.systems.command.LARGEST_FILE_BYTES", 10)
    system = script("hello()\nsay(id=hear()['id'], clip={'path': 'child.py'})\nhear()")
    with pytest.raises(OutputError, match="at most 10 are taken"):
        system.generate("A dog.", seed=1)


WRITE = """
    import wave
    hello()
    asked = hear()
    with wave.open(asked["out"], "wb") as file:
        file.setparams(({channels}, 2, {rate_hz}, 0, "NONE", ""))
        file.writeframes(bytes(2 * {channels} * {frames}))
    os.rename(asked["out"], "mine.wav")
    say(id=asked["id"], clip={{"path": "mine.wav"}})
    hear()
"""


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ({"channels": 1, "rate_hz": 8000, "frames": 0}, "no_samples"),
        ({"channels": 3, "rate_hz": 8000, "frames": 80}, "bad_shape"),
        ({"channels": 1, "rate_hz": 1000, "frames": 80}, "bad_rate"),
        ({"channels": 1, "rate_hz": 4000, "frames": 4000 * 601}, "too_long"),
    ],
)
def test_a_sound_unfit_for_a_clip_is_refused(script, shape, code):
    system = script(WRITE.format(**shape))
    with pytest.raises(OutputError) as caught:
        system.generate("A dog.", seed=1)
    assert caught.value.code == code


def test_a_relative_path_starts_where_the_child_runs_and_its_file_stays(script, tmp_path):
    system = script(WRITE.format(channels=2, rate_hz=8000, frames=80))
    assert system.generate("A dog.", seed=1).clip.samples.shape == (80, 2)
    assert (tmp_path / "mine.wav").is_file()


def test_a_right_sha256_is_taken(script, tmp_path):
    (tmp_path / "made.wav").write_bytes(b"not sound")
    digest = hashlib.sha256(b"not sound").hexdigest()
    reply = {"path": "made.wav", "sha256": digest}
    system = script(f"hello()\nsay(id=hear()['id'], clip={reply!r})\nhear()")
    with pytest.raises(OutputError) as caught:
        system.generate("A dog.", seed=1)
    assert caught.value.code == "not_sound"


def test_a_full_disk_is_told(example, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(CallError, match="could not be written for the child: No space left") as caught:
        example.caption(make_clip(), seed=1)
    assert caught.value.code == "disk"


def test_no_temporary_folder_is_told(example, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(CallError) as caught:
        example.generate("A dog.", seed=1)
    assert caught.value.code == "disk"
