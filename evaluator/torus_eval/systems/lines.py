"""What a child process says and is told: one JSON object a line, found among whatever else it prints.

The child speaks first, and then replies to one request at a time, until its input ends::

    child   {"torus_eval": 1, "capabilities": ["generate", "edit", "caption", "answer"],
             "model": "optional", "revision": "optional"}
    we      {"id": 1, "call": "generate", "prompt": "...", "out": "...", "seed": 7, "sampling": {}}
            {"id": 2, "call": "edit", "instruction": "...", "clip": {...}, "out": "...", ...}
            {"id": 3, "call": "caption", "clip": {"path": "...", "sha256": "..."}, ...}
            {"id": 4, "call": "answer", "clip": {...}, "question": "...", "options": {"A": "..."},
             "text": "the question as a language model is asked", ...}
    child   {"id": 1, "clip": {"path": "...", "sha256": "optional"}, "note": "optional"}
            {"id": 3, "text": "..."}
            {"id": 4, "error": {"kind": "output", "message": "..."}}

``out`` is a path that the child may write a WAV, FLAC or Ogg file to; it may also name a file of its own. The
kinds of error are ``output`` (the model gave nothing usable: it counts as wrong), ``call`` (it could not be
asked: it is asked again another time) and ``capability`` (it cannot do this at all: the run ends).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torus_eval.errors import EvaluationError
from torus_eval.systems.base import CAPABILITIES
from torus_site.errors import Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torus_eval.systems.base import Capability

PROTOCOL = 1
LONGEST_LINE_BYTES = 64 << 20
_ANSWERS = ("clip", "text", "error")
# A line of nothing but opening braces must not take for ever.
_MOST_STARTS = 200
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Hello:
    """What a child says first.

    Args:
        capabilities: The calls it can take.
        model: The model's name, or empty.
        revision: Which weights they are, or empty.
    """

    capabilities: frozenset[Capability]
    model: str = ""
    revision: str = ""


class LineCutter:
    r"""Cuts a stream of bytes into lines, however the pieces of it arrive.

    A line longer than ``longest_bytes`` is cut to that length; the rest of it is dropped.

    >>> cutter = LineCutter()
    >>> [list(cutter.cut(piece)) for piece in (b"on", b"e\ntwo\nth", b"ree")], cutter.rest
    ([[], [b'one', b'two'], []], b'three')
    """

    def __init__(self, longest_bytes: int = LONGEST_LINE_BYTES) -> None:
        self._longest_bytes = longest_bytes
        self._held = bytearray()

    @property
    def rest(self) -> bytes:
        """What came after the last end of a line."""
        return bytes(self._held)

    def cut(self, piece: bytes) -> Iterator[bytes]:
        """Take a piece and yield the lines that it ends."""
        *ends, rest = piece.split(b"\n")
        for end in ends:
            self._hold(end)
            line = bytes(self._held)
            self._held.clear()
            yield line
        self._hold(rest)

    def _hold(self, part: bytes) -> None:
        self._held += part[: self._longest_bytes - len(self._held)]


def write_line(message: dict[str, Any]) -> bytes:
    r"""Write a message as a line of ASCII, which every locale reads alike.

    >>> write_line({"id": 1, "prompt": "\u00e9\n"})
    b'{"id": 1, "prompt": "\\u00e9\\n"}\n'
    """
    return json.dumps(message).encode("ascii") + b"\n"


def find_message(line: bytes) -> dict[str, Any] | None:
    """Find the hello or the reply in a line, whatever was printed before and after it.

    A request that a child prints back is not a reply, and what stands inside another object is not looked at.

    Args:
        line: One line; signs that are not UTF-8 are replaced.

    Returns:
        The first message, or ``None``.

    >>> find_message(b'Loading... {"id": 3, "text": "B"} done')
    {'id': 3, 'text': 'B'}
    >>> find_message(b'got {"id": 3, "call": "edit", "clip": {"path": "x.wav"}}')
    """
    text = line.decode("utf-8", "replace")
    place = text.find("{")
    for _ in range(_MOST_STARTS):
        if place < 0:
            break
        try:
            found, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            if _is_message(found):
                return dict(found)
        place = text.find("{", end)
    return None


def is_reply(message: dict[str, Any]) -> bool:
    """Tell a reply from a hello."""
    return type(message.get("id")) is int


def read_hello(message: dict[str, Any], *, file: str) -> Hello:
    """Read what a child says first.

    Args:
        message: The hello.
        file: How the child is called in problems.

    Raises:
        EvaluationError: Everything that is wrong with it: another protocol, no or unknown capabilities.

    >>> sorted(read_hello({"torus_eval": 1, "capabilities": ["edit", "answer"]}, file="x").capabilities)
    ['answer', 'edit']
    """
    problems = []
    if message.get("torus_eval") != PROTOCOL or isinstance(message["torus_eval"], bool):
        problems.append(
            Problem(file, "hello /torus_eval", repr(message.get("torus_eval")), f"protocol {PROTOCOL}")
        )
    stated = message.get("capabilities")
    known = ", ".join(CAPABILITIES)
    if not isinstance(stated, list) or not stated:
        problems.append(
            Problem(file, "hello /capabilities", repr(stated), f"a list of one or more of {known}")
        )
        stated = []
    problems += [
        Problem(file, "hello /capabilities", repr(name), f"one of {known}", nearest(str(name), CAPABILITIES))
        for name in stated
        if name not in CAPABILITIES
    ]
    names = {place: message.get(place) or "" for place in ("model", "revision")}
    problems += [
        Problem(file, f"hello /{place}", repr(name), "text")
        for place, name in names.items()
        if not isinstance(name, str)
    ]
    if problems:
        raise EvaluationError(problems)
    return Hello(frozenset(stated), **{place: mend_text(name) for place, name in names.items()})


def mend_text(text: str) -> str:
    r"""Replace halves of surrogate pairs, which JSON may hold but no file.

    >>> mend_text("a\ud800b") == "a\ufffdb"
    True
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_message(found: object) -> bool:
    if not isinstance(found, dict) or "call" in found:
        return False
    return "torus_eval" in found or (is_reply(found) and any(name in found for name in _ANSWERS))
