from __future__ import annotations

import json

import pytest

from factories import question_data, write_toml
from support.orchestra import CALLS, SYSTEM, garden_item
from support.runs import plant_garden, read, run, write_system
from torus_eval.errors import EvaluationError
from torus_eval.runlog import folder as folder_module
from torus_eval.runlog.folder import RECORDS_FILE, read_spec
from torus_eval.runlog.spec import RUN_FILE
from torus_site.errors import TorusError


@pytest.fixture
def garden(tmp_path):
    return plant_garden(tmp_path)


@pytest.fixture
def place(garden):
    return garden / "runs" / "toy" / SYSTEM


def lines_of(place):
    return (place / RECORDS_FILE).read_bytes().splitlines(keepends=True)


def change_items(**changes):
    """Write one item anew with a change in its first cell."""

    def change(root):
        item = garden_item("bell", order=1)
        item["cells"][0] |= changes
        write_toml(root / "site_src" / "toy" / "tests" / "bell.toml", item)

    return change


ASKED_OTHERWISE = question_data("S1.1", id="spring.1", key="C", text="How many rings are there?")
ANSWERED_OTHERWISE = question_data(
    "S1.1", id="spring.1", key="C", text="How many knocks are there?", options=["1", "2", "3"]
)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (change_items(prompt="Four knocks."), "/items/bell: .*benchmark: spring prompt changed"),
        (change_items(questions=[ASKED_OTHERWISE]), "/items/bell: .*: question spring.1 changed"),
        (change_items(questions=[ANSWERED_OTHERWISE]), "/items/bell: .*: question spring.1 changed"),
    ],
)
def test_records_of_another_version_of_the_benchmark_are_refused_with_what_changed(
    garden, place, change, told
):
    run(garden)
    before = lines_of(place)
    change(garden)
    for use in (run, read):
        with pytest.raises(EvaluationError, match=rf"{RUN_FILE} at {told}; expected the item as it was"):
            use(garden)
    assert lines_of(place) == before


def test_items_that_the_benchmark_no_longer_has_are_told(garden):
    run(garden)
    (garden / "site_src" / "toy" / "tests" / "bell.toml").unlink()
    for use in (run, read):
        with pytest.raises(EvaluationError, match=r"bell: found .*item that the benchmark no longer has"):
            use(garden)


def test_other_letters_are_refused(garden, place):
    run(garden)
    data = json.loads((place / RUN_FILE).read_text(encoding="utf-8"))
    (place / RUN_FILE).write_text(json.dumps(data | {"letters": "XYZ"}), encoding="utf-8")
    for use in (run, read):
        with pytest.raises(EvaluationError, match="/letters: found records made with 'XYZ'; expected 'ABC"):
            use(garden)


def test_all_that_is_asked_otherwise_is_told_at_once(garden):
    run(garden)
    change_items(prompt="Four knocks.")(garden)
    way = {"target": "support.heads:bring", "options": {"name": SYSTEM}}
    write_system(garden, python=way, revision="2", text="Said otherwise.")
    with pytest.raises(EvaluationError) as caught:
        run(garden, seed=7, orders=2)
    told = [f"{problem.place} {problem.found}" for problem in caught.value.problems]
    assert sorted(told) == [
        "/items/bell records made for another version of the benchmark: spring prompt changed",
        "/orders records made with 1",
        "/seed records made with 0",
        "/settings records made with another revision",
    ]


def test_other_words_about_a_system_and_another_key_need_no_new_run(garden):
    run(garden)
    way = {"target": "support.heads:bring", "options": {"name": SYSTEM}}
    write_system(garden, python=way, text="Said otherwise.")
    change_items(questions=[ASKED_OTHERWISE | {"text": "How many knocks are there?", "key": "A"}])(garden)
    assert run(garden).cached == CALLS
    assert [c.answers[0].correct for c in read(garden).item_records()[1].cells] == [False, False]


def test_tests_that_were_added_are_run_and_the_others_kept(garden, place):
    run(garden)
    before = lines_of(place)
    write_toml(garden / "site_src" / "toy" / "tests" / "horn.toml", garden_item("horn", order=9))
    assert read(garden).count().owed == 0
    last = run(garden)
    assert (last.cached, last.count.done) == (CALLS, CALLS + 4)
    assert lines_of(place)[:CALLS] == before


def damage(place, name, data):
    file = place / name
    file.unlink(missing_ok=True)
    if data is None:
        file.mkdir()
    else:
        file.write_bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        (RUN_FILE, b"", RUN_FILE),
        (RUN_FILE, b"{", RUN_FILE),
        (RUN_FILE, b"[]", RUN_FILE),
        (RUN_FILE, b"\xff\xfe", RUN_FILE),
        (RUN_FILE, b'{"schema": 2}', RUN_FILE),
        (RUN_FILE, None, f"no {RUN_FILE}"),
        (RECORDS_FILE, None, f"{RECORDS_FILE}: found Is a directory"),
        ("lock", None, "lock.*[Ii]s a directory"),
    ],
)
def test_damaged_run_directory_is_told_and_left_as_it_is(garden, place, name, data, found):
    run(garden, limit=1)
    damage(place, name, data)
    with pytest.raises(TorusError, match=found):
        run(garden)
    if name != "lock":
        with pytest.raises(TorusError, match=found):
            read(garden)
    assert (place / name).is_dir() if data is None else (place / name).read_bytes() == data


def test_folder_that_cannot_be_used_is_told(garden):
    (garden / "runs").write_text("a file", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"runs.*: found (Not a directory|File exists); make room or"):
        run(garden)
    with pytest.raises(EvaluationError, match="found no such directory; expected a run directory"):
        read(garden)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (PermissionError(13, "Permission denied", "runs/lock"), "runs/lock: found Permission denied"),
        (NotImplementedError("no flock"), "found a file system that has no locks; run into another"),
    ],
)
def test_folder_that_cannot_be_locked_is_told(garden, monkeypatch, error, told):
    def refuse(*_, **_how):
        raise error

    monkeypatch.setattr(folder_module.FileLock, "acquire", refuse)
    with pytest.raises(EvaluationError, match=told):
        run(garden)


def test_clip_in_the_place_of_a_folder_is_told(garden, place):
    run(garden, limit=1)
    place.rename(place.with_name("old"))
    place.mkdir()
    (place / "clips").write_text("a file", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"found (Not a directory|File exists)"):
        run(garden)


def test_records_without_a_run_file_still_count(garden, place):
    run(garden)
    (place / RUN_FILE).unlink()
    assert run(garden).cached == CALLS


def test_system_file_may_lie_anywhere(garden, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run(garden)
    assert read_spec(garden / "runs" / "toy" / SYSTEM).system_file == f"../../../{SYSTEM}.toml"
