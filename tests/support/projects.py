"""Whole projects as dictionaries of files, small enough to be built in every test."""

from __future__ import annotations

import copy
import hashlib
import json
from functools import cache

import rtoml

import factories
from support.clips import make_sine, write_bytes

RATE_HZ = 8_000
DURATION_S = 0.1


def write_files(root, files):
    """Write files by their path below ``root`` and return it.

    Args:
        root: A folder, made when missing.
        files: Bytes and text as they are; other content as TOML or JSON, as the path ends.
    """
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_encode(name, content))
    return root


def _encode(name, content):
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode()
    return (json.dumps(content) if name.endswith(".json") else rtoml.dumps(content)).encode()


@cache
def make_clip(pitch_hz, *, container="WAV", subtype="PCM_16"):
    """The bytes of a tenth of a second of a tone."""
    samples = make_sine(pitch_hz, duration_s=DURATION_S, rate_hz=RATE_HZ, amplitude=0.5)
    return write_bytes(samples, RATE_HZ, container=container, subtype=subtype)


def clip_ref(path, content):
    """What results say of a clip."""
    return {"path": path, "sha256": hashlib.sha256(content).hexdigest()}


SITE = {
    "schema": 1,
    "title": "Toys",
    "description": "All toys.",
    "benchmarks": ["toy"],
    "audio": {"format": "copy", "spectrograms": False},
}
CLIPS = {f"audio/toy/cascade/bell-{stage}.wav": 440.0 + 220 * at for at, stage in enumerate(("S1", "S2"))}


def small_files():
    """A right project of one item, two systems, two clips and every kind of block; a new copy each time."""
    run = factories.run_data()
    for cell in run["items"][0]["cells"]:
        path = f"audio/toy/cascade/bell-{cell['at']['stage']}.wav"
        cell["clip"] = clip_ref(path, make_clip(CLIPS[path]))
    descriptor = factories.descriptor_data(
        comparator={"item": "bell"},
        protocol=[{"title": "Make", "verb": "make", "text": "A clip is made."}],
        figures_of_claim=[{"value": "1", "label": "test"}],
        bibtex="@misc{toy, title = {Toy}}",
        tables=[
            {
                "id": "main",
                "title": "Coherence",
                "source": "computed",
                "columns": [{"metric": "coherence", "at": {"stage": "S1"}}, {"metric": "coherence"}],
            },
            {
                "id": "paper",
                "title": "As the paper has it",
                "source": "reported",
                "columns": [{"metric": "coherence"}, {"metric": "wer"}],
            },
        ],
        figures=[
            {
                "kind": "bars",
                "id": "by-stage",
                "title": "Coherence by stage",
                "metric": "coherence",
                "source": "computed",
                "axis": "stage",
            },
            {
                "kind": "donut",
                "id": "families",
                "title": "Tests",
                "composition": "bank",
                "of": "items",
                "facet": "family",
            },
            {"kind": "win-rates", "id": "wins", "title": "Wins", "study": "human"},
            {"kind": "head-to-head", "id": "heads", "title": "Head to head", "study": "human"},
        ],
    )
    home = """\
title: Toys
nav: Home
order: 1

::: hero

::: comparator

::: protocol

::: tiles family

::: cards family

::: table main

::: figure by-stage

::: figure families

::: study human

::: figure wins

::: figure heads

::: citation
"""
    files = {
        "site_src/site.toml": SITE,
        "site_src/index.md": home,
        "site_src/about.md": "title: About\nnav: About\norder: 3\n\nSome *prose*.\n\n::: facts\n",
        "site_src/404.md": "title: Not here\n\nThere is no such page.\n",
        "site_src/toy/benchmark.toml": descriptor,
        "site_src/toy/results.md": "title: Results\nnav: Results\norder: 2\n\n::: table paper\n",
        "site_src/toy/tests/bell.toml": factories.item_data(),
        "results/toy/cascade.json": run,
        "results/toy/reported/paper.json": factories.reported_data(),
        "results/toy/human.json": factories.study_data(),
        "results/toy/bank.json": factories.composition_data(),
    }
    files |= {path: make_clip(pitch_hz) for path, pitch_hz in CLIPS.items()}
    return copy.deepcopy(files)
