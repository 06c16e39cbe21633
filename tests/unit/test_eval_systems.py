from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import rtoml

from support.mortal import Mortal
from support.repository import DOCS
from torus_eval.answering.questions import Asked
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.systems.base import CAPABILITIES
from torus_eval.systems.identity import describe_system, hash_system, identify_part, read_versions
from torus_eval.systems.load import Found, check_system, find_systems, list_systems, load_system
from torus_eval.systems.model import Part, PythonWay, SystemFile
from torus_eval.systems.opening import open_part
from torus_eval.systems.python import PythonSystem, find_target, open_python, read_capabilities
from torus_eval.systems.route import choose_part, list_calls, list_parts

HEAD = {"schema": 1, "id": "mine", "arm": "native-edit", "text": "A system."}
PYTHON = {"python": {"target": "support.mortal:Mortal", "options": {"folder": "notes"}}}
COMMAND = {"command": {"argv": ["{python}", "-c", "pass"]}}
HTTP = {
    "http": {
        "base_url": "http://127.0.0.1:8000/v1",
        "model": "m",
        "can": ["generate", "edit", "answer"],
    }
}
PARTS = {"answer": "random-letter", "generate": {"any": "noise"}, "edit": {"any": "untouched"}}


def write(folder, *tables, name="mine", **changes):
    data = HEAD
    for table in (*tables, changes):
        data = data | table
    path = folder / f"{name}.toml"
    folder.mkdir(exist_ok=True)
    path.write_text(rtoml.dumps(data), encoding="utf-8")
    return path


def load(folder, *tables, **changes):
    return load_system(write(folder, *tables, **changes))


def check(folder, *tables, environ=None, **changes):
    """Say what keeps a system from its calls, each as it would be printed."""
    path = write(folder, *tables, **changes)
    return [str(problem) for problem in check_system(Found(load_system(path), path), environ=environ or {})]


def refuse(folder, *tables, **changes):
    """Say why a file cannot be read."""
    with pytest.raises(EvaluationError) as caught:
        load(folder, *tables, **changes)
    return [str(problem) for problem in caught.value.problems]


def test_systems_of_the_package_can_make_the_calls_of_their_arms():
    found = list_systems()
    assert {each.system.arm for each in found} == {"cascaded", "native-edit", "self-caption"}
    assert [
        problem for each in found for problem in check_system(each) if "install" not in str(problem)
    ] == []


def test_every_entry_point_makes_something_that_can_be_called():
    names = {
        part.python.target
        for found in list_systems()
        for _, _, part in list_parts(found.system)
        if part.python
    }
    assert all(callable(find_target(name, Path())) for name in names)
    assert read_capabilities(find_target("random-letter", Path())) == {"answer"}


@pytest.mark.parametrize("name", ["command-system", "http-system"])
def test_documented_example_is_a_system_that_can_make_its_calls(name):
    found = find_systems((str(DOCS / "examples" / f"{name}.toml"),))[0]
    key = found.system.http.key_env if found.system.http else ""
    assert check_system(found, environ={key: "secret"}) == ()


@pytest.mark.parametrize("way", [PYTHON, COMMAND, HTTP], ids=lambda way: next(iter(way)))
def test_one_model_takes_every_call_of_its_arm(tmp_path, way):
    system = load(tmp_path, way)
    (name,) = way
    assert system.ways == (name,)
    assert {call: choose_part(system, call, {}).ways for call in list_calls(system)} == dict.fromkeys(
        ("generate", "edit", "answer"), (name,)
    )
    assert check(tmp_path, way) == []


def test_parts_are_models_of_any_way_or_entry_points(tmp_path):
    parts = {"sings": HTTP, "hears": COMMAND | {"revision": "7"}}
    system = load(
        tmp_path,
        route="kind",
        generate={"any": "noise", "music": "sings"},
        edit={"any": "untouched"},
        answer="hears",
        parts=parts,
    )
    assert choose_part(system, "generate", {"kind": "music"}).http.model == "m"
    assert choose_part(system, "generate", {"kind": "speech"}).python == PythonWay(target="noise")
    assert choose_part(system, "generate", {}).python == PythonWay(target="noise")
    assert choose_part(system, "answer", {"kind": "music"}).revision == "7"


def test_self_caption_needs_a_caption_and_no_edit(tmp_path):
    tables = {"answer": "listener", "generate": {"any": "scene"}, "arm": "self-caption"}
    system = load(tmp_path, tables, caption="heard-words")
    assert list_calls(system) == ("generate", "caption", "answer")
    assert refuse(tmp_path, tables) == [
        "mine.toml: expected a part under caption and none under edit, as the arm self-caption needs them"
    ]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([PYTHON, COMMAND], "expected either one of python, command, http, or parts under"),
        ([PYTHON, PARTS], "expected either one of python, command, http, or parts under"),
        ([{}], "expected either one of python, command, http, or parts under"),
        ([PARTS, {"answer": None}], "expected a part under answer"),
        ([PARTS, {"edit": {}}], "expected parts under edit and none under caption, as the arm native-edit"),
        ([PARTS, {"arm": "telepathy"}], "/arm: found 'telepathy'; expected one of cascaded, native-edit"),
        ([PARTS, {"generate": {"music": "noise"}}], "expected 'any' under generate and edit"),
        ([PARTS, {"generate": {"any": "noise", "music": "scene"}}], "further rows only with a route"),
        (
            [PARTS, {"parts": {"x": {"model": "m"}}}],
            "/parts/x: expected exactly one of python, command, http",
        ),
        ([PARTS, {"schema": 2}], "/schema"),
        ([HTTP, {"id": "other"}], "/id: found 'other'; expected 'mine'; the id is the file's name"),
        ([{"command": {"argv": []}}], "/command/argv: found 0 entries; expected at least 1"),
    ],
)
def test_wrong_file_is_told(tmp_path, tables, message):
    joined = {name: value for table in tables for name, value in table.items()}
    changes = {name: value for name, value in joined.items() if value is not None}
    told = refuse(tmp_path, changes)
    assert len(told) == 1
    assert message in told[0]


def test_everything_wrong_in_a_file_is_told_at_once(tmp_path):
    told = refuse(
        tmp_path,
        {"http": {"base_url": "ftp://x", "modl": "m", "deadline_s": -1}},
        id="other",
        voice="loud",
    )
    assert [line.partition(":")[0] for line in told] == [
        "mine.toml at /http/base_url",
        "mine.toml at /http/deadline_s",
        "mine.toml at /http/model",
        "mine.toml at /http/modl",
        "mine.toml at /id",
        "mine.toml at /voice",
    ]
    assert told[3].endswith("did you mean 'model'?")


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"python": {"target": "no_such:Thing"}}, "/python/target: found No module named 'no_such'"),
        ({"python": {"target": "support.mortal:Nope"}}, "has no attribute 'Nope'; expected a class"),
        ({"python": {"target": "os:path"}}, "/python/target: found module; expected a class"),
        ({"python": {"target": "untuched"}}, "found no entry point 'untuched'.*did you mean 'untouched'"),
        (
            {"python": {"target": "support.mortal:Mortal", "options": {"foldr": "x"}}},
            "/python/options: found missing a required argument: 'folder'; expected options that",
        ),
        (PARTS | {"answer": "lisener"}, "/answer: found no entry point 'lisener'.*did you mean 'listener'"),
        (PARTS | {"generate": {"any": "scean"}}, "/generate/any: .*did you mean 'scene'"),
        (
            PARTS | {"answer": "noise"},
            "/answer: found a model that can generate; expected one that can answer",
        ),
        ({"command": {"argv": ["no-such-program"]}}, "/command/argv: found no program 'no-such-program'"),
        (
            HTTP | {"http": HTTP["http"] | {"key_env": "MY_KEY"}},
            "/http/key_env: found the variable MY_KEY",
        ),
        (
            HTTP | {"http": HTTP["http"] | {"can": ["generate", "answer"]}},
            "/http: found a model that can answer, generate; expected one that can edit, as the arm",
        ),
        (PARTS | {"answer": "x", "parts": {"x": {"command": {"argv": ["nope"]}}}}, "/parts/x/command/argv: "),
    ],
)
def test_what_keeps_a_system_from_its_calls_is_told_before_it_starts(tmp_path, tables, message):
    told = check(tmp_path, tables)
    assert len(told) == 1
    assert re.search(message, told[0])


def test_key_in_the_environment_is_enough(tmp_path):
    tables = HTTP | {"http": HTTP["http"] | {"key_env": "MY_KEY"}}
    assert check(tmp_path, tables, environ={"MY_KEY": "secret"}) == []
    assert len(check(tmp_path, tables, environ={"MY_KEY": ""})) == 1


def test_everything_that_keeps_a_system_from_its_calls_is_told_at_once(tmp_path):
    told = check(
        tmp_path,
        answer="lisener",
        generate={"any": "hums"},
        edit={"any": "server"},
        parts={
            "hums": {"command": {"argv": ["no-such-program"], "folder": "gone"}},
            "server": {"http": HTTP["http"] | {"can": ["answer"], "key_env": "MY_KEY"}},
        },
    )
    assert [line.partition(":")[0].removeprefix("mine.toml at ") for line in told] == [
        "/parts/hums/command/argv",
        "/parts/hums/command/folder",
        "/parts/server/http/key_env",
        "/parts/server/http",
        "/answer",
    ]


def test_systems_are_found_by_id_and_by_file(tmp_path):
    found = find_systems(("chance", str(write(tmp_path, PARTS))))
    assert [(each.system.id, each.is_own) for each in found] == [("chance", True), ("mine", False)]
    assert find_systems(("chance", "chance")) == find_systems(("chance",))


def test_all_that_is_wrong_with_the_chosen_systems_is_told_at_once(tmp_path):
    first, second = write(tmp_path / "a", PARTS), write(tmp_path / "b", HTTP)
    broken = tmp_path / "broken.toml"
    broken.write_text("schema = \n", encoding="utf-8")
    wrong = write(tmp_path, PARTS, name="wrong")
    names = (first, second, broken, wrong, tmp_path / "gone.toml", "chanse")
    with pytest.raises(EvaluationError) as caught:
        find_systems(tuple(map(str, names)))
    told = str(caught.value)
    for part in (
        f"{second} at /id: found a second system with the id 'mine'",
        "broken.toml",
        "wrong.toml at /id: found 'mine'; expected 'wrong'",
        "gone.toml: found no such file",
        "--system: found 'chanse'; expected a system file NAME.toml, or one of chance, ",
        "did you mean 'chance'?",
    ):
        assert part in told
    assert len(caught.value.problems) == 5


def test_problems_of_all_files_of_a_folder_are_told_at_once(tmp_path):
    write(tmp_path, PARTS, id="x")
    (tmp_path / "broken.toml").write_text("schema = \n", encoding="utf-8")
    with pytest.raises(EvaluationError) as caught:
        list_systems(tmp_path)
    assert {problem.file for problem in caught.value.problems} == {"mine.toml", "broken.toml"}


PART_OF = {
    "python": PYTHON | {"model": "weights", "revision": "1", "sampling": {"temperature": 0}},
    "command": {"command": {"argv": ["a", "b"], "env": {"SIZE": "1"}}, "revision": "1"},
    "http": HTTP | {"revision": "1", "sampling": {"temperature": 0}},
}


def identify(way, *, version="1", **changes):
    """Identify a part of one way in; a change under the name of the way changes one of its settings."""
    data = PART_OF[way] | {name: value for name, value in changes.items() if name != "inside"}
    data[way] = data[way] | changes.get("inside", {})
    return identify_part(Part.model_validate(data, strict=False), {"support.mortal:Mortal": version})


@pytest.mark.parametrize(
    ("way", "changes"),
    [
        ("python", {"model": "other"}),
        ("python", {"revision": "2"}),
        ("python", {"sampling": {"temperature": 1}}),
        ("python", {"inside": {"options": {"folder": "other"}}}),
        ("python", {"inside": {"target": "support.mortal:look_around"}}),
        ("command", {"revision": "2"}),
        ("command", {"inside": {"argv": ["a", "c"]}}),
        ("command", {"inside": {"env": {"SIZE": "2"}}}),
        ("command", {"inside": {"folder": "elsewhere"}}),
        ("http", {"revision": "2"}),
        ("http", {"sampling": {}}),
        ("http", {"inside": {"model": "n"}}),
        ("http", {"inside": {"audio_in": "audio_url"}}),
        ("http", {"inside": {"body": {"top_p": 1}}}),
        ("http", {"inside": {"voice": "low"}}),
    ],
)
def test_what_a_call_depends_on_changes_its_key(way, changes):
    assert identify(way, **changes) != identify(way)


@pytest.mark.parametrize(
    ("way", "inside"),
    [
        ("command", {"start_s": 1.0}),
        ("command", {"deadline_s": 1.0}),
        ("command", {"restarts": 9}),
        ("http", {"base_url": "http://127.0.0.1:9/v1"}),
        ("http", {"key_env": "MY_KEY"}),
        ("http", {"tries": 1}),
        ("http", {"timeout_s": 1.0}),
        ("http", {"deadline_s": 1.0}),
        ("http", {"stream": True}),
        ("http", {"largest_clip_bytes": 5000}),
    ],
)
def test_how_long_and_where_one_asks_does_not_change_the_key(way, inside):
    assert identify(way, inside=inside) == identify(way)


def test_version_of_a_class_changes_the_key(tmp_path, monkeypatch):
    assert identify("python", version="2") != identify("python")
    monkeypatch.setattr(Mortal, "version", "2", raising=False)
    (version,) = read_versions(load(tmp_path, PYTHON), tmp_path).values()
    assert re.fullmatch("2 sha256:[0-9a-f]{16}", version)


def test_changed_code_changes_the_version(tmp_path):
    program = tmp_path / "wrap.py"
    system = load(tmp_path, {"command": {"argv": ["{python}", "wrap.py"]}})
    told = []
    for text in ("one", "two"):
        program.write_text(text, encoding="utf-8")
        told.append(read_versions(system, tmp_path))
    assert told[0] != told[1]
    assert told[0].keys() == {"{python} wrap.py"}


def test_a_recorded_system_is_told_from_the_file_by_nothing(tmp_path):
    system = load(tmp_path, {"command": {"argv": ["x"], "env": {"TOKEN": "hush-hush"}}})
    again = SystemFile.model_validate(describe_system(system), strict=False)
    assert hash_system(again) == hash_system(system)
    parts = [choose_part(each, "answer", {}) for each in (system, again)]
    assert len({identify_part(part, {}) for part in parts}) == 1


def test_a_module_beside_the_system_file_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "lying_beside.py").write_text("class Model:\n    version = '7'\n", encoding="utf-8")
    assert find_target("lying_beside:Model", tmp_path).version == "7"


def test_values_of_the_environment_are_told_by_digest_alone(tmp_path):
    secret = {"command": {"argv": ["x"], "env": {"TOKEN": "hush-hush"}}}
    whole = load(tmp_path, secret)
    parted = load(tmp_path, PARTS, answer="x", parts={"x": secret})
    for system in (whole, parted):
        assert "hush-hush" not in json.dumps(describe_system(system))
        assert "TOKEN" in json.dumps(describe_system(system))
    assert "hush-hush" not in identify_part(choose_part(whole, "answer", {}), {})


def test_hash_is_of_what_is_said_and_not_of_its_layout(tmp_path):
    path = write(tmp_path, PARTS)
    first = hash_system(load_system(path))
    path.write_text("# a comment\n\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert hash_system(load_system(path)) == first
    assert hash_system(load(tmp_path, PARTS, text="Said otherwise.")) == first
    assert hash_system(load(tmp_path, PARTS, answer="listener")) != first


class Rude:
    """Does in each call what a model should not."""

    def __init__(self, deed=None):
        self.deed = deed

    def generate(self, prompt, *, seed):
        return self.deed(prompt, seed)

    def answer(self, clip, asked, *, seed):
        return self.deed(clip, (asked, seed))

    def close(self):
        raise RuntimeError


def leave(*_):
    raise SystemExit(3)


def run_out(*_):
    raise MemoryError


@pytest.mark.parametrize(
    ("deed", "kind", "told"),
    [
        (leave, CallError, "generate raised SystemExit: 3"),
        (run_out, CallError, "generate ran out of memory"),
        (lambda *_: 1 / 0, CallError, "generate raised ZeroDivisionError: division by zero"),
        (lambda *_: None, OutputError, "the model returned no audio"),
        (lambda *_: "noise", OutputError, "the model returned str, not"),
    ],
)
def test_what_a_model_does_wrong_is_a_fault_of_the_call(deed, kind, told):
    system = open_rude(deed)
    with pytest.raises(kind, match=told):
        system.generate("Rain.", seed=0)
    system.close()


def open_rude(deed):
    return PythonSystem(Rude(deed))


def test_answer_that_is_no_text_and_call_it_cannot_take_are_told():
    system = open_rude(lambda *_: 5)
    with pytest.raises(OutputError, match="the model returned int, not text"):
        system.answer(None, Asked("Which?", {}), seed=0)
    with pytest.raises(CapabilityError, match="Rude cannot caption"):
        system.caption(None, seed=0)
    assert system.capabilities == {"generate", "answer"}


def test_class_may_say_what_it_can_do():
    class Says:
        capabilities = ("answer", "dance")

        def generate(self): ...

    assert read_capabilities(Says) == {"answer"}
    assert read_capabilities(find_target("support.mortal:Mortal", Path())) == set(CAPABILITIES) - {"caption"}


def test_sampling_is_handed_to_the_class_and_misfits_are_told():
    way = PythonWay(target="builtins:dict", options={"size": 1})
    assert open_python(way, Path(), sampling={"temperature": 0}).inner == {
        "size": 1,
        "sampling": {"temperature": 0},
    }
    with pytest.raises(EvaluationError, match=r"support\.mortal:Mortal: found missing a required argument"):
        open_python(PythonWay(target="support.mortal:Mortal"), Path(), sampling={})
    with pytest.raises(CallError, match=r"raised FileNotFoundError"):
        open_python(
            PythonWay(target="support.mortal:Mortal", options={"folder": "/no/where"}), Path(), sampling={}
        )


def test_part_without_a_way_in_is_a_mistake_of_the_code(tmp_path):
    with pytest.raises(ValueError, match="without a way in"):
        open_part(Part(), tmp_path)


def test_a_password_in_an_address_is_refused_and_not_repeated(tmp_path):
    table = {"http": HTTP["http"] | {"base_url": "http://me:hush-hush@127.0.0.1:8000/v1"}}
    path = write(tmp_path, table)
    (problem,) = check_system(Found(load_system(path), path))
    assert (problem.place, problem.found) == ("/http/base_url", "an address with a password")
    assert "hush-hush" not in str(problem)
