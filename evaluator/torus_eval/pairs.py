"""The questions that two runs were both asked, side by side, and how far apart the two are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.errors import EvaluationError
from torus_eval.outcomes import STRICT, count_orders, judge, list_outcomes
from torus_eval.scorers import RESAMPLES
from torus_site.errors import Problem
from torus_site.stats import paired_difference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torus_eval.outcomes import Outcome
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import ItemRecord
    from torus_site.stats import Interval

_MIN_CLUSTERS = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """One question that both runs were to be asked.

    Args:
        asked: The question as the first run has it.
        right: How many of the first run's answers are right, strictly.
        other_right: How many of the second run's.
        n: How many answers of each are compared, one for each order that both were asked in.
        owed: Whether either run still owes it; then the counts say nothing.
    """

    asked: Outcome
    right: int
    other_right: int
    n: int
    owed: bool


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two runs side by side.

    Args:
        pairs: The questions of the items that both have.
        items: How many items both have.
        alone: How many items only the first, and only the second, has.
    """

    pairs: tuple[Pair, ...]
    items: int
    alone: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Contrast:
    """How far two runs are apart over some questions.

    Args:
        n: Answers of each.
        right: Right answers of the first.
        other_right: Right answers of the second.
        interval: The difference of the two shares; ``None`` with fewer than two items.
        wins: Items on which the first has more right answers.
        ties: Items on which both have as many.
        losses: Items on which the second has more.
    """

    n: int
    right: int
    other_right: int
    interval: Interval | None
    wins: int
    ties: int
    losses: int


def pair_runs(
    benchmark: Benchmark, items: tuple[ItemRecord, ...], other_items: tuple[ItemRecord, ...]
) -> Pairing:
    """Put the questions of two runs side by side, on the items they share and the orders both were asked in.

    Raises:
        EvaluationError: The runs share no item, or have one that the benchmark does not have.
    """
    names, others = {record.item for record in items}, {record.item for record in other_items}
    shared = names & others
    if not shared:
        found = f"{len(names)} and {len(others)} {benchmark.descriptor.noun.many}, none of them in both"
        raise EvaluationError(
            Problem(
                benchmark.file,
                found=found,
                expected="two runs over the same items",
                action="run both on the same",
            )
        )
    orders = min(count_orders(items), count_orders(other_items))
    theirs = {
        (outcome.item, outcome.question): outcome
        for outcome in list_outcomes(benchmark, tuple(each for each in other_items if each.item in shared))
    }
    own = list_outcomes(benchmark, tuple(each for each in items if each.item in shared))
    pairs = tuple(_pair(outcome, theirs[outcome.item, outcome.question], orders) for outcome in own)
    return Pairing(pairs, len(shared), (len(names - shared), len(others - shared)))


def _pair(own: Outcome, other: Outcome, orders: int) -> Pair:
    n = min(orders, len(own.answers), len(other.answers))
    right, other_right = (
        sum(judge(answer, STRICT) is True for answer in outcome.answers[:n]) for outcome in (own, other)
    )
    return Pair(own, right, other_right, n, own.owed or other.owed)


def contrast(pairs: Iterable[Pair], *, seed: int) -> Contrast:
    """Compare two runs over some questions, with items as clusters.

    Args:
        pairs: The questions, none of them owed.
        seed: Seed of the resampling of items, which are sorted before.

    Returns:
        The counts, the paired difference and over how many items which run is ahead.
    """
    sums: dict[str, tuple[int, int, int]] = {}
    for pair in pairs:
        right, other, n = sums.get(pair.asked.item, (0, 0, 0))
        sums[pair.asked.item] = (right + pair.right, other + pair.other_right, n + pair.n)
    rights, others, totals = (
        zip(*(sums[item] for item in sorted(sums)), strict=True) if sums else ((), (), ())
    )
    interval = None
    if len(totals) >= _MIN_CLUSTERS:
        interval = paired_difference(
            rights, others, totals, generator=np.random.default_rng(seed), resamples=RESAMPLES
        )
    leads = [right - other for right, other in zip(rights, others, strict=True)]
    return Contrast(
        n=sum(totals),
        right=sum(rights),
        other_right=sum(others),
        interval=interval,
        wins=sum(lead > 0 for lead in leads),
        ties=leads.count(0),
        losses=sum(lead < 0 for lead in leads),
    )
