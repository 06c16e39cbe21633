from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from factories import (
    cell_data,
    item_data,
    make_benchmark,
    make_item,
    make_lapsed,
    make_results,
    make_run,
    question_data,
)
from torus_eval.comparison import compare_runs, render_comparison
from torus_eval.differences import difference_runs
from torus_eval.errors import EvaluationError
from torus_eval.outcomes import judge, list_measured, list_outcomes
from torus_eval.scorers import score_run
from torus_site.benchmark.fit import check_results
from torus_site.benchmark.recompute import slot_of
from torus_site.records.model import Again, Lenient

MEASURED = [
    {"id": "coherence", "title": "Coherence", "kind": "rate", "unit": "%"},
    {"id": "forgiving", "title": "Forgiving", "kind": "rate", "unit": "%", "measure": "lenient"},
    {"id": "readable", "title": "Readable", "kind": "rate", "unit": "%", "measure": "parse_rate"},
    {"id": "wer", "title": "Word errors", "direction": "lower", "measure": "wer"},
]
NAMES = [f"bell-{index}" for index in range(12)]


def measure_garden(names=("bell", "gong", "horn"), **changes):
    items = [make_item(name, facets={"family": "AB"[index % 2]}) for index, name in enumerate(names)]
    return make_benchmark(items=items, metrics=MEASURED, **changes)


def answer(question, pick, *, lenient=None, again=()):
    right = {"S1.1": "A", "S1.2": "B", "S2.1": "C", "S2.2": "A"}[question]
    given = {"response": pick, "pick": pick, "reason": "exact" if pick else "none", "correct": pick == right}
    if lenient != "unread":
        letter = lenient or pick
        given["lenient"] = {"pick": letter, "reason": "x", "correct": letter == right}
    whole = {"question": question, **given}
    if again:
        whole["again"] = [
            {key: value for key, value in answer(question, other).items() if key != "question"}
            for other in again
        ]
    return whole


def run_of(picks, **how):
    """A run from the picks of S1.1, S1.2, S2.1, S2.2 of each item."""
    items = []
    for name, row in picks.items():
        told = [
            answer(question, pick, **how)
            for question, pick in zip(("S1.1", "S1.2", "S2.1", "S2.2"), row, strict=True)
        ]
        cells = [
            cell_data(name, stage, answers=[each for each in told if each["question"].startswith(stage)])
            for stage in ("S1", "S2")
        ]
        items.append({"item": name, "cells": cells})
    return make_run(items=items, scores=[])


def find(scores, metric="coherence", at=None, where=None, subset="all"):
    return next(
        score
        for score in scores
        if (score.metric, score.at, score.where, score.subset) == (metric, at or {}, where or {}, subset)
    )


def random_run(names, seed):
    rng = np.random.default_rng(seed)
    return run_of({name: [str(rng.choice(list("ABC"))) for _ in range(4)] for name in names})


def test_every_measured_metric_is_scored_at_every_place():
    scores = score_run(
        measure_garden(), run_of(dict.fromkeys(("bell", "gong", "horn"), "ABCA")).items, seed=1
    )
    places = {(score.subset, *score.at.values(), *score.where.values()) for score in scores}
    assert places == {
        (subset, *place) for subset in ("all", "clear") for place in [(), ("S1",), ("S2",), ("A",), ("B",)]
    }
    assert [score.metric for score in scores] == [
        name for name in ("coherence", "forgiving", "readable") for _ in range(10)
    ]
    assert {score.value for score in scores} == {100.0}


def test_verdict_metric_counts_as_strict_without_a_measure():
    assert list_measured(make_benchmark()) == (("coherence", "strict"),)
    assert list_measured(make_benchmark(verdict_metric=None)) == ()


def test_lenient_and_parse_rate_read_the_lenient_pick():
    told = make_run(
        items=[
            {
                "item": "bell",
                "cells": [
                    cell_data(
                        "bell",
                        "S1",
                        answers=[answer("S1.1", None, lenient="A"), answer("S1.2", None, lenient="C")],
                    ),
                    cell_data("bell", "S2", answers=[answer("S2.1", "C"), answer("S2.2", None)]),
                ],
            }
        ],
        scores=[],
    )
    scores = score_run(measure_garden(("bell",)), told.items, seed=1)
    counts = {
        metric: (find(scores, metric).correct, find(scores, metric).n)
        for metric in ("coherence", "forgiving", "readable")
    }
    assert counts == {"coherence": (1, 4), "forgiving": (2, 4), "readable": (3, 4)}


def test_answers_that_were_never_read_leniently_leave_those_metrics_unscored():
    scores = score_run(
        measure_garden(("bell",)), run_of({"bell": ["A", None, "C", "B"]}, lenient="unread").items, seed=1
    )
    assert find(scores).correct == 2
    lenient = find(scores, "forgiving")
    assert (lenient.status, lenient.value, lenient.n) == ("unscored", None, None)
    assert lenient.reason == "1 of 4 answers were read strictly only"
    assert find(scores, "readable", at={"stage": "S2"}).correct == 2


def test_failed_and_unreached_cells_count_wrong_and_owed_ones_leave_no_rate():
    run = make_lapsed()
    scores = score_run(measure_garden(), run.items, seed=1)
    first = find(scores, at={"stage": "S1"})
    assert (first.status, first.correct, first.n) == ("scored", 6, 12)
    total, second = find(scores), find(scores, at={"stage": "S2"})
    assert (total.status, total.value, total.n, total.interval) == ("unscored", None, None, None)
    assert total.reason == "2 of 12 questions are still owed"
    assert second.reason == "2 of 6 questions are still owed"


def test_scores_of_a_run_with_lapses_agree_with_the_check():
    benchmark = make_benchmark(items=[make_item(name) for name in ("bell", "gong", "horn")])
    run = make_lapsed()
    scored = run.model_copy(update={"scores": score_run(benchmark, run.items, seed=1)})
    wrong = [
        problem
        for problem in check_results(benchmark, make_results(scored), is_whole=False)
        if "scores" in problem.place
    ]
    assert wrong == []


def test_further_orders_count_as_often_as_they_were_asked():
    run = run_of(dict.fromkeys(("bell", "gong"), "ABCA"), again=("C", "B"))
    scores = score_run(measure_garden(("bell", "gong")), run.items, seed=1)
    assert find(scores).n == 24
    assert find(scores).correct == 8 + 2 * 2
    missing = run.items[0].model_copy(update={"cells": run.items[0].cells[:1]})
    assert find(score_run(measure_garden(("bell", "gong")), (missing, run.items[1]), seed=1)).n == 24


def test_flagged_questions_leave_the_subset_alone():
    cells = item_data()["cells"]
    cells[0]["questions"] = [question_data("S1.1", flags=["doubtful"]), question_data("S1.2")]
    benchmark = make_benchmark(items=[make_item(cells=cells)])
    scores = score_run(benchmark, make_run().items, seed=1)
    assert (find(scores).n, find(scores, subset="clear").n) == (4, 3)
    assert (find(scores, subset="clear", where={"family": "B"}).status) == "unscored"


def test_item_that_the_benchmark_does_not_have_is_told():
    run = run_of({"bel": "ABCA"})
    with pytest.raises(EvaluationError, match=r"no item 'bel'.*did you mean 'bell'"):
        score_run(measure_garden(), run.items, seed=1)


def test_no_answer_never_counts_and_a_strict_pick_is_a_lenient_one():
    right = Again(pick="A", reason="exact", correct=True)
    assert [judge(None, measure) for measure in ("strict", "lenient", "parse_rate")] == [False] * 3
    assert [judge(right, measure) for measure in ("strict", "lenient", "parse_rate")] == [True] * 3
    unread = Again(response="hm", reason="none", correct=False)
    assert [judge(unread, measure) for measure in ("strict", "lenient", "parse_rate")] == [False, None, None]
    read = Again(response="hm", reason="none", correct=False, lenient=Lenient(reason="none", correct=False))
    assert judge(read, "parse_rate") is False


def test_interval_is_the_cluster_bootstrap_of_an_independent_computation():
    run = random_run(NAMES, 3)
    score = find(score_run(measure_garden(NAMES), run.items, seed=12345))
    right = np.array(
        [[answer.correct for cell in item.cells for answer in cell.answers] for item in run.items]
    )
    order = np.argsort(NAMES)
    drawn = np.random.default_rng(12345).integers(0, 12, (5000, 12))
    rates = 100 * right[order].sum(1)[drawn].sum(1) / 48
    assert score.value == pytest.approx(100 * right.mean())
    assert (score.interval.low, score.interval.high) == pytest.approx(
        tuple(np.percentile(rates, [2.5, 97.5]))
    )
    assert (score.interval.clusters, score.interval.resamples, score.interval.seed) == (12, 5000, 12345)


def test_interval_lies_near_those_of_other_libraries():
    names = [f"item-{index:02}" for index in range(40)]
    run = random_run(names, 5)
    score = find(score_run(measure_garden(names), run.items, seed=1))
    low, high = proportion_confint(score.correct, score.n, method="wilson")
    assert score.interval.low == pytest.approx(100 * low, abs=2.5)
    assert score.interval.high == pytest.approx(100 * high, abs=2.5)
    means = [
        np.mean([answer.correct for cell in item.cells for answer in cell.answers]) for item in run.items
    ]
    other = stats.bootstrap(
        (means,), np.mean, method="percentile", n_resamples=5000, rng=np.random.default_rng(2)
    )
    limits = other.confidence_interval
    assert score.interval.low == pytest.approx(100 * limits.low, abs=1.0)
    assert score.interval.high == pytest.approx(100 * limits.high, abs=1.0)


def test_difference_is_the_paired_bootstrap_of_an_independent_computation():
    own, base = random_run(NAMES, 3), random_run(NAMES, 4)
    found = difference_runs(measure_garden(NAMES), own.items, base.items, seed=7, baseline="plain")
    total = find(found)
    hits = [
        np.array(
            [sum(answer.correct for cell in item.cells for answer in cell.answers) for item in run.items]
        )[np.argsort(NAMES)]
        for run in (own, base)
    ]
    drawn = np.random.default_rng(7).integers(0, 12, (5000, 12))
    apart = 100 * (hits[0][drawn].sum(1) - hits[1][drawn].sum(1)) / 48
    assert total.value == pytest.approx(100 * (hits[0].sum() - hits[1].sum()) / 48)
    assert (total.interval.low, total.interval.high) == pytest.approx(
        tuple(np.percentile(apart, [2.5, 97.5]))
    )
    assert (total.baseline, total.n, total.interval.seed) == ("plain", 48, 7)
    other = stats.bootstrap(
        tuple(hits),
        lambda mine, theirs, axis: (mine - theirs).sum(axis) / 48,
        paired=True,
        method="percentile",
        n_resamples=5000,
        rng=np.random.default_rng(1),
    )
    # One answer is 2.1 points, so a limit may fall on the next step.
    assert total.interval.low == pytest.approx(100 * other.confidence_interval.low, abs=2.1)
    assert total.interval.high == pytest.approx(100 * other.confidence_interval.high, abs=2.1)


def test_differences_are_the_scores_apart_at_every_place():
    benchmark = measure_garden(NAMES)
    own, base = random_run(NAMES, 1), random_run(NAMES, 2)
    mine, theirs = ({slot_of(s): s for s in score_run(benchmark, run.items, seed=1)} for run in (own, base))
    found = difference_runs(benchmark, own.items, base.items, seed=1, baseline="plain")
    assert len(found) == 10
    for difference in found:
        slot = slot_of(difference)
        assert difference.n == mine[slot].n
        assert difference.value == pytest.approx(mine[slot].value - theirs[slot].value)


def test_difference_over_owed_questions_has_no_value():
    run = make_lapsed()
    whole = run_of(dict.fromkeys(("bell", "gong", "horn"), "ABCA"))
    found = difference_runs(measure_garden(), whole.items, run.items, seed=1, baseline="cascade")
    total, first = find(found), find(found, at={"stage": "S1"})
    assert (total.value, total.interval, total.reason) == (None, None, "2 of 12 questions are still owed")
    assert first.n == 6
    assert first.value is not None


def test_runs_with_more_orders_are_compared_on_those_they_share():
    one = run_of(dict.fromkeys(("bell", "gong"), "ABCA"))
    three = run_of(dict.fromkeys(("bell", "gong"), "ABCB"), again=("C", "C"))
    benchmark = measure_garden(("bell", "gong"))
    found = find(difference_runs(benchmark, three.items, one.items, seed=1, baseline="plain"))
    assert (found.n, found.value) == (8, -25.0)


def test_one_shared_item_gives_a_difference_without_an_interval():
    benchmark = measure_garden()
    one, two = run_of({"bell": "ABCA"}), run_of({"bell": "BBCA", "gong": "ABCA"})
    found = find(difference_runs(benchmark, one.items, two.items, seed=1, baseline="plain"))
    assert (found.n, found.value, found.interval) == (4, 25.0, None)
    assert found.reason == "a single cluster shows no spread"
    empty = find(
        difference_runs(benchmark, one.items, two.items, seed=1, baseline="plain"), where={"family": "B"}
    )
    assert (empty.value, empty.reason) == (None, "no question of both runs is in this group")


def test_runs_without_a_shared_item_are_refused():
    one, two = run_of({"bell": "ABCA"}), run_of({"gong": "ABCA"})
    with pytest.raises(EvaluationError, match="1 and 1 tests, none of them in both"):
        difference_runs(measure_garden(), one.items, two.items, seed=1, baseline="plain")
    with pytest.raises(EvaluationError, match="none of them in both"):
        compare_runs(measure_garden(), one.items, two.items, names=("one", "two"), seed=1)


def test_comparison_counts_items_won_tied_and_lost():
    one = run_of({"bell": "ABCA", "gong": "ABCA", "horn": "BABB", "whistle": "ABCA"})
    two = run_of({"bell": "ABCB", "gong": "ABCA", "horn": "BBCB"})
    benchmark = measure_garden(("bell", "gong", "horn", "whistle"))
    found = compare_runs(benchmark, one.items, two.items, names=("one", "two"), seed=1)
    assert (found.items, found.alone, found.owed) == (3, (1, 0), 0)
    total = found.rows[0]
    assert (total.along, total.n, total.wins, total.ties, total.losses) == ("Total", 12, 1, 1, 1)
    assert total.difference == pytest.approx(total.rate - total.other_rate)
    assert [(row.along, row.value) for row in found.rows[1:]] == [
        ("Stage", "S1"),
        ("Stage", "S2"),
        ("Family", "Source"),
        ("Family", "Scene"),
    ]


def test_comparison_leaves_out_what_is_owed_and_says_so():
    whole = run_of(dict.fromkeys(("bell", "gong", "horn"), "ABCA"))
    found = compare_runs(measure_garden(), whole.items, make_lapsed().items, names=("new", "old"), seed=1)
    assert found.owed == 2
    assert found.rows[0].n == 10
    assert "questions that either run still owes, 2 of them" in render_comparison(found)


def test_comparison_is_written_in_aligned_columns():
    one = run_of(dict.fromkeys(NAMES, "ABCA"))
    two = run_of(dict.fromkeys(NAMES[:11], "ABBB"))
    text = render_comparison(
        compare_runs(measure_garden(NAMES), one.items, two.items, names=("lark", "wren"), seed=1)
    )
    lines = text.splitlines()
    assert lines[0] == "lark minus wren, on the 11 tests that both have."
    assert lines[1] == "Left out, as only one of the two has them: 1 of lark, 0 of wren."
    header, total, stage, *_ = [line for line in lines if "/" in line]
    assert " ".join(header.split()) == "answers lark wren difference 95 % interval won/tied/lost"
    assert " ".join(total.split()) == "Total 44 100.0 50.0 +50.0 +50.0 to +50.0 * 11/0/0"
    assert " ".join(stage.split()) == "Stage S1 22 100.0 100.0 +0.0 +0.0 to +0.0 0/11/0"
    assert header.index("wren") + len("wren") == total.index("50.0") + len("50.0")
    assert text.endswith("leaves out 0.")
    assert "*" not in stage


def test_outcomes_name_every_question_once():
    outcomes = list_outcomes(measure_garden(), make_lapsed().items)
    assert len({(outcome.item, outcome.question) for outcome in outcomes}) == len(outcomes) == 12
    assert sum(outcome.owed for outcome in outcomes) == 2
    assert {len(outcome.answers) for outcome in outcomes} == {2}
