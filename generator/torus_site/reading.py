"""Reads the results of a benchmark and checks that they fit it: quickly where all is right, else thoroughly.

What fitted once is remembered and not read again. Large files are read by several processes, each of which
tells only that a file is right and where its items stand. As soon as anything is wrong, everything is read
in one process, so that all problems are found at once and told in the same words.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple, dataclass
from functools import partial
from typing import TYPE_CHECKING

from torus_site.benchmark.fit import check_mentions, check_results, tell_checked
from torus_site.errors import Problem, ResultsError
from torus_site.memory import Codec, Memory
from torus_site.records.parse import parse_results, pause_collection
from torus_site.records.store import Results, gather, key_of, read_results, result_paths
from torus_site.records.stored import pack_results, unpack_results
from torus_site.workers import share

if TYPE_CHECKING:
    from pathlib import Path

    from torus_site.benchmark.load import Benchmark

_LARGE = 1_000_000
"""From so many bytes on, reading takes longer than making other processes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading gave.

    Args:
        results: The results without the wrong ones.
        problems: What is wrong with files, and what does not fit the benchmark.
        is_whole: Whether no file was left out.
    """

    results: Results
    problems: tuple[Problem, ...]
    is_whole: bool = True

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong, though things may be ugly."""
        return all(problem.severity == "warning" for problem in self.problems)


def read_fitting(root: Path, name: str, benchmark: Benchmark | None, *, memory: Memory, jobs: int) -> Reading:
    """Read the results of a benchmark and check them against it.

    Args:
        root: The project's folder.
        name: The benchmark's id.
        benchmark: The benchmark; ``None`` where it cannot be read.
        memory: What is known from earlier builds.
        jobs: How many files are read at a time.
    """
    paths = result_paths(root, name)
    if benchmark is None or benchmark.unsure:
        return _read_thoroughly(root, name, benchmark)
    place = f"results of {name}"
    key = _tell_state(root, benchmark, paths, memory)
    codec = Codec[Reading](partial(_dump, root=root), partial(_load, root=root))
    known = memory.recall(place, key, codec)
    if known:
        return known
    is_large = sum(path.stat().st_size for path in paths if path.is_file()) >= _LARGE
    reading = _read_quickly(root, paths, benchmark, jobs) if is_large else None
    reading = reading or _read_thoroughly(root, name, benchmark)
    if reading.is_right:
        memory.keep(place, key, reading, codec)
    return reading


def _read_thoroughly(root: Path, name: str, benchmark: Benchmark | None) -> Reading:
    results, wrong = read_results(root, name)
    fit = check_results(benchmark, results, is_whole=not wrong) if benchmark else ()
    return Reading(results, (*wrong, *fit), is_whole=not wrong)


def _read_quickly(root: Path, paths: list[Path], benchmark: Benchmark, jobs: int) -> Reading | None:
    """Read results that are right, or give nothing."""

    def pack(path: Path) -> bytes:
        file = path.relative_to(root).as_posix()
        try:
            with pause_collection():
                record = parse_results(path, file=file)
        except ResultsError:
            return b""
        results = gather([record], files={key_of(record): file})
        is_right = record.benchmark == benchmark.id and not check_results(benchmark, results, is_whole=False)
        return pack_results(results, root) if is_right else b""

    # The largest first, so that no process waits for one at the end.
    order = sorted(paths, key=lambda path: -path.stat().st_size)
    packed = {order[place]: content for place, content in share(pack, order, jobs=jobs, fewest=2)}
    if not all(packed.values()):
        return None
    try:
        results = unpack_results([packed[path] for path in paths], root)
    except ValueError:
        return None
    reading = Reading(results, tuple(sorted(set(check_mentions(benchmark, results)))))
    return reading if reading.is_right else None


def _tell_state(root: Path, benchmark: Benchmark, paths: list[Path], memory: Memory) -> str:
    """Tell all that decides what becomes of results: their files, the descriptor, and what items ask."""
    files = [(path.as_posix(), memory.stamp(path)) for path in paths]
    asked = [tell_checked(item) for item in benchmark.items]
    told = repr((files, memory.stamp(root / benchmark.file), asked))
    return hashlib.sha256(told.encode(errors="surrogateescape")).hexdigest()


def _dump(reading: Reading, root: Path) -> bytes:
    problems = [astuple(problem) for problem in reading.problems]
    return json.dumps([pack_results(reading.results, root).decode(), problems]).encode()


def _load(content: bytes, root: Path) -> Reading:
    packed, problems = json.loads(content)
    results = unpack_results([packed.encode()], root)
    return Reading(results, tuple(Problem(*problem) for problem in problems))
