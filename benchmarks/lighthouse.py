"""Score home, an example and the results with Lighthouse on its throttled phone, and fail below the bars.

python benchmarks/lighthouse.py [BUILD] [--runs 3] [--preset phone|desktop]

Without BUILD, this repository's site is built into a temporary folder. Lighthouse is the version that
tests/package.json pins; `make lighthouse` installs it. Performance is the median of the runs.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from support.built import BuiltSite, find_command
from support.loopback import Loopback
from support.programs import CHROMIUM_FLAGS, NODE_MODULES, find_chromium
from support.repository import ROOT

BARS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
LIGHTHOUSE = NODE_MODULES / ".bin" / "lighthouse"


@dataclass(frozen=True, slots=True)
class Card:
    """What Lighthouse says of a page.

    Args:
        scores: 0 to 100 by category.
        complaints: One line for each audit that costs points.
    """

    scores: dict[str, int]
    complaints: tuple[str, ...]


def run_lighthouse(address: str, *, chromium: str, preset: str, folder: Path) -> Card:
    """Score a page once.

    Raises:
        subprocess.CalledProcessError: Lighthouse failed; its last words are in the error's ``stderr``.
    """
    report = folder / "report.json"
    words = [
        LIGHTHOUSE,
        address,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        "--no-enable-error-reporting",
        f"--only-categories={','.join(BARS)}",
        f"--chrome-flags={' '.join(CHROMIUM_FLAGS)}",
        *(["--preset=desktop"] if preset == "desktop" else []),
    ]
    told = {**os.environ, "CHROME_PATH": chromium}
    subprocess.run(words, env=told, check=True, capture_output=True, text=True)
    return read_card(json.loads(report.read_text(encoding="utf-8")))


def read_card(report: dict[str, Any]) -> Card:
    """Return the scores of a report and the audits behind every lost point."""
    scores, complaints = {}, []
    for name, category in report["categories"].items():
        scores[name] = round(100 * (category["score"] or 0))
        for part in category["auditRefs"]:
            audit = report["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 1:
                shown = audit.get("displayValue", "")
                complaints.append(f"{name}: {audit['title']} {shown} ({100 * audit['score']:.0f})".strip())
    return Card(scores, tuple(complaints))


def merge(cards: list[Card]) -> Card:
    """Return the median scores of several runs and the complaints of the last."""
    return Card(
        {name: round(statistics.median(card.scores[name] for card in cards)) for name in cards[0].scores},
        cards[-1].complaints,
    )


def choose_pages(site: BuiltSite) -> list[str]:
    """Return home, the first example and the results."""
    return ["index.html", site.items[0], site.results]


def main() -> int:
    """Run the script and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, nargs="?", help="a built site; without it one is built")
    parser.add_argument("--runs", type=int, default=3, help="how often each page is scored")
    parser.add_argument("--preset", choices=["phone", "desktop"], default="phone")
    asked = parser.parse_args()
    chromium = find_chromium()
    if chromium is None or not LIGHTHOUSE.exists():
        print("Chromium is missing." if chromium is None else "Lighthouse is missing: run `make lighthouse`.")
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build = asked.build or folder / "site"
        if asked.build is None:
            subprocess.run([find_command(), "build", "-q", "--project", ROOT, "--output", build], check=True)
        failed = False
        print(f"{'page':<48}" + "".join(f"{category:>16}" for category in BARS))
        with Loopback(build) as loopback:
            for page in choose_pages(BuiltSite(project=ROOT, folder=build)):
                card = merge(
                    [
                        run_lighthouse(
                            loopback.url + page, chromium=chromium, preset=asked.preset, folder=folder
                        )
                        for _ in range(asked.runs)
                    ]
                )
                print(f"{page:<48}" + "".join(f"{card.scores[category]:>16}" for category in BARS))
                for complaint in card.complaints:
                    print(f"    {complaint}")
                failed |= any(card.scores[category] < bar for category, bar in BARS.items())
    print("Below the bar." if failed else "Every page reaches the bars.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
