"""A chat server on the loopback address that answers from a script, faults and all."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

SSE = "text/event-stream"


@dataclass(frozen=True)
class Turn:
    """What the server does with one request.

    Args:
        body: What is sent; a dict or list as JSON.
        status: The HTTP status.
        headers: Further headers.
        kind: The content type.
        cut: How many bytes of the body are kept back after its whole length was promised.
        pieces: Sent one by one as chunks, in place of ``body``.
        is_cut_between: The connection ends after the pieces, without the last chunk.
        is_reset: The connection is reset before anything is sent.
        is_silent: Nothing is sent until the server closes.
        stalls_after: Nothing more is sent after this many pieces until the server closes.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: int = 0
    pieces: tuple[bytes, ...] = ()
    is_cut_between: bool = False
    is_reset: bool = False
    is_silent: bool = False
    stalls_after: int | None = None


@dataclass(frozen=True)
class Request:
    """What was asked."""

    path: str
    headers: dict[str, str]
    body: Any


def say(text: str, **message: Any) -> Turn:
    """Answer with a text."""
    return Turn(body={"choices": [{"index": 0, "message": {"content": text, **message}}]})


def refuse(status: int, message: str, **headers: str) -> Turn:
    """Refuse with a message in the shape of the OpenAI protocol."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Turn(body={"error": {"message": message}}, status=status, headers=named)


def write_events(*chunks: Any, done: bool = True, line_end: str = "\n") -> bytes:
    """Write chunks as server-sent events, signs beyond ASCII as they are."""
    texts = [json.dumps(chunk, ensure_ascii=False) for chunk in chunks] + (["[DONE]"] if done else [])
    return "".join(f"data: {text}{line_end}{line_end}" for text in texts).encode()


def make_delta(index: int = 0, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """Make one chunk of a stream."""
    return {"choices": [{"index": index, "delta": delta, "finish_reason": finish}]}


def stream(*chunks: Any, **options: Any) -> Turn:
    """Answer with a stream of events."""
    return Turn(body=write_events(*chunks, **options), kind=SSE)


class ChatServer:
    """Plays its script, one turn a request, and the last turn again for whatever follows.

    Systems among its ``guests`` are closed with it.

    Args:
        script: The turns. An item may be a function from the request to a turn.
    """

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.requests: list[Request] = []
        self.guests: list[Any] = []
        self.lock = threading.Lock()
        self.is_over = threading.Event()
        server = self

        class Handler(_Handler):
            chat = server

        self._server = _QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for guest in self.guests:
            guest.close()
        self.is_over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def bodies(self) -> list[Any]:
        """The bodies asked, in order."""
        return [request.body for request in self.requests]

    def take(self, request: Request) -> Turn:
        """Note a request and return the turn that is due."""
        with self.lock:
            turn = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(request)
        return turn(request) if callable(turn) else turn


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        # A client that lost patience is what some of the tests are about.
        pass


class _Handler(BaseHTTPRequestHandler):
    chat: ChatServer
    protocol_version = "HTTP/1.1"
    # Headers and body are written apart, and the second would wait for the first to be acknowledged.
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        turn = self.chat.take(Request(self.path, headers, json.loads(data)))
        if turn.is_silent:
            self.chat.is_over.wait()
        if turn.is_reset or turn.is_silent:
            self._reset()
            return
        body = turn.body if isinstance(turn.body, bytes) else json.dumps(turn.body).encode()
        self.send_response(turn.status)
        self.send_header("Content-Type", turn.kind)
        for name, value in turn.headers.items():
            self.send_header(name, value)
        if turn.pieces:
            self._send_pieces(turn)
            return
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) - turn.cut])
        self.close_connection = self.close_connection or turn.cut > 0

    def log_message(self, *_: object) -> None:
        pass

    def _send_pieces(self, turn: Turn) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with suppress(OSError):
            for number, piece in enumerate(turn.pieces):
                if number == turn.stalls_after:
                    self.chat.is_over.wait()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
            if not turn.is_cut_between:
                self.wfile.write(b"0\r\n\r\n")
        self.close_connection = self.close_connection or turn.is_cut_between

    def _reset(self) -> None:
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
