from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from factories import make_benchmark, make_item
from torus_eval.comparison import compare_runs, render_comparison
from torus_eval.differences import difference_runs
from torus_eval.scorers import score_run
from torus_site.benchmark.fit import check_results
from torus_site.records.model import RunRecord
from torus_site.records.store import Results

KEYS = {"S1": {"S1.1": "A", "S1.2": "B"}, "S2": {"S2.1": "C", "S2.2": "A"}}
METRICS = [
    {"id": "coherence", "title": "Coherence", "kind": "rate", "measure": "strict"},
    {"id": "forgiving", "title": "Forgiving", "kind": "rate", "measure": "lenient"},
    {"id": "readable", "title": "Readable", "kind": "rate", "measure": "parse_rate"},
]
NAMES = ("bell", "drum", "gong", "harp", "horn")
BENCHMARK = make_benchmark(
    items=[make_item(name, facets={"family": "AB"[index % 2]}) for index, name in enumerate(NAMES)],
    metrics=METRICS,
)
CLEAN = ("made", "made", "made", "failed", "not_reached")


@st.composite
def cells(draw, stage, orders, statuses):
    status = draw(st.sampled_from(statuses))
    if status != "made":
        return {"at": {"stage": stage}, "status": status, "reason": "so it is"}
    answers = []
    for question, key in KEYS[stage].items():
        told = []
        for _ in range(orders):
            pick, read = draw(
                st.sampled_from([("A", "A"), ("B", "B"), ("C", "C"), (None, "A"), (None, None)])
            )
            lenient = {"pick": read, "reason": "x", "correct": read == key}
            told.append({"pick": pick, "reason": "x", "correct": pick == key, "lenient": lenient})
        answers.append({"question": question, **told[0], "again": told[1:]})
    return {"at": {"stage": stage}, "answers": answers}


@st.composite
def runs(draw, statuses=CLEAN, names=NAMES, least=1):
    orders = draw(st.integers(1, 3))
    chosen = draw(st.lists(st.sampled_from(names), unique=True, min_size=least))
    items = [
        {"item": name, "cells": [draw(cells(stage, orders, statuses)) for stage in KEYS]} for name in chosen
    ]
    owed = sum(cell.get("status") == "owed" for item in items for cell in item["cells"])
    data = {
        "schema": 1,
        "kind": "run",
        "benchmark": "toy",
        "source": "computed",
        "system": "cascade",
        "clips": "none",
        "items": items,
        "owed": owed,
        "status": "incomplete" if owed else "complete",
    }
    return RunRecord.model_validate_json(json.dumps(data))


def find(scores, metric, at=None, where=None, subset="all"):
    return next(
        score
        for score in scores
        if (score.metric, score.at, score.where, score.subset) == (metric, at or {}, where or {}, subset)
    )


@settings(deadline=None, max_examples=15)
@given(runs())
def test_counts_of_parts_add_up_to_the_total(run):
    scores = score_run(BENCHMARK, run.items, seed=1)
    for metric in METRICS:
        total = find(scores, metric["id"])
        for parts in (
            [find(scores, metric["id"], at={"stage": stage}) for stage in KEYS],
            [find(scores, metric["id"], where={"family": family}) for family in "AB"],
        ):
            assert sum(part.n or 0 for part in parts) == total.n
            assert sum(part.correct or 0 for part in parts) == total.correct


@settings(deadline=None, max_examples=15)
@given(runs())
def test_strict_counts_are_lenient_ones_and_those_are_read(run):
    scores = score_run(BENCHMARK, run.items, seed=1)
    for strict, lenient, read in zip(scores[:10], scores[10:20], scores[20:], strict=True):
        assert strict.n == lenient.n == read.n
        assert (strict.correct or 0) <= (lenient.correct or 0) <= (read.correct or 0)


@settings(deadline=None, max_examples=8)
@given(runs(least=2), st.randoms())
def test_order_of_items_changes_nothing(run, chance):
    mixed = list(run.items)
    chance.shuffle(mixed)
    assert score_run(BENCHMARK, tuple(mixed), seed=4) == score_run(BENCHMARK, run.items, seed=4)
    found = difference_runs(BENCHMARK, run.items, tuple(mixed), seed=4, baseline="plain")
    assert {difference.value for difference in found} <= {0.0, None}


@settings(deadline=None, max_examples=15)
@given(runs(statuses=(*CLEAN, "owed")))
def test_scores_are_those_the_check_counts(run):
    scored = run.model_copy(update={"scores": score_run(BENCHMARK, run.items, seed=1)})
    results = Results(runs=(scored,), files={("run", "cascade", "computed"): "run.json"})
    problems = check_results(BENCHMARK, results, is_whole=False)
    assert [problem for problem in problems if problem.place.startswith("/scores")] == []


@settings(deadline=None, max_examples=15)
@given(runs(names=NAMES[:3], least=2), runs(names=NAMES[1:4], least=2))
def test_swapped_runs_swap_the_difference(one, two):
    if not {item.item for item in one.items} & {item.item for item in two.items}:
        return
    there = difference_runs(BENCHMARK, one.items, two.items, seed=3, baseline="plain")
    back = difference_runs(BENCHMARK, two.items, one.items, seed=3, baseline="plain")
    for first, second in zip(there, back, strict=True):
        assert first.n == second.n
        assert (first.value or 0.0) == -(second.value or 0.0)
    table = compare_runs(BENCHMARK, one.items, two.items, names=("one", "two"), seed=3)
    for row in table.rows:
        shared = [
            name for name in NAMES if all(name in {item.item for item in run.items} for run in (one, two))
        ]
        assert 1 <= row.wins + row.ties + row.losses <= len(shared) == table.items
    assert len(render_comparison(table).splitlines()) >= 5
