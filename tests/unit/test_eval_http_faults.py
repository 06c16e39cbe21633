from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import numpy as np
import pytest

from support.chat_calls import (
    ASKED,
    Pretended,
    answer,
    encode,
    fail,
    make_clip,
    make_signal,
    open_at,
    write_sound,
)
from support.chat_server import SSE, ChatServer, Turn, make_delta, refuse, say, stream, write_events
from torus_eval.errors import CallError, CapabilityError, OutputError
from torus_eval.systems import http
from torus_eval.systems.http import open_http
from torus_eval.systems.model import HttpWay
from torus_eval.systems.retrying import Clock, Failure, keep_trying, read_retry_after

GOOD = say("B")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


# Asked again


PASSING = {
    "429": refuse(429, "slow down"),
    "408": refuse(408, "too slow"),
    "409": refuse(409, "loading"),
    "500": refuse(500, "out of memory"),
    "502 page": Turn(body=b"<html>Bad gateway</html>", status=502, kind="text/html"),
    "503 empty": Turn(status=503),
    "529": refuse(529, "overloaded"),
    "cut": Turn(body=GOOD.body, cut=5),
    "cut between chunks": Turn(pieces=(b'{"choices": [', b'{"message": '), is_cut_between=True),
    "cut stream": Turn(body=write_events(make_delta(content="A"), done=False), kind=SSE),
    "reset": Turn(is_reset=True),
    "not JSON": Turn(body=b"{{{", kind="text/plain"),
    "a page": Turn(body=b"<html>Welcome</html>", kind="text/html"),
    "nothing": Turn(body=b""),
    "no content": Turn(status=202),
    "a list": Turn(body=[1, 2]),
    "choices of another kind": Turn(body={"choices": "B"}),
    "deep": Turn(body=b'{"choices": ' + b"[" * 100_000),
    "not UTF-8": Turn(body=b"data: \xff\xfe\n\n", kind=SSE),
    "not gzip": Turn(body=b"plain", headers={"Content-Encoding": "gzip"}),
    "error of status 200": Turn(body={"error": {"code": 502, "message": "upstream"}}),
    "error of no status": Turn(body={"error": "upstream", "choices": None}),
    "error in a stream": stream(make_delta(content="A"), {"error": {"message": "engine died"}}),
}


@pytest.mark.parametrize("name", PASSING)
def test_passing_fault_is_asked_again(name):
    pretended = Pretended()
    with ChatServer(PASSING[name], PASSING[name], GOOD) as server:
        assert answer(server, clock=pretended.clock) == "B"
        assert len(server.requests) == 3
        assert server.bodies[0] == server.bodies[2]
    assert len(pretended.pauses_s) == 2


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("429", "unavailable", "HTTP 429: slow down; asked 3 times"),
        ("502 page", "unavailable", "HTTP 502: Bad gateway; asked 3 times"),
        ("503 empty", "unavailable", "HTTP 503: Service Unavailable; asked 3 times"),
        ("529", "unavailable", "HTTP 529: overloaded; asked 3 times"),
        ("cut", "lost", "the connection was lost"),
        ("cut stream", "garbled", "a stream that stops before its end; asked 3 times"),
        ("not JSON", "garbled", "a reply that is not JSON; asked 3 times"),
        ("nothing", "garbled", "a reply that is neither JSON nor a stream of events; asked 3 times"),
        ("error of status 200", "unavailable", "HTTP 502: upstream"),
        ("error in a stream", "unavailable", "HTTP 500: engine died"),
    ],
)
def test_fault_that_stays_is_told_after_the_last_try(name, code, told):
    error, asked = fail(PASSING[name], tries=3)
    assert (error.code, asked) == (code, 3)
    assert told in error.message
    assert not isinstance(error, CapabilityError)


def test_no_server_at_all_is_a_lost_connection():
    with ChatServer() as server:
        address = server.url
    pretended = Pretended()
    with pytest.raises(CallError, match="asked 2 times") as caught:
        answer(address, tries=2, clock=pretended.clock)
    assert caught.value.code == "lost"


@pytest.mark.parametrize(
    "silent",
    [Turn(is_silent=True), Turn(pieces=(b'{"choices": ', b"[]}"), stalls_after=1)],
    ids=["before the reply", "within the reply"],
)
def test_slow_server_is_asked_again_after_the_timeout(silent):
    with ChatServer(silent, GOOD) as server:
        assert answer(server, timeout_s=0.1) == "B"
        assert len(server.requests) == 2


def test_pauses_grow_are_drawn_from_the_seed_and_never_exceed_their_bound():
    def pause(seed):
        pretended = Pretended()
        fail(PASSING["500"], tries=9, seed=seed, clock=pretended.clock, deadline_s=3600)
        return pretended.pauses_s

    first = pause(1)
    assert first == pause(1)
    assert first != pause(2)
    assert all(0 <= pause_s <= min(30, 0.5 * 2**number) for number, pause_s in enumerate(first))
    assert len(first) == 8


# Retry-After and the deadline


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("header", "pause_s"),
    [
        ("7", 7.0),
        ("1.5", 1.5),
        ("0", 0.0),
        (format_datetime(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=9), usegmt=True), 9.0),
        (format_datetime(datetime(2025, 1, 1, tzinfo=UTC), usegmt=True), 0.0),
    ],
    ids=["seconds", "fraction", "zero", "date", "date gone by"],
)
def test_retry_after_is_kept(status, header, pause_s):
    pretended = Pretended()
    with ChatServer(refuse(status, "later", Retry_After=header), GOOD) as server:
        assert answer(server, clock=pretended.clock) == "B"
    assert pretended.pauses_s == [pause_s]


@pytest.mark.parametrize("header", ["", "soon", "-5", "1e9", "nan", "9" * 400, "Mon, 99 Foo 2026"])
def test_odd_retry_after_is_passed_over(header):
    assert read_retry_after(header, today=datetime(2026, 1, 1, tzinfo=UTC)) is None


def test_retry_after_past_the_deadline_fails_at_once():
    pretended = Pretended()
    error, asked = fail(refuse(429, "later", Retry_After="601"), clock=pretended.clock, deadline_s=600)
    assert (error.code, asked, pretended.pauses_s) == ("deadline", 1, [])
    assert "HTTP 429: later; the next try in 601.0 s would be past the deadline of 600 s" in error.message


def test_pauses_and_tries_share_one_deadline():
    pretended = Pretended()
    error, asked = fail(refuse(429, "later", Retry_After="4"), clock=pretended.clock, deadline_s=10, tries=20)
    assert (error.code, asked, pretended.pauses_s) == ("deadline", 3, [4.0, 4.0])


def test_reply_that_trickles_past_the_deadline_is_given_up():
    class Hasty(Pretended):
        def tick(self):
            self.time_s += 1.0
            return self.time_s

    hasty = Hasty()
    clock = Clock(sleep=hasty.sleep, now_s=hasty.tick)
    error, asked = fail(Turn(pieces=(b" ",) * 50 + (b"{}",)), clock=clock, deadline_s=5)
    assert (error.code, asked) == ("deadline", 1)
    assert error.message == "no whole reply within the deadline of 5 s"


def test_deadline_shortens_the_wait_for_a_silent_server():
    with ChatServer(Turn(is_silent=True)) as server, pytest.raises(CallError) as caught:
        answer(server, deadline_s=0.2, timeout_s=60, clock=Clock())
    assert caught.value.code == "deadline"


def test_no_try_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="tries must be 1 or more"):
        keep_trying(
            lambda _: Failure("x", "y"), tries=0, deadline_s=1, rng=np.random.default_rng(0), clock=Clock()
        )


# Never tried again


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate"),
        httpx.UnsupportedProtocol("no such protocol"),
        httpx.LocalProtocolError("illegal header"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_connection_that_can_never_be_is_not_tried_again(error):
    tries = []

    def refuse_all(request):
        tries.append(request)
        raise error

    way = HttpWay(base_url="https://some.invalid/v1", model="m")
    system = open_http(way, sampling={}, environ={}, transport=httpx.MockTransport(refuse_all))
    with pytest.raises(CallError) as caught:
        system.answer(make_clip(), ASKED, seed=1)
    system.close()
    assert (caught.value.code, len(tries)) == ("refused", 1)
    assert str(error) in caught.value.message


# Too large


def test_clip_larger_than_the_server_takes_is_not_sent():
    with ChatServer(GOOD) as server:
        with pytest.raises(CallError) as caught:
            answer(server, largest_clip_bytes=4000)
        assert server.requests == []
        assert answer(server, largest_clip_bytes=4044) == "B"
    assert caught.value.code == "too_large"
    assert caught.value.message == "the clip takes 4,044 bytes as wav; the server takes 4,000"


def test_clip_larger_than_the_server_says_it_takes_is_told_with_its_size():
    error, asked = fail(refuse(413, "at most 1 kB"))
    assert (error.code, asked) == ("too_large", 1)
    assert error.message == "HTTP 413: at most 1 kB; the clip takes 4,044 bytes as wav"


def test_endless_reply_is_given_up(monkeypatch):
    monkeypatch.setattr(http, "MOST_BYTES", 1 << 20)
    packed = gzip.compress(b" " * (3 << 20))
    with ChatServer(Turn(body=packed, headers={"Content-Encoding": "gzip"})) as server:
        with pytest.raises(OutputError) as caught:
            answer(server)
        assert len(server.requests) == 1
    assert (caught.value.code, caught.value.message) == ("too_long", "a reply of more than 1 MB")


def test_reply_may_be_compressed():
    packed = gzip.compress(b'{"choices": [{"message": {"content": "B"}}]}')
    with ChatServer(Turn(body=packed, headers={"Content-Encoding": "gzip"})) as server:
        assert answer(server) == "B"


# Faults of sound


def test_sound_after_a_cut_reply_is_whole():
    good = Turn(body={"choices": [{"message": {"audio": {"data": encode(write_sound(make_signal()))}}}]})
    cut = Turn(body=good.body, cut=1000)
    with ChatServer(cut, good) as server:
        made = open_at(server).generate("a dog", seed=1)
        assert len(server.requests) == 2
    assert len(made.clip.samples) == len(make_signal())


def test_silence_is_a_clip():
    data = encode(write_sound(np.zeros(800)))
    with ChatServer(Turn(body={"choices": [{"message": {"audio": {"data": data}}}]})) as server:
        assert not open_at(server).generate("a dog", seed=1).clip.samples.any()
