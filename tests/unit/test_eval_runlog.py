from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.orchestra import CALLS, SYSTEM
from support.runs import export, plant_garden, read, run, write_system
from torus_eval.clips import hash_clip
from torus_eval.errors import EvaluationError
from torus_eval.protocol import Count
from torus_eval.runlog import folder as folder_module
from torus_eval.runlog import spec as spec_module
from torus_eval.runlog.folder import RECORDS_FILE, find_clip, open_run, read_run, read_spec
from torus_eval.runlog.record import CallRecord, read_line, write_line
from torus_eval.runlog.spec import RUN_FILE, RunSpec, describe_environment

KEY = "0" * 64


@pytest.fixture
def garden(tmp_path):
    return plant_garden(tmp_path)


@pytest.fixture
def place(garden):
    return garden / "runs" / "toy" / SYSTEM


def make_answer(item="bell", **changes):
    return CallRecord(
        **{"item": item, "point": "spring", "call": "answer", "question": "q", "key": KEY, "status": "ok"}
        | {"text": "B", "order": "CAB"}
        | changes
    )


def small_spec():
    return RunSpec(
        schema=1,
        benchmark="toy",
        system=SYSTEM,
        system_file="../x.toml",
        system_hash=KEY,
        settings={},
        seed=0,
        letters="ABC",
        items={},
    )


def lines_of(place):
    return (place / RECORDS_FILE).read_bytes().splitlines(keepends=True)


def test_record_comes_back_as_it_was_written():
    record = make_answer(text="é\n\u2028\x00 \t", message="x", note="y", reason="z", repeat=3, seconds=0.25)
    line = write_line(record)
    assert line.count(b"\n") == 1
    assert read_line(line, file="f", number=1) == record


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"", "line 7: found Invalid JSON"),
        (b"{}", "line 7: found item: Field required"),
        (write_line(make_answer())[:-20], "line 7: found Invalid JSON"),
        (write_line(make_answer()).replace(b'"v": 1', b'"v": 2'), "line 7: found v: Input should be 1"),
        (b'{"odd": 1, ' + write_line(make_answer())[1:], "line 7: found odd: Extra inputs"),
        (write_line(make_answer(text=None, status="failed")).replace(b"failed", b"ok"), "to answer"),
    ],
)
def test_line_that_is_no_record_is_told_with_its_number(line, found):
    with pytest.raises(EvaluationError, match=rf"records\.jsonl at .*{found}") as caught:
        read_line(line, file="records.jsonl", number=7)
    assert "delete the line to have its call made again" in str(caught.value)


@pytest.mark.parametrize("call", ["generate", "edit", "caption", "answer"])
def test_call_that_went_well_brought_something(call):
    with pytest.raises(ValueError, match=f"what came of a call to {call}"):
        CallRecord(item="a", call=call, key=KEY, status="ok")
    assert CallRecord(item="a", call=call, key=KEY, status="failed").clip is None


def test_torn_last_line_is_dropped_and_its_call_made_again(garden, place):
    run(garden)
    whole, files = lines_of(place), export(garden)
    (place / RECORDS_FILE).write_bytes(b"".join(whole)[:-9])
    assert read(garden).count().owed == 1
    assert len(lines_of(place)) == CALLS
    assert run(garden).cached == CALLS - 1
    assert lines_of(place)[:-1] == whole[:-1]
    assert export(garden) == files


def test_torn_middle_lines_are_refused_all_with_their_numbers(garden, place):
    run(garden)
    lines = lines_of(place)
    lines[1], lines[4] = b"{\n", b"\n"
    (place / RECORDS_FILE).write_bytes(b"".join(lines))
    for use in (run, read):
        with pytest.raises(EvaluationError) as caught:
            use(garden)
        assert [problem.place for problem in caught.value.problems] == ["line 2", "line 5"]
    assert lines_of(place) == lines


def test_last_record_of_a_call_counts(garden, place):
    run(garden)
    first = next(line for line in lines_of(place) if b'"answer"' in line)
    data = json.loads(first) | {"text": "later"}
    with (place / RECORDS_FILE).open("ab") as file:
        file.write(json.dumps(data).encode() + b"\n")
    texts = [record.text for record in read(garden).records.values()]
    assert texts.count("later") == 1
    assert len(texts) == CALLS


def test_record_of_another_order_does_not_count(garden, place):
    run(garden)
    lines = lines_of(place)
    number = next(index for index, line in enumerate(lines) if b'"answer"' in line)
    data = json.loads(lines[number])
    lines[number] = json.dumps(data | {"order": data["order"][::-1]}).encode() + b"\n"
    (place / RECORDS_FILE).write_bytes(b"".join(lines))
    assert read(garden).count() == Count(CALLS, CALLS - 1)


def test_run_file_says_what_was_asked_and_where(garden, place, monkeypatch):
    run(garden, seed=5, orders=2)
    data = json.loads((place / RUN_FILE).read_text(encoding="utf-8"))
    assert (data["benchmark"], data["system"], data["seed"], data["orders"]) == ("toy", SYSTEM, 5, 2)
    assert data["system_file"] == f"../../../{SYSTEM}.toml"
    assert set(data["items"]) == {"gong", "bell"}
    (environment,) = data["environments"]
    assert "torus-site" in environment["packages"]
    run(garden, seed=5, orders=2)
    assert read_spec(place).environments == tuple(read(garden).spec.environments)
    assert len(read_spec(place).environments) == 1
    monkeypatch.setattr("platform.python_version", lambda: "9.9")
    run(garden, seed=5, orders=2)
    assert [each.python for each in read_spec(place).environments][1:] == ["9.9"]


def test_revision_is_told_of_a_run_directory_that_is_not_there_yet(tmp_path):
    commit = ["commit", "-q", "--allow-empty", "-m", "x"]
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], [*who, *commit]):
        subprocess.run([shutil.which("git"), "-C", str(tmp_path), *words], check=True)
    there, to_come = (describe_environment(folder) for folder in (tmp_path, tmp_path / "runs" / "toy"))
    assert there == to_come
    assert len(there.revision) == 40


def test_package_that_is_half_gone_is_left_out(monkeypatch, tmp_path):
    class Broken:
        metadata = {"Name": None, "Version": None}

    class Gone:
        metadata = None

    monkeypatch.setattr(spec_module, "distributions", lambda: [Broken(), Gone()])
    spec_module._list_packages.cache_clear()
    try:
        assert describe_environment(tmp_path).packages == {}
    finally:
        spec_module._list_packages.cache_clear()


def test_git_that_is_missing_is_no_trouble(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert describe_environment(tmp_path).revision is None


def test_second_run_into_one_directory_is_refused(tmp_path):
    with open_run(tmp_path / "r", small_spec()):
        with (
            pytest.raises(EvaluationError, match="found another run that is writing here; wait until"),
            open_run(tmp_path / "r", small_spec()),
        ):
            pass
        # Reading needs no lock.
        assert read_run(tmp_path / "r")[1] == {}
    with open_run(tmp_path / "r", small_spec()) as folder:
        assert folder.records == {}


OWNER = """
import sys, time
from pathlib import Path
from torus_eval.runlog.folder import open_run, read_spec
place = Path(sys.argv[1])
with open_run(place, read_spec(place)):
    print("owned", flush=True)
    time.sleep(600)
"""


def test_lock_dies_with_an_owner_that_is_killed(garden, place):
    run(garden, limit=1)
    owner = subprocess.Popen([sys.executable, "-c", OWNER, place], stdout=subprocess.PIPE, text=True)
    try:
        assert owner.stdout.readline() == "owned\n"
        with pytest.raises(EvaluationError, match="another run that is writing here"):
            run(garden)
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.communicate()
    assert run(garden).count.done == CALLS


def test_directory_that_cannot_be_opened_is_told_and_free_again(tmp_path, monkeypatch):
    def fail(_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(folder_module, "_sync_folder", fail)
        with (
            pytest.raises(EvaluationError, match="found Input/output error"),
            open_run(tmp_path, small_spec()),
        ):
            pass
    with open_run(tmp_path, small_spec()) as folder:
        assert folder.records == {}


def test_each_record_is_on_the_disk_before_the_next_call(tmp_path, monkeypatch):
    synced = []
    with open_run(tmp_path, small_spec()) as folder:
        sync = os.fsync
        monkeypatch.setattr(os, "fsync", lambda number: synced.append(number) or sync(number))
        for number in range(3):
            folder.append(make_answer(question=str(number)))
            assert synced == [folder.file.fileno()] * (number + 1)
        del synced[:]
        folder.keep_clip(b"sound")
        # The file, and the folder that names it.
        assert len(synced) == 2
        folder.keep_clip(b"sound")
        assert len(synced) == 2


def test_clip_is_kept_whole_or_not_at_all(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    with open_run(tmp_path, small_spec()) as folder:
        monkeypatch.setattr(Path, "replace", fail)
        with pytest.raises(EvaluationError, match="No space left on device; make room"):
            folder.keep_clip(b"sound")
    assert list((tmp_path / "clips").iterdir()) == []
    assert not find_clip(tmp_path, hash_clip(b"sound")).exists()


def test_clip_that_was_altered_is_written_anew_when_it_is_made_again(tmp_path):
    with open_run(tmp_path, small_spec()) as folder:
        sha256 = folder.keep_clip(b"sound")
        place = find_clip(tmp_path, sha256)
        place.write_bytes(b"cut")
        assert folder.keep_clip(b"sound") == sha256
        assert place.read_bytes() == b"sound"


def test_what_a_killed_run_had_begun_is_dropped(garden, place):
    run(garden)
    begun = [place / "clips" / f".{KEY}.tmp", place / f".{RUN_FILE}.123.tmp"]
    for file in begun:
        file.write_bytes(b"half")
    run(garden)
    assert not any(file.exists() for file in begun)
    assert read(garden).count().owed == 0


def test_full_disk_leaves_the_records_before_it_whole(tmp_path, monkeypatch):
    """The disk takes a part of a line and then no more; later there is room again."""
    room = [70]

    class Full:
        def __init__(self, file):
            self.inner = file

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def write(self, data):
            taken = bytes(data[: room[0]])
            if not taken:
                raise OSError(28, "No space left on device")
            room[0] -= len(taken)
            return self.inner.write(taken)

    with open_run(tmp_path, small_spec()) as folder:
        folder.append(make_answer(question="1"))
        folder.file = Full(folder.file)
        with pytest.raises(EvaluationError, match=r"jsonl: found No space left on device; make room"):
            folder.append(make_answer(question="2"))
        assert (tmp_path / RECORDS_FILE).read_bytes() == write_line(make_answer(question="1"))
        room[0] = 10**6
        folder.append(make_answer(question="3"))
    assert [slot.question for slot in read_run(tmp_path)[1]] == ["1", "3"]
    # Where even that part cannot be taken back, it is dropped at the next opening.
    with open_run(tmp_path, small_spec()) as folder:
        room[0] = 70
        folder.file = Full(folder.file)
        monkeypatch.setattr(os, "ftruncate", lambda *_: (_ for _ in ()).throw(OSError(5, "I/O error")))
        with pytest.raises(EvaluationError, match="No space left"):
            folder.append(make_answer(question="4"))
    with open_run(tmp_path, small_spec()) as folder:
        assert [slot.question for slot in folder.records] == ["1", "3"]
    assert len(lines_of(tmp_path)) == 2


CROWDED = """
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from torus_eval.cli import main
size = int(sys.argv.pop(1))
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
try:
    main()
finally:
    # Whoever measures what was run writes its own files at the end.
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
"""


def test_command_tells_a_full_disk_and_goes_on_when_there_is_room(garden, place, tmp_path):
    player = tmp_path / "garden" / "plain.py"
    player.write_text(PLAIN, encoding="utf-8")
    write_system(garden, python={"target": "plain:Plain"})
    words = ["run", "--benchmark", "toy", "--system", f"{SYSTEM}.toml"]
    env = {**os.environ, "PYTHONPATH": str(garden)}
    # Enough for run.json and the clips, not for all records: their texts are long.
    done = subprocess.run(
        [sys.executable, "-c", CROWDED, "40000", *words],
        cwd=garden,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    told, number = done.stderr.splitlines()[-2:]
    assert told.startswith(f"error: runs/toy/{SYSTEM}/{RECORDS_FILE}: found File too large; make room or")
    assert number == "1 error"
    _, records = read_run(place)
    assert 0 < len(records) < CALLS
    assert (place / RECORDS_FILE).read_bytes().endswith(b"\n")
    kept = lines_of(place)
    done = subprocess.run(
        [sys.executable, "-c", CROWDED, str(resource.RLIM_INFINITY), *words],
        cwd=garden,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, f"{SYSTEM}: 8 done, 0 remaining; {len(kept)} cached\n")
    assert lines_of(place)[: len(kept)] == kept


PLAIN = """
import numpy as np
class Plain:
    def generate(self, prompt, *, seed):
        return np.sin(np.arange(800) / 5), 8000
    edit = lambda self, clip, instruction, *, seed: (clip.samples / 2, clip.rate_hz)
    answer = lambda self, clip, asked, *, seed: "A" * 15000
"""
