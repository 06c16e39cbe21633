"""The way in for a chat server that speaks the OpenAI protocol."""

from __future__ import annotations

import json
import logging
import os
import threading
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from torus_eval.answering.questions import format_question
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.seeds import seed_generator
from torus_eval.systems.chat import CAPTION_REQUEST, build_body, check_fields, encode_attached
from torus_eval.systems.received import make_clip
from torus_eval.systems.refusals import Secret, classify, cut, read_message
from torus_eval.systems.replies import ErrorReplyError, GarbledError, read_reply
from torus_eval.systems.retrying import Clock, Failure, keep_trying, read_retry_after
from torus_site.errors import Problem

if TYPE_CHECKING:
    import ssl
    from collections.abc import Mapping

    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip
    from torus_eval.systems.base import Capability, Made
    from torus_eval.systems.model import HttpWay
    from torus_eval.systems.replies import Reply

MOST_BYTES = 64 << 20
_MOST_ERROR_BYTES = 1 << 16


@dataclass(slots=True, eq=False)
class HttpSystem:
    """A model behind a chat server.

    It may be called from several threads at once. A call can outlast the deadline by one read at most, so by
    no more than ``timeout_s``.

    Args:
        way: The server.
        sampling: How the model draws, as it stands in the body.
        secret: The key.
        clock: The time.
        transport: In place of the network.
    """

    way: HttpWay
    sampling: dict[str, Any]
    secret: Secret = field(repr=False)
    clock: Clock = field(default=Clock(), repr=False)
    transport: httpx.BaseTransport | None = field(default=None, repr=False)
    _streams: bool = field(default=False, init=False, repr=False)
    _client: httpx.Client | None = field(default=None, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        self._streams = self.way.stream

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What the system file says that the model can do."""
        return frozenset(self.way.can)

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Make a clip from nothing but the prompt."""
        return self._make("generate", prompt, None, seed)

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change a clip as an instruction says."""
        return self._make("edit", instruction, clip, seed)

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Say in words what a clip holds."""
        self._need("caption")
        text = self.ask(CAPTION_REQUEST, clip, seed=seed)
        if not text.strip():
            raise OutputError("no_text", "a reply without text")
        return text

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the raw response, which may be empty."""
        self._need("answer")
        return self.ask(format_question(asked), clip, seed=seed)

    def ask(self, text: str, clip: Clip | None = None, *, seed: int) -> str:
        """Send a text, with a clip or without, and return the text that comes back.

        Raises:
            OutputError: ``no_choice`` or ``too_long``.
            CallError: The server could not be asked or refused.
            CapabilityError: The model takes no audio.
        """
        return self.secret.hide(self._call(text, clip, seed, wants_sound=False).text)

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _make(self, name: Capability, text: str, clip: Clip | None, seed: int) -> Made:
        self._need(name)
        reply = self._call(text, clip, seed, wants_sound=True)
        said = self.secret.hide(reply.text)
        return make_clip(reply, said=said, form=self.way.audio_out, pcm_rate_hz=self.way.pcm_rate_hz)

    def _need(self, name: Capability) -> None:
        if name not in self.way.can:
            message = f"{self.way.model} cannot {name}: its system file does not name it in can"
            raise CapabilityError(message)

    def _call(self, text: str, clip: Clip | None, seed: int, *, wants_sound: bool) -> Reply:
        way = self.way
        attached = None if clip is None else encode_attached(clip, way.audio_format)
        size = "" if attached is None else f"the clip takes {len(attached):,} bytes as {way.audio_format}"
        if attached is not None and way.largest_clip_bytes and len(attached) > way.largest_clip_bytes:
            message = f"{size}; the server takes {way.largest_clip_bytes:,}"
            raise CallError("too_large", message)
        body = build_body(
            way, self.sampling, text=text, attached=attached, wants_sound=wants_sound, seed=seed
        )

        def attempt(left_s: float) -> Reply | Failure:
            streams, start_s = self._streams, self.clock.now_s()
            result = self._post({**body, "stream": streams}, left_s, size)
            if isinstance(result, Failure) and result.wants_stream and not streams:
                self._streams = True
                left_s -= self.clock.now_s() - start_s
                return self._post({**body, "stream": True}, left_s, size)
            return result

        reply = keep_trying(
            attempt,
            tries=way.tries,
            deadline_s=way.deadline_s,
            rng=seed_generator(seed, "pauses between tries"),
            clock=self.clock,
        )
        if not reply.choices:
            raise OutputError("no_choice", "a reply without a choice")
        return reply

    def _post(self, body: dict[str, Any], left_s: float, size: str) -> Reply | Failure:
        client, end_s = self._open(), self.clock.now_s() + left_s
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.secret.value:
            headers["Authorization"] = f"Bearer {self.secret.value}"
        # A failure is told as a value: an exception of httpx holds the request, and so the key.
        try:
            with client.stream(
                "POST",
                f"{self.way.base_url.rstrip('/')}/chat/completions",
                content=json.dumps(body).encode(),
                headers=headers,
                timeout=min(self.way.timeout_s, max(left_s, 0.001)),
            ) as response:
                is_good = response.is_success
                data = self._read(response, MOST_BYTES if is_good else _MOST_ERROR_BYTES, end_s)
                status, answered = response.status_code, response.headers.copy()
        except httpx.HTTPError as error:
            return self._tell_lost(error)
        if data is None:
            message = f"no whole reply within the deadline of {self.way.deadline_s:g} s"
            return Failure("deadline", message)
        if is_good:
            if len(data) > MOST_BYTES:
                raise OutputError("too_long", f"a reply of more than {MOST_BYTES >> 20} MB")
            try:
                return read_reply(data)
            except GarbledError as error:
                return Failure("garbled", str(error), is_passing=True)
            except ErrorReplyError as error:
                return self._classify(error.status, error.data, answered, size)
        return self._classify(status, _parse(data), answered, size)

    def _classify(self, status: int, data: object, headers: httpx.Headers, size: str) -> Failure:
        wait_s = read_retry_after(headers.get("retry-after"), today=self.clock.today())
        message = self.secret.hide(read_message(data))
        return classify(status, message, wait_s=wait_s, key_env=self.way.key_env, clip=size)

    def _read(self, response: httpx.Response, most: int, end_s: float) -> bytes | None:
        pieces, held = [], 0
        for piece in response.iter_bytes():
            pieces.append(piece)
            held += len(piece)
            if held > most:
                break
            if self.clock.now_s() > end_s:
                return None
        return b"".join(pieces)

    def _tell_lost(self, error: httpx.HTTPError) -> Failure:
        told = cut(self.secret.hide(f"{type(error).__name__}: {error}"))
        if isinstance(error, httpx.TimeoutException):
            return Failure("timeout", f"no reply within {self.way.timeout_s:g} s ({told})", is_passing=True)
        lasting = isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError)
        if lasting or "CERTIFICATE_VERIFY_FAILED" in told:
            return Failure("refused", told)
        return Failure("lost", f"the connection was lost ({told})", is_passing=True)

    def _open(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = _make_client(self.way, self.transport)
            return self._client


def open_http(
    way: HttpWay,
    *,
    sampling: dict[str, Any],
    environ: Mapping[str, str] = os.environ,
    clock: Clock | None = None,
    transport: httpx.BaseTransport | None = None,
) -> HttpSystem:
    """Make a chat server ready to be called; it is not yet spoken to.

    Proxies and certificates are those that httpx finds in the environment. Its loggers are kept to warnings,
    since what they tell of headers could hold a key that a server sends back.

    Args:
        way: The server.
        sampling: What goes into the body of each request, such as ``temperature`` and ``max_tokens``.
        environ: Where the key is read from, now and never again.
        clock: The time, for tests.
        transport: In place of the network, for tests.

    Raises:
        EvaluationError: The address holds a password or cannot be read, the key's variable is not set, or a
            field is set that each request has of its own: everything at once.
    """
    problems = check_fields(way, sampling, file=way.model)
    problems += _check_address(way)
    key = environ.get(way.key_env, "").strip() if way.key_env else ""
    if way.key_env and not key:
        expected = "the server's key in it"
        problems.append(
            Problem(way.model, "/http/key_env", f"the variable {way.key_env} is not set", expected)
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        found = f"the variable {way.key_env} holds signs that no header can carry"
        problems.append(Problem(way.model, "/http/key_env", found, "the key and nothing else"))
    if problems:
        raise EvaluationError(problems)
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    return HttpSystem(way, sampling, Secret(key), clock or Clock(), transport)


@cache
def _load_certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()


def _make_client(way: HttpWay, transport: httpx.BaseTransport | None) -> httpx.Client:
    try:
        return httpx.Client(transport=transport, verify=_load_certificates(), follow_redirects=False)
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        kind = type(error).__name__
    # What is wrong may be an address with a password, so that only its kind is told.
    found = f"a proxy or certificate that cannot be used ({kind})"
    expected = "variables such as HTTPS_PROXY and SSL_CERT_FILE that httpx can use"
    raise EvaluationError(Problem(way.model, "the environment", found, expected))


def _check_address(way: HttpWay) -> list[Problem]:
    place, expected = "/http/base_url", "an address such as http://127.0.0.1:8000/v1"
    try:
        address = httpx.URL(way.base_url)
        # Only this one looks at brackets and the range of the port, only the next at the length of labels.
        _ = urlsplit(way.base_url).port
        address.host.encode("idna")
    except (ValueError, httpx.InvalidURL) as error:
        return [Problem(way.model, place, f"an address that cannot be read: {error}", expected)]
    if address.userinfo:
        return [
            Problem(way.model, place, "an address with a password", expected, "name a variable in key_env")
        ]
    return [] if address.host else [Problem(way.model, place, "an address without a host", expected)]


def _parse(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data.decode(errors="replace")
