"""Calls to a chat server: systems made ready, a clock that only pretends, sounds as servers send them."""

from __future__ import annotations

import base64
import io
from datetime import UTC, datetime

import numpy as np
import pytest
import soundfile

from support.chat_server import ChatServer
from torus_eval.answering.questions import Asked
from torus_eval.clips import Clip
from torus_eval.errors import CallError
from torus_eval.systems.http import open_http
from torus_eval.systems.model import HttpWay
from torus_eval.systems.retrying import Clock

ASKED = Asked("What barks?", {"A": "A dog", "B": "A tree"})
EVERYTHING = ("generate", "edit", "caption", "answer")
RATE_HZ = 8000
KEY = "sk-verysecret/0123456789"


class Pretended:
    """A clock whose pauses take no time; it keeps them."""

    def __init__(self, today=datetime(2026, 1, 1, tzinfo=UTC)):
        self.time_s, self.pauses_s, self.today = 0.0, [], today

    def sleep(self, pause_s):
        self.pauses_s.append(pause_s)
        self.time_s += pause_s

    @property
    def clock(self):
        return Clock(sleep=self.sleep, now_s=lambda: self.time_s, today=lambda: self.today)


def open_at(server, *, clock=None, sampling=None, environ=None, **options):
    """Open a system that speaks to a server; without a clock its pauses take no time."""
    given = {"base_url": getattr(server, "url", server), "model": "some-model", "can": EVERYTHING}
    way = HttpWay(**(given | options))
    system = open_http(way, sampling=sampling or {}, environ=environ or {}, clock=clock or Pretended().clock)
    getattr(server, "guests", []).append(system)
    return system


def make_signal(duration_s=0.25, frequency_hz=440.0):
    """A sine of half the full scale."""
    return 0.5 * np.sin(2 * np.pi * frequency_hz * np.arange(int(duration_s * RATE_HZ)) / RATE_HZ)


def make_clip(duration_s=0.25):
    """A sine as a clip."""
    return Clip.from_mono(make_signal(duration_s), RATE_HZ)


def write_sound(signal, container="WAV", subtype="PCM_16", rate_hz=RATE_HZ):
    """Write samples as a file."""
    file = io.BytesIO()
    soundfile.write(file, signal, rate_hz, format=container, subtype=subtype)
    return file.getvalue()


def write_pcm(signal):
    """Write samples as raw numbers of 16 bits."""
    return np.round(signal * 32767).astype("<i2").tobytes()


def encode(data):
    """Write bytes as base64."""
    return base64.b64encode(data).decode("ascii")


def give_sound(data):
    """Write a reply whose message holds a sound."""
    return {"choices": [{"index": 0, "message": {"content": None, "audio": {"data": encode(data)}}}]}


def call(system, name, *, seed=7):
    """Make one call of a kind."""
    calls = {
        "answer": lambda: system.answer(make_clip(), ASKED, seed=seed),
        "caption": lambda: system.caption(make_clip(), seed=seed),
        "generate": lambda: system.generate("a dog barks twice", seed=seed),
        "edit": lambda: system.edit(make_clip(), "make it louder", seed=seed),
    }
    return calls[name]()


def ask_once(name, reply, **options):
    """Make one call and return its result and the body asked."""
    with ChatServer(reply) as server:
        return call(open_at(server, **options), name), server.bodies[0]


def answer(server, *, seed=7, **options):
    """Ask one question."""
    return open_at(server, **options).answer(make_clip(), ASKED, seed=seed)


def fail(*script, **options):
    """Make a call that fails; return the error and how often the server was asked."""
    with ChatServer(*script) as server:
        with pytest.raises(CallError) as caught:
            answer(server, **options)
        return caught.value, len(server.requests)
