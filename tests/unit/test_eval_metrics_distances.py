"""Divergence and Fréchet distance against right values and against scipy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import scipy.stats

from torus_eval.metrics.divergence import average_findings, diverge, pool_findings
from torus_eval.metrics.frechet import compute_frechet


def find(logits, activation="softmax", pooling="mean"):
    return pool_findings(np.atleast_2d(np.asarray(logits, float)), activation=activation, pooling=pooling)


def spread_to(mean, variances):
    """Make a cloud with exactly this mean and a diagonal covariance of exactly these variances."""
    size = 2 * len(variances)
    cloud = np.zeros((size, len(variances)))
    for axis, variance in enumerate(variances):
        cloud[2 * axis, axis] = np.sqrt(variance * (size - 1) / 2)
        cloud[2 * axis + 1, axis] = -cloud[2 * axis, axis]
    return cloud + np.asarray(mean, float)


def test_right_values_of_the_divergence():
    p, q = find([0, 0, np.log(2)]), find([0, 0, 0])
    assert round(diverge(p, q), 7) == 0.0588915
    assert round(diverge(q, p), 7) == 0.056633


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_softmax_divergence_equals_scipy(pooling):
    generator = np.random.default_rng(5)
    first, second = generator.normal(0, 3, (4, 9)), generator.normal(0, 3, (6, 9))
    pool = {"mean": np.mean, "max": np.max}[pooling]
    p, q = (pool(scipy.special.softmax(each, axis=1), axis=0) for each in (first, second))
    right = scipy.stats.entropy(p / p.sum(), q / q.sum())
    found = diverge(find(first, pooling=pooling), find(second, pooling=pooling))
    assert np.isclose(found, right, rtol=1e-12)


@pytest.mark.parametrize("pooling", ["mean", "max"])
def test_sigmoid_divergence_equals_a_sum_over_coins(pooling):
    generator = np.random.default_rng(6)
    first, second = generator.normal(0, 3, (4, 9)), generator.normal(0, 3, (6, 9))
    pool = {"mean": np.mean, "max": np.max}[pooling]
    p, q = (pool(scipy.special.expit(each), axis=0) for each in (first, second))
    right = sum(scipy.stats.entropy([a, 1 - a], [b, 1 - b]) for a, b in zip(p, q, strict=True))
    found = diverge(find(first, "sigmoid", pooling), find(second, "sigmoid", pooling))
    assert np.isclose(found, right, rtol=1e-9)


@pytest.mark.parametrize("activation", ["softmax", "sigmoid"])
def test_logits_far_apart_stay_finite(activation):
    found = diverge(find([1000, -1000], activation), find([-1000, 1000], activation))
    assert np.isfinite(found)
    assert found > 1000


@pytest.mark.parametrize("activation", ["softmax", "sigmoid"])
def test_average_of_one_clip_is_that_clip(activation):
    each = find([[0, 1, 2.0], [2, 0, 1]], activation)
    assert diverge(average_findings([each]), each) < 1e-12


def test_wrong_shapes_and_mixtures_are_refused():
    with pytest.raises(ValueError, match="frames, classes"):
        pool_findings(np.zeros((0, 3)), activation="softmax", pooling="mean")
    with pytest.raises(ValueError, match="no clips"):
        average_findings([])
    with pytest.raises(ValueError, match="different activations"):
        diverge(find([0, 1]), find([0, 1], "sigmoid"))


@pytest.mark.parametrize("form", ["svd", "eigh"])
def test_right_values_of_the_frechet_distance(form):
    one = compute_frechet(spread_to([0], [1]), spread_to([1], [4]), form=form)
    three = compute_frechet(spread_to([0, 0, 0], [1, 4, 9]), spread_to([1, 2, 3], [4, 9, 16]), form=form)
    assert np.isclose(one.distance, 2.0)
    assert np.isclose(three.distance, 17.0)
    assert (three.n, three.other_n, three.dimension, three.rank, three.form) == (6, 6, 3, 3, form)


@pytest.mark.parametrize("form", ["svd", "eigh"])
@pytest.mark.parametrize("sizes", [(40, 60), (300, 200), (9, 200)])
def test_frechet_distance_equals_the_root_of_a_matrix(form, sizes):
    generator = np.random.default_rng(7)
    mix = generator.normal(size=(12, 12))
    first, second = generator.normal(size=(sizes[0], 12)) @ mix, generator.normal(1, 2, (sizes[1], 12))
    s1, s2 = np.cov(first.T), np.cov(second.T)
    # A ridge that vanishes lets the root of a product without full rank be taken.
    ridge = 1e-10 * np.eye(12)
    root = scipy.linalg.sqrtm((s1 + ridge) @ (s2 + ridge))
    gap = first.mean(axis=0) - second.mean(axis=0)
    right = gap @ gap + np.trace(s1 + s2 - 2 * np.real(root))
    found = compute_frechet(first, second, form=form)
    assert np.isclose(found.distance, right, rtol=1e-4)
    assert found.rank == min(12, sizes[0] - 1)


def test_form_follows_the_sizes():
    generator = np.random.default_rng(8)
    few, many = generator.normal(size=(10, 5)), generator.normal(size=(20, 5))
    assert compute_frechet(few, many).form == "svd"
    assert compute_frechet(many, many).form == "eigh"


def test_cloud_against_itself_is_at_no_distance_and_never_below():
    cloud = np.random.default_rng(9).normal(size=(30, 50)).astype(np.float32)
    for form in ("svd", "eigh"):
        assert 0.0 <= compute_frechet(cloud, cloud, form=form).distance < 1e-5


def test_single_vector_and_other_dimensions_are_refused():
    with pytest.raises(ValueError, match="at least two vectors on each side, not 1 and 5"):
        compute_frechet(np.zeros((1, 3)), np.zeros((5, 3)))
    with pytest.raises(ValueError, match="shapes"):
        compute_frechet(np.zeros((5, 2)), np.zeros((5, 3)))


def test_few_vectors_are_warned_of_and_do_inflate():
    generator = np.random.default_rng(10)
    clouds = [generator.normal(size=(size, 8)) for size in (10, 10, 2000, 2000)]
    few, many = compute_frechet(*clouds[:2]), compute_frechet(*clouds[2:])
    assert "10 vectors for 8 dimensions" in few.warning
    assert many.warning is None
    assert few.distance > 10 * many.distance


def test_equal_points_have_rank_zero():
    found = compute_frechet(np.ones((3, 2)), np.zeros((4, 2)))
    assert (found.rank, found.distance) == (0, 2.0)
