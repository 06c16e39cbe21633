"""Rates, intervals, agreement and ranks from counts.

Conventions:
    A rate is kept as its counts and divided last. What cannot be computed is ``None`` with a reason. Random
    numbers come from a generator or a seed that the caller passes, and the seed is recorded in the result.

Metrics:
    ``rates`` and ``intervals`` hold the values; ``bootstrap`` and ``summarise`` resample clusters (items);
    ``agreement`` and ``headtohead`` serve studies with raters; ``ranks`` says which order the data support.

Names are loaded when first used, so importing this package loads neither numpy nor its own modules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torus_site.stats.agreement import (
        Agreement,
        OrientedVote,
        compute_raw_agreement,
        count_categories,
        fleiss_kappa,
        krippendorff_alpha,
        orient_vote,
    )
    from torus_site.stats.bootstrap import (
        cluster_bootstrap,
        paired_difference,
        paired_differences,
        resample_ratios,
    )
    from torus_site.stats.headtohead import (
        HeadToHead,
        PairCell,
        Standing,
        check_wins,
        tally_votes,
        tally_wins,
    )
    from torus_site.stats.intervals import Interval
    from torus_site.stats.ranks import Rank, rank_by_differences, rank_by_intervals
    from torus_site.stats.rates import (
        Contrast,
        Rate,
        dprime,
        point_gap,
        retained_share,
        wilson_interval,
        win_rate,
    )
    from torus_site.stats.summarise import Summary, count_clusters, rank_answers, summarise_answers

__all__ = [
    "Agreement",
    "Contrast",
    "HeadToHead",
    "Interval",
    "OrientedVote",
    "PairCell",
    "Rank",
    "Rate",
    "Standing",
    "Summary",
    "check_wins",
    "cluster_bootstrap",
    "compute_raw_agreement",
    "count_categories",
    "count_clusters",
    "dprime",
    "fleiss_kappa",
    "krippendorff_alpha",
    "orient_vote",
    "paired_difference",
    "paired_differences",
    "point_gap",
    "rank_answers",
    "rank_by_differences",
    "rank_by_intervals",
    "resample_ratios",
    "retained_share",
    "summarise_answers",
    "tally_votes",
    "tally_wins",
    "wilson_interval",
    "win_rate",
]

_HOMES = {
    "Agreement": "agreement",
    "Contrast": "rates",
    "HeadToHead": "headtohead",
    "Interval": "intervals",
    "OrientedVote": "agreement",
    "PairCell": "headtohead",
    "Rank": "ranks",
    "Rate": "rates",
    "Standing": "headtohead",
    "Summary": "summarise",
    "check_wins": "headtohead",
    "cluster_bootstrap": "bootstrap",
    "compute_raw_agreement": "agreement",
    "count_categories": "agreement",
    "count_clusters": "summarise",
    "dprime": "rates",
    "fleiss_kappa": "agreement",
    "krippendorff_alpha": "agreement",
    "orient_vote": "agreement",
    "paired_difference": "bootstrap",
    "paired_differences": "bootstrap",
    "point_gap": "rates",
    "rank_answers": "summarise",
    "rank_by_differences": "ranks",
    "rank_by_intervals": "ranks",
    "resample_ratios": "bootstrap",
    "retained_share": "rates",
    "summarise_answers": "summarise",
    "tally_votes": "headtohead",
    "tally_wins": "headtohead",
    "wilson_interval": "rates",
    "win_rate": "rates",
}


def __getattr__(name: str) -> object:
    """Load the module that defines ``name``, once."""
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
