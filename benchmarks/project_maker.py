"""Makes a project of any size for benchmarks: as many items as asked, six systems, every answer given.

The same number of items always gives the same bytes. Every cell names the same short clip: a page has all its
players, and the time goes into reading and rendering, not into encoding.
"""

from __future__ import annotations

import array
import hashlib
import io
import json
import shutil
import wave
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BENCHMARK = "bank"
STAGES = ("S1", "S2", "S3")
LETTERS = "ABCDEF"
FACETS = {"sort": ("speech", "sound", "music"), "family": ("A", "B", "C", "D", "E")}
SYSTEMS = {
    "cascade": "Cascade of specialists",
    "native": "Native editor",
    "caption": "Self-caption",
    "coarse": "Coarse native editor",
    "prior": "Text-only prior",
    "chance": "Chance",
}
CLIP = f"audio/{BENCHMARK}/clip.wav"
_SKILL = dict(zip(SYSTEMS, (0.6, 0.5, 0.4, 0.35, 0.25, 1 / 6), strict=True))
_QUESTIONS = 3
_WORDS = [
    "a",
    "the",
    "of",
    "and",
    "with",
    "near",
    "far",
    "low",
    "high",
    "slow",
    "fast",
    "soft",
    "loud",
    "door",
    "wall",
    "hall",
    "room",
    "voice",
    "line",
    "drawer",
    "bell",
    "rain",
    "drum",
    "string",
    "reed",
    "pulse",
    "echo",
    "tail",
    "hum",
    "click",
    "thud",
    "rumble",
    "scrape",
    "chime",
    "whistle",
    "breath",
    "step",
    "turn",
    "pause",
    "beat",
    "second",
    "third",
    "first",
    "again",
    "before",
    "after",
    "under",
    "over",
    "while",
    "until",
    "steady",
    "rising",
    "falling",
    "hollow",
    "bright",
    "dull",
    "dry",
]

Item = dict[str, Any]
"""An item file's keys and values; also what a Hugo page is made from."""


def make_project(root: Path, count: int) -> list[Item]:
    """Make a project in a folder, whatever was there before removed, and return its items.

    Args:
        root: The folder.
        count: How many items.
    """
    shutil.rmtree(root, ignore_errors=True)
    items = [make_item(number) for number in range(count)]
    source = root / "site_src"
    tests = source / BENCHMARK / "tests"
    results = root / "results" / BENCHMARK
    clip = root / CLIP
    for folder in (tests, results, clip.parent):
        folder.mkdir(parents=True)
    clip.write_bytes(make_clip())
    (source / "site.toml").write_text(_SITE, encoding="utf-8")
    (source / "index.md").write_text(_HOME, encoding="utf-8")
    (source / BENCHMARK / "benchmark.toml").write_text(_descriptor(items[0]["id"]), encoding="utf-8")
    for item in items:
        (tests / f"{item['id']}.toml").write_text(write_toml(item), encoding="utf-8")
    for system in SYSTEMS:
        text = json.dumps(make_run(system, items), indent=2, sort_keys=True)
        (results / f"{system}.json").write_text(text + "\n", encoding="utf-8")
    return items


def make_item(number: int) -> Item:
    """Make one item; its number alone decides what is in it."""
    dice = Random(number)  # noqa: S311  words for a benchmark, not a secret
    sort = FACETS["sort"][number % 3]
    return {
        "schema": 1,
        "id": f"item-{number:04d}",
        "title": _say(dice, 6),
        "order": number,
        "summary": _say(dice, 30),
        "notice": _say(dice, 50),
        "facets": {"sort": sort, "family": FACETS["family"][number // 3 % 5]},
        "cells": [
            {
                "at": {"stage": stage},
                "operation": "make" if stage == STAGES[0] else "edit",
                "prompt": _say(dice, 60),
                "intended": _say(dice, 80),
                "questions": [
                    {
                        "id": f"{stage}.{place}",
                        "element": _say(dice, 2),
                        "text": _say(dice, 14),
                        "options": [_say(dice, 9) for _ in LETTERS],
                        "key": dice.choice(LETTERS),
                    }
                    for place in range(1, _QUESTIONS + 1)
                ],
            }
            for stage in STAGES
        ],
    }


@cache
def make_clip() -> bytes:
    """Make two seconds of noise that swells and fades, as WAV."""
    rate_hz, seconds = 44_100, 2
    dice = Random(0)  # noqa: S311  noise for a benchmark, not a secret
    count = rate_hz * seconds
    loudest = [dice.randrange(500, 12_000) for _ in range(100)]
    samples = (dice.randint(-1, 1) * loudest[at * len(loudest) // count] for at in range(count))
    memory = io.BytesIO()
    with wave.open(memory, "wb") as clip:
        clip.setnchannels(1)
        clip.setsampwidth(2)
        clip.setframerate(rate_hz)
        clip.writeframes(array.array("h", samples).tobytes())
    return memory.getvalue()


def write_toml(item: Item) -> str:
    """Write an item as an author would: a table per cell, one per question."""
    plain = {key: value for key, value in item.items() if key not in ("cells", "facets")}
    lines = [f"{key} = {json.dumps(value)}" for key, value in plain.items()]
    lines += ["", "[facets]", *(f"{key} = {json.dumps(value)}" for key, value in item["facets"].items())]
    for cell in item["cells"]:
        lines += ["", "[[cells]]", f'at = {{ stage = "{cell["at"]["stage"]}" }}']
        lines += [f"{key} = {json.dumps(cell[key])}" for key in ("operation", "prompt", "intended")]
        for question in cell["questions"]:
            lines += ["", "[[cells.questions]]"]
            for key, value in question.items():
                if key == "options":
                    lines += ["options = [", *(f"  {json.dumps(option)}," for option in value), "]"]
                else:
                    lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"


def make_run(system: str, items: Iterable[Item]) -> dict[str, Any]:
    """Make what an evaluator would have written about one system."""
    records = [_answer(system, item) for item in items]
    facets = {item["id"]: item["facets"] for item in items}
    return {
        "schema": 1,
        "kind": "run",
        "benchmark": BENCHMARK,
        "source": "computed",
        "system": system,
        "clips": "published",
        "items": records,
        "scores": list(_score(records, facets)),
    }


def _answer(system: str, item: Item) -> dict[str, Any]:
    dice = Random(f"{system} {item['id']}")  # noqa: S311  answers for a benchmark, not a secret
    clip = {"path": CLIP, "sha256": _clip_sha256()}
    cells = []
    for cell in item["cells"]:
        answers = []
        for question in cell["questions"]:
            right = dice.random() < _SKILL[system]
            pick = question["key"] if right else dice.choice(LETTERS)
            answers.append(
                {
                    "question": question["id"],
                    "response": pick,
                    "pick": pick,
                    "reason": "exact",
                    "correct": pick == question["key"],
                }
            )
        cells.append({"at": cell["at"], "clip": clip, "caption": None, "note": None, "answers": answers})
    return {"item": item["id"], "cells": cells}


def _score(records: list[dict[str, Any]], facets: dict[str, dict[str, str]]) -> Iterator[dict[str, Any]]:
    places: list[tuple[dict[str, str], dict[str, str]]] = [({}, {})]
    places += [({"stage": stage}, {}) for stage in STAGES]
    places += [({}, {facet: value}) for facet, values in FACETS.items() for value in values]
    for at, where in places:
        answers = [
            answer["correct"]
            for record in records
            for cell in record["cells"]
            if where.items() <= facets[record["item"]].items() and at.items() <= cell["at"].items()
            for answer in cell["answers"]
        ]
        if answers:
            value = 100 * sum(answers) / len(answers)
            counts = {"correct": sum(answers), "n": len(answers), "value": value}
            yield {"metric": "coherence", "at": at, "where": where, "subset": "all", **counts}


@cache
def _clip_sha256() -> str:
    return hashlib.sha256(make_clip()).hexdigest()


def _say(dice: Random, words: int) -> str:
    return " ".join(dice.choices(_WORDS, k=words)).capitalize()


def _descriptor(first: str) -> str:
    lines = [
        "schema = 1",
        f'id = "{BENCHMARK}"',
        'title = "Bank"',
        'noun = { one = "test", many = "tests" }',
        f"options = {len(LETTERS)}",
        'claim = "A bank of made-up tests."',
        'verdict_metric = "coherence"',
        f'comparator = {{ item = "{first}" }}',
        "operations = [",
        '  { id = "make", title = "Make" },',
        '  { id = "edit", title = "Edit" },',
        "]",
    ]
    for kind, names in (("axes", {"stage": STAGES}), ("facets", FACETS)):
        for name, values in names.items():
            listed = ", ".join(f'{{ id = "{value}", title = "{value}" }}' for value in values)
            lines += ["", f"[[{kind}]]", f'id = "{name}"', f'title = "{name}"', f"values = [{listed}]"]
    lines += ["", "[[metrics]]", 'id = "coherence"', 'title = "Coherence"', 'kind = "rate"', 'unit = "%"']
    for hue, (name, title) in enumerate(SYSTEMS.items()):
        lines += ["", "[[systems]]", f'id = "{name}"', f'title = "{title}"', f"hue = {hue}"]
        lines += ['source = "computed"']
    columns = [f'{{ metric = "coherence", title = "{it}", at = {{ stage = "{it}" }} }}' for it in STAGES]
    columns.append('{ metric = "coherence" }')
    lines += ["", "[[tables]]", 'id = "main"', 'title = "Coherence"', 'source = "computed"']
    lines += [f"columns = [{', '.join(columns)}]"]
    return "\n".join(lines) + "\n"


_SITE = f"""\
schema = 1
title = "A bank of tests"
description = "A project made up for benchmarks."
benchmarks = ["{BENCHMARK}"]
"""

_HOME = """\
title: A bank of tests
nav: Home
order: 1

What every system answered about every test.

::: table main

## Tests

::: tiles sort
"""
