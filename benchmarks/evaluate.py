"""Compare a rerun of the open run with the committed one: same answers, measures within tolerance.

Two systems listen with eight-bit models, which round otherwise on other processors: up to a fifth of their
answers may differ there. On one machine none does.

Usage: python benchmarks/evaluate.py EXPORT, the folder that ``torus-eval export --output`` wrote to.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from torus_eval.runner import list_declared
from torus_site.benchmark.load import load_benchmark
from torus_site.records.store import load_results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import RunRecord, Score

ROOT = Path(__file__).resolve().parents[1]
BENCHMARK = "torus"
# Kernels of 8-bit models differ between processors; on one machine the figures are the same to the bit.
RELATIVE = {"divergence": 0.03, "frechet": 0.03}
ABSOLUTE = {"word-errors": 0.02}
CLIPS_APART = 1
MODEL_HEADS = {"listener", "heard-words"}
LEAST_EQUAL = 0.8


def main(folder: Path) -> int:
    """Print what differs and return the exit code."""
    benchmark = load_benchmark(ROOT, BENCHMARK)
    committed, rerun = load_results(ROOT, BENCHMARK), load_results(folder, BENCHMARK)
    files = {found.system.id: found.system for found in list_declared(ROOT, BENCHMARK)}
    wrong = 0
    for run in committed.runs:
        if run.source != "computed":
            continue
        again = rerun.run(run.system, "computed")
        found = ["no rerun of it"] if again is None else list(compare(benchmark, run, again))
        heads = {files[run.system].answer, files[run.system].caption} if run.system in files else set()
        if again is None or not heads & MODEL_HEADS or share_equal(run, again) < LEAST_EQUAL:
            wrong += len(found)
        answers = sum(len(cell.answers) for item in run.items for cell in item.cells)
        print(f"{run.system}: {answers} answers, {len(run.scores)} scores: {len(found)} differ")
        for line in found[:20]:
            print(f"  {line}")
    return 1 if wrong else 0


def share_equal(run: RunRecord, again: RunRecord) -> float:
    """Return the share of answers that are as committed."""
    old, new = (
        {
            (item.item, answer.question): answer
            for item in each.items
            for cell in item.cells
            for answer in cell.answers
        }
        for each in (run, again)
    )
    return sum(new.get(place) == answer for place, answer in old.items()) / max(len(old), 1)


def compare(benchmark: Benchmark, run: RunRecord, again: RunRecord) -> Iterator[str]:
    """Yield a line for each answer and each score that is not as committed."""
    others = {item.item: item for item in again.items}
    for item in run.items:
        other = others.get(item.item)
        if other is None:
            yield f"{item.item} was not run"
            continue
        for cell, twin in zip(item.cells, other.cells, strict=True):
            if (cell.answers, cell.status, cell.caption) != (twin.answers, twin.status, twin.caption):
                yield f"{item.item} {' '.join(cell.at.values())}: other answers"
    twins = {name_score(score): score for score in again.scores}
    for score in run.scores:
        twin = twins.get(name_score(score))
        measure = benchmark.metric(score.metric).measure or ""
        if twin is None or not is_near(score, twin, measure):
            value = None if twin is None else twin.value
            yield f"{' '.join(name_score(score))}: {score.value} committed, {value} now"


def name_score(score: Score) -> tuple[str, ...]:
    """Name what a score is of."""
    return (score.metric, *score.at.values(), *score.where.values(), score.subset)


def is_near(score: Score, other: Score, measure: str) -> bool:
    """Tell whether two scores agree as far as other machines can be asked to."""
    if score.value is None or other.value is None:
        return score.status == other.status
    if measure == "modality" and score.correct is not None and other.correct is not None:
        return abs(score.correct - other.correct) <= CLIPS_APART
    slack = ABSOLUTE.get(measure, 0.0) + RELATIVE.get(measure, 0.0) * abs(score.value)
    return abs(score.value - other.value) <= slack + 1e-9


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 -- the program and one argument
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
