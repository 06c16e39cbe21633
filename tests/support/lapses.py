"""A project whose second system lapsed: a clip failed, one is owed, replies are in words, in two orders."""

from __future__ import annotations

import factories
from support.projects import clip_ref, make_clip, small_files

NAMES = ("bell", "gong", "horn")
INTERVAL = {"low": -30.0, "high": 5.0, "half_width": 17.5, "method": "paired cluster bootstrap"}


def lapsed_files():
    """The whole project; a new one each time."""
    files = small_files()
    descriptor = files["site_src/toy/benchmark.toml"]
    descriptor["systems"][0]["baseline"] = True
    descriptor["systems"].append({"id": "copy", "title": "Copy", "source": "computed", "hue": 5})
    descriptor["metrics"].append(
        {
            "id": "likeness",
            "title": "Likeness",
            "missing": "not computed",
            "text": "How like the baseline's clips are.",
            "measure": "likeness",
            "parameters": {"backbone": "ear", "reference": "cascade"},
        }
    )
    descriptor["tables"][0]["columns"] += [
        {"metric": "coherence", "at": {"stage": "S1"}, "difference": True, "title": "vs. baseline"},
        {"metric": "likeness"},
    ]
    files |= {f"site_src/toy/tests/{name}.toml": factories.item_data(name) for name in NAMES}
    whole = factories.run_data(names=NAMES)
    for name in NAMES:
        place = NAMES.index(name)
        whole["items"][place]["cells"] = [factories.cell_data(name, stage) for stage in factories.STAGES]
    files["results/toy/cascade.json"] = whole
    copy = factories.lapsed_data(system="copy", differences=[_compare(-50.0), _compare(None)])
    copy["scores"].append({"metric": "likeness", "value": 1.5, "parameters": {"n": "3"}})
    files["results/toy/copy.json"] = copy
    for run in (whole, copy):
        for cell in (cell for item in run["items"] for cell in item["cells"] if "clip" in cell):
            path = cell["clip"]["path"].replace("cascade", run["system"]).replace(".flac", ".wav")
            files[path] = make_clip(440.0)
            cell["clip"] = clip_ref(path, files[path])
    return files


def _compare(value):
    """The difference at the first stage, or why there is none in total."""
    if value is None:
        return {"metric": "coherence", "baseline": "cascade", "reason": "2 questions were not asked yet"}
    shown = {"value": value, "n": 12, "interval": INTERVAL}
    return {"metric": "coherence", "at": {"stage": "S1"}, "baseline": "cascade", **shown}
