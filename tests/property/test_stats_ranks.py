from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from torus_site.stats import Interval, rank_by_intervals

calm = settings(deadline=None)


@st.composite
def intervals(draw):
    low, estimate, high = sorted(draw(st.tuples(*[st.integers(0, 30)] * 3)))
    return Interval(estimate=estimate, low=low, high=high, method="given", n=9)


systems = st.dictionaries(st.sampled_from("abcdefgh"), st.none() | intervals())


@calm
@given(systems)
def test_two_systems_share_a_place_whenever_they_cannot_be_told_apart(given_systems):
    placed = [rank for rank in rank_by_intervals(given_systems) if rank.best is not None]
    for a, b in combinations(placed, 2):
        tied = given_systems[a.name].overlaps(given_systems[b.name])
        assert (b.name in a.tied_with) == (a.name in b.tied_with) == tied
        if tied:
            assert max(a.best, b.best) <= min(a.worst, b.worst)


@calm
@given(systems)
def test_places_are_between_1_and_the_number_of_systems_with_an_interval(given_systems):
    ranks = rank_by_intervals(given_systems)
    known = sum(interval is not None for interval in given_systems.values())
    assert sorted(rank.name for rank in ranks) == sorted(given_systems)
    for place, rank in enumerate(ranks, 1):
        if place > known:
            assert (rank.best, rank.label, rank.reason) == (None, "", "no estimate")
        else:
            assert 1 <= rank.best <= place <= rank.worst <= known


@calm
@given(systems, st.randoms(use_true_random=False))
def test_the_input_order_does_not_matter(given_systems, random):
    shuffled = dict(random.sample(list(given_systems.items()), len(given_systems)))
    assert rank_by_intervals(shuffled) == rank_by_intervals(given_systems)


@calm
@given(systems)
def test_turning_the_direction_mirrors_the_places(given_systems):
    known = {name: interval for name, interval in given_systems.items() if interval is not None}
    # Equal estimates are ordered by name in both directions; without them the order is a mirror image.
    distinct = {interval.estimate: name for name, interval in known.items()}
    chosen = {name: known[name] for name in distinct.values()}
    forth = {rank.name: rank for rank in rank_by_intervals(chosen)}
    back = {rank.name: rank for rank in rank_by_intervals(chosen, higher_is_better=False)}
    for name, rank in forth.items():
        assert (rank.best, rank.worst) == (
            len(chosen) + 1 - back[name].worst,
            len(chosen) + 1 - back[name].best,
        )
