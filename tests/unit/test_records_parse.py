"""Files are read strictly, and what does not parse is told with its place."""

from __future__ import annotations

import gc
import json
from typing import Literal

import pytest
from pydantic import Field

import factories
from torus_site.errors import ConfigError, ContentError, ResultsError
from torus_site.records import migrate, parse
from torus_site.records.model import Record, RunRecord, Text
from torus_site.records.parse import (
    check_version,
    freeze,
    parse_results,
    pause_collection,
    read_json,
    read_toml,
)


def write(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def problem_of(error):
    (problem,) = error.value.problems
    return problem


def test_json_gives_plain_python_values(tmp_path):
    path = write(tmp_path, '{"a": [1, 2.5, "é", true, null], "b": {}}')
    assert read_json(path, file="x") == {"a": [1, 2.5, "é", True, None], "b": {}}


def test_toml_gives_plain_python_values_with_line_feeds_alone(tmp_path):
    path = write(tmp_path, 'a = [1, 2.5]\r\nb = """\r\nx\r\ny"""\r\n')
    assert read_toml(path, file="x") == {"a": [1, 2.5], "b": "x\ny"}


def test_error_is_of_the_type_asked_for(tmp_path):
    with pytest.raises(ContentError):
        read_json(write(tmp_path, "["), file="x", error=ContentError)
    with pytest.raises(ContentError):
        read_toml(write(tmp_path, "["), file="x", error=ContentError)


@pytest.mark.parametrize("read", [read_json, read_toml])
def test_missing_file_is_a_problem(tmp_path, read):
    with pytest.raises((ResultsError, ConfigError)) as error:
        read(tmp_path / "absent", file="absent")
    assert problem_of(error).found == "no such file"


def test_folder_in_place_of_a_file_is_a_problem(tmp_path):
    with pytest.raises(ResultsError) as error:
        read_json(tmp_path, file="folder")
    assert "directory" in problem_of(error).found.lower()


def test_constants_and_doubled_keys_are_all_told_with_their_places(tmp_path):
    path = write(tmp_path, '{"a": [NaN, {"b": -Infinity, "c": 1, "c": 2}], "d": 1, "d": 2, "d": Infinity}')
    with pytest.raises(ResultsError) as error:
        read_json(path, file="x")
    assert [(problem.place, problem.found) for problem in error.value.problems] == [
        ("/a/0", "NaN"),
        ("/a/1/b", "-Infinity"),
        ("/a/1/c", "the key 'c' more than once"),
        ("/d", "Infinity"),
        ("/d", "the key 'd' more than once"),
    ]


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("{", "line 1, column 2", "the end of the file"),
        ('{\n "a": 1,\n "b" 2\n}', "line 3, column 6", "'\"b\" 2'"),
        ('{"a": 1}\n\n x', "line 3, column 2", "'x'"),
        (f'{{"{"a" * 90}": x}}', "line 1, column 96", f"'{'a' * 26}\": x}}'"),
    ],
)
def test_json_that_does_not_parse_is_placed(tmp_path, text, place, found):
    with pytest.raises(ResultsError) as error:
        read_json(write(tmp_path, text), file="x")
    problem = problem_of(error)
    assert (problem.place, problem.found, problem.expected) == (place, found, "valid JSON")


def test_trailing_comma_is_placed_where_python_sees_it(tmp_path):
    with pytest.raises(ResultsError) as error:
        read_json(write(tmp_path, '{"a": 1,}'), file="x")
    assert problem_of(error).place.startswith("line 1, column")


@pytest.mark.parametrize(
    ("text", "place", "action"),
    [
        ("a = 1\nb = word\n", "line 2, column 5", "text stands in quotes"),
        ("a = 1\nb = trueish\n", "line 2, column 5", "text stands in quotes"),
        ("a = 1\na = 2\n", "line 2, column 1", "duplicate key"),
        ("a = 'x' b\n", "line 1, column 9", "unexpected key or value, expected newline, `#`"),
    ],
)
def test_toml_that_does_not_parse_is_placed(tmp_path, text, place, action):
    with pytest.raises(ConfigError) as error:
        read_toml(write(tmp_path, text), file="x")
    problem = problem_of(error)
    assert (problem.place, problem.expected, problem.action) == (place, "valid TOML", action)


def test_message_without_a_place_is_kept():
    problem = parse._locate("odd", "text", file="x", expected="valid TOML")
    assert (problem.place, problem.action) == ("", "odd")


def test_deep_json_is_a_problem_wherever_it_is_found(tmp_path):
    with pytest.raises(ResultsError) as error:
        read_json(write(tmp_path, "[" * 200_000), file="x")
    assert problem_of(error).found == "values nested too deeply"
    deep = {"schema": 1, "items": []}
    for _ in range(200):
        deep = {"schema": 1, "items": [deep]}
    with pytest.raises(ResultsError) as error:
        parse.parse(RunRecord, deep, file="x", error=ResultsError)
    assert problem_of(error).found == "values nested too deeply"


def test_parse_gives_the_model():
    data = factories.run_data()
    run = parse.parse(RunRecord, data, file="x", error=ResultsError)
    assert run.items[0].cells[0].answers[0].pick == "A"
    assert data == factories.run_data()


def test_parse_lists_every_problem():
    with pytest.raises(ContentError) as error:
        parse.parse(
            RunRecord, factories.run_data(system=1, clips="some", x=2), file="run.json", error=ContentError
        )
    assert [problem.place for problem in error.value.problems] == ["/clips", "/system", "/x"]
    assert {problem.file for problem in error.value.problems} == {"run.json"}


def test_parse_looks_at_the_schema_version_alone_when_it_is_unknown():
    with pytest.raises(ResultsError) as error:
        parse.parse(RunRecord, {"schema": 2, "x": 1}, file="run.json", error=ResultsError)
    assert problem_of(error).place == "/schema"


class Versioned(Record):
    schema_version: Literal[1, 2] = Field(alias="schema")


class Plain(Record):
    name: Text


@pytest.mark.parametrize(
    ("model", "data", "found"),
    [
        (Versioned, {"schema": 1}, None),
        (Versioned, {"schema": 2}, None),
        (Versioned, {"schema": 3}, "3"),
        (Versioned, {"schema": "1"}, "'1'"),
        (Versioned, {"schema": True}, "true"),
        (Versioned, {"schema": [1]}, "a list"),
        (Versioned, {}, "nothing"),
        (Versioned, [], None),
        (Plain, {}, None),
    ],
)
def test_schema_version_is_known_or_told(model, data, found):
    problem = check_version(model, data, file="x")
    assert (problem and problem.found) == found
    assert problem is None or problem.expected == "one of 1, 2"


def test_freeze_turns_lists_into_tuples_at_every_depth():
    assert freeze({"a": [1, {"b": [[]]}]}) == {"a": (1, {"b": ((),)})}


def test_results_of_an_old_schema_are_migrated(tmp_path, monkeypatch):
    old = factories.run_data(schema=0)
    old["name"] = old.pop("system")
    steps = {0: lambda data: {**data, "schema": 1, "system": data["name"]} | {"name": None}}

    def move(data):
        moved = migrate.migrate(data, steps=steps)
        moved.pop("name", None)
        return moved

    monkeypatch.setattr(parse, "migrate", move)
    path = write(tmp_path, json.dumps(old))
    assert parse_results(path, file="x") == factories.make_run()


def test_results_with_only_doubled_keys_are_refused(tmp_path):
    text = json.dumps(factories.run_data()).replace('"clip":', '"clip": null, "clip":')
    with pytest.raises(ResultsError) as error:
        parse_results(write(tmp_path, text), file="x")
    assert {problem.found for problem in error.value.problems} == {"the key 'clip' more than once"}


def test_collection_is_paused_and_put_back_as_it_was():
    assert gc.isenabled()
    with pause_collection():
        assert not gc.isenabled()
        with pause_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
