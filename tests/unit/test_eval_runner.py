from __future__ import annotations

import re

import numpy as np
import pytest

from factories import write_project
from support.heads import Watched, make_tone
from support.orchestra import (
    CALLS,
    PROMPTS,
    SYSTEM,
    declare,
    garden_descriptor,
    garden_item,
    write_garden,
)
from support.runs import export, plan, read, run, write_system
from torus_eval.errors import CallError, EvaluationError, OutputError
from torus_eval.executors import Crew
from torus_eval.protocol import Script
from torus_eval.runlog.folder import find_clip, read_run
from torus_eval.runner import list_declared, make_plan, run_plan
from torus_eval.systems.base import Made
from torus_eval.systems.load import find_systems
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import ConfigError
from torus_site.records.store import load_results

RATE_HZ = 16000
NOISE = 0.1 * np.random.default_rng(1).standard_normal(RATE_HZ // 10)


class Player(Watched):
    """Depends on nothing but what a call carries."""

    def generate(self, prompt, *, seed):
        return Made(make_tone(200.0 + (seed + len(prompt)) % 400, duration_s=0.1))

    def edit(self, clip, instruction, *, seed):
        return Made(make_tone(700.0 + (seed + len(instruction)) % 400, duration_s=clip.duration_s))

    def answer(self, clip, asked, *, seed):
        return sorted(asked.options)[(seed + len(clip.samples)) % len(asked.options)]


@pytest.fixture
def garden(tmp_path):
    root = write_garden(tmp_path / "garden")
    write_system(root, Player())
    return root


def test_results_fit_the_benchmark(garden):
    run(garden)
    export(garden, output=garden)
    results = load_results(garden, "toy")
    assert check_results(load_benchmark(garden, "toy"), results) == ()
    record = results.run(SYSTEM, "computed")
    assert [item.item for item in record.items] == ["gong", "bell"]
    assert [cell.at["season"] for cell in record.items[0].cells] == list(PROMPTS)


def test_any_number_of_jobs_gives_the_same_bytes(garden):
    for jobs in (1, 4):
        run(garden, jobs=jobs, into=str(jobs))
    files = export(garden, into="1")
    assert len(files) == 5
    assert export(garden, into="4") == files


def test_item_alone_gives_the_same_clips_and_answers(garden):
    run(garden, into="all")
    run(garden, into="part", tests="be*")
    whole, part = read(garden, into="all"), read(garden, into="part")
    assert part.item_records() == whole.item_records()[1:]


def test_other_seed_gives_other_clips(garden):
    for seed in (1, 2):
        run(garden, seed=seed, into=str(seed))
    assert export(garden, into="1").keys() == export(garden, into="2").keys()
    assert read(garden, into="1").item_records() != read(garden, into="2").item_records()


def test_limit_is_raised_by_a_later_run(garden):
    assert run(garden, limit=1).count.total == CALLS // 2
    last = run(garden)
    assert (last.cached, last.count.done) == (CALLS // 2, CALLS)


def test_smaller_run_keeps_the_items_of_the_greater(garden):
    run(garden)
    run(garden, tests="gong")
    assert set(read(garden).spec.items) == {"gong", "bell"}
    assert read(garden).count().owed == 0


def test_each_call_is_told_and_counts_agree_with_a_count_from_the_start(garden):
    steps = []
    run(garden, report=steps.append, orders=3)
    assert [step.count.done for step in steps] == list(range(17))
    assert {step.count.total for step in steps} == {16}
    assert steps[0].call is None
    assert len({step.call for step in steps[1:]}) == 16
    assert steps[-1].count == read(garden).count()


def test_counts_with_failures_agree_with_a_count_from_the_start(garden):
    class Half(Player):
        def answer(self, clip, asked, *, seed):
            if seed % 2:
                raise CallError("lost", "away") if seed % 3 else OutputError("no_text", "dumb")
            return super().answer(clip, asked, seed=seed)

        def edit(self, *_, **_how):
            raise OutputError("no_audio", "nothing")

    write_system(garden, Half())
    last = run(garden, orders=20)
    assert last.count == read(garden).count()
    assert last.count.failed > 2
    assert last.count.owed == last.errors > 0
    assert last.count.unreached == 2 * 20


def test_item_is_not_followed_anew_after_each_answer(garden, monkeypatch):
    followed = []
    follow = Script.follow
    monkeypatch.setattr(
        Script, "follow", lambda self, item, records: followed.append(item.id) or follow(self, item, records)
    )
    run(garden, orders=50)
    # Once at the start and once after each clip.
    assert len(followed) == 2 * 3


def test_run_stopped_after_any_call_goes_on_where_it_was(garden):
    run(garden, into="unbroken")
    for number in range(CALLS):
        into = f"stopped-{number}"

        def stop(step, number=number):
            if step.count.done == number:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run(garden, into=into, report=stop)
        last = run(garden, into=into)
        assert (last.cached, last.count.done) == (number, CALLS)
        assert export(garden, into=into) == export(garden, into="unbroken")


def test_error_of_who_watches_is_not_the_directory_s(garden):
    def fail(_):
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run(garden, report=fail)
    assert run(garden).count.done == CALLS


def test_lost_calls_are_made_again_and_no_others(garden):
    class Moody(Player):
        is_away = True

        def edit(self, clip, instruction, *, seed):
            self.edited.append(seed)
            if self.is_away:
                raise CallError("deadline", "no word")
            return super().edit(clip, instruction, seed=seed)

    moody = Moody()
    write_system(garden, moody)
    first = run(garden)
    assert (first.count.done, first.count.owed, first.errors) == (4, 4, 2)
    moody.is_away = False
    second = run(garden)
    assert (second.cached, second.count.owed, second.errors) == (4, 0, 0)
    assert len(moody.edited) == 4
    write_system(garden, Player())
    run(garden, into="unbroken")
    assert export(garden) == export(garden, into="unbroken")


def test_failed_calls_are_made_again_only_when_that_is_asked_for(garden):
    write_system(garden, Bad(None))
    assert run(garden).count.failed == 2
    write_system(garden, Player())
    assert run(garden).count.failed == 2
    again = plan(garden)
    done = run_plan(
        type(again)(again.script, again.found, again.items, redo_failed=True),
        garden / "runs" / "toy" / SYSTEM,
        Crew("thread", 1),
        report=lambda _: None,
    )
    assert (done.count.done, done.count.failed) == (CALLS, 0)
    assert read(garden).count() == done.count


class Bad(Player):
    """Returns whatever it is told to in place of a clip."""

    def __init__(self, returned):
        super().__init__()
        self.returned = returned

    def generate(self, prompt, *, seed):
        del prompt, seed
        return self.returned


def nan_at(place):
    noise = NOISE.copy()
    noise[place] = np.nan
    return noise


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "the model returned no audio"),
        ((nan_at(7), RATE_HZ), "1 of 1600 samples are not finite numbers"),
        ((np.zeros(0), RATE_HZ), "a clip without samples"),
        (([], RATE_HZ), "a clip without samples"),
        ((NOISE, 10), "a rate of 10 Hz; 4000 to 192000 Hz are taken"),
        ((NOISE, None), "a rate of None"),
        ((NOISE, float("nan")), "a rate of nan"),
        ((np.stack([NOISE] * 3), RATE_HZ), "3 channels; one or two are taken"),
        ((np.zeros((2, 2, 2)), RATE_HZ), "samples of shape (2, 2, 2), not"),
        ((np.zeros(599 * 4000), 4000), "a clip of 599.0 s; at most 60 s are taken"),
        (("noise", RATE_HZ), "samples of type <U5, not numbers"),
        ("noise", "the model returned str, not (samples, rate_hz)"),
    ],
)
def test_unusable_clip_is_a_failure_of_the_model(garden, returned, message):
    write_system(garden, Bad(returned))
    last = run(garden)
    assert (last.count.failed, last.count.unreached, last.count.owed) == (2, CALLS - 2, 0)
    (record, _) = read(garden).item_records()
    assert record.cells[0].reason.startswith(message)
    assert [cell.status for cell in record.cells] == ["failed", "not_reached"]
    export(garden, output=garden)
    results = load_results(garden, "toy")
    assert check_results(load_benchmark(garden, "toy"), results) == ()
    score = results.run(SYSTEM, "computed").scores[0]
    assert (score.correct, score.n) == (0, 4)


@pytest.mark.parametrize(
    ("returned", "shape"),
    [
        ((np.zeros(1600), RATE_HZ), (1600, 1)),
        ((np.stack([NOISE, -NOISE]), RATE_HZ), (1600, 2)),
        ((np.stack([NOISE, -NOISE], axis=1), RATE_HZ), (1600, 2)),
        ((np.round(30000 * NOISE).astype(np.int16), RATE_HZ), (1600, 1)),
        ((NOISE.astype(np.float32).tolist(), float(RATE_HZ)), (1600, 1)),
        ((9.0 * NOISE, RATE_HZ), (1600, 1)),
        ((np.ones(1), RATE_HZ), (1, 1)),
    ],
)
def test_usable_clip_is_kept_in_its_shape(garden, returned, shape):
    heard = []

    class Ear(Bad):
        def answer(self, clip, asked, *, seed):
            heard.append((clip.samples.shape, clip.rate_hz))
            return super().answer(clip, asked, seed=seed)

    write_system(garden, Ear(returned))
    assert run(garden).count.failed == 0
    assert (shape, RATE_HZ) in heard


@pytest.mark.parametrize("returned", [Made("noise"), Made(None), Made(make_tone(), 5)])
def test_odd_return_costs_no_more_than_its_call(garden, returned):
    write_system(garden, Bad(returned))
    last = run(garden)
    assert last.count.total == CALLS
    assert last.count.failed == 0


def remove(place):
    place.unlink()


def alter(place):
    place.write_bytes(b"other")


@pytest.mark.parametrize(("spoil", "found"), [(remove, "found No such file"), (alter, "found other bytes")])
def test_clip_that_is_gone_or_altered_is_told_with_what_to_do(garden, spoil, found):
    def stop(step):
        if step.count.done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(garden, report=stop)
    _, records = read_run(garden / "runs" / "toy" / SYSTEM)
    (record,) = records.values()
    spoil(find_clip(garden / "runs" / "toy" / SYSTEM, record.clip))
    with pytest.raises(EvaluationError, match=f"{record.clip}.ogg: {found}.*delete the line of records"):
        run(garden)


def test_clips_that_are_gone_are_all_told_before_anything_is_exported(garden):
    run(garden)
    places = sorted((garden / "runs" / "toy" / SYSTEM / "clips").iterdir())
    for place in places[:2]:
        place.unlink()
    with pytest.raises(EvaluationError) as caught:
        export(garden)
    assert [problem.file for problem in caught.value.problems] == [place.as_posix() for place in places[:2]]
    assert not (garden / "export-runs").exists()


def test_start_is_told_where_the_environment_gives_it(garden, monkeypatch):
    run(garden)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    export(garden, output=garden)
    told = load_results(garden, "toy").run(SYSTEM, "computed").provenance
    assert (told.tool, told.seed, told.started) == ("torus-eval", 0, None)
    assert told.model_revision == f"{SYSTEM}-{told.config_hash[:12]}"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    export(garden, output=garden)
    told = load_results(garden, "toy").run(SYSTEM, "computed").provenance
    assert told.started == "1970-01-02T00:00:00+00:00"


@pytest.mark.parametrize("epoch", ["9" * 20, "²", "noon"])
def test_start_that_is_no_time_is_told(epoch, garden, monkeypatch):
    run(garden)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(EvaluationError, match=f"SOURCE_DATE_EPOCH: found '{epoch}'; expected seconds"):
        export(garden)


def test_systems_of_this_tool_that_the_benchmark_declares_are_found(tmp_path):
    root = write_garden(tmp_path, systems=[declare("chance"), declare("other", hue=1)])
    assert [found.system.id for found in list_declared(root, "toy")] == ["chance"]
    with pytest.raises(EvaluationError, match="--system: found none; expected a system file, or one of"):
        list_declared(write_garden(tmp_path / "none", systems=[]), "toy")


def test_system_that_comes_with_the_tool_runs_by_its_id(tmp_path):
    root = write_garden(tmp_path, systems=[declare("chance")])
    made = make_plan(root, "toy", find_systems(("chance",))[0])
    run_plan(made, root / "runs" / "toy" / "chance", Crew("thread", 1), report=lambda _: None)
    found = read(root, name="chance")
    assert (found.spec.system_file, found.count().owed) == ("chance", 0)
    assert len(export(root, names=("chance",))) == 5


def test_wrong_choice_is_told(garden):
    with pytest.raises(EvaluationError, match="found 'gnog'; expected a glob matching one of gong, bell"):
        plan(garden, tests="gnog")
    with pytest.raises(ConfigError, match="no such file"):
        make_plan(garden, "tay", find_systems(("chance",))[0])


def test_route_by_what_is_no_facet_of_the_items_is_told_with_the_rest(garden):
    rows = {"any": "scene", "x": "scene"}
    write_system(garden, arm="cascaded", route="arm", generate=rows, edit={"any": "edit"}, answer="chance")
    with pytest.raises(EvaluationError) as caught:
        plan(garden, tests="gnog")
    told = str(caught.value)
    assert re.search("/route: found 'arm'; expected a facet of the items: family", told)
    assert "--tests: found 'gnog'" in told


def test_two_cells_whose_clips_would_be_one_file_are_told(tmp_path):
    seasons = [{"id": name, "title": name} for name in ("spring", "late-spring")]
    axis = {"id": "season", "title": "Season", "values": seasons}
    cells = [{"at": {"season": season["id"]}, "prompt": "a bell", "questions": []} for season in seasons]
    items = [garden_item(name) | {"cells": cells} for name in ("bell", "bell-late")]
    write_project(tmp_path, descriptor=garden_descriptor(axes=[axis]), items=items)
    write_system(tmp_path, Player())
    with pytest.raises(EvaluationError, match="/items/bell-late: found a second clip with the name"):
        plan(tmp_path)


def test_run_over_many_items_counts_each_once(tmp_path):
    names = [f"item-{number}" for number in range(30)]
    items = [garden_item(name, order=order) for order, name in enumerate(names)]
    write_project(tmp_path, descriptor=garden_descriptor(), items=items)
    write_system(tmp_path, Player())
    last = run(tmp_path, jobs=3)
    assert last.count.done == last.count.total == 4 * len(names)
