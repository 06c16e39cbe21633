"""The project ``torus-site new`` makes: small, synthetic, and ready to be replaced piece by piece.

Its tones are computed and its answers measured when the project is made; nothing in it is written down
as a result.
"""

from __future__ import annotations

import array
import hashlib
import math
import shutil
import tempfile
import wave
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from torus_site.benchmark.load import load_benchmark
from torus_site.errors import BuildError, Problem
from torus_site.records.model import Answer, CellRecord, ClipRef, ItemRecord, RunRecord, Score
from torus_site.records.store import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torus_site.benchmark.items import Item, Question
    from torus_site.benchmark.load import Benchmark

    Listener = Callable[[array.array[int], Question], str]

BENCHMARK = "tones"
RATE_HZ = 44_100


@dataclass(frozen=True, slots=True)
class _Tone:
    pitch_hz: float
    duration_s: float


_TONES = {
    ("one-tone", "made"): _Tone(220.0, 1.0),
    ("one-tone", "changed"): _Tone(440.0, 1.0),
    ("long-tone", "made"): _Tone(330.0, 2.0),
    ("long-tone", "changed"): _Tone(330.0, 0.5),
}


def make_project(folder: Path) -> None:
    """Write the starter project, whole or not at all.

    Args:
        folder: Where to; it must not exist or be empty.

    Raises:
        BuildError: The folder holds files, or cannot be written.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BuildError(
            Problem(
                folder.as_posix(), "", "files that are there already", "a new or empty folder", "name another"
            )
        )
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # A folder that is there may be the one the user stands in, so it stays and is filled.
        is_there = folder.is_dir()
        beside = folder if is_there else folder.parent
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=beside) as scratch:
            made = Path(scratch) / "project"
            shutil.copytree(Path(__file__).parent / "project", made)
            # Under its own name git and the packaging would obey it.
            (made / "gitignore").rename(made / ".gitignore")
            _make_results(made)
            if not is_there:
                made.replace(folder)
                return
            for part in sorted(made.iterdir()):
                part.replace(folder / part.name)
    except OSError as error:
        raise BuildError(
            Problem(
                folder.as_posix(), "", str(error.strerror or error).lower(), "a folder that can be written"
            )
        ) from error


def _make_results(root: Path) -> None:
    benchmark = load_benchmark(root, BENCHMARK)
    for system, listen in (("counter", _count), ("first-option", _take_first)):
        items = tuple(_run_item(root, item, system, listen) for item in benchmark.items)
        record = RunRecord(
            schema=1,
            kind="run",
            benchmark=BENCHMARK,
            system=system,
            source="computed",
            items=items,
            scores=tuple(_scores(benchmark, items)),
        )
        write(record, root / "results" / BENCHMARK / f"{system}.json")


def _run_item(root: Path, item: Item, system: str, listen: Listener) -> ItemRecord:
    cells = []
    for cell in item.cells:
        step = cell.at["step"]
        samples = _play(_TONES[item.id, step])
        path = root / "audio" / BENCHMARK / system / f"{item.id}-{step}.wav"
        _write_clip(path, samples)
        answers = []
        for question in cell.questions:
            letter = listen(samples, question)
            answers.append(
                Answer(
                    question=question.id,
                    response=letter,
                    pick=letter,
                    reason="exact",
                    correct=letter == question.key,
                )
            )
        clip = ClipRef(
            path=path.relative_to(root).as_posix(), sha256=hashlib.sha256(path.read_bytes()).hexdigest()
        )
        cells.append(CellRecord(at=cell.at, clip=clip, answers=tuple(answers)))
    return ItemRecord(item=item.id, cells=tuple(cells))


def _scores(benchmark: Benchmark, items: tuple[ItemRecord, ...]) -> Iterable[Score]:
    (axis,) = benchmark.descriptor.axes
    (facet,) = benchmark.descriptor.facets
    cells = [(benchmark.item(record.item), cell) for record in items for cell in record.cells]
    yield _score({}, {}, [cell for _, cell in cells])
    for value in axis.values:
        yield _score({axis.id: value.id}, {}, [cell for _, cell in cells if cell.at[axis.id] == value.id])
    for value in facet.values:
        chosen = [cell for item, cell in cells if item.facets[facet.id] == value.id]
        yield _score({}, {facet.id: value.id}, chosen)


def _score(at: dict[str, str], where: dict[str, str], cells: list[CellRecord]) -> Score:
    answers = [answer for cell in cells for answer in cell.answers]
    correct = sum(answer.correct for answer in answers)
    value = 100 * correct / len(answers)
    return Score(metric="right", at=at, where=where, correct=correct, n=len(answers), value=value)


def _play(tone: _Tone) -> array.array[int]:
    count = round(RATE_HZ * tone.duration_s)
    step = 2 * math.pi * tone.pitch_hz / RATE_HZ
    fade = RATE_HZ // 100
    return array.array(
        "h", (round(12_000 * min(1, n / fade, (count - n) / fade) * math.sin(step * n)) for n in range(count))
    )


def _write_clip(path: Path, samples: array.array[int]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(RATE_HZ)
        clip.writeframes(samples.tobytes())


def _count(samples: array.array[int], question: Question) -> str:
    """Measure what the options measure, and take the option whose number is nearest."""
    duration_s = len(samples) / RATE_HZ
    crossings = sum(before < 0 <= after for before, after in pairwise(samples))
    measured = {"Hz": crossings / duration_s, "s": duration_s}
    distances = {}
    for index, option in enumerate(question.options):
        _, number, unit = option.split()
        distances["ABCD"[index]] = abs(float(number) - measured[unit])
    return min(distances, key=lambda letter: (distances[letter], letter))


def _take_first(samples: array.array[int], question: Question) -> str:  # noqa: ARG001  a floor hears nothing
    return "A"
