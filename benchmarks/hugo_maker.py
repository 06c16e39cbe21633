"""Makes the Hugo site that is the measure: the same items, answers, pages and data files.

What Hugo would spend time on without need is left out: answers are laid ready by item and question, links
are not rewritten, no sitemap, feed or taxonomy is made.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from project_maker import BENCHMARK, FACETS, LETTERS, STAGES, SYSTEMS, make_item, make_run, write_toml

from torus_site.views.media import draw_wave

if TYPE_CHECKING:
    from project_maker import Item

_TEMPLATES = Path(__file__).parent / "hugo"


def make_hugo_site(root: Path, count: int) -> list[Item]:
    """Make a Hugo site in a folder, whatever was there before removed, and return its items.

    Args:
        root: The folder.
        count: How many items.
    """
    items = [make_item(number) for number in range(count)]
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(_TEMPLATES, root)
    content = root / "content" / BENCHMARK
    data = root / "data"
    for folder in (content, data):
        folder.mkdir(parents=True)
    for item in items:
        (content / f"{item['id']}.md").write_text(write_page(item), encoding="utf-8")
    scores = {}
    for system in SYSTEMS:
        run = make_run(system, items)
        answers = {
            record["item"]: {
                answer["question"]: answer for cell in record["cells"] for answer in cell["answers"]
            }
            for record in run["items"]
        }
        scores[system] = [score["value"] for score in run["scores"] if not score["where"]]
        (data / f"{system}.json").write_text(json.dumps(answers, sort_keys=True), encoding="utf-8")
    clip = {
        "src": "media/clip.mp3",
        "spectrogram": "media/clip.webp",
        "duration_s": 2,
        "duration_text": "0:02",
        "wave": draw_wave([peak * peak * 37 % 101 for peak in range(300)]),
        "facts": [["Format", "MP3"], ["Signal", "44.1 kHz, mono"], ["Loudness", "-20.1 LUFS"]],
    }
    bank = {
        "clip": clip,
        "systems": [
            {"id": name, "title": title, "hue": hue, "source": "computed", "scores": scores[name]}
            for hue, (name, title) in enumerate(SYSTEMS.items())
        ],
        "stages": STAGES,
        "sorts": FACETS["sort"],
        "letters": list(LETTERS),
        "places": {letter: place for place, letter in enumerate(LETTERS)},
        "operations": {"make": "Make", "edit": "Edit"},
    }
    (data / "bank.json").write_text(json.dumps(bank), encoding="utf-8")
    return items


def write_page(item: Item) -> str:
    """Write an item as a Hugo page: all of it is front matter."""
    # Hugo has its own idea of a summary, and orders pages by weight.
    renamed = {"summary": "blurb", "order": "weight"}
    return f"+++\n{write_toml({renamed.get(key, key): value for key, value in item.items()})}+++\n"
