from __future__ import annotations

import sqlite3
from random import Random

import pytest

from torus_site.memory import Codec, Memory

TEXT = Codec(dump=str.encode, load=bytes.decode)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "memory.sqlite"


def build(memory, *wants, maker="1"):
    """Ask for places with keys as one build does; return what was made, not remembered."""
    made = []

    def make(place, key):
        made.append(place)
        return f"{place} {key}"

    with memory.build({}, maker=maker):
        for place, key in wants:
            assert (
                memory.once(place, key, lambda place=place, key=key: make(place, key), TEXT)
                == f"{place} {key}"
            )
    return made


def test_what_was_made_is_not_made_again_by_the_same_process(file):
    memory = Memory(file)
    assert build(memory, ("a", "1"), ("b", "1")) == ["a", "b"]
    assert build(memory, ("a", "1"), ("b", "1")) == []


def test_what_was_made_is_not_made_again_by_the_next_process(file):
    assert build(Memory(file), ("a", "1"), ("b", "1")) == ["a", "b"]
    assert build(Memory(file), ("a", "1"), ("b", "1")) == []


def test_another_key_makes_a_thing_again_and_only_that(file):
    build(Memory(file), ("a", "1"), ("b", "1"))
    assert build(Memory(file), ("a", "2"), ("b", "1")) == ["a"]
    assert build(Memory(file), ("a", "2"), ("b", "1")) == []


def test_a_memory_without_a_file_ends_with_its_process():
    memory = Memory()
    assert build(memory, ("a", "1")) == ["a"]
    assert build(memory, ("a", "1")) == []


def test_what_a_build_has_no_use_for_is_forgotten(file):
    memory = Memory(file)
    build(memory, ("a", "1"), ("b", "1"))
    build(memory, ("a", "1"))
    assert build(memory, ("a", "1"), ("b", "1")) == ["b"]
    build(Memory(file), ("a", "1"))
    assert build(Memory(file), ("a", "1"), ("b", "1")) == ["b"]


def test_a_build_that_fails_forgets_nothing(file):
    build(Memory(file), ("a", "1"), ("b", "1"))
    memory = Memory(file)
    with pytest.raises(KeyError), memory.build({}, maker="1"):
        raise KeyError
    assert build(Memory(file), ("a", "1"), ("b", "1")) == []


@pytest.mark.parametrize("again", [True, False])
def test_what_another_version_made_is_forgotten(file, again):
    memory = Memory(file)
    build(memory, ("a", "1"))
    assert build(memory if again else Memory(file), ("a", "1"), maker="2") == ["a"]


def test_a_thing_without_a_codec_is_kept_by_its_process_alone(file):
    memory = Memory(file)
    things = iter((1, 2))
    for _ in range(2):
        with memory.build({}, maker="1"):
            assert memory.once("a", "1", lambda: next(things)) == 1
    other = Memory(file)
    with other.build({}, maker="1"):
        assert other.recall("a", "1") is None


def test_bytes_that_cannot_be_read_are_not_remembered(file):
    def refuse(_):
        raise ValueError

    build(Memory(file), ("a", "1"))
    memory = Memory(file)
    with memory.build({}, maker="1"):
        assert memory.recall("a", "1", Codec(str.encode, refuse)) is None


@pytest.mark.parametrize("error", [AttributeError, KeyError, TypeError])
def test_what_a_newer_program_kept_in_another_shape_is_made_again(file, error):
    def fail(_content):
        raise error

    build(Memory(file), ("a", "1"))
    memory = Memory(file)
    with memory.build({}, maker="1"):
        assert memory.once("a", "1", lambda: "made", Codec(dump=str.encode, load=fail)) == "made"


def test_a_stamp_is_the_one_taken_before_the_build(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("four")
    memory = Memory()
    with memory.build({str(path): (9, 9)}, maker="1"):
        assert memory.stamp(path) == "9:9"
    with memory.build({}, maker="1"):
        assert memory.stamp(path) == f"4:{path.stat().st_mtime_ns}"


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(500)])
def test_a_file_that_is_no_database_is_replaced(file, content):
    file.parent.mkdir()
    file.write_bytes(content)
    assert build(Memory(file), ("a", "1")) == ["a"]
    assert build(Memory(file), ("a", "1")) == []


@pytest.mark.parametrize("seed", range(8))
def test_a_torn_database_costs_no_more_than_the_work(file, seed):
    wants = [(f"place {number}", "1" * 900) for number in range(40)]
    build(Memory(file), *wants)
    dice = Random(seed)  # noqa: S311  damage, not a secret
    data = bytearray(file.read_bytes())
    for _ in range(40):
        start = dice.randrange(len(data))
        data[start : start + 100] = dice.randbytes(100)
    file.write_bytes(bytes(data[: dice.randrange(100, len(data))]))
    build(Memory(file), *wants)
    build(Memory(file), *wants)
    assert build(Memory(file), *wants) == []


def test_a_value_altered_on_disk_is_made_again(file):
    build(Memory(file), ("a", "1"))
    with sqlite3.connect(file) as database:
        database.execute("UPDATE things SET content = ? WHERE place = 'a'", (b"a lie",))
    database.close()
    assert build(Memory(file), ("a", "1")) == ["a"]


def test_a_memory_in_use_by_another_build_is_done_without(file):
    first = Memory(file)
    with first.build({}, maker="1"):
        first.once("a", "1", lambda: "a 1", TEXT)
        assert build(Memory(file), ("b", "1")) == ["b"]
    assert build(Memory(file), ("a", "1")) == []


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert build(Memory(tmp_path / "cache" / "memory.sqlite"), ("a", "1")) == ["a"]
