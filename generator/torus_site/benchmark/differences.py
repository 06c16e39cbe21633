"""Checks paired differences: each names what is known, and is the two scores apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.benchmark.check import Vocabulary
from torus_site.benchmark.recompute import compare, name_score, rounding, slot_of
from torus_site.records.problems import quote

if TYPE_CHECKING:
    from torus_site.benchmark.load import Benchmark
    from torus_site.benchmark.recompute import Slot
    from torus_site.errors import Problem
    from torus_site.records.model import Difference, RunRecord, Source
    from torus_site.records.store import Results

_MOST_DECIMALS = 6


def check_differences(run: RunRecord, words: Vocabulary) -> None:
    """Note every difference of a run that names something unknown or stands twice."""
    seen: set[tuple[Slot, str]] = set()
    for index, difference in enumerate(run.differences):
        parts = ("differences", index)
        words.known((*parts, "metric"), difference.metric, words.metrics, "a metric")
        words.at((*parts, "at"), difference.at)
        words.where((*parts, "where"), difference.where)
        words.known((*parts, "subset"), difference.subset, words.subsets, "a subset")
        words.known((*parts, "baseline"), difference.baseline, words.systems, "a system")
        if difference.baseline == run.system:
            words.add((*parts, "baseline"), "the run's own system", "another system to be compared with")
        if (slot := (slot_of(difference), difference.baseline)) in seen:
            found = f"a second difference for {name_score(difference)}"
            words.add(parts, found, "each difference once")
        seen.add(slot)


def check_against_baselines(benchmark: Benchmark, results: Results) -> list[Problem]:
    """List the differences that are not what the scores of both runs make them."""
    scores = {(run.system, run.source, slot_of(score)): score for run in results.runs for score in run.scores}
    problems: list[Problem] = []
    for run in results.runs:
        words = Vocabulary(benchmark.descriptor, file=results.file_of(run))
        for index, difference in enumerate(run.differences):
            slot = slot_of(difference)
            own = scores.get((run.system, run.source, slot))
            theirs = scores.get((difference.baseline, run.source, slot))
            # Where the two were asked different questions, only the evaluator knows what it paired.
            if own and theirs and own.n == theirs.n:
                _check_value(index, difference, (own.value, theirs.value), words=words, source=run.source)
        problems += words.problems
    return problems


def _check_value(
    index: int,
    difference: Difference,
    scores: tuple[float | None, float | None],
    *,
    words: Vocabulary,
    source: Source,
) -> None:
    own, theirs = scores
    if difference.value is None or own is None or theirs is None:
        return
    compare(
        words,
        ("differences", index, "value"),
        source=source,
        value=difference.value,
        right=own - theirs,
        slack=sum(rounding(value, _MOST_DECIMALS) for value in (difference.value, own, theirs)),
        basis=f"{own:g} less the {theirs:g} of {quote(difference.baseline)}",
    )
