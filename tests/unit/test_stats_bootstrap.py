from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from torus_site.stats import (
    Rate,
    bootstrap,
    cluster_bootstrap,
    paired_difference,
    paired_differences,
    resample_ratios,
    wilson_interval,
)

# Four tests of three answers: [1,1,1], [1,0,0], [0,0,0], [1,1,0].
HITS, TOTALS = [3, 1, 0, 2], [3, 3, 3, 3]


class EveryDraw:
    """Draws each of the n^n equally likely resamples once, so that moments are exact."""

    bit_generator = np.random.default_rng(0).bit_generator

    def integers(self, low, high, size):
        rows = np.array(list(product(range(low, high), repeat=size[1])))
        assert rows.shape == size
        return rows


def test_the_known_vector_gives_the_known_limits():
    found = cluster_bootstrap(HITS, TOTALS, generator=np.random.default_rng(12345))
    assert found.estimate == 0.5
    assert found.low == pytest.approx(0.166667, abs=5e-7)
    assert found.high == pytest.approx(0.833333, abs=5e-7)
    assert found.half_width == pytest.approx(0.333333, abs=5e-7)
    assert (found.n, found.clusters, found.resamples, found.seed) == (12, 4, 5000, 12345)
    assert (found.level, found.method) == (0.95, "cluster bootstrap, percentile limits")


def test_the_draw_is_the_one_documented():
    drawn = np.random.default_rng(12345).integers(0, 4, (5000, 4))
    expected = np.array(HITS)[drawn].sum(axis=1) / np.array(TOTALS)[drawn].sum(axis=1)
    found = resample_ratios(HITS, TOTALS, generator=np.random.default_rng(12345))
    assert np.array_equal(found, expected)


def test_the_exact_distribution_has_the_known_mean_and_spread():
    # Shares 1, 1/3, 0, 2/3 have variance (1 + 1/9 + 0 + 4/9) / 4 - 1/4 = 5/36; a mean of 4 draws has 5/144.
    ratios = resample_ratios(HITS, TOTALS, generator=EveryDraw(), resamples=4**4)
    assert ratios.mean() == pytest.approx(0.5, abs=1e-12)
    assert ratios.std() == pytest.approx((5 / 144) ** 0.5, abs=1e-12)
    assert ratios.std() == pytest.approx(0.186339, abs=5e-7)


def test_two_opposite_clusters_give_exactly_three_values():
    ratios = resample_ratios([0, 2], [2, 2], generator=EveryDraw(), resamples=4)
    assert sorted(ratios) == [0, 0.5, 0.5, 1]
    drawn = resample_ratios([0, 2], [2, 2], generator=np.random.default_rng(5))
    values, counts = np.unique(drawn, return_counts=True)
    assert list(values) == [0, 0.5, 1]
    assert counts / 5000 == pytest.approx([0.25, 0.5, 0.25], abs=0.02)


def test_when_everything_is_correct_the_interval_has_no_width():
    found = cluster_bootstrap([3, 3, 3], [3, 3, 3], generator=np.random.default_rng(1))
    assert (found.estimate, found.low, found.high) == (1, 1, 1)


def test_unequal_clusters_give_a_ratio_of_sums_and_not_a_mean_of_shares():
    assert cluster_bootstrap([4, 0], [4, 1], generator=np.random.default_rng(1)).estimate == 0.8


def test_blocks_give_the_same_numbers_as_one_draw(monkeypatch):
    whole = resample_ratios(HITS, TOTALS, generator=np.random.default_rng(3), resamples=1001)
    for cells in (1, 37, 4 * 1001):
        monkeypatch.setattr(bootstrap, "_BLOCK_CELLS", cells)
        parts = resample_ratios(HITS, TOTALS, generator=np.random.default_rng(3), resamples=1001)
        assert np.array_equal(parts, whole)


def test_columns_share_one_draw():
    columns = np.array([[3, 1], [1, 2], [0, 3], [2, 0]])
    both = resample_ratios(columns, TOTALS, generator=np.random.default_rng(3), resamples=50)
    assert both.shape == (50, 2)
    for column in range(2):
        single = resample_ratios(columns[:, column], TOTALS, generator=np.random.default_rng(3), resamples=50)
        assert np.array_equal(both[:, column], single)


def test_limits_agree_with_scipy():
    rng = np.random.default_rng(8)
    totals = rng.integers(3, 10, 48)
    hits = rng.binomial(totals, rng.beta(2, 3, 48))
    found = cluster_bootstrap(hits, totals, generator=np.random.default_rng(1), level=0.9)
    other = stats.bootstrap(
        (hits, totals),
        lambda h, t, axis: h.sum(axis=axis) / t.sum(axis=axis),
        paired=True,
        n_resamples=20_000,
        confidence_level=0.9,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=0.006)


def test_clustered_answers_are_covered_by_the_cluster_interval_and_not_by_the_independent_one():
    # 48 items of 9 answers; the share of an item follows a beta distribution with mean 0.6 and an
    # intraclass correlation of 0.17, so an answer is worth 1 / (1 + 8 * 0.17) = 0.42 independent ones.
    rng = np.random.default_rng(20)
    spread = 1 / 0.17 - 1
    covered = {"clusters": 0, "answers": 0}
    rounds = 400
    for _ in range(rounds):
        hits = rng.binomial(9, rng.beta(0.6 * spread, 0.4 * spread, 48))
        found = cluster_bootstrap(hits, [9] * 48, generator=rng, resamples=500)
        covered["clusters"] += found.contains(0.6)
        covered["answers"] += wilson_interval(Rate(int(hits.sum()), 432)).contains(0.6)
    assert covered["clusters"] / rounds == pytest.approx(0.938, abs=0.03)
    assert covered["answers"] / rounds == pytest.approx(0.798, abs=0.05)


def test_a_paired_difference_is_sharper_than_the_two_intervals_suggest():
    rng = np.random.default_rng(4)
    first = rng.integers(1, 10, 48)
    second = first - 1
    found = paired_difference(first, second, [9] * 48, generator=np.random.default_rng(1))
    assert found.estimate == found.low == found.high == pytest.approx(1 / 9)
    alone = [cluster_bootstrap(h, [9] * 48, generator=np.random.default_rng(1)) for h in (first, second)]
    assert alone[0].overlaps(alone[1])
    assert (found.n, found.clusters, found.seed) == (432, 48, 1)
    assert found.method == "paired cluster bootstrap, percentile limits"


def test_a_paired_difference_draws_the_same_clusters_for_both_sides():
    other, drawn = [1, 1, 2, 0], np.random.default_rng(9).integers(0, 4, (5000, 4))
    expected = (np.array(HITS) - np.array(other))[drawn].sum(axis=1) / 12
    found = paired_difference(HITS, other, TOTALS, generator=np.random.default_rng(9), level=0.8)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(expected, [0.1, 0.9])), abs=1e-12)
    assert found.estimate == pytest.approx(2 / 12)


def test_paired_differences_cover_every_pair_with_one_draw():
    systems = {"a": [3, 1, 0, 2], "b": [1, 1, 2, 0], "c": [0, 0, 0, 0]}
    found = paired_differences(systems, TOTALS, generator=np.random.default_rng(9))
    assert list(found) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found["a", "b"] == paired_difference(
        systems["a"], systems["b"], TOTALS, generator=np.random.default_rng(9)
    )


def test_a_comparison_needs_two_systems():
    with pytest.raises(ValueError, match="at least two systems, not 1"):
        paired_differences({"a": HITS}, TOTALS, generator=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("hits", "totals", "message"),
    [
        ([1], [2], "at least two clusters, not 1"),
        ([], [], "at least two clusters, not 0"),
        ([1, 2, 3], [3, 3], r"hits of shape \(3,\) do not fit totals of shape \(2,\)"),
        ([1, 2], [[3, 3]], "do not fit"),
        (3, [3, 3], "do not fit"),
        ([1, 4], [3, 3], "no more hits than answers"),
        ([1, -1], [3, 3], "no more hits than answers"),
        ([0, 1], [0, 3], "at least 1"),
        ([0.5, 1], [3, 3], "a whole number"),
        ([0, 1], [3, 2.5], "a whole number"),
        ([float("nan"), 1], [3, 3], "a whole number"),
        ([[1, 4], [1, 1]], [3, 3], "no more hits than answers"),
    ],
)
def test_counts_that_do_not_fit_are_refused(hits, totals, message):
    with pytest.raises(ValueError, match=message):
        cluster_bootstrap(hits, totals, generator=np.random.default_rng(1))


def test_options_out_of_range_are_refused():
    with pytest.raises(ValueError, match="resamples is 0, below 1"):
        cluster_bootstrap(HITS, TOTALS, generator=np.random.default_rng(1), resamples=0)
    with pytest.raises(ValueError, match="level is 1"):
        cluster_bootstrap(HITS, TOTALS, generator=np.random.default_rng(1), level=1)
    with pytest.raises(ValueError, match="level is 95"):
        paired_difference(HITS, HITS, TOTALS, generator=np.random.default_rng(1), level=95)


def used_generator():
    generator = np.random.default_rng(3)
    generator.random()
    return generator


@pytest.mark.parametrize(
    ("make", "seed"),
    [
        (lambda: np.random.default_rng(3), 3),
        (used_generator, None),
        (lambda: np.random.default_rng([1, 2]), None),
        (lambda: np.random.default_rng(3).spawn(1)[0], None),
        (lambda: np.random.Generator(np.random.MT19937(3)), None),
    ],
)
def test_a_seed_is_recorded_only_if_it_gives_the_same_limits_again(make, seed):
    assert cluster_bootstrap(HITS, TOTALS, generator=make(), resamples=10).seed == seed
