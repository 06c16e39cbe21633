"""Whatever a chat server sends, reading it gives a reply or one of the faults that are told."""

from __future__ import annotations

import base64
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.chat_calls import RATE_HZ, make_signal, write_pcm, write_sound
from support.chat_server import make_delta, write_events
from torus_eval.errors import OutputError
from torus_eval.systems.received import decode_base64, make_clip, repair_wav
from torus_eval.systems.refusals import classify, read_message
from torus_eval.systems.replies import ErrorReplyError, GarbledError, read_reply

NAMES = st.sampled_from(
    [
        "choices",
        "message",
        "content",
        "audio",
        "data",
        "url",
        "type",
        "text",
        "error",
        "code",
        "detail",
        "msg",
    ]
)
WORDS = st.sampled_from(["text", "audio", "data:audio/wav;base64,AAAA", "UklGRg==", "http://x/y", "500", "ä"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 600) | st.floats() | WORDS | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)
TYPES = st.sampled_from(["text", "output_text", "refusal", "audio", "input_audio", "audio_url"])
PARTS = st.fixed_dictionaries(
    {"type": TYPES | VALUES},
    optional=dict.fromkeys(("text", "audio", "audio_url", "data", "refusal"), VALUES),
)
SOUNDS = st.fixed_dictionaries({}, optional={"data": VALUES, "url": VALUES, "transcript": VALUES})
MESSAGES = st.fixed_dictionaries(
    {"content": st.lists(PARTS, max_size=3) | VALUES}, optional={"audio": SOUNDS, "refusal": VALUES}
)
CHOICES = st.fixed_dictionaries({"message": MESSAGES}, optional={"index": VALUES, "finish_reason": VALUES})
CHUNKS = st.fixed_dictionaries({"delta": MESSAGES | VALUES}, optional={"index": VALUES})
REPLIES = st.fixed_dictionaries({"choices": st.lists(CHOICES, min_size=1, max_size=3)})
STREAMS = st.lists(
    st.fixed_dictionaries({"choices": st.lists(CHUNKS, max_size=2)}, optional={"modality": VALUES}),
    max_size=3,
)
WILD = st.fixed_dictionaries({"choices": st.lists(VALUES, max_size=3) | VALUES}, optional={"error": VALUES})
often = settings(deadline=None, max_examples=120)


def read_all(data):
    """Read a body as a call would, up to its clip."""
    try:
        reply = read_reply(data)
    except (GarbledError, ErrorReplyError):
        return
    reply.text.encode()
    try:
        made = make_clip(reply, said=reply.text, form="pcm16", pcm_rate_hz=RATE_HZ)
    except OutputError:
        return
    assert np.isfinite(made.clip.samples).all()


@often
@given(REPLIES | WILD)
def test_any_reply_is_read_or_told(reply):
    read_all(json.dumps(reply).encode())


@often
@given(STREAMS | st.lists(WILD | VALUES, max_size=3), st.booleans())
def test_any_stream_is_read_or_told(chunks, done):
    read_all(write_events(*chunks, done=done))


@given(st.binary(max_size=60), st.sampled_from([b"", b"{", b"data: ", b'data: {"choices": ']))
def test_any_bytes_are_read_or_told(data, start):
    read_all(start + data)


@given(VALUES, st.integers(300, 599))
def test_any_refusal_is_told_in_one_readable_line(data, status):
    failure = classify(status, read_message(data))
    assert failure.message.isprintable()
    assert failure.message.startswith(f"HTTP {status}: ")


@given(st.binary(max_size=40), st.lists(st.integers(0, 60), max_size=4))
def test_base64_cut_anywhere_gives_the_bytes(data, places):
    text = base64.b64encode(data).decode()
    cuts = [0, *sorted(min(place, len(text)) for place in places), len(text)]
    pieces = [text[start:stop] for start, stop in pairwise(cuts)]
    assert decode_base64(pieces) == data


@given(st.lists(st.binary(max_size=7), max_size=5))
def test_base64_of_pieces_gives_the_bytes(pieces):
    assert decode_base64([base64.b64encode(piece).decode() for piece in pieces]) == b"".join(pieces)


@given(st.binary(max_size=40))
def test_any_wav_can_be_repaired_and_repairing_twice_changes_nothing(data):
    once = repair_wav(b"RIFF\xff\xff\xff\xffWAVE" + data)
    assert repair_wav(once) == once


@given(st.data())
def test_stream_means_the_same_however_it_is_cut_into_deltas(data):
    raw = write_pcm(make_signal(0.05))
    size = data.draw(st.integers(1, len(raw)))
    pieces = [raw[at : at + size] for at in range(0, len(raw), size)]
    deltas = [make_delta(audio={"data": base64.b64encode(piece).decode()}) for piece in pieces]
    made = make_clip(read_reply(write_events(*deltas)), said="", form="pcm16", pcm_rate_hz=RATE_HZ)
    assert made.clip.samples[:, 0] == pytest.approx(np.frombuffer(raw, "<i2") / 32768)


@given(st.integers(0, 400))
def test_wav_cut_short_keeps_what_came(kept):
    whole = write_sound(make_signal(0.025))
    reply = read_reply(
        json.dumps(
            {"choices": [{"message": {"audio": {"data": base64.b64encode(whole[: 46 + kept]).decode()}}}]}
        ).encode()
    )
    made = make_clip(reply, said="", form="wav", pcm_rate_hz=RATE_HZ)
    assert len(made.clip.samples) == min(1 + kept // 2, 200)
