"""The way in for a program: a long-lived child process, in its own environment, that speaks JSON lines.

Clips are handed over as WAV files of 16 bits: every reader takes them, the standard library's included, and
their rounding, 98 dB below a full-scale sine, lies far below what the published file has already lost. A
file is named by the sha256 of its content and lies in a fresh folder: nothing about it tells item, stage or
system.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torus_eval.admission import admit
from torus_eval.answering.questions import format_question
from torus_eval.clips import hash_clip, read_sound
from torus_eval.errors import CallError, CapabilityError, EvaluationError, OutputError
from torus_eval.systems.base import Made
from torus_eval.systems.child import Child, Program
from torus_eval.systems.lines import Hello, mend_text, read_hello, write_line
from torus_site.errors import Problem
from torus_site.media.decode import Audio
from torus_site.media.encode import encode_wav

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_eval.answering.questions import Asked
    from torus_eval.clips import Clip
    from torus_eval.systems.base import Capability
    from torus_eval.systems.model import CommandWay

INTERPRETER = "{python}"
LARGEST_FILE_BYTES = 1 << 29
_BITS = 16
_CLOSE_S = 5.0


class CommandSystem:
    """A child process as a system. Calls from several threads wait for one another.

    A child that does not reply in time is ended with its whole process group. The next call starts it anew,
    as often as the way allows.

    Args:
        program: What to start.
        way: Deadlines, and how often the child may be started anew.
        sampling: What is sent along with every call.

    Raises:
        EvaluationError: The system cannot run the program, or it speaks another protocol.
        CallError: It does not come up: ``start``, ``exited`` or ``deadline``.
    """

    def __init__(self, program: Program, way: CommandWay, *, sampling: dict[str, Any]) -> None:
        self._program = program
        self._way = way
        self._sampling = sampling
        self._lock = threading.Lock()
        self._calls = 0
        self._restarts = 0
        self._last_fault = ""
        try:
            self._child, self._hello = self._start()
        except CallError as error:
            if error.code != "not_a_program":
                raise
            raise EvaluationError(Problem("/command/argv", found=error.message)) from error

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What the child said it can do."""
        return self._hello.capabilities

    @property
    def model(self) -> str:
        """The model that the child said it is, or empty."""
        return self._hello.model

    @property
    def revision(self) -> str:
        """The revision that the child said it is, or empty."""
        return self._hello.revision

    def generate(self, prompt: str, *, seed: int) -> Made:
        """Make a clip from nothing but the prompt."""
        return self._make("generate", {"prompt": prompt}, None, seed)

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change a clip as an instruction says."""
        return self._make("edit", {"instruction": instruction}, clip, seed)

    def caption(self, clip: Clip, *, seed: int) -> str:
        """Say in words what a clip holds."""
        return self._say("caption", {}, clip, seed)

    def answer(self, clip: Clip, asked: Asked, *, seed: int) -> str:
        """Return the raw response."""
        fields = {"question": asked.text, "options": asked.options, "text": format_question(asked)}
        return self._say("answer", fields, clip, seed)

    def close(self) -> None:
        """Close the child's input, give it a few seconds to end, then end it and all it started.

        One that is in the middle of a call is ended at once: it would not notice.
        """
        is_idle = self._lock.acquire(blocking=False)
        try:
            self._child.end(polite_s=_CLOSE_S if is_idle else 0.0)
        finally:
            if is_idle:
                self._lock.release()

    def _make(self, call: Capability, fields: dict[str, Any], clip: Clip | None, seed: int) -> Made:
        with self._lock, _hand_over(clip) as given:
            reply = self._ask(call, {**fields, **given}, seed)
            note = reply.get("note") or ""
            if not isinstance(note, str):
                raise self._bad_reply("note")
            return Made(self._read_clip(reply.get("clip")), mend_text(note))

    def _say(self, call: Capability, fields: dict[str, Any], clip: Clip, seed: int) -> str:
        with self._lock, _hand_over(clip) as given:
            given.pop("out")
            text = self._ask(call, {**fields, **given}, seed).get("text")
        if not isinstance(text, str):
            raise OutputError("no_text", f"{self._program.name} replied to {call} without a text")
        return mend_text(text)

    def _ask(self, call: Capability, fields: dict[str, Any], seed: int) -> dict[str, Any]:
        if call not in self.capabilities:
            message = f"{self._program.name} cannot {call}"
            raise CapabilityError(message)
        child = self._get_child()
        self._calls += 1
        request = {"id": self._calls, "call": call, **fields, "seed": seed, "sampling": self._sampling}
        try:
            reply = child.ask(write_line(request), self._calls, deadline_s=self._way.deadline_s)
        except CallError as error:
            self._last_fault = error.message
            raise
        if reply.get("error"):
            raise _read_error(reply["error"], self._program.name)
        return reply

    def _get_child(self) -> Child:
        if not self._child.has_ended:
            return self._child
        self._child.end()
        if self._restarts >= self._way.restarts:
            fault = self._last_fault or self._child.describe("ended between two calls")
            times = "once" if self._restarts == 0 else f"{self._restarts + 1} times"
            raise CallError("restarts", f"started {times} and not again; {fault}")
        self._restarts += 1
        try:
            self._child, hello = self._start()
        except CallError as error:
            self._last_fault = error.message
            raise
        if hello != self._hello:
            self._child.end()
            raise CallError("changed", f"{self._program.name} said another hello when it was started anew")
        return self._child

    def _start(self) -> tuple[Child, Hello]:
        child = Child(self._program)
        try:
            return child, read_hello(child.hear_hello(start_s=self._way.start_s), file=self._program.name)
        except BaseException:
            child.end()
            raise

    def _read_clip(self, given: object) -> Clip:
        if given is None:
            raise OutputError("no_audio", f"{self._program.name} replied without a clip")
        path = given.get("path") if isinstance(given, dict) else None
        if not isinstance(given, dict) or not isinstance(path, str):
            raise self._bad_reply("clip")
        data = _read_file(self._program.folder / path)
        stated = given.get("sha256")
        if stated is not None and stated != hash_clip(data):
            message = f"{self._program.name} gave a clip whose file has another sha256 than it said"
            raise CallError("sha256", message)
        return admit(*read_sound(data))

    def _bad_reply(self, field: str) -> CallError:
        right = {"note": "text", "clip": "an object with a path"}[field]
        return CallError("bad_reply", f"{self._program.name} replied with a {field} that is not {right}")


def open_command(way: CommandWay, folder: Path, *, sampling: dict[str, Any]) -> CommandSystem:
    """Start a program and hear what it can do.

    ``{python}`` as a word of ``argv`` is the running interpreter. A program with a slash in it starts at
    ``folder``, one without is looked for in ``PATH``, that of ``env`` if there is one. The program runs in
    the way's own folder, where the relative paths among its arguments and replies start.

    Args:
        way: What to start and how long to wait for it.
        folder: Where the system file lies.
        sampling: Sent along with every call.

    Raises:
        EvaluationError: There is no such program or folder, it cannot be run, or it speaks another protocol.
        CallError: It does not come up: ``start``, ``exited`` or ``deadline``.
    """
    return CommandSystem(find_program(way, folder), way, sampling=sampling)


def find_program(way: CommandWay, folder: Path) -> Program:
    """Find the program and the folder that a way names.

    Args:
        way: The way in.
        folder: Where the system file lies.

    Raises:
        EvaluationError: Everything that is not there or cannot be run.
    """
    env = {**os.environ, **way.env}
    argv = [sys.executable if word == INTERPRETER else word for word in way.argv]
    problems = []
    if not hasattr(os, "killpg"):
        problems.append(Problem("/command", found=sys.platform, expected="a system with process groups"))
    home = Path(os.path.abspath(folder / way.folder))  # noqa: PTH100 -- `resolve` would follow links
    if not home.is_dir():
        problems.append(Problem("/command/folder", found=repr(way.folder), expected="a folder"))
    if "/" in argv[0]:
        path = Path(os.path.abspath(folder / argv[0]))  # noqa: PTH100 -- a link tells an environment from another
        program = str(path) if path.is_file() else None
    else:
        found = shutil.which(argv[0], path=env.get("PATH"))
        program = os.path.abspath(found) if found else None  # noqa: PTH100 -- the same
    if program is None:
        expected = "a program in PATH, or one with a slash that starts at the system file"
        problems.append(Problem("/command/argv", found=f"no program {way.argv[0]!r}", expected=expected))
    elif not os.access(program, os.X_OK):
        problems.append(Problem("/command/argv", found=f"{way.argv[0]!r}, which may not be executed"))
    if problems or program is None:
        raise EvaluationError(problems)
    return Program(_name_program(way), (program, *argv[1:]), home, env)


def _name_program(way: CommandWay) -> str:
    words = ["python" if word == INTERPRETER else word for word in way.argv]
    shown = words[:2] if len(words) > 1 and not words[1].startswith("-") else words[:1]
    return " ".join(Path(word).name for word in shown)


@contextmanager
def _hand_over(clip: Clip | None) -> Iterator[dict[str, Any]]:
    try:
        room = tempfile.TemporaryDirectory(prefix="torus-eval-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _no_room(error) from error
    with room as name:
        folder = Path(name)
        given: dict[str, Any] = {"out": str(folder / "made.wav")}
        if clip is not None:
            samples = np.clip(clip.samples, -1.0, 1.0).astype(np.float32)
            data = encode_wav(Audio(samples, clip.rate_hz, _BITS)).data
            path = folder / f"{hash_clip(data)}.wav"
            try:
                path.write_bytes(data)
            except OSError as error:
                raise _no_room(error) from error
            given["clip"] = {"path": str(path), "sha256": path.stem}
        yield given


def _no_room(error: OSError) -> CallError:
    return CallError("disk", f"a clip could not be written for the child: {error.strerror}")


def _read_file(path: Path) -> bytes:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise OutputError("no_audio", f"the clip {path.name!r} is not a file")
        if about.st_size > LARGEST_FILE_BYTES:
            message = f"a clip of {about.st_size:,} bytes; at most {LARGEST_FILE_BYTES:,} are taken"
            raise OutputError("too_long", message)
        return path.read_bytes()
    except FileNotFoundError:
        raise OutputError("no_audio", f"the clip {path.name!r} is not there") from None
    except (OSError, ValueError) as error:
        raise CallError("bad_reply", f"the clip {path.name!r} cannot be read: {error}") from None


def _read_error(error: object, name: str) -> Exception:
    kind, message = (error.get("kind"), error.get("message")) if isinstance(error, dict) else ("call", error)
    said = mend_text(f"{name} said: {message}")
    if kind == "output":
        return OutputError("reported", said)
    if kind == "capability":
        return CapabilityError(said)
    return CallError("reported", said)
