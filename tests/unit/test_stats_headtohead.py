from __future__ import annotations

import pytest

from torus_site.stats import PairCell, Rate, check_wins, orient_vote, tally_votes, tally_wins, wilson_interval

# p1 M1 v M2 LLT, p2 M1 v M3 LLL, p3 M2 v M3 RTT, p4 M1 v M2 RLR.
STUDY = [("M1", "M2", "LLT"), ("M1", "M3", "LLL"), ("M2", "M3", "RTT"), ("M1", "M2", "RLR")]
CHOICES = {"L": "left", "T": "tie", "R": "right"}
VOTES = [orient_vote(left, right, CHOICES[vote]) for left, right, votes in STUDY for vote in votes]

WINS = {
    "lark": {"lark": None, "wren": 10, "crow": 9},
    "wren": {"lark": 9, "crow": 16},
    "crow": {"lark": 8, "wren": 0},
}


@pytest.mark.parametrize(
    ("row", "column", "wins", "ties", "losses"),
    [("M1", "M2", 3, 1, 2), ("M1", "M3", 3, 0, 0), ("M2", "M3", 0, 2, 1), ("M3", "M2", 1, 2, 0)],
)
def test_a_study_with_ties_gives_the_known_cells(row, column, wins, ties, losses):
    cell = tally_votes(VOTES).cell(row, column)
    assert (cell.wins, cell.ties, cell.losses, cell.n) == (wins, ties, losses, wins + ties + losses)


def test_standings_of_a_study_count_ties_in_n_only():
    first = tally_votes(VOTES).list_standings()[0]
    assert (first.system, first.wins, first.ties, first.losses, first.n) == ("M1", 6, 1, 2, 9)
    assert first.rate == Rate(6, 9)
    assert first.interval == wilson_interval(Rate(6, 9))
    assert first.reason is None


def test_systems_come_in_the_given_order_and_without_votes_too():
    table = tally_votes(VOTES, systems=["M3", "M2", "M1", "M0"])
    assert table.systems == ("M3", "M2", "M1", "M0")
    assert table.cell("M0", "M1") == PairCell("M0", "M1", 0, 0, 0)
    last = table.list_standings()[-1]
    assert (last.rate, last.interval, last.reason) == (Rate(0, 0), None, "nothing was counted")


def test_votes_on_systems_that_are_not_listed_are_refused():
    with pytest.raises(ValueError, match="not listed: M2, M3"):
        tally_votes(VOTES, systems=["M1"])


def test_win_counts_and_comparisons_give_ties_and_losses():
    table = tally_wins(WINS, 21)
    assert [(cell.row, cell.column, cell.wins, cell.ties, cell.losses) for cell in table.cells] == [
        ("lark", "wren", 10, 2, 9),
        ("lark", "crow", 9, 4, 8),
        ("wren", "lark", 9, 2, 10),
        ("wren", "crow", 16, 5, 0),
        ("crow", "lark", 8, 4, 9),
        ("crow", "wren", 0, 5, 16),
    ]
    assert [standing.rate for standing in table.list_standings()] == [Rate(19, 42), Rate(25, 42), Rate(8, 42)]
    assert [standing.ties for standing in table.list_standings()] == [6, 7, 9]


def test_comparisons_may_differ_between_pairs_and_be_stated_in_one_direction():
    comparisons = {"lark": {"wren": 21, "crow": 17}, "crow": {"wren": 30, "lark": 17}}
    table = tally_wins(WINS, comparisons)
    assert table.cell("crow", "lark").n == 17
    assert table.cell("wren", "crow").ties == 14


def test_what_is_not_stated_stays_unknown():
    table = tally_wins({"lark": {"wren": 10}, "wren": {"lark": None}}, 21)
    cell, other = table.cells
    assert (cell.wins, cell.losses, cell.ties, cell.rate, cell.reason) == (10, None, None, Rate(10, 21), None)
    assert (other.wins, other.losses, other.ties, other.rate) == (None, 10, None, None)
    assert other.reason == "wins against lark not stated"
    lark, wren = table.list_standings()
    assert (lark.rate, lark.losses, lark.ties, lark.reason) == (Rate(10, 21), None, None, None)
    assert (wren.rate, wren.interval, wren.reason) == (None, None, "wins against lark not stated")


def test_an_overall_rate_never_rests_on_some_of_the_pairs():
    wins = {**WINS, "crow": {"lark": 8}}
    crow = tally_wins(wins, 21).list_standings()[2]
    assert (crow.wins, crow.n, crow.rate, crow.reason) == (None, 42, None, "wins against wren not stated")


def test_without_comparisons_there_are_wins_but_no_rates():
    table = tally_wins(WINS)
    cell = table.cell("lark", "wren")
    assert (cell.wins, cell.losses, cell.ties, cell.n, cell.rate) == (10, 9, None, None, None)
    assert cell.reason == "comparisons with wren not stated"
    lark = table.list_standings()[0]
    assert (lark.wins, lark.n, lark.rate) == (19, None, None)
    assert lark.reason == "comparisons with wren not stated; comparisons with crow not stated"


def test_a_pair_that_does_not_exist_has_no_cell():
    with pytest.raises(KeyError):
        tally_wins(WINS, 21).cell("lark", "lark")


@pytest.mark.parametrize(
    ("wins", "comparisons", "problems"),
    [
        (WINS, 21, ()),
        (WINS, -1, ("comparisons: -1 is below 0",)),
        (
            WINS,
            {"lark": {"wren": 21}, "wren": {"lark": 20}},
            ("comparisons of lark and wren: the two directions differ",),
        ),
        (WINS, {"owl": {"lark": 3}}, ("comparisons of owl against lark: not both are rows of wins",)),
        (
            WINS,
            16,
            (
                "lark and wren: 10 + 9 wins in 16 comparisons",
                "lark and crow: 9 + 8 wins in 16 comparisons",
            ),
        ),
        (
            {"lark": {"lark": 3, "wren": -2}, "wren": {"owl": 1}},
            None,
            (
                "wins of lark against lark: a system is not compared with itself",
                "wins of lark against wren: -2 is below 0",
                "wins of wren against owl: not both are rows of wins",
            ),
        ),
        ({"lark": {"wren": 22}, "wren": {}}, 21, ("lark and wren: 22 wins in 21 comparisons",)),
    ],
)
def test_everything_impossible_is_found_at_once(wins, comparisons, problems):
    assert check_wins(wins, comparisons) == problems


def test_an_impossible_matrix_is_refused():
    with pytest.raises(ValueError, match=r"10 \+ 9 wins in 16 comparisons; lark and crow"):
        tally_wins(WINS, 16)
