from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torus_site.stats import (
    compute_raw_agreement,
    count_categories,
    fleiss_kappa,
    krippendorff_alpha,
    orient_vote,
    tally_votes,
)

calm = settings(deadline=None)
ratings = st.lists(st.lists(st.sampled_from([1, 2, 3, None]), max_size=5), max_size=12)
full = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.lists(st.sampled_from("abc"), min_size=raters, max_size=raters), max_size=12)
)


def nominal(rows):
    """Every nominal measure of some rows."""
    return [
        compute_raw_agreement(rows).value,
        fleiss_kappa(count_categories(rows)).value,
        krippendorff_alpha(rows).value,
    ]


@calm
@given(ratings, st.permutations([1, 2, 3]))
def test_nominal_measures_do_not_depend_on_the_names_of_categories(rows, names):
    renamed = [[value and names[value - 1] for value in row] for row in rows]
    assert nominal(renamed) == nominal(rows)


@calm
@given(ratings, st.randoms(use_true_random=False))
def test_measures_do_not_depend_on_the_order_of_items_or_raters(rows, random):
    shuffled = [random.sample(row, len(row)) for row in random.sample(rows, len(rows))]
    assert nominal(shuffled) == nominal(rows)
    interval = krippendorff_alpha(rows, level="interval")
    assert krippendorff_alpha(shuffled, level="interval") == interval


@calm
@given(ratings, st.integers(1, 9), st.integers(-50, 50))
def test_interval_alpha_does_not_depend_on_unit_or_origin(rows, factor, shift):
    moved = [[None if value is None else factor * value + shift for value in row] for row in rows]
    assert krippendorff_alpha(moved, level="interval") == krippendorff_alpha(rows, level="interval")


@calm
@given(ratings)
def test_there_is_a_value_of_at_most_1_or_a_reason(rows):
    for found in (
        compute_raw_agreement(rows),
        fleiss_kappa(count_categories(rows)),
        krippendorff_alpha(rows),
        krippendorff_alpha(rows, level="interval"),
    ):
        assert (found.value is None) == (found.reason is not None)
        assert found.value is None or found.value <= 1


@calm
@given(full)
def test_kappa_is_1_exactly_when_every_pair_agrees(rows):
    kappa, raw = fleiss_kappa(count_categories(rows)).value, compute_raw_agreement(rows).value
    if kappa is not None:
        assert (kappa == 1) == (raw == 1)
        assert kappa <= raw


@calm
@given(full)
def test_alpha_and_kappa_differ_only_by_the_small_sample_term(rows):
    kappa, alpha = fleiss_kappa(count_categories(rows)), krippendorff_alpha(rows)
    if kappa.value is not None:
        # Expected disagreement is (n / (n - 1)) times that of kappa.
        assert 1 - alpha.value == pytest.approx((1 - kappa.value) * (alpha.n - 1) / alpha.n, abs=1e-12)


@calm
@given(ratings)
def test_two_equal_numbers_make_nominal_and_interval_alpha_the_same(rows):
    binary = [[None if value is None else int(value > 1) for value in row] for row in rows]
    interval = krippendorff_alpha(binary, level="interval")
    assert interval.value == krippendorff_alpha(binary).value


names = st.sampled_from(["crow", "lark", "wren"])
votes = st.lists(
    st.tuples(names, names, st.sampled_from(["left", "tie", "right"])).filter(lambda vote: vote[0] != vote[1])
)


@calm
@given(votes)
def test_swapping_the_sides_of_every_vote_changes_nothing(given_votes):
    mirror = {"left": "right", "tie": "tie", "right": "left"}
    straight = [orient_vote(*vote) for vote in given_votes]
    swapped = [orient_vote(right, left, mirror[choice]) for left, right, choice in given_votes]
    assert swapped == straight


@calm
@given(votes)
def test_a_matrix_of_votes_is_consistent_with_itself(given_votes):
    table = tally_votes(orient_vote(*vote) for vote in given_votes)
    for cell in table.cells:
        back = table.cell(cell.column, cell.row)
        assert (cell.wins, cell.ties, cell.losses, cell.n) == (back.losses, back.ties, back.wins, back.n)
        assert cell.ties >= 0
    assert sum(cell.n for cell in table.cells) == 2 * len(given_votes)
