from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from torus_site.stats import (
    OrientedVote,
    compute_raw_agreement,
    count_categories,
    fleiss_kappa,
    krippendorff_alpha,
    orient_vote,
)

FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

THREE_CODERS = ["*****34121133*3", "1*213343*******", "**21344*21133*4"]

STUDY = {
    "p1": ("M1", "M2", "LLT"),
    "p2": ("M1", "M3", "LLL"),
    "p3": ("M2", "M3", "RTT"),
    "p4": ("M1", "M2", "RLR"),
}
CHOICES = {"L": "left", "T": "tie", "R": "right"}


def rows_of(coders):
    return [[None if value == "*" else int(value) for value in unit] for unit in zip(*coders, strict=True)]


def oriented(study):
    return [
        [orient_vote(left, right, CHOICES[vote]).choice for vote in votes]
        for left, right, votes in study.values()
    ]


def test_fleiss_of_fourteen_raters():
    found = fleiss_kappa(FOURTEEN_RATERS)
    assert found.value == pytest.approx(0.20993, abs=5e-6)
    assert (found.items, found.n, found.method, found.reason) == (10, 140, "Fleiss' kappa", None)


def test_fleiss_worked_by_hand():
    # Counts of L, T, R: p1 2 1 0, p2 3 0 0, p3 0 2 1, p4 1 0 2.
    # Equal pairs of 3: 1, 3, 1, 1 -> observed 6 / 12 = 1/2.
    # Shares 6/12, 3/12, 3/12 -> by chance 1/4 + 1/16 + 1/16 = 3/8.
    # Kappa = (1/2 - 3/8) / (1 - 3/8) = (1/8) / (5/8) = 1/5.
    assert fleiss_kappa([[2, 1, 0], [3, 0, 0], [0, 2, 1], [1, 0, 2]]).value == 0.2


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_agrees_with_statsmodels(seed):
    table = np.random.default_rng(seed).multinomial(7, [0.5, 0.2, 0.2, 0.1], size=30)
    assert fleiss_kappa(table.tolist()).value == pytest.approx(statsmodels_kappa(table), abs=1e-12)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([], "no item was rated"),
        ([[0, 0]], "no item was rated twice"),
        ([[1, 0], [0, 1]], "no item was rated twice"),
        ([[2, 0], [2, 1]], "items have different numbers of ratings"),
        ([[3, 0], [3, 0]], "every rating is in one category"),
    ],
)
def test_fleiss_is_undefined_with_a_reason(table, reason):
    found = fleiss_kappa(table)
    assert (found.value, found.reason) == (None, reason)


@pytest.mark.parametrize("table", [[[1, 1], [2]], [[-1, 3]]])
def test_fleiss_refuses_what_is_not_a_table_of_counts(table):
    with pytest.raises(ValueError, match="equally long rows and no count below 0"):
        fleiss_kappa(table)


def test_one_category_alone_is_full_raw_agreement_and_no_kappa():
    rows = [["L", "L"], ["L", "L"]]
    assert compute_raw_agreement(rows).value == 1
    assert fleiss_kappa(count_categories(rows)).value is None


def test_raw_agreement_counts_pairs_over_all_items():
    # Item 1: 3 raters, 1 of 3 pairs equal; item 2: 2 raters, 1 of 1; item 3 has one rater and no pair.
    found = compute_raw_agreement([["a", "a", "b"], ["c", None, "c"], ["a", None, None]])
    assert (found.value, found.items, found.n) == (0.5, 2, 5)


def test_raw_agreement_without_pairs_is_undefined():
    found = compute_raw_agreement([["a"], [None, "b"]])
    assert (found.value, found.reason) == (None, "no item was rated twice")


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.6914), ("interval", 0.8108)])
def test_alpha_of_three_coders(level, expected):
    found = krippendorff_alpha(rows_of(THREE_CODERS), level=level)
    assert found.value == pytest.approx(expected, abs=5e-5)
    assert (found.items, found.n, found.method) == (12, 26, f"Krippendorff's alpha, {level}")


def test_alpha_of_two_coders_worked_by_hand():
    # 4 of 10 units differ: 8 unequal ordered pairs of 20 ratings, 1 rater more than one each -> 8.
    # 14 zeros and 6 ones: 2 * 14 * 6 = 168 unequal ordered pairs, / 19 -> 8.842.
    # Alpha = 1 - 8 / (168 / 19) = 1 - 152 / 168 = 16 / 168 = 0.0952.
    found = krippendorff_alpha(zip("0100000010", "1110010000", strict=True))
    assert found.value == pytest.approx(16 / 168, abs=1e-15)


@pytest.mark.parametrize("level", ["nominal", "interval"])
@pytest.mark.parametrize("seed", range(5))
def test_alpha_agrees_with_the_krippendorff_package(seed, level):
    rng = np.random.default_rng(seed)
    data = rng.integers(1, 6, (40, 4)).astype(float)
    data[rng.random(data.shape) < 0.3] = np.nan
    rows = [[None if np.isnan(value) else int(value) for value in row] for row in data]
    expected = krippendorff.alpha(reliability_data=data.T, level_of_measurement=level)
    assert krippendorff_alpha(rows, level=level).value == pytest.approx(expected, abs=1e-12)


def test_alpha_is_undefined_when_every_rating_is_equal():
    found = krippendorff_alpha([[3, 3], [3, 3, 3]], level="interval")
    assert (found.value, found.reason, found.items, found.n) == (None, "every rating is equal", 2, 5)


def test_alpha_is_undefined_when_no_item_has_two_ratings():
    found = krippendorff_alpha([[3, None], [None, 2], []])
    assert (found.value, found.reason, found.n) == (None, "no item was rated twice", 0)


def test_alpha_refuses_an_unknown_level():
    with pytest.raises(ValueError, match="level is one of nominal, interval, not 'ordinal'"):
        krippendorff_alpha([[1, 2]], level="ordinal")


@pytest.mark.parametrize("value", ["3", float("nan"), float("inf")])
def test_interval_alpha_refuses_what_is_not_a_finite_number(value):
    with pytest.raises(ValueError, match="an interval rating is a finite number"):
        krippendorff_alpha([[1, value]], level="interval")


def test_a_study_with_ties_has_the_known_agreement():
    rows = oriented(STUDY)
    assert compute_raw_agreement(rows).value == 0.5
    assert fleiss_kappa(count_categories(rows)).value == 0.2


def test_kappa_depends_on_the_sides_and_orienting_restores_it():
    mirror = str.maketrans("LR", "RL")
    swapped = dict(STUDY)
    for pair in ("p3", "p4"):
        left, right, votes = STUDY[pair]
        swapped[pair] = (right, left, votes.translate(mirror))
    as_shown = [votes for _, _, votes in swapped.values()]
    assert compute_raw_agreement(as_shown).value == 0.5
    # Shares 8/12, 3/12, 1/12 -> by chance 74/144; (1/2 - 74/144) / (1 - 74/144) = -2/70.
    assert fleiss_kappa(count_categories(as_shown)).value == pytest.approx(-2 / 70, abs=1e-15)
    assert oriented(swapped) == oriented(STUDY)


@pytest.mark.parametrize(("choice", "meant"), [("left", "second"), ("tie", "tie"), ("right", "first")])
def test_a_vote_is_turned_to_the_order_of_names(choice, meant):
    assert orient_vote("wren", "lark", choice) == OrientedVote("lark", "wren", meant)


def test_a_vote_in_order_stays():
    assert orient_vote("lark", "wren", "left") == OrientedVote("lark", "wren", "first")


def test_a_vote_of_a_system_with_itself_is_refused():
    with pytest.raises(ValueError, match="'lark' is compared with itself"):
        orient_vote("lark", "lark", "tie")


def test_an_unknown_choice_is_refused():
    with pytest.raises(ValueError, match="a choice is left, tie or right, not 'both'"):
        orient_vote("lark", "wren", "both")
