"""Results that are known to be right are not read again, and are the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factories
from torus_site.errors import ResultsError
from torus_site.records.store import dump, read_results
from torus_site.records.stored import find_items, pack_results, unpack_results

NAMES = ("bell", "drum", "horn")


@pytest.fixture
def project(tmp_path):
    """A project with a run of three items in canonical form, and results of each kind in another."""
    run = factories.run_data(names=NAMES)
    run["items"][1]["cells"][0]["clip"] = {"path": "audio/a.wav", "sha256": "0" * 64}
    run["items"][2]["cells"][0]["clip"] = {"path": "audio/a.wav", "sha256": "0" * 64}
    folder = tmp_path / "results" / "toy"
    folder.mkdir(parents=True)
    (folder / "cascade.json").write_bytes(dump(factories.make_run(**run)))
    (folder / "paper.json").write_text(json.dumps(factories.reported_data()))
    (folder / "study.json").write_text(json.dumps(factories.study_data()))
    (folder / "bank.json").write_text(json.dumps(factories.composition_data()))
    return tmp_path


@pytest.fixture
def both(project):
    """The results as read and as remembered."""
    read, problems = read_results(project, "toy")
    assert problems == ()
    return read, unpack_results([pack_results(read, project)], project)


def test_everything_but_the_items_is_the_same(both):
    read, known = both
    assert [run.model_copy(update={"items": ()}) for run in read.runs] == [
        run.model_copy(update={"items": ()}) for run in known.runs
    ]
    assert known.studies == read.studies
    assert known.compositions == read.compositions
    assert known.files == read.files


def test_items_are_the_same_wherever_they_are(both):
    read, known = both
    for run, same in zip(read.runs, known.runs, strict=True):
        assert dict(known.items_of(same)) == dict(read.items_of(run))


def test_items_in_canonical_form_stay_in_their_file(both):
    _, known = both
    lengths = {run.system: (len(run.items), len(known.items_of(run))) for run in known.runs}
    assert lengths == {"cascade": (0, 3), "paper": (0, 0)}
    (run,) = (run for run in known.runs if run.system == "cascade")
    assert "bell" in known.items_of(run)
    assert "gong" not in known.items_of(run)
    with pytest.raises(KeyError):
        known.items_of(run)["gong"]


def test_a_run_in_another_form_is_kept_whole(project):
    path = project / "results" / "toy" / "cascade.json"
    path.write_text(json.dumps(json.loads(path.read_bytes())))
    read, _ = read_results(project, "toy")
    known = unpack_results([pack_results(read, project)], project)
    assert known.runs == read.runs


def test_of_every_clip_the_first_cell_is_known(both):
    read, known = both
    first = {use.path: use for use in reversed([*read.clips()])}
    assert {use.path: use for use in known.clips()} == first
    assert first["audio/a.wav"].item == "drum"


@pytest.mark.parametrize("change", [lambda text: text.replace("bell", "ball"), lambda _: "{}"])
def test_a_file_that_changes_meanwhile_is_told(project, both, change):
    _, known = both
    path = project / "results" / "toy" / "cascade.json"
    path.write_text(change(path.read_text()))
    (run,) = (run for run in known.runs if run.system == "cascade")
    with pytest.raises(ResultsError, match=r"cascade\.json: found other content than a moment ago"):
        known.items_of(run)["bell"]


def test_a_file_that_goes_meanwhile_is_told(project, both):
    _, known = both
    (project / "results" / "toy" / "cascade.json").unlink()
    (run,) = (run for run in known.runs if run.system == "cascade")
    with pytest.raises(ResultsError, match="run the command again"):
        known.items_of(run)["bell"]


def test_finding_items_cuts_them_out_and_leaves_the_rest():
    data = dump(factories.make_run(**factories.run_data(names=NAMES)))
    document, spans = find_items(data)
    assert [*spans] == [*NAMES]
    whole = json.loads(data)
    assert [json.loads(data[start:end]) for start, end in spans.values()] == whole.pop("items")
    rest = json.loads(document)
    assert rest.pop("items") == []
    assert rest == whole


@given(text=st.text())
def test_text_that_looks_like_the_form_is_no_trouble(text):
    likeness = f'{{\n  "items": [\n    {{\n      "item": "{text}"\n    }}\n  ]\n}}\n'
    run = factories.run_data(names=NAMES)
    run["items"][0]["cells"][0]["note"] = likeness
    run["items"][1]["cells"][0]["answers"][0]["response"] = likeness
    data = dump(factories.make_run(**run))
    _, spans = find_items(data)
    assert [*spans] == [*NAMES]


@pytest.mark.parametrize("data", [b"", b"{}", b'{\n  "items": []\n}\n', b'\n  "items": [\n    {\n', b"[1]"])
def test_in_any_other_form_nothing_is_found(data):
    assert find_items(data) is None
