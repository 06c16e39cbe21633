from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.heads import Watched, make_tone
from support.orchestra import CALLS, SYSTEM, write_garden
from support.runs import export, read, run, write_system
from torus_eval.errors import EvaluationError
from torus_eval.runlog.folder import RECORDS_FILE
from torus_eval.runlog.record import CallRecord, read_line, write_line
from torus_eval.systems.base import Made

if TYPE_CHECKING:
    from pathlib import Path

SHA = st.text("0123456789abcdef", min_size=64, max_size=64)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


class Player(Watched):
    """Depends on nothing but what a call carries."""

    def generate(self, prompt, *, seed):
        return Made(make_tone(200.0 + (seed + len(prompt)) % 400, duration_s=0.05))

    def edit(self, clip, instruction, *, seed):
        return Made(make_tone(700.0 + (seed + len(instruction)) % 400, duration_s=clip.duration_s), "half")

    def answer(self, clip, asked, *, seed):
        return sorted(asked.options)[(seed + len(clip.samples)) % len(asked.options)]


@st.composite
def draw_record(draw):
    call, status = (
        draw(st.sampled_from(names))
        for names in (("generate", "edit", "caption", "answer"), ("ok", "failed", "error"))
    )
    makes = call in ("generate", "edit")
    return CallRecord(
        item=draw(st.from_regex(r"[a-z0-9]{1,9}(-[a-z0-9]{1,9})?", fullmatch=True)),
        point=draw(TEXT),
        call=call,
        question=draw(TEXT),
        repeat=draw(st.integers(0, 99)),
        key=draw(SHA),
        status=status,
        reason=draw(TEXT),
        message=draw(TEXT),
        heard=draw(st.none() | SHA),
        clip=draw(SHA if status == "ok" and makes else st.none()),
        text=draw(TEXT if status == "ok" and not makes else st.none()),
        note=draw(TEXT),
        order=draw(st.text("ABCDEF", max_size=6)),
        seconds=draw(st.floats(0, 1e6)),
    )


@given(draw_record())
def test_record_comes_back_as_it_was_written(record):
    line = write_line(record)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert read_line(line, file="f", number=1) == record


@given(draw_record(), st.data())
def test_torn_line_is_never_taken_for_a_record(record, data):
    line = write_line(record)
    torn = line[: data.draw(st.integers(0, len(line) - 2))]
    with pytest.raises(EvaluationError, match="f at line 3: "):
        read_line(torn, file="f", number=3)


@dataclass(frozen=True)
class Finished:
    """A finished run: its project, its records as they lie in their file, and its exported files."""

    root: Path
    records: bytes
    files: dict[str, bytes]

    def copy_with(self, records, into):
        """Copy the run with other records; return the project."""
        place = self.root / into / "toy" / SYSTEM
        shutil.rmtree(self.root / into, ignore_errors=True)
        shutil.copytree(self.root / "runs" / "toy" / SYSTEM, place)
        (place / RECORDS_FILE).write_bytes(records)
        return self.root


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    root = write_garden(tmp_path_factory.mktemp("garden"))
    write_system(root, Player())
    run(root)
    return Finished(root, (root / "runs" / "toy" / SYSTEM / RECORDS_FILE).read_bytes(), export(root))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_run_goes_on_from_any_byte_as_if_it_had_never_stopped(finished, data):
    records = finished.records
    cut = data.draw(st.integers(0, len(records)))
    root = finished.copy_with(records[:cut], "cut")
    last = run(root, into="cut", jobs=2)
    assert (last.cached, last.count.done) == (records[:cut].count(b"\n"), CALLS)
    assert export(root, into="cut") == finished.files


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_of_the_records_changes_nothing(finished, draw):
    lines = finished.records.splitlines(keepends=True)
    draw.shuffle(lines)
    root = finished.copy_with(b"".join(lines), "mixed")
    assert read(root, into="mixed").item_records() == read(root).item_records()


@settings(max_examples=15, deadline=None)
@given(st.sets(st.integers(0, CALLS - 1)))
def test_calls_whose_records_were_taken_out_are_made_again(finished, numbers):
    lines = finished.records.splitlines(keepends=True)
    kept = b"".join(line for index, line in enumerate(lines) if index not in numbers)
    root = finished.copy_with(kept, "holes")
    assert run(root, into="holes").count.done == CALLS
    assert export(root, into="holes") == finished.files
