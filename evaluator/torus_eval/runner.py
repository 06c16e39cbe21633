"""A run: one system over the items of a benchmark, each call recorded before the next one follows from it."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from torus_eval.calls import Outcome, close_systems, execute_call, name_opened
from torus_eval.errors import EvaluationError
from torus_eval.executors import Crew, check_kind, has_killed, is_lost_worker
from torus_eval.protocol import Count, Script, name_point
from torus_eval.runlog.folder import open_run, read_clip
from torus_eval.runlog.record import make_record
from torus_eval.runlog.spec import (
    RUN_FILE,
    RunSpec,
    describe_environment,
    digest_item,
    list_gone_items,
)
from torus_eval.systems.identity import describe_system, hash_system, read_versions
from torus_eval.systems.load import check_system, find_systems, list_systems
from torus_eval.systems.route import list_parts
from torus_site.benchmark.load import load_benchmark
from torus_site.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from torus_eval.assembly import Run
    from torus_eval.calls import Call, Slot
    from torus_eval.runlog.folder import RunFolder
    from torus_eval.systems.load import Found
    from torus_site.benchmark.items import Item
    from torus_site.benchmark.load import Benchmark


@dataclass(frozen=True, slots=True)
class Plan:
    """What shall be run.

    Args:
        script: The calls of the system.
        found: The system.
        items: The items.
        redo_failed: Whether calls that failed before are made again.
    """

    script: Script
    found: Found
    items: tuple[Item, ...]
    redo_failed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """How a run stands after a call.

    Args:
        system: The system's id.
        count: What has become of its calls.
        cached: How many of the done ones were recorded by an earlier run.
        errors: How many calls have been lost since this run began.
        call: The call that has just come back, if any has.
        outcome: What came of it.
    """

    system: str
    count: Count
    cached: int
    errors: int
    call: Slot | None = None
    outcome: Outcome | None = None


def make_plan(
    project: Path,
    benchmark_id: str,
    found: Found,
    *,
    tests: str = "*",
    seed: int = 0,
    orders: int = 1,
    limit: int | None = None,
) -> Plan:
    """Load a benchmark and choose what to run on it.

    Args:
        project: The project's folder.
        benchmark_id: The benchmark's id.
        found: The system.
        tests: A glob that the ids of the items match.
        seed: The seed of everything drawn.
        orders: In how many orders of its options each question is asked.
        limit: The most items that are run, in the order of the benchmark.

    Raises:
        TorusError: The benchmark does not load, no item matches, or the system cannot make the calls of its
            arm; all that can be told at once.
    """
    problems = list(check_system(found))
    benchmark = load_benchmark(project, benchmark_id)
    items = choose_items(benchmark, tests)[:limit]
    if not items:
        ids = ", ".join(item.id for item in benchmark.items)
        problems.append(Problem("--tests", found=repr(tests), expected=f"a glob matching one of {ids}"))
    problems += _list_doubles(benchmark)
    route, facets = (
        found.system.route,
        [facet.id for facet in benchmark.descriptor.facets if facet.on == "item"],
    )
    if route is not None and route not in facets:
        expected = f"a facet of the items: {', '.join(facets) or 'there is none'}"
        problems.append(Problem(found.path.name, "/route", repr(route), expected))
    if problems:
        raise EvaluationError(problems)
    versions = read_versions(found.system, found.path.parent)
    script = Script(benchmark, found.system, str(found.path.parent), seed, orders, versions)
    return Plan(script, found, items)


def plan_rest(run: Run, *, redo_failed: bool = False) -> Plan:
    """Plan the calls that a run still owes, as it was started.

    Args:
        run: The run.
        redo_failed: Whether calls that failed before are made again.

    Raises:
        EvaluationError: The system file is gone, or the system cannot make the calls of its arm.
    """
    spec = run.spec
    is_own = spec.system_file == spec.system
    found = find_systems((spec.system if is_own else str(run.path / spec.system_file),))[0]
    problems = check_system(found)
    if problems:
        raise EvaluationError(problems)
    versions = read_versions(found.system, found.path.parent)
    script = replace(run.script, system=found.system, folder=str(found.path.parent), versions=versions)
    return Plan(script, found, run.items, redo_failed)


def list_declared(project: Path, benchmark_id: str) -> tuple[Found, ...]:
    """List the systems that come with this tool and that a benchmark declares as computed.

    Raises:
        TorusError: The benchmark does not load, or declares none of them.
    """
    benchmark = load_benchmark(project, benchmark_id)
    declared = [entry.id for entry in benchmark.descriptor.systems if entry.source == "computed"]
    own = list_systems()
    found = tuple(each for each in own if each.system.id in declared)
    if not found:
        ids = ", ".join(each.system.id for each in own)
        expected = f"a system file, or one of {ids}"
        action = f"declare one of these in {benchmark.file}, or name a file with --system"
        raise EvaluationError(Problem("--system", found="none", expected=expected, action=action))
    return found


def _list_doubles(benchmark: Benchmark) -> Iterator[Problem]:
    """Tell which cells have one name: their clips would be one file."""
    seen: dict[str, str] = {}
    for item in benchmark.items:
        for cell in item.cells:
            at = name_point(cell.at)
            name = "-".join(filter(None, (item.id, at)))
            if name in seen:
                found = f"a second clip with the name {name!r}, at {at or 'the only point'}"
                expected = f"other ids: the first is of {seen[name]!r}"
                yield Problem(benchmark.file, f"/items/{item.id}", found, expected)
            seen.setdefault(name, item.id)


def choose_items(benchmark: Benchmark, tests: str) -> tuple[Item, ...]:
    """Return the items whose id matches a glob."""
    return tuple(item for item in benchmark.items if fnmatchcase(item.id, tests))


def make_spec(plan: Plan, path: Path) -> RunSpec:
    """Write down what a run directory is made for."""
    script, found = plan.script, plan.found
    return RunSpec(
        benchmark=script.benchmark.id,
        system=script.system.id,
        system_file=script.system.id if found.is_own else os.path.relpath(found.path, path.resolve()),
        system_hash=hash_system(script.system),
        settings=describe_system(script.system),
        versions=dict(script.versions),
        seed=script.seed,
        orders=script.orders,
        letters=script.benchmark.descriptor.letters,
        items={item.id: digest_item(item) for item in plan.items},
        environments=(describe_environment(path.parent),),
    )


def run_plan(plan: Plan, path: Path, crew: Crew, *, report: Callable[[Step], None]) -> Step:
    """Run a plan in a run directory, or go on with it.

    Args:
        plan: What to run.
        path: The run directory.
        crew: Who makes the calls. It is closed at the end.
        report: Told how the run stands, first before any call and then after each.

    Returns:
        How the run stands at the end. Calls may still be owed: they were lost on their way.

    Raises:
        EvaluationError: Another run owns the directory, its records do not fit, it cannot be written, or the
            system cannot be opened or cannot do what it is asked.
    """
    check_kind(crew.kind)
    items = [item.id for item in plan.script.benchmark.items]
    with open_run(path, make_spec(plan, path)) as folder:
        gone = list(list_gone_items(folder.spec, items, file=(path / RUN_FILE).as_posix()))
        if gone:
            raise EvaluationError(gone)
        drive = _Drive(plan, folder, crew, report)
        try:
            return drive.run()
        finally:
            drive.stop()


@dataclass(slots=True)
class _Drive:
    """The loop that hands calls over and records what comes back; it alone writes to the directory."""

    plan: Plan
    folder: RunFolder
    crew: Crew
    report: Callable[[Step], None]
    queue: deque[Call] = field(default_factory=deque)
    flying: dict[Future[Outcome], Call] = field(default_factory=dict)
    given_up: set[Slot] = field(default_factory=set)
    deaths: dict[Slot, int] = field(default_factory=dict)
    known: set[Slot] = field(default_factory=set)
    counts: dict[str, Count] = field(default_factory=dict)
    count: Count = field(default_factory=Count)
    cached: int = 0

    def run(self) -> Step:
        if self.plan.redo_failed:
            failed = [slot for slot, record in self.folder.records.items() if record.status == "failed"]
            for slot in failed:
                del self.folder.records[slot]
        for item in self.plan.items:
            self._look(item)
        self.cached = self.count.done
        self.report(self._step())
        while self.queue or self.flying:
            self._hand_over()
            done, _ = wait(self.flying, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda each: str(self.flying[each].slot)):
                if future in self.flying:
                    self._take(future)
        return self._step()

    def stop(self) -> None:
        for future in self.flying:
            future.cancel()
        # Closing first ends what a thread may still be waiting for.
        if self.flying and self.crew.kind == "thread":
            close_systems()
        folder, parts = self.plan.script.folder, list_parts(self.plan.script.system)
        names = frozenset(name_opened(part, folder) for _, _, part in parts)
        self.crew.close(partial(close_systems, names))
        close_systems()

    def _look(self, item: Item) -> None:
        """Queue the calls of an item that can be made now."""
        states = self.plan.script.follow(item, self.folder.records)
        self._tell(item.id, self.plan.script.count(states))
        for call in (call for state in states for call in state.waiting if call.slot not in self.known):
            self.known.add(call.slot)
            self.queue.append(call)

    def _tell(self, item_id: str, count: Count) -> None:
        self.count += count - self.counts.get(item_id, Count())
        self.counts[item_id] = count

    def _hand_over(self) -> None:
        while self.queue and len(self.flying) < self.crew.most_waiting:
            call = self.queue.popleft()
            clip = read_clip(self.folder.path, call.heard) if call.heard else b""
            self.flying[self.crew.submit(execute_call, replace(call, clip=clip))] = call

    def _take(self, future: Future[Outcome]) -> None:
        call = self.flying.pop(future)
        try:
            outcome = future.result()
        except (KeyboardInterrupt, EvaluationError):
            raise
        except (CancelledError, Exception) as error:
            if not is_lost_worker(error):
                raise
            self._bury(call, error)
        else:
            self._record(call, outcome)

    def _bury(self, call: Call, error: BaseException) -> None:
        """Queue a call again whose worker died, unless it has cost too many."""
        self.deaths[call.slot] = self.deaths.get(call.slot, 0) + has_killed(error)
        self.crew.mend()
        if self.deaths[call.slot] > self.crew.most_deaths:
            self._record(call, _died())
        else:
            self.queue.append(call)

    def _record(self, call: Call, outcome: Outcome) -> None:
        clip = self.folder.keep_clip(outcome.clip) if outcome.clip else None
        self.folder.append(make_record(call, outcome, clip))
        if outcome.status == "error":
            self.given_up.add(call.slot)
        if call.slot.call != "answer":
            self._look(self.plan.script.benchmark.item(call.slot.item))
        elif outcome.status != "error":
            # Nothing follows from an answer, so that the item need not be followed anew.
            done = Count(done=1, failed=outcome.status == "failed")
            self._tell(call.slot.item, self.counts[call.slot.item] + done)
        self.report(self._step(call.slot, outcome))
        if outcome.is_final:
            file, place = self.plan.found.path.name, f"{call.slot.call} of {call.slot.item}"
            raise EvaluationError(
                Problem(file, place, outcome.message, f"a system that can {call.slot.call}")
            )

    def _step(self, slot: Slot | None = None, outcome: Outcome | None = None) -> Step:
        return Step(self.plan.script.system.id, self.count, self.cached, len(self.given_up), slot, outcome)


def _died() -> Outcome:
    return Outcome("error", "died", "the process that made the call was ended from outside, more than once")
