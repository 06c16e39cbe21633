"""What the package costs before there is work."""

from __future__ import annotations

import json
import subprocess
import sys

from support.clips import make_noise, write_bytes

HEAVY = ["PIL", "lameenc", "numpy", "pydub", "soundfile"]
COUNT = f"import json, sys; print(json.dumps([name for name in {HEAVY} if name in sys.modules]))"


def run(script):
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    return json.loads(told.stdout)


def test_import_loads_no_heavy_library():
    assert run(f"import torus_site.media; {COUNT}") == []


def test_publishing_known_clips_loads_no_heavy_library(tmp_path):
    (tmp_path / "a.wav").write_bytes(write_bytes(make_noise()))
    publish = (
        "from pathlib import Path; from torus_site.media import MediaLibrary, MediaSettings;"
        f"root = Path({str(tmp_path)!r});"
        "MediaLibrary(root, root / 'cache', MediaSettings()).publish(['a.wav']);"
    )
    assert "numpy" in run(publish + COUNT)
    assert run(publish + COUNT) == []
