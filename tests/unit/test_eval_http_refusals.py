from __future__ import annotations

import logging
import pickle
import traceback

import pytest

from support.chat_calls import ASKED, KEY, Pretended, fail, make_clip, open_at
from support.chat_server import ChatServer, Turn, make_delta, refuse, say, stream
from torus_eval.errors import CallError, CapabilityError, OutputError
from torus_eval.systems.refusals import Secret, classify, lacks_audio, needs_stream, read_message

GOOD = say("B")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


# Refused


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 410, 415, 422, 451])
def test_other_refusals_are_not_asked_again(status):
    error, asked = fail(refuse(status, "no such model"))
    assert (error.code, asked) == ("refused", 1)
    assert error.message.startswith(f"HTTP {status}: no such model")
    assert not isinstance(error, CapabilityError)


@pytest.mark.parametrize("status", [401, 403])
def test_refused_key_is_told_by_its_variable(status):
    error, _ = fail(refuse(status, "bad key"), key_env="THE_KEY", environ={"THE_KEY": KEY})
    assert error.message.endswith("; the key is that of the variable THE_KEY")
    bare, _ = fail(refuse(status, "bad key"))
    assert bare.message.endswith("; no key is sent without key_env")


def test_long_message_of_a_server_is_cut_and_made_printable():
    error, _ = fail(refuse(400, "\x1b[31m" + "long " * 1000))
    assert error.message.isprintable()
    assert len(error.message) < 330


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"error": {"message": "m"}}, "m"),
        ({"error": "m"}, "m"),
        ({"message": "m"}, "m"),
        ({"detail": "m"}, "m"),
        ({"detail": [{"loc": ["body", 0], "msg": "m"}, {"msg": "n"}]}, "body.0: m; n"),
        ({"object": "error", "message": "m", "code": 40}, "m"),
        ([{"error": {"message": "m"}}], "m"),
        ("plain\n text", "plain text"),
        ("<html><style>p {}</style><p>m</p></html>", "m"),
        ({"other": 1}, ""),
        (None, ""),
    ],
)
def test_message_is_found_in_every_shape(data, expected):
    assert read_message(data) == expected


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirect_is_not_followed_and_the_key_goes_nowhere_else(status):
    with ChatServer(GOOD) as other:
        moved = Turn(status=status, headers={"Location": f"{other.url}/chat/completions"})
        error, asked = fail(moved, key_env="THE_KEY", environ={"THE_KEY": KEY})
        assert other.requests == []
    assert (error.code, asked) == ("refused", 1)
    assert "another address, which is not followed" in error.message


# No audio


NO_AUDIO = [
    (500, "audio input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
    (400, "At most 0 audio(s) may be provided in one prompt."),
    (400, "This model does not support audio input."),
    (400, "this model doesn't support audio"),
    (400, "unsupported content[].type"),
    (404, "No endpoints found that support input audio"),
    (400, "Invalid content type. image_url is only supported by certain models."),
    (422, "Input tag 'input_audio' found using 'type' does not match any of the expected tags: 'text'"),
    (400, "'content' objects must have a 'type' field that is either 'text' or 'image_url'."),
    (400, "some-model is not a multimodal model"),
    (415, "modality audio is not supported"),
    (400, "Audio output is not supported for this model"),
    (400, "Invalid value: 'input_audio'. Supported values are: 'text', 'image_url'."),
    (400, "audio_url is not supported"),
]


@pytest.mark.parametrize(("status", "message"), NO_AUDIO)
def test_model_without_audio_is_told_from_a_passing_fault(status, message):
    error, asked = fail(refuse(status, message))
    assert isinstance(error, CapabilityError)
    assert asked == 1
    assert message[:50] in error.message


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported audio format 'mp3'",
        "audio longer than 30 seconds is not supported",
        "The audio file may be corrupted or unsupported",
        "voice 'alloy' is not supported for audio output",
        "the sample rate of the audio is not supported",
        "audio.format 'wav' is not supported when stream=true",
        "model 'audio-x' does not exist",
        "At most 1 audio(s) may be provided",
        "temperature is not supported",
    ],
)
def test_dislike_of_this_audio_is_a_refusal_only(message):
    assert not lacks_audio(message)


@pytest.mark.parametrize("message", ["unable to process audio now", "unknown error in the audio encoder"])
def test_server_that_fails_on_audio_now_and_then_is_asked_again(message):
    assert classify(500, message).code == "unavailable"
    assert classify(503, "audio input is not supported").code == "unavailable"


# Streams only


STREAM_ONLY = [
    "This model only support stream mode, please enable the stream parameter to access the model.",
    "stream must be set to true",
    "Non-streaming requests are not supported",
    "Streaming is required for audio output",
    "audio output requires stream: true",
    "stream=false is not supported",
]


def stream_only(message):
    def turn(request):
        whole = stream(make_delta(content="B", finish="stop"))
        return whole if request.body["stream"] is True else refuse(400, message)

    return turn


@pytest.mark.parametrize("message", STREAM_ONLY)
def test_server_that_only_streams_is_asked_for_a_stream_at_once_and_from_then_on(message):
    pretended = Pretended()
    with ChatServer(stream_only(message)) as server:
        system = open_at(server, clock=pretended.clock, tries=1)
        assert system.answer(make_clip(), ASKED, seed=1) == "B"
        assert system.answer(make_clip(), ASKED, seed=2) == "B"
        assert [body["stream"] for body in server.bodies] == [False, True, True]
    assert pretended.pauses_s == []


def test_server_that_takes_neither_refuses():
    error, asked = fail(refuse(400, STREAM_ONLY[0]))
    assert (error.code, asked) == ("refused", 2)


def test_server_that_fails_within_a_stream_is_asked_again():
    failing = refuse(500, "the engine must restart the stream")
    with ChatServer(failing, failing, GOOD) as server:
        assert open_at(server, stream=True).ask("Hello", seed=1) == "B"
        assert [body["stream"] for body in server.bodies] == [True, True, True]


def test_server_without_streams_is_not_taken_for_one_that_only_streams():
    assert not needs_stream("streaming is not supported by this model")
    assert not needs_stream("no such model")


# The key


def echo(status):
    return lambda request: refuse(
        status, f"your {request.headers['authorization']} or {KEY.replace('/', '%2F')} is wrong", X_Echo=KEY
    )


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 302])
def test_key_reaches_no_message_no_log_and_no_traceback(status, caplog):
    caplog.set_level(logging.DEBUG)
    with ChatServer(echo(status)) as server:
        system = open_at(server, key_env="THE_KEY", environ={"THE_KEY": KEY}, tries=2)
        with pytest.raises(CallError) as caught:
            system.answer(make_clip(), ASKED, seed=1)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        told = "".join(traceback.format_exception(caught.value)) + caplog.text + repr(system)
    assert KEY not in told
    assert KEY.replace("/", "%2F") not in told
    assert "Bearer" not in caplog.text
    assert KEY.encode() not in pickle.dumps(caught.value)
    assert KEY not in repr(vars_of(caught.value))


def vars_of(error):
    """List what hangs on an error and on those it came from."""
    found = []
    while error is not None:
        found += [*error.args, *vars(error).values()]
        error = error.__cause__ or error.__context__
    return found


@pytest.mark.parametrize("fault", [Turn(is_reset=True), Turn(body=b"{"), Turn(is_silent=True)])
def test_lost_connection_holds_no_request_and_so_no_key(fault):
    error, _ = fail(fault, tries=1, timeout_s=0.1, key_env="THE_KEY", environ={"THE_KEY": KEY})
    assert error.__cause__ is None
    assert error.__context__ is None


def test_key_that_a_model_repeats_reaches_no_record():
    with ChatServer(say(f"the key is {KEY}")) as server:
        system = open_at(server, key_env="THE_KEY", environ={"THE_KEY": KEY})
        assert system.answer(make_clip(), ASKED, seed=1) == "the key is [key]"
        with pytest.raises(OutputError, match=r"it says 'the key is \[key\]'"):
            system.generate("a dog", seed=1)


def test_key_is_hidden_whole_even_where_a_message_is_cut():
    error, _ = fail(refuse(400, "x" * 295 + KEY), key_env="THE_KEY", environ={"THE_KEY": KEY})
    assert KEY[:4] not in error.message


def test_stand_in_for_a_key_garbles_no_answer():
    assert Secret("EMPTY").hide("EMPTY and A") == "EMPTY and A"
    assert Secret("").hide("text") == "text"
    assert "sk-" not in repr(Secret(KEY))


def test_key_is_read_when_the_system_is_opened_and_not_again():
    environ = {"THE_KEY": KEY}
    with ChatServer(GOOD) as server:
        system = open_at(server, key_env="THE_KEY", environ=environ)
        environ["THE_KEY"] = "another-key"
        system.answer(make_clip(), ASKED, seed=1)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
