"""Small benchmarks with results, for tests of what pages show.

``quiz`` has three rounds, questions and systems of both sources; ``footage`` has four conditions, no
question, and video; ``bare`` has neither axis nor facet.
"""

from __future__ import annotations

import json

from torus_site.benchmark.descriptor import Descriptor
from torus_site.benchmark.items import Item
from torus_site.benchmark.load import Benchmark
from torus_site.records.model import CompositionRecord, RunRecord, StudyRecord
from torus_site.records.store import Results
from torus_site.views.lookup import look_up
from torus_site.views.media import ClipAsset, draw_wave

SHA = "0" * 64
ROUNDS = ("R1", "R2", "R3")
CLOSE = {"half_width": 7.6, "method": "cluster bootstrap", "clusters": 48, "resamples": 5000}


def value(name, title, **more):
    return {"id": name, "title": title, **more}


def system(name, title, source, hue, **more):
    return {"id": name, "title": title, "source": source, "hue": hue, **more}


def quiz_descriptor(**changes):
    """Describe a benchmark of three rounds with two-option questions; changes replace whole fields."""
    fields = {
        "schema": 1,
        "id": "quiz",
        "title": "Quiz",
        "noun": {"one": "round trip", "many": "round trips"},
        "options": 2,
        "claim": "It is asked.",
        "comparator": {"item": "bell", "at": {"round": "R2"}, "systems": ["wren", "lark"]},
        "axes": [
            {
                "id": "round",
                "title": "Round",
                "values": [value(name, f"Round {name[1]}", short=name) for name in ROUNDS],
            }
        ],
        "facets": [
            {"id": "place", "title": "Place", "values": [value("in", "Indoors"), value("out", "Outdoors")]},
            {
                "id": "arm",
                "title": "Arm",
                "on": "system",
                "values": [value("base", "Baseline"), value("one", "One model")],
            },
        ],
        "operations": [value("make", "Make")],
        "flags": [value("odd", "Odd one", text="It was odd.")],
        "subsets": [{"id": "plain", "title": "Plain ones", "without_flags": ["odd"]}],
        "metrics": [
            {"id": "right", "title": "Right", "kind": "rate", "unit": "%", "text": "Share right."},
            {"id": "far", "title": "Distance", "short": "Dist.", "direction": "lower", "decimals": 2},
            {"id": "size", "title": "Size", "direction": "none", "decimals": 0, "missing": "not measured"},
        ],
        "systems": [
            system("rook", "Rook", "computed", 0, baseline=True, facets={"arm": "base"}),
            system("wren", "Wren", "computed", 1, facets={"arm": "one"}, text="Small and loud."),
            system("lark", "Lark", "computed", 2, short="Lk", facets={"arm": "one"}),
            system("owl", "Owl", "computed", 3),
            system("hen", "Hen", "reported", 4, facets={"arm": "base"}, baseline=True),
            system("emu", "Emu", "reported", 5, facets={"arm": "one"}),
            system("top", "Best of all", "reported", 6, listed=False),
        ],
        "tables": [
            {
                "id": "main",
                "title": "Scores",
                "caption": "All <of> them.",
                "source": "computed",
                "group_by": "arm",
                "columns": [
                    {"metric": "right", "title": "R1", "group": "Right, %", "at": {"round": "R1"}},
                    {"metric": "right", "title": "Total", "group": "Right, %"},
                    {"metric": "far"},
                    {"metric": "size"},
                ],
            },
            {"id": "paper", "title": "Paper", "source": "reported", "columns": [{"metric": "right"}]},
        ],
        "notes": {"item": "Own words.", "reported": "From a paper.", "computed": "From this run."},
    }
    return Descriptor.model_validate_json(_to_json(fields | changes))


def make_item(name, *, place="in", order=0, flags=(), title=None):
    """Make an item with two questions a round; the key of the first is A, of the second B."""
    return Item.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "id": name,
                "title": title or f"The {name}",
                "order": order,
                "summary": f"About the {name}.",
                "notice": "Listen to its end.",
                "facets": {"place": place},
                "flags": flags,
                "cells": [
                    {
                        "at": {"round": name},
                        "operation": "make" if name == "R1" else None,
                        "prompt": f"=Prompt of {name}",
                        "intended": "A sound.",
                        "transcript": "Words" if name == "R1" else None,
                        "questions": [
                            {
                                "id": f"{name}.{number}",
                                "element": "onset",
                                "text": f"What of {name}?",
                                "options": ["first", "second"],
                                "key": key,
                                "flags": ["odd"] if number == 2 else [],
                            }
                            for number, key in ((1, "A"), (2, "B"))
                        ],
                    }
                    for name in ROUNDS
                ],
            }
        )
    )


def make_answers(point, picks):
    """Make the answers of a round: a letter, ``?`` for an unreadable one, ``1``/``0`` as reported."""
    answers = []
    for number, (pick, key) in enumerate(zip(picks, "AB", strict=False), start=1):
        letter = pick if pick in {"A", "B"} else None
        verdict_only = pick in {"0", "1"}
        answers.append(
            {
                "question": f"{point}.{number}",
                "response": None if verdict_only else {"?": "-no idea"}.get(pick, pick),
                "pick": letter,
                "reason": "reported" if verdict_only else ("letter" if letter else "no-letter"),
                "correct": pick == "1" if verdict_only else pick == key,
            }
        )
    return answers


def make_cell(name, item, point, picks, clips):
    """Make the cell of a run: of its picks, or of keys and values that stand for themselves."""
    if isinstance(picks, dict):
        return {"at": {"round": point}, **picks}
    path = f"audio/{name}/{item}-{point}.wav"
    return {
        "at": {"round": point},
        "clip": {"path": path, "sha256": SHA} if clips == "published" else None,
        "caption": f"{name} says" if point == "R2" else None,
        "answers": make_answers(point, picks),
    }


def lapse(status, reason="no_audio", **more):
    """Make the rest of a cell that was not made."""
    return {"status": status, "reason": reason, **more}


def make_run(name, source="computed", *, items=None, scores=(), clips="published", **more):
    """Make a run. ``items`` maps an item to its picks by round; the rest as in the record."""
    return RunRecord.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "kind": "run",
                "benchmark": "quiz",
                "system": name,
                "source": source,
                "citation": "A paper, table 1" if source == "reported" else None,
                "clips": clips,
                "items": [
                    {
                        "item": item,
                        "cells": [
                            make_cell(name, item, point, picks, clips) for point, picks in cells.items()
                        ],
                    }
                    for item, cells in (items or {}).items()
                ],
                "scores": scores,
                **more,
            }
        )
    )


def owing(name, calls=12, **more):
    """Make a run that is incomplete."""
    return make_run(name, status="incomplete", owed=calls, **more)


def rate(percent, *, correct=None, n=None, interval=None, **place):
    return {"metric": "right", "value": percent, "correct": correct, "n": n, "interval": interval, **place}


def quiz_results():
    """Return results of every kind for the quiz."""
    full = {"bell": {"R1": "AB", "R2": "A?", "R3": "BB"}, "gate": {"R1": "BA", "R2": "AB", "R3": "AA"}}
    limits = {**CLOSE, "low": 55.25, "high": 70.45, "seed": 7}
    runs = [
        make_run(
            "rook",
            items=full,
            scores=[
                rate(90.0, correct=9, n=10, at={"round": "R1"}),
                rate(63.19, correct=273, n=432, interval=limits),
                {"metric": "far", "value": 0.5},
            ],
        ),
        make_run(
            "wren",
            items=full,
            scores=[
                rate(50.04, n=24, at={"round": "R1"}),
                rate(43.0, interval=CLOSE),
                {"metric": "far", "value": 1.25},
                {"metric": "size", "value": -3.0},
            ],
        ),
        make_run(
            "lark",
            items={"bell": full["bell"]},
            scores=[
                rate(49.96, at={"round": "R1"}),
                rate(42.0),
                {"metric": "far", "status": "failed", "value": None, "reason": "the judge was away"},
            ],
        ),
        make_run(
            "hen",
            "reported",
            items={"bell": {"R1": "10", "R2": "11", "R3": "00"}},
            scores=[rate(51.0, interval=CLOSE)],
            clips="none",
        ),
        make_run("emu", "reported", clips="none"),
        make_run("top", "reported", clips="none", scores=[rate(60.0, where={"place": "in"}, subset="plain")]),
    ]
    study = {
        "schema": 1,
        "kind": "study",
        "benchmark": "quiz",
        "source": "reported",
        "citation": "A paper, table 2",
        "id": "pairs",
        "raters": 7,
        "comparisons": 63,
        "per_pair": 21,
        "tie_rule": "a tie is a win for neither",
        "wins": {"hen": {"emu": 10, "top": 21}, "emu": {"hen": 9, "top": 0}, "top": {"hen": 0, "emu": 5}},
        "agreement": {"raw_percent": 71.9, "fleiss_kappa": 0.377, "basis": "decisive votes"},
    }
    bank = {
        "schema": 1,
        "kind": "composition",
        "benchmark": "quiz",
        "source": "reported",
        "citation": "A paper, section 3",
        "id": "bank",
        "tables": [
            {"of": "items", "facet": "place", "counts": {"in": 1, "out": 3}, "total": 4},
            {"of": "questions", "facet": "place", "counts": {"in": 6, "out": 18}, "total": 24},
        ],
    }
    return Results(
        runs=tuple(runs),
        studies=(StudyRecord.model_validate_json(_to_json(study)),),
        compositions=(CompositionRecord.model_validate_json(_to_json(bank)),),
    )


def quiz_lookup(descriptor=None, results=None, items=None):
    """Index the quiz, or a changed one."""
    known = items or (make_item("bell"), make_item("gate", place="out", order=1, flags=["odd"]))
    return look_up(Benchmark(descriptor or quiz_descriptor(), tuple(known)), results or quiz_results())


def footage_lookup():
    """Index a benchmark of four conditions without questions, with one video."""
    conditions = ("clean", "mute", "swap", "mix")
    descriptor = Descriptor.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "id": "footage",
                "title": "Footage",
                "noun": {"one": "scene", "many": "scenes"},
                "claim": "It is watched.",
                "axes": [
                    {
                        "id": "question",
                        "title": "Condition",
                        "values": [value(name, name.title()) for name in conditions],
                    }
                ],
                "facets": [
                    {"id": "suite", "title": "Suite", "values": [value("far", "Far"), value("near", "Near")]},
                    {"id": "light", "title": "Light", "values": [value("day", "Day"), value("dusk", "Dusk")]},
                ],
                "systems": [system("eye", "Eye", "computed", 0)],
            }
        )
    )
    item = Item.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "id": "dog",
                "title": "Dog",
                "facets": {"suite": "near"},
                "cells": [{"at": {"question": name}, "prompt": "Watch"} for name in conditions],
            }
        )
    )
    run = RunRecord.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "kind": "run",
                "benchmark": "footage",
                "system": "eye",
                "source": "computed",
                "items": [
                    {
                        "item": "dog",
                        "cells": [
                            {"at": {"question": "mix"}, "note": "The mixer broke"},
                            {"at": {"question": "clean"}, "clip": {"path": "film/dog.mp4", "sha256": SHA}},
                            {"at": {"question": "swap"}},
                        ],
                    }
                ],
            }
        )
    )
    return look_up(Benchmark(descriptor, (item,)), Results(runs=(run,)))


def bare_lookup():
    """Index a benchmark without axes and facets."""
    descriptor = Descriptor.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "id": "bare",
                "title": "Bare",
                "noun": {"one": "clip", "many": "clips"},
                "claim": "It is.",
                "systems": [system("solo", "Solo", "computed", 0)],
            }
        )
    )
    item = Item.model_validate_json(
        _to_json({"schema": 1, "id": "one", "title": "One", "cells": [{"prompt": "Play"}]})
    )
    run = RunRecord.model_validate_json(
        _to_json(
            {
                "schema": 1,
                "kind": "run",
                "benchmark": "bare",
                "system": "solo",
                "source": "computed",
                "items": [{"item": "one", "cells": [{"clip": {"path": "one.wav", "sha256": SHA}}]}],
            }
        )
    )
    return look_up(Benchmark(descriptor, (item,)), Results(runs=(run,)))


def publish_clips(lookup):
    """Return a stand-in asset for every clip of every run."""
    assets = {}
    for record in lookup.records.values():
        for cell in record.cells:
            if cell.clip:
                path = cell.clip.path
                assets[path] = ClipAsset(
                    src=f"media/{len(assets)}.mp3",
                    mime="video/mp4" if path.endswith("mp4") else "audio/mpeg",
                    kind="video" if path.endswith("mp4") else "audio",
                    duration_s=8.42,
                    wave=draw_wave([0, 50, len(assets) % 101]),
                    spectrogram=f"media/{len(assets)}.webp",
                    facts=(("Rate", "44.1 kHz"),),
                )
    return assets


def _to_json(fields):
    return json.dumps(fields)
