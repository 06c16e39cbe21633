"""Scores as a terminal shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.columns import align_rows, write_points
from torus_eval.errors import EvaluationError
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torus_eval.assembly import Run
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import IntervalRecord, RunRecord, Score

_COUNTED = (2, 3)


def render_scores(benchmark: Benchmark, record: RunRecord) -> str:
    """Write the scores of a run as aligned lines: each metric in total, then along each axis and facet.

    Args:
        benchmark: The benchmark.
        record: The run with its scores.

    Returns:
        Lines without a final line end.
    """
    rows: list[tuple[str, ...]] = [("metric", "where", "right/asked", "value", "95 % interval")]
    rows += [_write_row(benchmark, score) for score in _list_shown(record.scores)]
    lines = [f"{record.system} on {record.benchmark}"]
    if record.status == "incomplete":
        lines.append(f"incomplete: {record.owed} calls are still owed")
    lines += (
        align_rows(rows, right=_COUNTED)
        if record.scores
        else ["no metric of the benchmark is computed from answers"]
    )
    for found in record.differences:
        if not found.at and not found.where and found.value is not None:
            name = found.metric + ("" if found.subset == "all" else f", {found.subset}")
            limits = _write_limits(found.interval, "+.1f")
            against = f"{write_points(found.value)} points against {found.baseline}"
            lines.append(f"{name}: {against}" + (f" ({limits})" if limits else ""))
    return "\n".join(lines)


def check_comparable(first: Run, second: Run, subset: str) -> None:
    """Refuse two runs of different benchmarks, and a subset that there is not.

    Raises:
        EvaluationError: Either of them.
    """
    if first.spec.benchmark != second.spec.benchmark:
        found = f"a run of {second.spec.benchmark!r}"
        expected = f"one of {first.spec.benchmark!r}, like {first.path.as_posix()}"
        raise EvaluationError(Problem(second.path.as_posix(), found=found, expected=expected))
    known = ["all", *(each.id for each in first.benchmark.descriptor.subsets)]
    if subset not in known:
        expected = f"one of {', '.join(known)}"
        raise EvaluationError(Problem("--subset", "", repr(subset), expected, nearest(subset, known)))


def _list_shown(scores: Sequence[Score]) -> list[Score]:
    """Leave out groups without a question, and those of a subset that leaves nothing out."""
    whole = {
        (score.metric, *score.at.items(), *score.where.items()): score
        for score in scores
        if score.subset == "all"
    }
    shown = []
    for score in scores:
        all_of_it = whole.get((score.metric, *score.at.items(), *score.where.items()))
        is_same = score.subset != "all" and all_of_it is not None and score.n == all_of_it.n
        if (
            score.n != 0
            and not is_same
            and (score.n is not None or score.value is not None or not score.where)
        ):
            shown.append(score)
    return shown


def _write_row(benchmark: Benchmark, score: Score) -> tuple[str, ...]:
    metric = benchmark.metric(score.metric)
    where = " ".join([*score.at.values(), *score.where.values()]) or "total"
    if score.subset != "all":
        where += f", {score.subset}"
    if score.value is None:
        return (score.metric, where, "", "", score.reason or "")
    counts = "" if score.correct is None else f"{score.correct}/{score.n}"
    value = f"{score.value:.{metric.decimals}f}"
    limits = _write_limits(score.interval, f".{metric.decimals}f")
    return (score.metric, where, counts, value, limits or score.reason or "")


def _write_limits(interval: IntervalRecord | None, form: str) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return ""
    return f"{interval.low:{form}} to {interval.high:{form}}"
