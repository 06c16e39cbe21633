"""Laws of the metrics: symmetry, sign, shift, and counts that add up."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from torus_eval.metrics.divergence import diverge, pool_findings
from torus_eval.metrics.frechet import compute_frechet
from torus_eval.metrics.normalise import normalise
from torus_eval.metrics.wer import WordErrors, add_errors, count_errors

NUMBERS = st.floats(-100, 100, width=32)
CLOUDS = st.integers(2, 9).flatmap(lambda n: arrays(np.float64, (n, 3), elements=NUMBERS))
LOGITS = st.integers(1, 4).flatmap(lambda n: arrays(np.float64, (n, 5), elements=NUMBERS))
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)
SCALE = 1e-6 * 100**2 * 9


@given(CLOUDS, CLOUDS)
def test_frechet_distance_is_symmetric_and_not_negative(first, second):
    one, other = compute_frechet(first, second), compute_frechet(second, first)
    assert one.distance >= 0
    assert abs(one.distance - other.distance) <= SCALE
    assert one.rank == other.rank


@given(CLOUDS, CLOUDS, arrays(np.float64, (3,), elements=NUMBERS))
def test_frechet_distance_does_not_change_when_both_clouds_move(first, second, shift):
    moved = compute_frechet(first + shift, second + shift)
    assert abs(moved.distance - compute_frechet(first, second).distance) <= SCALE


@given(CLOUDS, arrays(np.float64, (3,), elements=NUMBERS))
def test_frechet_distance_of_a_moved_cloud_is_the_way_squared(cloud, shift):
    found = compute_frechet(cloud, cloud + shift).distance
    assert abs(found - float(shift @ shift)) <= SCALE


@given(CLOUDS, CLOUDS)
def test_both_forms_of_the_frechet_distance_agree(first, second):
    one, other = (compute_frechet(first, second, form=form) for form in ("svd", "eigh"))
    assert abs(one.distance - other.distance) <= SCALE


@given(LOGITS, LOGITS, st.sampled_from(["softmax", "sigmoid"]), st.sampled_from(["mean", "max"]))
def test_divergence_is_never_negative_and_nothing_from_itself(first, second, activation, pooling):
    p, q = (pool_findings(each, activation=activation, pooling=pooling) for each in (first, second))
    assert diverge(p, q) >= 0
    assert np.isfinite(diverge(p, q))
    assert diverge(p, p) == 0


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_word_errors_add_up_in_any_order(pairs, random):
    counted = [count_errors(*pair) for pair in pairs]
    mixed = random.sample(counted, len(counted))
    cut = len(mixed) // 2
    assert add_errors(counted) == add_errors(mixed[:cut]) + add_errors(mixed[cut:])
    assert add_errors(counted) + WordErrors() == add_errors(counted)


@given(WORDS, WORDS)
def test_errors_lie_between_the_difference_and_the_sum_of_lengths(reference, heard):
    errors = count_errors(reference, heard).errors
    sizes = len(reference.split()), len(heard.split())
    assert abs(sizes[0] - sizes[1]) <= errors <= max(sizes)
    assert (errors == 0) == (reference == heard)


@given(st.text(max_size=40))
def test_plain_text_stays_plain(text):
    once = normalise(text)
    assert normalise(once) == once
    assert once == " ".join(once.split())
