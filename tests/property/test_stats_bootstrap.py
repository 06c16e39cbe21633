from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torus_site.stats import cluster_bootstrap, paired_difference, resample_ratios, summarise_answers

calm = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32)


@st.composite
def clusters(draw, min_size=2):
    """Hits and totals of a few clusters."""
    totals = draw(st.lists(st.integers(1, 12), min_size=min_size, max_size=40))
    return [draw(st.integers(0, total)) for total in totals], totals


def bootstrap(hits, totals, seed, **options):
    return cluster_bootstrap(
        hits, totals, generator=np.random.default_rng(seed), **({"resamples": 200} | options)
    )


@calm
@given(clusters(), seeds)
def test_limits_stay_on_the_scale_and_between_the_extreme_clusters(data, seed):
    hits, totals = data
    found = bootstrap(hits, totals, seed)
    shares = [hit / total for hit, total in zip(hits, totals, strict=True)]
    assert max(0, min(shares) - 1e-12) <= found.low
    assert found.high <= min(1, max(shares) + 1e-12)


@calm
@given(clusters(), seeds)
def test_a_seed_gives_the_same_interval_again(data, seed):
    found = bootstrap(*data, seed)
    assert found == bootstrap(*data, seed)
    assert found.seed == seed


@calm
@given(st.integers(2, 30), st.integers(1, 9), st.data(), seeds)
def test_clusters_that_are_all_equal_give_no_width(count, total, data, seed):
    hit = data.draw(st.integers(0, total))
    found = bootstrap([hit] * count, [total] * count, seed)
    assert found.low == found.high == found.estimate == hit / total


@calm
@given(clusters(), seeds)
def test_counting_misses_mirrors_the_interval(data, seed):
    hits, totals = data
    misses = [total - hit for hit, total in zip(hits, totals, strict=True)]
    found, mirrored = bootstrap(hits, totals, seed), bootstrap(misses, totals, seed)
    assert found.low == pytest.approx(1 - mirrored.high, abs=1e-12)
    assert found.high == pytest.approx(1 - mirrored.low, abs=1e-12)


@calm
@given(clusters(), st.integers(2, 5), seeds)
def test_a_larger_scale_of_counts_changes_nothing_but_n(data, factor, seed):
    hits, totals = data
    found = bootstrap(hits, totals, seed)
    larger = bootstrap([factor * hit for hit in hits], [factor * total for total in totals], seed)
    assert (larger.low, larger.high) == pytest.approx((found.low, found.high), abs=1e-12)
    assert larger.n == factor * found.n


@settings(deadline=None, max_examples=25)
@given(clusters(min_size=10), st.randoms(use_true_random=False), seeds)
def test_the_order_of_clusters_moves_the_limits_by_sampling_noise_only(data, random, seed):
    hits, totals = data
    order = list(range(len(hits)))
    random.shuffle(order)
    found = bootstrap(hits, totals, seed, resamples=5000)
    shuffled = bootstrap([hits[i] for i in order], [totals[i] for i in order], seed, resamples=5000)
    # A percentile of 5000 draws has a standard error near 0.05 of the width; one grid step comes on top.
    slack = 0.25 * max(found.half_width, shuffled.half_width) + 1 / sum(totals)
    assert (shuffled.low, shuffled.high) == pytest.approx((found.low, found.high), abs=slack)


@calm
@given(clusters(), seeds)
def test_a_wider_level_gives_limits_outside_the_narrower_ones(data, seed):
    narrow, wide = (bootstrap(*data, seed, level=level) for level in (0.5, 0.9))
    assert wide.low <= narrow.low
    assert narrow.high <= wide.high


@calm
@given(clusters(), st.data(), seeds)
def test_a_paired_difference_changes_sign_with_its_sides(data, extra, seed):
    hits, totals = data
    others = [extra.draw(st.integers(0, total)) for total in totals]
    forth, back = (
        paired_difference(*sides, totals, generator=np.random.default_rng(seed), resamples=200)
        for sides in ((hits, others), (others, hits))
    )
    assert forth.estimate == -back.estimate
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low), abs=1e-12)
    assert -1 <= forth.low <= forth.high <= 1


@calm
@given(clusters(), seeds)
def test_a_system_does_not_differ_from_itself(data, seed):
    hits, totals = data
    found = paired_difference(hits, hits, totals, generator=np.random.default_rng(seed), resamples=50)
    assert (found.estimate, found.low, found.high) == (0, 0, 0)


@calm
@given(clusters(), seeds)
def test_every_resampled_share_is_one_that_its_draw_gives(data, seed):
    hits, totals = data
    drawn = np.random.default_rng(seed).integers(0, len(hits), (40, len(hits)))
    expected = np.array(hits)[drawn].sum(axis=1) / np.array(totals)[drawn].sum(axis=1)
    found = resample_ratios(hits, totals, generator=np.random.default_rng(seed), resamples=40)
    assert np.array_equal(found, expected)


@calm
@given(
    st.lists(st.tuples(st.sampled_from("abcde"), st.booleans()), max_size=30),
    st.randoms(use_true_random=False),
    seeds,
)
def test_a_summary_does_not_depend_on_the_order_of_answers(answers, random, seed):
    shuffled = list(answers)
    random.shuffle(shuffled)
    summary = summarise_answers(answers, seed=seed, resamples=50)
    assert summarise_answers(shuffled, seed=seed, resamples=50) == summary
    assert (summary.interval is None) == (summary.reason is not None)
    assert (summary.rate.hits, summary.rate.n) == (sum(right for _, right in answers), len(answers))
