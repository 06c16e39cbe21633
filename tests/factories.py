"""Builds small, right records: every builder takes changes, and what it leaves alone fits together.

The benchmark has a stage axis (S1, S2), item facets ``family`` and a system facet ``arm``, three options a
question, and systems ``cascade`` (computed) and ``paper`` (reported).
"""

from __future__ import annotations

import hashlib
import json

import rtoml

from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.benchmark.load import Benchmark
from torus_site.errors import TorusError
from torus_site.records.model import CompositionRecord, RunRecord, StudyRecord
from torus_site.records.parse import parse
from torus_site.records.store import Results, key_of

STAGES = ("S1", "S2")
KEYS = {"S1.1": "A", "S1.2": "B", "S2.1": "C", "S2.2": "A"}
PICKS = {"S1.1": "A", "S1.2": "B", "S2.1": "C", "S2.2": "B"}
"""What the cascade picks on every item: three of four are right."""


def descriptor_data(**changes):
    """The content of a ``benchmark.toml``."""
    return {
        "schema": 1,
        "id": "toy",
        "title": "Toy",
        "noun": {"one": "test", "many": "tests"},
        "options": 3,
        "claim": "A claim.",
        "verdict_metric": "coherence",
        "axes": [
            {"id": "stage", "title": "Stage", "values": [{"id": stage, "title": stage} for stage in STAGES]}
        ],
        "facets": [
            {
                "id": "family",
                "title": "Family",
                "values": [{"id": "A", "title": "Source"}, {"id": "B", "title": "Scene"}],
            },
            {
                "id": "arm",
                "title": "Arm",
                "on": "system",
                "values": [{"id": "baseline", "title": "Baseline"}],
            },
        ],
        "subsets": [{"id": "clear", "title": "Clear questions", "without_flags": ["doubtful"]}],
        "operations": [{"id": "make", "title": "Make"}, {"id": "edit", "title": "Edit"}],
        "flags": [{"id": "doubtful", "title": "Doubtful"}],
        "metrics": [
            {"id": "coherence", "title": "Coherence", "kind": "rate", "unit": "%"},
            {"id": "wer", "title": "Word errors", "direction": "lower", "decimals": 2},
        ],
        "systems": [
            {
                "id": "cascade",
                "title": "Cascade",
                "source": "computed",
                "hue": 0,
                "facets": {"arm": "baseline"},
            },
            {"id": "paper", "title": "Paper", "source": "reported", "hue": 0},
        ],
    } | changes


def item_data(item="bell", **changes):
    """The content of an item file."""
    return {
        "schema": 1,
        "id": item,
        "title": f"The {item}",
        "facets": {"family": "A"},
        "cells": [
            {
                "at": {"stage": stage},
                "operation": "make" if stage == "S1" else "edit",
                "prompt": f"{item} at {stage}",
                "questions": [question_data(name) for name in KEYS if name.startswith(stage)],
            }
            for stage in STAGES
        ],
    } | changes


def question_data(name="S1.1", **changes):
    """One question of an item file."""
    return {
        "id": name,
        "element": "body",
        "text": f"What is {name}?",
        "options": ["one", "two", "three"],
        "key": KEYS[name],
    } | changes


def cell_data(item="bell", stage="S1", system="cascade", **changes):
    """One cell of a run: its clip and its answers."""
    path = f"audio/toy/{system}/{item}-{stage}.flac"
    return {
        "at": {"stage": stage},
        "clip": {"path": path, "sha256": hashlib.sha256(path.encode()).hexdigest()},
        "answers": [answer_data(name) for name in KEYS if name.startswith(stage)],
    } | changes


def answer_data(question="S1.1", **changes):
    """One answer of a run."""
    pick = PICKS[question]
    return {
        "question": question,
        "response": pick,
        "pick": pick,
        "reason": "letter",
        "correct": pick == KEYS[question],
    } | changes


def lapse_data(status, stage="S1", **changes):
    """One cell of a run that was not made, and why."""
    return {"at": {"stage": stage}, "status": status, "reason": f"it is {status}"} | changes


def asked_twice(item, stage):
    """One cell whose questions were asked in two orders; the second time S1.1 is answered in a sentence."""
    told = {"response": "I say A", "pick": None, "reason": "no-letter", "correct": False}
    reading = {"pick": "A", "reason": "cue", "correct": True}
    answers = []
    for name in (name for name in KEYS if name.startswith(stage)):
        first = answer_data(name)
        same = {key: value for key, value in first.items() if key != "question"}
        again = {**told, "lenient": reading} if name == "S1.1" else same
        answers.append({**first, "again": [again]})
    return cell_data(item, stage, answers=answers)


def lapsed_data(**changes):
    """The content of an incomplete run over ``bell``, ``gong`` and ``horn``, each question in two orders.

    The bell's first clip failed, the horn's second is owed.
    """
    owed = {"status": "unscored", "reason": "2 questions were not asked yet", "correct": None}
    return (
        run_data(
            status="incomplete",
            owed=3,
            items=[
                {"item": "bell", "cells": [lapse_data("failed"), lapse_data("not_reached", "S2")]},
                {"item": "gong", "cells": [asked_twice("gong", stage) for stage in STAGES]},
                {"item": "horn", "cells": [asked_twice("horn", "S1"), lapse_data("owed", "S2")]},
            ],
            scores=[
                score_data(n=None, **owed),
                score_data(at={"stage": "S1"}, correct=6, n=12),
                score_data(n=None, at={"stage": "S2"}, **owed),
            ],
        )
        | changes
    )


def run_data(names=("bell",), **changes):
    """The content of a computed run with scores in total and by stage."""
    count = len(names)
    return {
        "schema": 1,
        "kind": "run",
        "benchmark": "toy",
        "source": "computed",
        "system": "cascade",
        "provenance": {"tool": "torus-eval", "tool_version": "0.1.0", "seed": 1},
        "items": [{"item": item, "cells": [cell_data(item, stage) for stage in STAGES]} for item in names],
        "scores": [
            score_data(correct=3 * count, n=4 * count),
            score_data(at={"stage": "S1"}, correct=2 * count, n=2 * count),
            score_data(at={"stage": "S2"}, correct=count, n=2 * count),
        ],
    } | changes


def reported_data(**changes):
    """The content of a reported run: scores alone."""
    return {
        "schema": 1,
        "kind": "run",
        "benchmark": "toy",
        "source": "reported",
        "citation": "A paper",
        "system": "paper",
        "clips": "none",
        "scores": [
            {
                "metric": "coherence",
                "value": 66.7,
                "n": 432,
                "interval": {"half_width": 6.3, "method": "stated"},
            },
            {"metric": "coherence", "at": {"stage": "S1"}, "value": 73.6, "n": 216},
            {"metric": "coherence", "at": {"stage": "S2"}, "value": 59.8, "n": 216},
            {"metric": "wer", "status": "unscored", "reason": "not stated"},
        ],
    } | changes


def score_data(**changes):
    """One score of a run; a rate with counts gets its value from them."""
    data = {"metric": "coherence", "correct": 3, "n": 4} | changes
    if data.get("n") and data.get("correct") is not None:
        data.setdefault("value", 100 * data["correct"] / data["n"])
    return data


def study_data(**changes):
    """The content of a study: two systems, ten comparisons, one of them a tie."""
    return {
        "schema": 1,
        "kind": "study",
        "benchmark": "toy",
        "source": "reported",
        "citation": "A paper",
        "id": "human",
        "raters": 5,
        "comparisons": 10,
        "per_pair": 10,
        "tie_rule": "a tie is a win for neither",
        "wins": {"cascade": {"paper": 6}, "paper": {"cascade": 3}},
        "win_rate_percent": {"cascade": 60.0, "paper": 30.0},
        "agreement": {"raw_percent": 70.0, "basis": "decisive judgements"},
    } | changes


def composition_data(**changes):
    """The content of a composition of four items and sixteen questions."""
    return {
        "schema": 1,
        "kind": "composition",
        "benchmark": "toy",
        "source": "reported",
        "citation": "A paper",
        "id": "bank",
        "options_per_question": 3,
        "tables": [
            {"of": "items", "facet": "family", "counts": {"A": 3, "B": 1}, "total": 4},
            {"of": "questions", "facet": "family", "counts": {"A": 12, "B": 4}, "total": 16},
        ],
    } | changes


def make_descriptor(**changes):
    return parse(Descriptor, descriptor_data(**changes), file="benchmark.toml", error=TorusError)


def make_item(item="bell", **changes):
    return parse(Item, item_data(item, **changes), file=f"{item}.toml", error=TorusError)


def make_benchmark(*, items=None, **changes):
    """A benchmark of one item, or of the items given; ``changes`` are the descriptor's."""
    whole = (make_item(),) if items is None else tuple(items)
    return Benchmark(make_descriptor(**changes), whole, file="site_src/toy/benchmark.toml")


def make_run(**changes):
    return parse(RunRecord, run_data(**changes), file="run.json", error=TorusError)


def make_lapsed(**changes):
    return parse(RunRecord, lapsed_data(**changes), file="run.json", error=TorusError)


def make_reported(**changes):
    return parse(RunRecord, reported_data(**changes), file="reported.json", error=TorusError)


def make_study(**changes):
    return parse(StudyRecord, study_data(**changes), file="study.json", error=TorusError)


def make_composition(**changes):
    return parse(CompositionRecord, composition_data(**changes), file="composition.json", error=TorusError)


def make_results(*records):
    """Results that hold the records, each in a file named for it; all four kinds where none is given."""
    whole = records or (make_run(), make_reported(), make_study(), make_composition())
    return Results(
        runs=tuple(record for record in whole if record.kind == "run"),
        studies=tuple(record for record in whole if record.kind == "study"),
        compositions=tuple(record for record in whole if record.kind == "composition"),
        files={key_of(record): f"results/toy/{'-'.join(key_of(record)[1:])}.json" for record in whole},
    )


def write_toml(path, data):
    """Write dictionaries as TOML, missing folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(rtoml.dumps(data), encoding="utf-8")


def write_project(root, *, site=None, descriptor=None, items=None, results=None):
    """Write a whole project of one toy benchmark into a folder and return the folder."""
    site = site or {"schema": 1, "title": "Toys", "description": "All toys.", "benchmarks": ["toy"]}
    write_toml(root / "site_src" / "site.toml", site)
    write_toml(root / "site_src" / "toy" / "benchmark.toml", descriptor or descriptor_data())
    for item in [item_data()] if items is None else items:
        write_toml(root / "site_src" / "toy" / "tests" / f"{item['id']}.toml", item)
    for name, data in (results or {}).items():
        path = root / "results" / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data), encoding="utf-8")
    return root
