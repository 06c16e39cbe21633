"""A number rounded as papers round it always recomputes, and one a whole unit off never does."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

import factories
from torus_site.benchmark.check import Vocabulary
from torus_site.benchmark.recompute import check_scores, rounding
from torus_site.records.model import RunRecord, Score

BENCHMARK = factories.make_benchmark()
RUN = factories.make_reported(scores=[])
COUNTS = st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
STAGES = [axis_value.id for axis_value in BENCHMARK.axis("stage").values]


def count_problems(*scores):
    words = Vocabulary(BENCHMARK.descriptor, file="f")
    run: RunRecord = RUN.model_copy(update={"scores": scores})
    check_scores(run, BENCHMARK, words)
    return len(words.problems)


def score(correct, n, *, shift=0.0, **place):
    value = min(100.0, max(0.0, round(100 * correct / n, 1) + shift))
    return Score(metric="coherence", value=value, n=n, **place)


@given(COUNTS)
def test_rounded_percentage_recomputes(counts):
    correct, n = counts
    right = score(correct, n)
    assert count_problems(right.model_copy(update={"correct": correct})) == 0


@given(COUNTS, st.sampled_from([-1.0, 1.0]))
def test_percentage_one_unit_off_does_not(counts, shift):
    correct, n = counts
    wrong = score(correct, n, shift=shift)
    assume(abs(wrong.value - 100 * correct / n) > 0.5)
    assert count_problems(wrong.model_copy(update={"correct": correct})) == 1


@given(st.lists(COUNTS, min_size=len(STAGES), max_size=len(STAGES)))
def test_rounded_total_recomputes_from_rounded_stages(counts):
    parts = [score(*pair, at={"stage": stage}) for pair, stage in zip(counts, STAGES, strict=True)]
    total = score(sum(correct for correct, _ in counts), sum(n for _, n in counts))
    assert count_problems(total, *parts) == 0


@given(st.floats(-1e6, 1e6), st.integers(0, 6))
def test_rounded_number_is_within_its_rounding(value, decimals):
    shown = round(value, decimals)
    assert abs(shown - value) <= rounding(shown, decimals) + 1e-9
