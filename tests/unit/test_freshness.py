from __future__ import annotations

import subprocess
import sys

import pytest

from torus_site import freshness
from torus_site.freshness import (
    State,
    Written,
    inputs,
    is_fresh,
    read_state,
    signature,
    stamp_of,
    stamps,
    state_file,
    write_state,
)


def test_stamps_see_every_file_and_skip_hidden_ones_byte_code_and_the_output(tmp_path):
    for name in ("a/b.txt", "a/.hidden", "a/__pycache__/x.pyc", "a/build/out.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = stamps([tmp_path / "a", tmp_path / "absent"], skip=tmp_path / "a" / "build")
    assert list(found) == [str(tmp_path / "a" / "b.txt")]


def test_a_dangling_link_is_stamped(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "absent")
    assert str(tmp_path / "link") in stamps([tmp_path])


def test_inputs_cover_the_project_and_the_theme(tmp_path):
    project, theme = tmp_path / "project", tmp_path / "theme"
    for path in (project / "site_src" / "site.toml", theme / "base.html", project / "build" / "index.html"):
        path.parent.mkdir(parents=True)
        path.write_text("x")
    found = inputs(project, theme=theme)
    assert str(project / "site_src" / "site.toml") in found
    assert str(theme / "base.html") in found
    assert str(project / "build" / "index.html") not in found


def test_a_state_survives_a_round_trip(tmp_path):
    state = State("s", {"a": (1, 2)}, {"index.html": Written((3, 4), "d", "h")})
    path = state_file(tmp_path / "cache", tmp_path / "build")
    write_state(path, state)
    assert read_state(path) == state
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"signature": "s", "inputs": {"a": 1}, "outputs": {}}']
)
def test_a_torn_state_counts_as_none(tmp_path, text):
    path = tmp_path / "state.json"
    path.write_text(text)
    assert read_state(path) == State()


def test_the_signature_follows_options_and_the_fixed_clock(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    plain = signature(strict=False)
    assert plain != signature(strict=True)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert plain != signature(strict=False)


def test_the_signature_follows_the_program_and_the_libraries(monkeypatch):
    plain = signature()
    monkeypatch.setattr(freshness, "stamps", lambda _folders: {"freshness.py": (1, 1)})
    changed = signature()
    monkeypatch.setattr(freshness, "stamp_of", lambda _folder: (1, 1))
    assert len({plain, changed, signature()}) == 3


def test_fresh_means_same_inputs_and_the_outputs_as_they_were_left(tmp_path):
    output = tmp_path / "index.html"
    output.write_text("x")
    state = State("s", {"a": (1, 2)}, {"index.html": Written(stamp_of(str(output)), "d", "h")})
    same = {"signature": "s", "inputs": {"a": (1, 2)}, "into": tmp_path}
    assert is_fresh(state, **same)
    assert not is_fresh(State(), **same)
    assert not is_fresh(state, **same | {"signature": "t"})
    assert not is_fresh(state, **same | {"inputs": {"a": (1, 3)}})
    output.unlink()
    assert not is_fresh(state, **same)


def test_the_module_needs_the_standard_library_alone():
    code = (
        "import sys, torus_site.freshness; "
        "print([m for m in ('numpy', 'pandas', 'plotly', 'pydantic', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
