from __future__ import annotations

import base64
import struct

import numpy as np
import pytest

from support.chat_calls import RATE_HZ, ask_once, encode, give_sound, make_signal, write_pcm, write_sound
from support.chat_server import Turn, make_delta, say, stream
from torus_eval.errors import OutputError
from torus_eval.systems.received import decode_base64, repair_wav


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def hear(made):
    return made.clip.samples[:, 0], made.clip.rate_hz


def assert_is_signal(made):
    samples, rate_hz = hear(made)
    assert rate_hz == RATE_HZ
    assert np.allclose(samples, make_signal(), atol=1e-4)


# Words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": "B"}, "B"),
        ({"content": [{"type": "text", "text": "B"}, {"type": "output_text", "text": "!"}]}, "B!"),
        ({"content": ["B", "!"]}, "B!"),
        ({"content": [{"type": "refusal", "refusal": "I cannot"}]}, "I cannot"),
        ({"content": "B", "reasoning_content": "A or B", "reasoning": "A"}, "B"),
        ({"content": [{"type": "thinking", "text": "A"}, {"type": "text", "text": "B"}]}, "B"),
        ({"content": None, "refusal": "I cannot"}, "I cannot"),
        ({"content": None, "audio": {"data": "AAAA", "transcript": "B"}}, "B"),
        ({"content": ""}, ""),
        ({"content": None}, ""),
        ({"content": "a \ud83d\ude00 b \ud83d c"}, "a 😀 b \ufffd c"),
    ],
    ids=[
        "text",
        "parts",
        "strings",
        "refused",
        "reasoning",
        "thinking",
        "refusal",
        "said",
        "empty",
        "none",
        "surrogates",
    ],
)
def test_text_is_read_from_a_message(message, expected):
    reply = Turn(body={"choices": [{"message": message}]})
    assert ask_once("answer", reply)[0] == expected


def test_first_choice_with_text_by_index_is_the_answer():
    choices = [
        {"index": 2, "message": {"content": "C"}},
        {"index": 1, "message": {"content": "B"}},
        {"index": 0, "message": {"content": None}},
    ]
    assert ask_once("answer", Turn(body={"choices": choices}))[0] == "B"


def test_choice_in_the_shape_of_plain_completions_is_read():
    assert ask_once("answer", Turn(body={"choices": [7, {"text": "B"}]}))[0] == "B"


def test_megabyte_of_text_comes_back_whole():
    assert len(ask_once("answer", say("word " * 200_000))[0]) == 1_000_000


# Sounds


PLACES = {
    "message": lambda data: {"audio": {"data": encode(data)}},
    "audio part": lambda data: {"content": [{"type": "audio", "audio": {"data": encode(data)}}]},
    "output_audio part": lambda data: {"content": [{"type": "output_audio", "data": encode(data)}]},
    "data address": lambda data: {
        "content": [{"type": "audio_url", "audio_url": {"url": f"data:audio/wav;base64,{encode(data)}"}}]
    },
    "bare address": lambda data: {
        "content": [{"type": "audio_url", "audio_url": f"data:audio/wav;base64,{encode(data)}"}]
    },
    "bare text": lambda data: {"audio": encode(data)},
    "lines": lambda data: {"audio": {"data": base64.encodebytes(data).decode()}},
    "address signs": lambda data: {"audio": {"data": base64.urlsafe_b64encode(data).decode().rstrip("=")}},
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["second", "first"])
def test_sound_is_found_wherever_it_stands(place, order):
    messages = [{"content": "here it is"}, PLACES[place](write_sound(make_signal()))]
    choices = [{"index": index, "message": messages[index]} for index in order]
    assert_is_signal(ask_once("generate", Turn(body={"choices": choices}))[0])


@pytest.mark.parametrize(
    ("container", "subtype", "form"),
    [
        ("WAV", "PCM_16", "wav"),
        ("WAV", "FLOAT", "wav"),
        ("FLAC", "PCM_16", "flac"),
        ("MP3", "MPEG_LAYER_III", "mp3"),
        ("OGG", "OPUS", "opus"),
        ("WAV", "PCM_16", "pcm16"),
        ("FLAC", "PCM_16", "wav"),
    ],
)
def test_every_format_is_decoded_and_a_marked_file_is_believed_over_what_was_asked(container, subtype, form):
    data = write_sound(make_signal(), container, subtype)
    made, _ = ask_once("generate", Turn(body=give_sound(data)), audio_out=form)
    samples, rate_hz = hear(made)
    frames = min(len(samples), 1800)
    assert rate_hz in {RATE_HZ, 48_000}
    assert made.clip.duration_s == pytest.approx(0.25, abs=0.2)
    assert frames > 1000
    assert 0.3 < np.abs(samples).max() < 0.7


def test_raw_samples_become_a_clip_at_the_rate_of_the_system_file():
    reply = Turn(body=give_sound(write_pcm(make_signal()) + b"\0"))
    made, _ = ask_once("generate", reply, audio_out="pcm16", pcm_rate_hz=RATE_HZ)
    assert_is_signal(made)
    assert made.note == ""


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFFFFF])
@pytest.mark.parametrize("extra", [b"", b"LIST\x04\0\0\0INFO"], ids=["plain", "with a list"])
def test_wav_of_unknown_length_is_read_to_its_end(size, extra):
    whole = write_sound(make_signal())
    at = whole.index(b"data")
    open_ended = b"RIFF" + struct.pack("<I", size) + whole[8:at] + extra + b"data" + struct.pack("<I", size)
    reply = Turn(body=give_sound(open_ended + whole[at + 8 :]))
    assert_is_signal(ask_once("generate", reply)[0])


def test_right_wav_is_left_as_it_is_without_what_follows():
    whole = write_sound(make_signal())
    assert repair_wav(whole) == whole
    assert repair_wav(whole + b"LIST\x04\0\0\0INFO") == whole
    assert repair_wav(b"RIFF\0\0\0\0WAVE") == b"RIFF\0\0\0\0WAVE"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"content": "I can only speak"}, "no_audio"),
        ({"content": None}, "no_audio"),
        (
            {"content": [{"type": "audio_url", "audio_url": {"url": "http://127.0.0.1:9/x.wav"}}]},
            "not_fetched",
        ),
        ({"audio": {"url": "https://example.org/x.wav"}}, "not_fetched"),
        ({"audio": {"data": "!!!not base64!!!"}}, "not_base64"),
        ({"audio": {"data": "AAAAA"}}, "not_base64"),
        ({"audio": {"data": encode(b"hello, this is no sound")}}, "not_sound"),
        ({"audio": {"data": encode(write_sound(np.zeros(0)))}}, "no_samples"),
        ({"audio": {"data": encode(write_sound(np.full(9, np.nan), subtype="FLOAT"))}}, "not_finite"),
        ({"audio": {"data": encode(write_sound(np.zeros((9, 3))))}}, "bad_shape"),
        ({"audio": {"data": encode(write_sound(np.zeros(9), rate_hz=1000))}}, "bad_rate"),
        ({"audio": {"data": encode(write_sound(np.zeros(601 * RATE_HZ), "FLAC"))}}, "too_long"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_reply_without_a_usable_sound_is_a_failure_of_the_model(message, code):
    with pytest.raises(OutputError) as caught:
        ask_once("generate", Turn(body={"choices": [{"message": message}]}))
    assert caught.value.code == code


def test_what_a_model_says_in_place_of_a_sound_is_told():
    with pytest.raises(OutputError, match="it says 'I can only speak'"):
        ask_once("generate", say("I can only speak"))


@pytest.mark.parametrize(("name", "code"), [("caption", "no_text"), ("answer", "no_choice")])
def test_reply_without_words_or_choices_is_a_failure_of_the_model(name, code):
    reply = say(" \n") if name == "caption" else Turn(body={"choices": []})
    with pytest.raises(OutputError) as caught:
        ask_once(name, reply)
    assert caught.value.code == code


# Streams


def cut_up(data, size):
    return tuple(data[start : start + size] for start in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_stream_may_be_cut_inside_a_sign_or_a_line(size, line_end):
    whole = stream(
        make_delta(content="ä€"), make_delta(content="😀"), make_delta(finish="stop"), line_end=line_end
    )
    turn = type(whole)(pieces=cut_up(whole.body, size), kind=whole.kind)
    assert ask_once("answer", turn, stream=True)[0] == "ä€😀"


def test_stream_with_comments_names_and_lines_joined_is_read():
    event = b'event: message\nid: 1\ndata: {"choices": [{"delta":\ndata: {"content": "B"}}]}\n\n'
    body = b"\xef\xbb\xbf: ping\n\n" + event + b": x\ndata:[DONE]"
    assert ask_once("answer", Turn(body=body, kind="text/event-stream"), stream=True)[0] == "B"


def test_streamed_choices_are_told_apart_and_taken_by_index():
    turn = stream(
        make_delta(1, content="one"),
        make_delta(0, content="ze", reasoning_content="hm"),
        make_delta(1, content="!"),
        make_delta(0, content="ro", finish="stop"),
        {"choices": [], "usage": {"total_tokens": 9}},
    )
    assert ask_once("answer", turn, stream=True)[0] == "zero"


def test_server_may_answer_a_stream_with_a_whole_reply_and_the_other_way_round():
    assert ask_once("answer", say("B"), stream=True)[0] == "B"
    assert ask_once("answer", stream(make_delta(content="B", finish="stop")))[0] == "B"


def split_sound(data, size):
    return [make_delta(audio={"data": encode(piece)}) for piece in cut_up(data, size)]


@pytest.mark.parametrize("size", [300, 301, 302, 100_000])
def test_raw_samples_streamed_in_pieces_become_a_clip(size):
    turn = stream(make_delta(content="here"), *split_sound(write_pcm(make_signal()), size))
    made, body = ask_once("edit", turn, stream=True, audio_out="pcm16", pcm_rate_hz=RATE_HZ)
    assert_is_signal(made)
    assert body["stream"] is True


def test_wav_streamed_in_pieces_of_one_base64_text_becomes_a_clip():
    text = encode(write_sound(make_signal()))
    turn = stream(*(make_delta(audio={"data": text[at : at + 101]}) for at in range(0, len(text), 101)))
    assert_is_signal(ask_once("generate", turn, stream=True)[0])


def test_stream_of_wav_files_is_joined():
    halves = np.split(make_signal(), 2)
    turn = stream(*(make_delta(audio={"data": encode(write_sound(half))}) for half in halves))
    assert_is_signal(ask_once("generate", turn, stream=True)[0])


def test_stream_of_wav_files_that_differ_in_rate_is_refused():
    sounds = [write_sound(make_signal(), rate_hz=rate_hz) for rate_hz in (8000, 16_000)]
    with pytest.raises(OutputError, match="differ in rate"):
        ask_once(
            "generate", stream(*(make_delta(audio={"data": encode(data)}) for data in sounds)), stream=True
        )


def test_sound_streamed_as_content_marked_as_audio_is_found():
    chunk = {"modality": "audio", **make_delta(content=encode(write_sound(make_signal())))}
    turn = stream({"modality": "text", **make_delta(content="words")}, chunk)
    assert_is_signal(ask_once("generate", turn, stream=True)[0])


def test_stream_that_asked_for_wav_but_has_no_header_is_read_as_raw_and_says_so():
    turn = stream(*split_sound(write_pcm(make_signal()), 300))
    made, _ = ask_once("generate", turn, stream=True, pcm_rate_hz=RATE_HZ)
    assert_is_signal(made)
    assert made.note == "the audio came without a header and was read as mono of 8000 Hz"


def test_padding_inside_base64_ends_one_piece():
    assert decode_base64(["YQ==", "YmM=", "ZGVm"]) == b"abcdef"
    assert decode_base64([]) == b""
