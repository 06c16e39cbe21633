"""A project unlike any the engine was written for: odd axes, nouns, names and units, and a video.

Two benchmarks share its site. ``orchard`` has an axis of four values, two facets of items, three options and
an item without questions. ``tank`` has no axis, no facet and two options, and its clips are videos.
"""

from __future__ import annotations

import struct

from support.projects import clip_ref, make_clip

WEATHER = ("calm", "rain", "hail-storm", "after_frost")
ITEMS = ("early-pick", "silent-row")
TITLES = {
    "early-pick": 'Äpfel & <b>Birnen</b> "früh" #1, 100 % <script>alert(1)</script>',
    "silent-row": "Row 7 <img src=x onerror=alert(2)> übrig",
}
PROMPT = "Shake the <em>tree</em> & wait; then </script><script>alert(3)</script> 'now'"
RESPONSE = "<i>B</i> </script><img src=y onerror=alert(4)>"
CAPTION = 'A thud, </script><script>alert(5)</script> & "leaves"'
SYSTEMS = ("hive", "ladder")
SUFFIXES = {"hive": ("wav", "WAV", "PCM_16"), "ladder": ("flac", "FLAC", "PCM_16")}
PICKS = {"hive": "BBAB", "ladder": "BCCA"}
KEYS = "BBAC"


def odd_files():
    """The whole project; a new one each time."""
    return {
        "site_src/site.toml": {
            "schema": 1,
            "title": "Orchard & tank",
            "description": 'Two odd <benchmarks> & "one" site.',
            "language": "de",
            "benchmarks": ["orchard", "tank"],
            "authors": ["Åsa <Ö>"],
            "licence": "CC0 & more",
            "audio": {"format": "flac", "spectrograms": True},
        },
        "site_src/index.md": _HOME,
        "site_src/tank/index.md": "title: Tank\n\n::: comparator\n\n::: table main\n",
        "site_src/orchard/harvest.md": "title: Ernte\nnav: 收穫\n\n::: table main\n\n::: figure by-weather\n",
        **_orchard(),
        **_tank(),
    }


_HOME = """\
title: Orchard & <tank>
nav: Start
order: 1

::: hero

::: comparator silent-row

::: protocol

::: tiles fruit

::: cards hour

::: table main

::: figure by-fruit

::: table tank:main

::: table tank:other
"""


def _orchard():
    files = {
        "site_src/orchard/benchmark.toml": {
            "schema": 1,
            "id": "orchard",
            "title": "Orchard",
            "noun": {"one": "harvest", "many": "harvests"},
            "options": 3,
            "claim": "A picker should <know> what it picked.",
            "verdict_metric": "ripeness",
            "figures_of_claim": [{"value": "2", "label": "harvests"}],
            "comparator": {"item": "early-pick", "at": {"weather": "hail-storm"}},
            "protocol": [{"title": "Pick", "verb": "pick", "text": "It picks.", "answers": "one question"}],
            "axes": [{"id": "weather", "title": "Weather", "values": [_value(it) for it in WEATHER]}],
            "facets": [
                {"id": "fruit", "title": "Fruit", "values": [_value("apple"), _value("pear")]},
                {"id": "hour", "title": "Hour", "values": [_value("dawn"), _value("dusk")]},
                {"id": "guild", "title": "Guild", "on": "system", "values": [_value("bees"), _value("wood")]},
            ],
            "operations": [_value("shake")],
            "flags": [_value("odd")],
            "subsets": [{"id": "even", "title": "Not odd", "without_flags": ["odd"]}],
            "metrics": [
                {"id": "ripeness", "title": "Ripeness", "kind": "rate", "unit": "%", "decimals": 2},
                {
                    "id": "bruises",
                    "title": "Bruises",
                    "unit": "per kg",
                    "direction": "lower",
                    "decimals": 3,
                    "missing": "never counted",
                },
                {"id": "weight", "title": "Weight", "unit": "t", "direction": "none", "decimals": 0},
            ],
            "systems": [
                {**_system("hive", 0), "facets": {"guild": "bees"}},
                {**_system("ladder", 1), "facets": {"guild": "wood"}},
                _system("almanac", 2, source="reported"),
            ],
            "tables": [
                {
                    "id": "main",
                    "title": "Harvest",
                    "caption": "Counted & <weighed>.",
                    "source": "computed",
                    "group_by": "guild",
                    "columns": [
                        *(
                            {"metric": "ripeness", "title": it, "group": "Ripe", "at": {"weather": it}}
                            for it in WEATHER
                        ),
                        {"metric": "ripeness", "subset": "even", "title": "Even"},
                        {"metric": "bruises"},
                        {"metric": "weight"},
                    ],
                }
            ],
            "figures": [
                _bars("by-fruit", facet="fruit"),
                _bars("by-weather", axis="weather", reference={"value": 100 / 3, "label": "guess"}),
            ],
        },
        "results/orchard/almanac.json": {
            "schema": 1,
            "kind": "run",
            "benchmark": "orchard",
            "system": "almanac",
            "source": "reported",
            "citation": "An almanac & its <authors>",
            "clips": "none",
            "scores": [{"metric": "ripeness", "value": 50.0}],
        },
    }
    for item in ITEMS:
        files[f"site_src/orchard/tests/{item}.toml"] = _harvest(item)
    for system in SYSTEMS:
        run, clips = _pick(system)
        files[f"results/orchard/{system}.json"] = run
        files |= clips
    return files


def _value(name):
    return {"id": name, "title": f"{name.title()} <{name}>", "text": f"About {name} & more."}


def _system(name, hue, source="computed"):
    return {"id": name, "title": f"{name.title()} & co. <{hue}>", "source": source, "hue": hue}


def _bars(name, **grouped):
    return {
        "kind": "bars",
        "id": name,
        "title": f"Ripeness {name}",
        "metric": "ripeness",
        "source": "computed",
        **grouped,
    }


def _harvest(item):
    asked = item == "early-pick"
    return {
        "schema": 1,
        "id": item,
        "title": TITLES[item],
        "order": 0 if asked else 1,
        "summary": "Summary & <u>more</u>",
        "notice": "Notice <s>this</s>",
        "facets": {"fruit": "apple", "hour": "dawn"} if asked else {"fruit": "pear", "hour": "dusk"},
        "cells": [
            {
                "at": {"weather": weather},
                "operation": "shake",
                "prompt": PROMPT,
                "intended": "Fruit <falling>",
                "transcript": "“Ripe?”",
                "questions": [_question(at)] if asked else [],
            }
            for at, weather in enumerate(WEATHER)
        ],
    }


def _question(at):
    return {
        "id": f"{WEATHER[at]} #{at}",
        "element": "<fruit>",
        "text": f"Which <fruit> fell, {at} & why?",
        "options": ["<none>", f"the {at}th & last", "&amp;"],
        "key": KEYS[at],
        "flags": ["odd"] if at == 0 else [],
    }


def _pick(system):
    """What one system did: its run and its clips."""
    suffix, container, subtype = SUFFIXES[system]
    clips, records = {}, []
    for row, item in enumerate(ITEMS):
        cells = []
        for at, weather in enumerate(WEATHER):
            path = f"audio/orchard/{system}/50% ripe #{at} \N{EN DASH} Ä & 'b'/{item} {weather}?.{suffix}"
            clips[path] = make_clip(200.0 + 100 * at + 40 * row, container=container, subtype=subtype)
            pick = PICKS[system][at]
            answer = {
                "question": f"{weather} #{at}",
                "response": RESPONSE,
                "pick": pick,
                "reason": "letter <found>",
                "correct": pick == KEYS[at],
            }
            cells.append(
                {
                    "at": {"weather": weather},
                    "clip": clip_ref(path, clips[path]),
                    "caption": CAPTION,
                    "answers": [answer] if item == "early-pick" else [],
                }
            )
        records.append({"item": item, "cells": cells})
    run = {
        "schema": 1,
        "kind": "run",
        "benchmark": "orchard",
        "system": system,
        "source": "computed",
        "items": records,
        "scores": [*_rates(system), *_numbers(system)],
    }
    return run, clips


def _rates(system):
    right = [pick == key for pick, key in zip(PICKS[system], KEYS, strict=True)]
    chosen = {
        (): right,
        **{(("weather", weather),): [right[at]] for at, weather in enumerate(WEATHER)},
        (("fruit", "apple"),): right,
        (("subset", "even"),): right[1:],
    }
    for place, answers in chosen.items():
        yield {
            "metric": "ripeness",
            "correct": sum(answers),
            "n": len(answers),
            "value": 100 * sum(answers) / len(answers),
            "at": {kind: name for kind, name in place if kind == "weather"},
            "where": {kind: name for kind, name in place if kind == "fruit"},
            "subset": dict(place).get("subset", "all"),
        }


def _numbers(system):
    if system == "ladder":
        yield {"metric": "bruises", "status": "unscored", "reason": "nobody <counted>"}
    else:
        yield {"metric": "bruises", "value": 0.0625, "n": 16}
    yield {"metric": "weight", "value": -3.0}


def _tank():
    """A benchmark of two videos and no axis."""
    files = {
        "site_src/tank/benchmark.toml": {
            "schema": 1,
            "id": "tank",
            "title": "Tank",
            "noun": {"one": "fish", "many": "fish"},
            "options": 2,
            "claim": "Fish are quiet.",
            "verdict_metric": "hits",
            "comparator": {"item": "carp"},
            "metrics": [
                {"id": "latency", "title": "Latency", "unit": "ms", "direction": "lower"},
                {"id": "hits", "title": "Hits", "kind": "rate", "unit": "%"},
            ],
            "systems": [_system("gull", 0), _system("heron", 1)],
            "tables": [
                {"id": name, "title": "Latency", "source": "computed", "columns": [{"metric": "latency"}]}
                for name in ("main", "other")
            ],
        },
        "site_src/tank/tests/carp.toml": {
            "schema": 1,
            "id": "carp",
            "title": "Carp",
            "cells": [
                {
                    "prompt": "A carp turns.",
                    "questions": [
                        {
                            "id": "1",
                            "element": "fin",
                            "text": "Which way?",
                            "options": ["left", "right"],
                            "key": "A",
                        }
                    ],
                }
            ],
        },
    }
    videos = {"gull": ("mp4", make_mp4()), "heron": ("webm", make_webm())}
    for at, (system, (suffix, content)) in enumerate(videos.items()):
        path = f"audio/tank/{system}/carp.{suffix}"
        files[path] = content
        pick = "AB"[at]
        answer = {"question": "1", "response": pick, "pick": pick, "reason": "exact", "correct": pick == "A"}
        files[f"results/tank/{system}.json"] = {
            "schema": 1,
            "kind": "run",
            "benchmark": "tank",
            "system": system,
            "source": "computed",
            "items": [
                {"item": "carp", "cells": [{"clip": clip_ref(path, content), "answers": [answer]}]},
            ],
            "scores": [
                {"metric": "latency", "value": 12.5 + at, "n": 3},
                {"metric": "hits", "correct": 1 - at, "n": 1, "value": 100.0 - 100 * at},
            ],
        }
    return files


def make_mp4(duration_ms=1500):
    """The smallest MP4 that states a duration and holds no picture."""
    head = struct.pack(">IIIII", 0, 0, 0, 1000, duration_ms)
    return _box(b"ftyp", b"isom\0\0\0\0isom") + _box(b"moov", _box(b"mvhd", head)) + _box(b"mdat", b"")


def _box(name, body):
    return struct.pack(">I4s", 8 + len(body), name) + body


def make_webm(duration_ms=2500):
    """The smallest WebM that states a duration and holds no picture."""
    info = _element(0x1549A966, _element(0x4489, struct.pack(">d", duration_ms)))
    return _element(0x1A45DFA3, _element(0x4282, b"webm")) + _element(0x18538067, info)


def _element(name, body):
    length = (name.bit_length() + 7) // 8
    return name.to_bytes(length, "big") + bytes([0x80 | len(body)]) + body
