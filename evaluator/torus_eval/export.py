"""Export runs: what the site shows goes to ``results/`` and ``audio/``, whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_eval.assembly import load_run, make_run_record, name_clip
from torus_eval.differences import difference_runs
from torus_eval.errors import EvaluationError
from torus_eval.measuring import list_references, read_measures
from torus_eval.runlog.folder import read_clip
from torus_eval.runlog.spec import RUN_FILE
from torus_eval.store import open_store
from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from torus_eval.assembly import Run
    from torus_eval.store import Store
    from torus_site.benchmark.load import Benchmark
    from torus_site.records.model import Difference, RunRecord


def export_runs(
    project: Path,
    paths: Iterable[Path],
    output: Path,
    *,
    allow_incomplete: bool = False,
    report: Callable[[Path], None],
) -> None:
    """Write results and clips of runs.

    Scores are computed anew. Measures of clips are taken from the run directory where they fit; differences
    are to the benchmark's baseline, whose run stands among the given ones or beside them.

    Args:
        project: The project's folder.
        paths: Run directories, all of one benchmark.
        output: The folder that receives ``results/`` and ``audio/``.
        allow_incomplete: Whether runs with owed calls are exported, marked as incomplete.
        report: Told of each record that is written.

    Raises:
        TorusError: A run cannot be read, is incomplete, is of a system that the benchmark does not declare,
            or the output cannot be written; everything that is wrong, before anything is written.
    """
    runs = [load_run(project, path) for path in dict.fromkeys(paths)]
    problems = [problem for run in runs for problem in _list_problems(run, allow_incomplete=allow_incomplete)]
    problems += _list_doubles(runs)
    for benchmark in dict.fromkeys(run.benchmark.id for run in runs if output.is_dir()):
        with open_store(output, benchmark) as store:
            own = [run for run in runs if run.benchmark.id == benchmark]
            problems += [problem for run in own for problem in _list_losses(run, store, output)]
    if problems:
        raise EvaluationError(problems)
    known = {run.spec.system: run for run in runs}
    records = [make_record(project, run, known) for run in runs]
    for run, record in zip(runs, records, strict=True):
        with open_store(output, run.benchmark.id) as store:
            for path, sha256 in _list_clips(run):
                store.keep(run.spec.system, path, read_clip(run.path, sha256))
            report(store.publish(record))


def make_record(project: Path, run: Run, known: Mapping[str, Run] | None = None) -> RunRecord:
    """Assemble a run with everything that is shown of it.

    Args:
        project: The project's folder.
        run: The run.
        known: Further runs by their system; those that are missing are looked for beside the run.

    Raises:
        TorusError: A run that is needed cannot be read.
    """
    record = make_run_record(run)
    references = find_references(project, run, known)
    measures = read_measures(run, references) or ()
    differences: tuple[Difference, ...] = ()
    baseline = find_baseline(run.benchmark)
    if baseline is not None and baseline != run.spec.system:
        other = _find_run(project, run, baseline, {**references, **(known or {})})
        # Runs of other items say nothing about each other.
        if other is not None and run.spec.items.keys() & other.spec.items.keys():
            differences = difference_runs(
                run.benchmark, record.items, other.item_records(), seed=run.spec.seed, baseline=baseline
            )
    return record.model_copy(update={"scores": record.scores + measures, "differences": differences})


def find_references(project: Path, run: Run, known: Mapping[str, Run] | None = None) -> dict[str, Run]:
    """Find the runs that a run's clips are measured against: among the known ones, else beside it."""
    names = sorted(list_references(run))
    found = {name: _find_run(project, run, name, known or {}) for name in names}
    return {name: other for name, other in found.items() if other is not None}


def find_baseline(benchmark: Benchmark) -> str | None:
    """Return the system that computed runs are compared with, if the benchmark names one."""
    systems = benchmark.descriptor.systems
    return next((entry.id for entry in systems if entry.baseline and entry.source == "computed"), None)


def _find_run(project: Path, run: Run, system: str, known: Mapping[str, Run]) -> Run | None:
    if system in known:
        return known[system]
    beside = run.path.parent / system
    return load_run(project, beside) if (beside / RUN_FILE).is_file() else None


def _list_problems(run: Run, *, allow_incomplete: bool) -> Iterator[Problem]:
    owed, place = run.count().owed, run.path.as_posix()
    if owed and not allow_incomplete:
        action = f"torus-eval retry {place}, or export it marked as incomplete with --allow-incomplete"
        yield Problem(place, "", f"{owed} calls still owed", "a complete run", action)
    for _, sha256 in _list_clips(run):
        try:
            read_clip(run.path, sha256)
        except EvaluationError as error:
            yield from error.problems
    system, declared = run.spec.system, run.benchmark.descriptor.systems
    if not any(entry.id == system and entry.source == "computed" for entry in declared):
        block = f'[[systems]] with id = "{system}", title, source = "computed" and hue'
        expected = f"a system that {run.benchmark.file} declares as computed"
        yield Problem(place, "", f"the undeclared system {system!r}", expected, f"add {block}")


def _list_doubles(runs: list[Run]) -> Iterator[Problem]:
    seen: dict[tuple[str, str], Run] = {}
    for run in runs:
        other = seen.setdefault((run.benchmark.id, run.spec.system), run)
        if other is not run:
            found = f"a second run of {run.spec.system!r}"
            yield Problem(
                run.path.as_posix(), "", found, f"one run a system; the first is {other.path.as_posix()}"
            )


def _list_losses(run: Run, store: Store, output: Path) -> Iterator[Problem]:
    """Tell where a run of some items would replace the results of more."""
    lost = store.held_items(run.spec.system) - {item.id for item in run.items}
    if lost:
        yield Problem(
            (output / "results" / run.benchmark.id / f"{run.spec.system}.json").as_posix(),
            found=f"results for {', '.join(sorted(lost))} too, which this run leaves out",
            expected="a run of at least the same items",
            action="run the others as well, or give another folder with --output",
        )


def _list_clips(run: Run) -> Iterator[tuple[str, str]]:
    """Yield for each clip of a run its place in the project and its sha256."""
    for item, state in run.cells():
        if state.made is not None and state.made.clip is not None:
            yield name_clip(run.benchmark.id, run.spec.system, item.id, state.point), state.made.clip
