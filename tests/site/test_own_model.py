"""The page that walks a stranger through the three ways in: everything on it is done, in its order."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess

import pytest

from support.built import find_command
from support.chat_server import ChatServer, Turn, say
from support.documents import list_blocks, list_steps
from support.projects import make_clip
from support.repository import CONTENT, ROOT
from torus_site.records.store import load_results

PAGE = CONTENT / "run-your-own-model.md"
SERVED = "http://127.0.0.1:8000/v1"
TONE = base64.b64encode(make_clip(440)).decode()
pytestmark = pytest.mark.slow


def name_files():
    """Return each file of the page with its text, by the comment in its first line."""
    found = {}
    for block in list_blocks(PAGE):
        name = re.match(r"# (\S+\.(?:py|toml))\n", block.text)
        if name:
            found[name.group(1)] = block.text
    return found


def reply(request):
    """Answer as a server would whose model hears and makes sound."""
    if "audio" in request.body:
        return Turn(body={"choices": [{"index": 0, "message": {"content": None, "audio": {"data": TONE}}}]})
    return say("B")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project without the runs of the repository, with the files of the page in it."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(ROOT / "site_src", folder / "site_src")
    shutil.copytree(ROOT / "results" / "torus" / "reported", folder / "results" / "torus" / "reported")
    for path in (ROOT / "results" / "torus").glob("*.json"):
        data = json.loads(path.read_bytes())
        if data["source"] == "reported":
            shutil.copy(path, folder / "results" / "torus" / path.name)
    for name, text in name_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(project, command, **env):
    program, *words = command.split()
    return subprocess.run(
        [find_command(program), *words],
        cwd=project,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def list_commands():
    return [
        step.command
        for block in list_blocks(PAGE)
        if block.language == "console"
        for step in list_steps(block)
        if not step.command.startswith("pip ")
    ]


def declare(project):
    """Declare the page's system as the page says, in the project's descriptor."""
    block = next(block.text for block in list_blocks(PAGE) if block.text.startswith("# what benchmark.toml"))
    path = project / "site_src" / "torus" / "benchmark.toml"
    text = path.read_text(encoding="utf-8")
    before, tables, after = text.partition("\n# -- tables")
    path.write_text(f"{before}\n{block}{tables}{after}", encoding="utf-8")


def test_everything_on_the_page_works_in_its_order(project):
    with ChatServer(reply) as server:
        path = project / "my-server.toml"
        text = path.read_text(encoding="utf-8").replace(SERVED, server.url)
        path.write_text(text.replace("# key_env", "key_env"), encoding="utf-8")
        for command in list_commands():
            if command.startswith("torus-eval export"):
                declare(project)
            done = run(project, command, MY_SERVER_KEY="a-key-for-this-test")
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            assert "Traceback" not in done.stderr
        assert server.requests[0].headers.get("authorization") == "Bearer a-key-for-this-test"
    exported = load_results(project, "torus").run("my-model", "computed")
    assert exported.status == "complete"
    assert sum(len(cell.answers) for item in exported.items for cell in item.cells) == 45
    written = b"".join(path.read_bytes() for path in (project / "runs").rglob("*.json*"))
    assert b"a-key-for-this-test" not in written
    assert (project / "build" / "index.html").is_file()


def test_page_names_each_way_in():
    files = name_files()
    assert {"my_model.py", "my-model.toml", "wrap.py", "my-program.toml", "my-server.toml"} <= files.keys()
    assert "key_env" in files["my-server.toml"]
