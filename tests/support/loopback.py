"""A plain web host on the loopback address: one folder under a sub-path, byte ranges, compressed text."""

from __future__ import annotations

import gzip
import mimetypes
import re
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path

COMPRESSED = ("text/", "application/json", "application/javascript", "image/svg+xml")
RANGE = re.compile(r"bytes=(\d*)-(\d*)$")


class Loopback:
    """Serves a folder as a static host would, from a port that the system picks.

    Args:
        folder: What to serve. A path that ends in a slash gives that folder's ``index.html``.
        sub_path: Where the folder hangs, as it stands in addresses, with a slash at both ends.
            All else answers 404.
    """

    def __init__(self, folder: Path, sub_path: str = "/") -> None:
        self.folder = folder.resolve()
        self.sub_path = sub_path
        self.asked: list[tuple[str, int]] = []
        host = self

        class Handler(_Handler):
            loopback = host

        self._server = _QuietServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}{sub_path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self.close()

    def close(self) -> None:
        """Give the port back."""
        self._server.server_close()

    def find(self, target: str) -> Path | None:
        """Return the file that a request target names, or None when the host has no such file."""
        path = unquote(urlsplit(target).path)
        if not path.startswith(unquote(self.sub_path)):
            return None
        inside = path.removeprefix(unquote(self.sub_path))
        if not inside or inside.endswith("/"):
            inside += "index.html"
        file = (self.folder / inside).resolve()
        return file if file.is_relative_to(self.folder) and file.is_file() else None


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        # A browser drops a media connection as soon as it has heard enough.
        pass


class _Handler(BaseHTTPRequestHandler):
    loopback: Loopback
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(send_body=True)

    def do_HEAD(self) -> None:
        self._answer(send_body=False)

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, *, send_body: bool) -> None:
        file = self.loopback.find(self.path)
        if file is None:
            plain = {"Content-Type": "text/plain"}
            self._send(HTTPStatus.NOT_FOUND, plain, b"not found", send_body=send_body)
            return
        body = file.read_bytes()
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {
            "Content-Type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
            "Accept-Ranges": "bytes",
            "Cache-Control": "max-age=3600",
        }
        wanted = self.headers.get("Range")
        if wanted:
            self._send_range(wanted, headers, body, send_body=send_body)
            return
        if kind.startswith(COMPRESSED) and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body, mtime=0)
            headers["Content-Encoding"] = "gzip"
        self._send(HTTPStatus.OK, headers, body, send_body=send_body)

    def _send_range(self, wanted: str, headers: dict[str, str], body: bytes, *, send_body: bool) -> None:
        match = RANGE.match(wanted)
        first, last = match.groups() if match else ("", "")
        if first:
            start, stop = int(first), min(int(last) + 1 if last else len(body), len(body))
        else:
            start, stop = max(len(body) - int(last or 0), 0), len(body)
        if start >= stop:
            headers["Content-Range"] = f"bytes */{len(body)}"
            self._send(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers, b"", send_body=send_body)
            return
        headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(body)}"
        self._send(HTTPStatus.PARTIAL_CONTENT, headers, body[start:stop], send_body=send_body)

    def _send(self, status: HTTPStatus, headers: dict[str, str], body: bytes, *, send_body: bool) -> None:
        self.loopback.asked.append((self.path, int(status)))
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if send_body:
            self.wfile.write(body)
