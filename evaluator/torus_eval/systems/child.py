"""A child process: started in a group of its own, told and heard line by line, ended with all it started."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from torus_eval.errors import CallError
from torus_eval.systems.lines import LineCutter, find_message

if TYPE_CHECKING:
    from collections.abc import Mapping

GRACE_S = 1.0
# How long after the end of its output a child's exit status may be in coming.
STATUS_S = 5.0
_KEPT_LINES, _KEPT_SIGNS = 20, 300
_PIECE_BYTES = 1 << 16
# What was said right before the end is read within this time, unless someone else holds the pipe open.
_SETTLE_S = 1.0
_HELLO = "hello"
_STATUS = re.compile(r"-?\d+")
_LACKS = {
    "no_hello": "said no hello",
    "left_unread": "did not read its request",
    "no_reply": "did not reply",
}
_GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True)
class Program:
    """What to start.

    Args:
        name: How it is called in messages.
        argv: The program as a path, and its arguments.
        folder: Where it runs.
        env: Its whole environment.
    """

    name: str
    argv: tuple[str, ...]
    folder: Path
    env: Mapping[str, str]


@dataclass(eq=False, slots=True)
class _Heard:
    # What the threads that listen to a child know of it; they hold no more, so that a child can be forgotten.
    messages: queue.SimpleQueue[dict[str, Any] | None] = field(default_factory=queue.SimpleQueue)
    tail: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))
    ended: threading.Event = field(default_factory=threading.Event)
    status: str = ""
    # Of what a child says unasked, nothing is kept: it could be without end.
    awaited: int | str | None = _HELLO

    def keep(self, line: bytes) -> None:
        """Keep a line that is not a message, for the report of an error."""
        for part in line[-_PIECE_BYTES:].replace(b"\r", b"\n").split(b"\n"):
            text = part[: 4 * _KEPT_SIGNS].decode("utf-8", "replace")[:_KEPT_SIGNS]
            shown = "".join(sign if sign.isprintable() else " " for sign in text).strip()
            if shown:
                self.tail.append(shown)


class Child:
    """A running child process. It may be used from one thread at a time.

    Args:
        program: What to start.

    Raises:
        CallError: The system has no room for a further process.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._heard = _Heard()
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-I", "-S", str(_GUARD), str(theirs.fileno()), *program.argv]
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- what a system file names, without a shell
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=program.folder,
                env=dict(program.env),
                start_new_session=True,
                pass_fds=(theirs.fileno(),),
            )
        except OSError as error:
            ours.close()
            raise CallError("start", f"{program.name} could not be started: {error}") from error
        finally:
            theirs.close()
        self._stdin, stdout, stderr = _get_streams(self._process)
        os.set_blocking(self._stdin.fileno(), False)
        listeners = [
            threading.Thread(target=_listen, args=(stdout, self._heard), daemon=True),
            threading.Thread(target=_drain, args=(stderr, self._heard), daemon=True),
        ]
        watcher = threading.Thread(target=_watch, args=(ours, listeners, self._heard), daemon=True)
        for thread in (*listeners, watcher):
            thread.start()
        # It also runs when the interpreter ends, and refers to no child that would then never be forgotten.
        self._release = weakref.finalize(self, _end, self._process, self._heard, 0.0)

    @property
    def has_ended(self) -> bool:
        """Whether it can no longer be called."""
        return self._heard.ended.is_set() or not self._release.alive

    def ask(self, line: bytes, number: int, *, deadline_s: float) -> dict[str, Any]:
        """Send a request and wait for its reply.

        Args:
            line: The request.
            number: Its id; replies with another are late ones, and are passed over.
            deadline_s: The time for both.

        Raises:
            CallError: ``exited`` or ``deadline``; the child is ended by then.
        """
        end_s = time.monotonic() + deadline_s
        self._heard.awaited = number
        if not self._send(line, end_s):
            raise self._overdue("left_unread", deadline_s)
        return self._receive(end_s, "no_reply", deadline_s)

    def hear_hello(self, *, start_s: float) -> dict[str, Any]:
        """Wait for the first message.

        Raises:
            CallError: ``not_a_program``, ``exited`` or ``deadline``; the child is ended by then.
        """
        return self._receive(time.monotonic() + start_s, "no_hello", start_s)

    def end(self, *, polite_s: float = 0.0) -> None:
        """End the child and everything in its process group; to do so again does nothing.

        Args:
            polite_s: How long it may take to end by itself once its input is closed.
        """
        self._release.detach()
        _end(self._process, self._heard, polite_s)

    def describe(self, what: str) -> str:
        """Write what happened, with the last lines that the child printed."""
        lines = " | ".join(self._heard.tail.copy())
        return f"{self.program.name} {what}" + (f"; last lines: {lines}" if lines else "")

    def _send(self, line: bytes, end_s: float) -> bool:
        left = memoryview(line)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while left:
                wait_s = end_s - time.monotonic()
                if wait_s <= 0:
                    return False
                # An end of the child that leaves its pipe open elsewhere is noticed here.
                if not selector.select(min(wait_s, 1.0)) and not self._heard.ended.is_set():
                    continue
                try:
                    left = left[self._stdin.write(left) or 0 :]
                except OSError:
                    # Nobody reads any more: the missing reply tells why.
                    return True
                if self._heard.ended.is_set():
                    return True
        return True

    def _receive(self, end_s: float, lack: str, allowed_s: float) -> dict[str, Any]:
        try:
            message = self._heard.messages.get(timeout=max(0.0, end_s - time.monotonic()))
        except queue.Empty:
            raise self._overdue(lack, allowed_s) from None
        if message is None:
            raise self._exited()
        return message

    def _overdue(self, lack: str, allowed_s: float) -> CallError:
        self.end()
        return CallError("deadline", self.describe(f"{_LACKS[lack]} within {allowed_s:g} s"))

    def _exited(self) -> CallError:
        self._heard.ended.wait(STATUS_S)
        status = self._heard.status
        self.end()
        code = "not_a_program" if status and not _STATUS.fullmatch(status) else "exited"
        return CallError(code, self.describe(describe_status(status)))


def describe_status(status: str) -> str:
    """Say in words how a program ended.

    Args:
        status: The exit status, negative for a signal; else why it did not start; empty when it is not known.

    >>> describe_status("3"), describe_status("-9"), describe_status("")
    ('ended with exit status 3', 'was ended by SIGKILL', 'closed its output')
    >>> describe_status("Exec format error")
    'could not be started: Exec format error'
    """
    if not _STATUS.fullmatch(status):
        return f"could not be started: {status}" if status else "closed its output"
    number = int(status)
    if number >= 0:
        return f"ended with exit status {number}"
    try:
        return f"was ended by {signal.Signals(-number).name}"
    except ValueError:
        return f"was ended by signal {-number}"


def _get_streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        message = "a process without pipes"
        raise ValueError(message)
    return process.stdin, process.stdout, process.stderr


def _listen(stream: IO[bytes], heard: _Heard) -> None:
    cutter = LineCutter()
    with contextlib.suppress(OSError):
        while piece := stream.read(_PIECE_BYTES):
            for line in cutter.cut(piece):
                _take(line, heard)
    _take(cutter.rest, heard)
    heard.messages.put(None)


def _take(line: bytes, heard: _Heard) -> None:
    message = find_message(line)
    if message is None:
        heard.keep(line)
    elif (_HELLO if "torus_eval" in message else message["id"]) == heard.awaited:
        heard.awaited = None
        heard.messages.put(message)


def _drain(stream: IO[bytes], heard: _Heard) -> None:
    cutter = LineCutter(_PIECE_BYTES)
    with contextlib.suppress(OSError):
        while piece := stream.read(_PIECE_BYTES):
            lines = [line for line in cutter.cut(piece.replace(b"\r", b"\n")) if line.strip()]
            for line in lines[-_KEPT_LINES:]:
                heard.keep(line)
    heard.keep(cutter.rest)


def _watch(line: socket.socket, listeners: list[threading.Thread], heard: _Heard) -> None:
    # This end of the pair stays open as long as the child runs: that it closes tells the guard of our end.
    told = bytearray()
    with line, contextlib.suppress(OSError):
        while piece := line.recv(_PIECE_BYTES):
            told += piece
    end_s = time.monotonic() + _SETTLE_S
    for thread in listeners:
        thread.join(max(0.0, end_s - time.monotonic()))
    heard.status = told.decode("utf-8", "replace") or str(-signal.SIGKILL)
    heard.ended.set()
    heard.messages.put(None)


def _end(process: subprocess.Popen[bytes], heard: _Heard, polite_s: float) -> None:
    if process.returncode is not None:
        return
    streams = _get_streams(process)
    with contextlib.suppress(OSError):
        streams[0].close()
    if not heard.ended.wait(polite_s):
        _signal_group(process.pid, signal.SIGTERM)
        heard.ended.wait(GRACE_S)
    # The leader is not yet waited for, so the number of the group is still its own.
    _signal_group(process.pid, signal.SIGKILL)
    process.wait()
    if heard.ended.wait(2 * _SETTLE_S):
        for stream in streams[1:]:
            stream.close()


def _signal_group(number: int, signal_number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(number, signal_number)
