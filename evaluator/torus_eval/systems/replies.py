"""What a chat server replied: its choices, with their words and their sounds, whole or streamed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE_END = re.compile(rb"\r\n|\n|\r")
_TEXT_PARTS = ("text", "output_text", None)
_SOUND_KEYS = ("audio", "output_audio", "input_audio", "audio_url")
_DONE = "[DONE]"


class GarbledError(Exception):
    """A reply that cannot be read, or that ends before its end."""


class ErrorReplyError(Exception):
    """A reply of status 200 that holds an error.

    Args:
        status: The status that it names, else 500.
        data: The reply, as JSON gives it.
    """

    def __init__(self, status: int, data: object) -> None:
        self.status = status
        self.data = data
        super().__init__(status, data)


@dataclass(slots=True)
class Choice:
    """One of a reply's choices.

    Args:
        words: The pieces of its text, thoughts left out.
        refusals: The pieces of a refusal that has a field of its own.
        transcripts: The pieces of what its sound says.
        sounds: Base64 of its sound: one piece a sound, or the pieces of one sound when streamed.
        addresses: Addresses of sound that lies elsewhere.
    """

    words: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    transcripts: list[str] = field(default_factory=list)
    sounds: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text; where there is none, its refusal, or else what its sound says."""
        return next(
            (joined for part in (self.words, self.refusals, self.transcripts) if (joined := _join(part))), ""
        )


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply.

    Args:
        choices: In the order of their index.
        is_streamed: It came in pieces.
    """

    choices: tuple[Choice, ...]
    is_streamed: bool = False

    @property
    def text(self) -> str:
        """The text of the first choice that has any."""
        return next((choice.text for choice in self.choices if choice.text.strip()), "")

    @property
    def sound(self) -> tuple[str, ...]:
        """The base64 pieces of the first sound of the first choice that has any."""
        found = next((choice.sounds for choice in self.choices if choice.sounds), [])
        return tuple(found) if self.is_streamed else tuple(found[:1])

    @property
    def points_elsewhere(self) -> bool:
        """A choice names the address of a sound."""
        return any(choice.addresses for choice in self.choices)


def read_reply(data: bytes) -> Reply:
    """Read a reply's body, a JSON object or a stream of events, whichever it is.

    Args:
        data: The whole body.

    Raises:
        GarbledError: It is neither, or the stream stops without its end.
        ErrorReplyError: It holds an error.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        return Reply(_gather([_check(_load(data))]))
    events = list(read_events(data))
    if not events:
        message = "a reply that is neither JSON nor a stream of events"
        raise GarbledError(message)
    chunks = [_check(_load(event)) for event in events if event.strip() != _DONE]
    if events[-1].strip() != _DONE and not any(map(_is_last, chunks)):
        message = "a stream that stops before its end"
        raise GarbledError(message)
    return Reply(_gather(chunks), is_streamed=True)


def read_events(data: bytes) -> Iterator[str]:
    r"""Read the data of server-sent events.

    The body is cut into lines as bytes and each line decoded whole, so that it does not matter where a
    network cut it.

    Raises:
        GarbledError: A line is not UTF-8.

    >>> list(read_events(b": hello\ndata: {\ndata: }\n\nevent: x\ndata: [DONE]\n\n"))
    ['{\n}', '[DONE]']
    """
    lines: list[str] = []
    try:
        for raw in [*_LINE_END.split(data), b""]:
            name, _, value = raw.decode().partition(":")
            if name == "data":
                lines.append(value.removeprefix(" "))
            elif not raw and lines:
                yield "\n".join(lines)
                lines = []
    except UnicodeDecodeError:
        message = "a stream that is not UTF-8"
        raise GarbledError(message) from None


def _load(text: bytes | str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        message = "a reply that is not JSON"
        raise GarbledError(message) from None


def _check(chunk: object) -> dict[str, Any]:
    if not isinstance(chunk, dict):
        message = "a reply that is not a JSON object"
        raise GarbledError(message)
    error = chunk.get("error")
    if error and not chunk.get("choices"):
        raise ErrorReplyError(_find_status(chunk, error), chunk)
    if not isinstance(chunk.get("choices", []), list | None):
        message = "a reply whose choices are not a list"
        raise GarbledError(message)
    return chunk


def _find_status(chunk: dict[str, Any], error: object) -> int:
    given = [error.get(name) for name in ("code", "status", "status_code")] if isinstance(error, dict) else []
    for code in [*given, chunk.get("code"), chunk.get("status")]:
        if isinstance(code, int | str) and re.fullmatch(r"[45]\d\d", str(code)):
            return int(code)
    return 500


def _is_last(chunk: dict[str, Any]) -> bool:
    return any(
        isinstance(choice, dict) and choice.get("finish_reason") for choice in chunk.get("choices") or ()
    )


def _gather(chunks: list[dict[str, Any]]) -> tuple[Choice, ...]:
    found: dict[int, Choice] = {}
    for chunk in chunks:
        for place, given in enumerate(chunk.get("choices") or ()):
            if not isinstance(given, dict):
                continue
            index = given.get("index")
            choice = found.setdefault(index if isinstance(index, int) else place, Choice())
            message = given.get("delta") or given.get("message")
            if isinstance(message, dict):
                _add_message(choice, message, is_sound=chunk.get("modality") == "audio")
            elif isinstance(given.get("text"), str):
                choice.words.append(given["text"])
    return tuple(found[index] for index in sorted(found))


def _add_message(choice: Choice, message: dict[str, Any], *, is_sound: bool) -> None:
    content = message.get("content")
    # vLLM-Omni streams sound as content, and marks the piece as audio.
    if isinstance(content, str) and content:
        (choice.sounds if is_sound else choice.words).append(content)
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            choice.words.append(part)
        elif isinstance(part, dict):
            _add_part(choice, part)
    _add_sound(choice, message.get("audio"))
    if isinstance(message.get("refusal"), str):
        choice.refusals.append(message["refusal"])


def _add_part(choice: Choice, part: dict[str, Any]) -> None:
    if part.get("type") in _TEXT_PARTS and isinstance(part.get("text"), str):
        choice.words.append(part["text"])
    elif part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
        choice.refusals.append(part["refusal"])
    elif part.get("type") in _SOUND_KEYS:
        inner = next((part[key] for key in _SOUND_KEYS if key in part), part)
        _add_sound(choice, inner)


def _add_sound(choice: Choice, sound: object) -> None:
    if isinstance(sound, str):
        sound = {"url" if ":" in sound[:8] else "data": sound}
    if not isinstance(sound, dict):
        return
    for given in (sound.get("data"), sound.get("url")):
        if not isinstance(given, str) or not given:
            continue
        if given.startswith("data:"):
            choice.sounds.append(given.partition(",")[2])
        elif ":" in given[:8]:
            choice.addresses.append(given)
        else:
            choice.sounds.append(given)
    if isinstance(sound.get("transcript"), str):
        choice.transcripts.append(sound["transcript"])


def _join(pieces: list[str]) -> str:
    # A pair of surrogates may be split over two pieces; one without its partner fits no file.
    return "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
