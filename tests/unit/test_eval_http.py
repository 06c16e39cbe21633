from __future__ import annotations

import base64
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np
import pytest
import soundfile

from support.chat_calls import (
    ASKED,
    EVERYTHING,
    KEY,
    RATE_HZ,
    ask_once,
    call,
    give_sound,
    make_signal,
    open_at,
    write_sound,
)
from support.chat_server import ChatServer, Turn, say
from torus_eval.answering.questions import format_question
from torus_eval.errors import CapabilityError, EvaluationError
from torus_eval.systems.http import open_http
from torus_eval.systems.model import HttpWay, Part, SystemFile
from torus_eval.systems.opening import open_part
from torus_site.records.parse import parse, read_toml

EXAMPLE = Path(__file__).parents[2] / "docs/examples/http-system.toml"


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


# What is sent


def test_question_and_clip_are_all_that_an_answering_call_carries():
    answer, body = ask_once("answer", say("B"), can=("answer",))
    assert answer == "B"
    [message] = body["messages"]
    text, clip = message["content"]
    assert message["role"] == "user"
    assert text == {"type": "text", "text": format_question(ASKED)}
    assert clip["type"] == "input_audio"
    assert clip["input_audio"]["format"] == "wav"
    samples, rate_hz = soundfile.read(io.BytesIO(base64.b64decode(clip["input_audio"]["data"])))
    assert rate_hz == RATE_HZ
    assert np.allclose(samples, make_signal(), atol=1e-4)
    assert set(body) == {"model", "messages", "seed", "stream"}


def test_clip_is_sent_as_a_data_address_of_mp3():
    _, body = ask_once("answer", say("B"), audio_in="audio_url", audio_format="mp3")
    part = body["messages"][0]["content"][1]
    head, _, data = part["audio_url"]["url"].partition(",")
    assert (part["type"], head) == ("audio_url", "data:audio/mpeg;base64")
    samples, _ = soundfile.read(io.BytesIO(base64.b64decode(data)))
    assert np.corrcoef(samples[: len(make_signal())], make_signal())[0, 1] > 0.99


@pytest.mark.parametrize(("name", "text"), [("generate", "a dog barks twice"), ("edit", "make it louder")])
def test_sound_is_asked_for_with_voice_and_format(name, text):
    reply = give_sound(write_sound(make_signal(), "FLAC"))
    _, body = ask_once(name, Turn(body=reply), audio_out="flac", voice="alloy")
    assert body["modalities"] == ["text", "audio"]
    assert body["audio"] == {"format": "flac", "voice": "alloy"}
    content = body["messages"][0]["content"]
    assert content[0]["text"] == text
    assert [part["type"] for part in content[1:]] == (["input_audio"] if name == "edit" else [])


def test_words_only_are_asked_of_a_model_that_also_makes_sound():
    _, body = ask_once("caption", say("a dog"))
    assert body["modalities"] == ["text"]
    assert body["messages"][0]["content"][0]["text"].startswith("Describe this audio")


def test_sampling_stands_in_the_body_and_the_own_table_comes_last():
    reply = Turn(body=give_sound(write_sound(make_signal())))
    _, body = ask_once(
        "generate",
        reply,
        sampling={"temperature": 0.5, "max_tokens": 9},
        body={"temperature": 0.1, "audio": {"voice": "own"}, "extra": [1]},
    )
    assert (body["temperature"], body["max_tokens"], body["extra"]) == (0.1, 9, [1])
    assert body["audio"] == {"format": "wav", "voice": "own"}


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [({}, 7), ({"seed": 3}, 3), ({"seed": False}, None)],
    ids=["call", "own", "none"],
)
def test_seed_is_the_calls_unless_sampling_says_otherwise(sampling, expected):
    _, body = ask_once("answer", say("B"), sampling=sampling)
    assert body.get("seed") == expected


def test_large_seed_is_brought_to_31_bits():
    with ChatServer(say("B")) as server:
        call(open_at(server), "answer", seed=(5 << 31) + 4)
        assert server.bodies[0]["seed"] == 4


def test_equal_calls_send_equal_bodies():
    with ChatServer(say("B")) as server:
        system = open_at(server)
        assert call(system, "answer") == call(system, "answer")
        assert server.bodies[0] == server.bodies[1]


def test_path_and_key_are_sent_and_a_slash_at_the_end_does_not_matter():
    with ChatServer(say("B")) as server:
        system = open_at(
            server, base_url=server.url + "/", key_env="THE_KEY", environ={"THE_KEY": f" {KEY}\n"}
        )
        call(system, "answer")
        [request] = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_no_key_is_sent_where_none_is_named():
    with ChatServer(say("B")) as server:
        call(open_at(server, environ={"OPENAI_API_KEY": KEY}), "answer")
        assert "authorization" not in server.requests[0].headers


def test_text_alone_can_be_asked():
    with ChatServer(say("four")) as server:
        assert open_at(server).ask("two and two?", seed=1) == "four"
        assert server.bodies[0]["messages"][0]["content"] == [{"type": "text", "text": "two and two?"}]


# Opening and closing


def test_calls_that_the_file_does_not_name_are_refused_before_anything_is_sent():
    with ChatServer(say("B")) as server:
        system = open_at(server, can=("answer",))
        assert system.capabilities == {"answer"}
        for name in ("generate", "edit", "caption"):
            with pytest.raises(CapabilityError, match=f"some-model cannot {name}"):
                call(system, name)
        assert server.requests == []


def test_closing_is_safe_before_a_call_and_twice():
    with ChatServer(say("B")) as server:
        system = open_at(server)
        system.close()
        call(system, "answer")
        system.close()
        system.close()
        assert call(system, "answer") == "B"
        system.close()


def test_one_system_serves_several_threads():
    def reply(request):
        return say(request.body["messages"][0]["content"][0]["text"])

    with ChatServer(reply) as server:
        system = open_at(server)
        with ThreadPoolExecutor(4) as pool:
            texts = list(pool.map(lambda number: system.ask(str(number), seed=number), range(20)))
    assert texts == [str(number) for number in range(20)]


def test_opening_speaks_to_no_server():
    system = open_at("http://127.0.0.1:9/v1")
    assert system.capabilities == set(EVERYTHING)
    system.close()


def test_everything_wrong_with_a_system_file_is_told_at_once():
    way = HttpWay(
        base_url="http://me:password@host/v1",
        model="m",
        key_env="NOT_THERE",
        body={"messages": [], "x": float("nan")},
    )
    with pytest.raises(EvaluationError) as caught:
        open_http(way, sampling={"model": "other", "stream": True}, environ={"NOT_THERE": "  "})
    told = str(caught.value)
    assert len(caught.value.problems) == 6
    for part in (
        "NOT_THERE",
        "/http/base_url",
        "/http/body/messages",
        "/sampling/model",
        "/sampling/stream",
        "NaN",
    ):
        assert part in told
    assert "password@" not in told


@pytest.mark.parametrize("key", ["two words", "schlüssel", "line\nbreak"])
def test_key_that_no_header_can_carry_is_refused_without_being_told(key):
    with pytest.raises(EvaluationError, match="no header can carry") as caught:
        open_at("http://127.0.0.1:9/v1", key_env="THE_KEY", environ={"THE_KEY": key})
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://[", "http://:80/v1", "http://a..b/v1", "http://1.1.1.999/v1", "http://a:99999/v1"]
)
def test_address_that_cannot_be_read_is_refused(address):
    with pytest.raises(EvaluationError, match="/http/base_url"):
        open_at(address)


def test_proxy_that_cannot_be_used_is_an_error_of_the_user(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "gopher://me:password@127.0.0.1:9")
    with pytest.raises(EvaluationError, match="HTTPS_PROXY") as caught:
        call(open_at("http://127.0.0.1:9/v1"), "answer")
    assert "password" not in str(caught.value)


def test_proxy_of_the_environment_is_used(monkeypatch):
    with ChatServer(say("B")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
        system = open_at("http://some.invalid/v1")
        assert call(system, "answer") == "B"
        system.close()
        assert proxy.requests[0].path == "http://some.invalid/v1/chat/completions"


def test_a_transport_can_stand_in_for_the_network():
    transport = httpx.MockTransport(
        lambda _: httpx.Response(200, json={"choices": [{"message": {"content": "B"}}]})
    )
    way = HttpWay(base_url="http://nowhere.invalid/v1", model="m")
    system = open_http(way, sampling={}, environ={}, transport=transport)
    assert call(system, "answer") == "B"
    system.close()


def test_a_part_is_opened_by_its_way_in(monkeypatch):
    monkeypatch.setenv("THE_KEY", KEY)
    part = Part(http=HttpWay(base_url="http://127.0.0.1:9/v1", model="m", key_env="THE_KEY"))
    system = open_part(part, Path())
    assert system.capabilities == {"answer"}
    assert KEY not in repr(system)
    system.close()


def test_example_of_the_documentation_opens():
    file = parse(
        SystemFile,
        read_toml(EXAMPLE, file=EXAMPLE.name, error=EvaluationError),
        file=EXAMPLE.name,
        error=EvaluationError,
    )
    assert file.id == EXAMPLE.stem
    assert file.http is not None
    assert file.http.key_env is not None
    system = open_http(file.http, sampling=file.sampling, environ={file.http.key_env: KEY})
    assert {"generate", "edit", "answer"} <= system.capabilities
    system.close()
