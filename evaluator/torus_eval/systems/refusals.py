"""What a server's refusal means: ask again, ask for a stream, give up, or a model that knows no audio."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import quote

from torus_eval.systems.retrying import Failure

_LONGEST_MESSAGE = 300
_MOST_READ = 10_000
# Anything shorter is a stand-in such as EMPTY, and hiding it would only garble what is said.
_SHORTEST_SECRET = 6
_HIDDEN = "[key]"
_PASSING = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}
_MAY_BE_ABOUT_THE_CALL = {400, 404, 405, 415, 422, 500, 501}
_TAG = re.compile(r"<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>", re.DOTALL | re.IGNORECASE)

_LACK = re.compile(
    r"(?:\bnot|n't|\bcannot|\bunable to)(?: \w+){0,2} "
    r"(?:support|accept|available|enabled|allowed|process|handle|multimodal)"
    r"|\bunsupported|\bno \w+(?: \w+){0,3} supports?\b|\bno support|\bonly (?:supports? )?text|\btext[- ]only"
    r"|\bunknown|\bunrecogni[sz]ed|\binvalid (?:content|part|value)|\bnot match any|\bnot a multi-?modal",
    re.IGNORECASE,
)
_AUDIO = re.compile(
    r"audio|modalit|multi-?modal|speech|content(?:\[\w*\])?\.?[ _]?type|content part|part type", re.IGNORECASE
)
# Words about the clip sent or the sound wanted: another one may be taken.
_ONLY_THIS_AUDIO = re.compile(
    r"(?<![a-z])(?:format|codec|encod|bit ?rate|(?:sample|sampling)[ _]?rate|voice|corrupt|decod|duration"
    r"|long|large|size|second|channel|url|stream|file|header|base64)",
    re.IGNORECASE,
)
_NEVER_AUDIO = re.compile(
    r"at most 0 audio|mmproj|must (?:be|have)[^.]*'text'|audio[- _]?(?:in|out)?put (?:is )?not support",
    re.IGNORECASE,
)
_FIRM = re.compile(r"support|at most 0", re.IGNORECASE)
_STREAM = re.compile(
    r"(?:only|must|requires?|required|needs?|enable|set|mandatory|expects?)\b[^.]*\bstream"
    r"|\bstream(?:ing|ed)?\b[^.]*\b(?:only|must|required?|needed|enabled|mandatory|true)\b"
    r"|\bnon-?[ _]?stream|\bwithout stream|\bstream(?:ing)? ?= ?false",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that hides itself, in what is printed of it and in what others say.

    Args:
        value: The key; empty when there is none.
    """

    value: str = field(repr=False)

    def hide(self, text: str) -> str:
        """Take the key out of a text, plain or escaped for an address or for JSON."""
        if len(self.value) < _SHORTEST_SECRET:
            return text
        for form in {self.value, quote(self.value, safe=""), json.dumps(self.value)[1:-1]}:
            text = text.replace(form, _HIDDEN)
        return text


def classify(
    status: int, message: str, *, wait_s: float | None = None, key_env: str | None = None, clip: str = ""
) -> Failure:
    """Tell what a status other than success means.

    Args:
        status: The HTTP status.
        message: What the server says, without a secret.
        wait_s: Its ``Retry-After``.
        key_env: The variable that the key was read from.
        clip: How large the clip sent is, in words.
    """
    told = f"HTTP {status}: {cut(message) or _name(status)}"
    if status < HTTPStatus.BAD_REQUEST:
        moved = f"HTTP {status}: another address, which is not followed; name it in base_url"
        return Failure("refused", moved)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return Failure("too_large", f"{told}; {clip}" if clip else told)
    is_about_the_call = status in _MAY_BE_ABOUT_THE_CALL
    wants_stream = is_about_the_call and needs_stream(message)
    # A server that fails now and then may blame the audio in many words, one that lacks it says so.
    is_firm = status < HTTPStatus.INTERNAL_SERVER_ERROR or _FIRM.search(message)
    if is_about_the_call and is_firm and not wants_stream and lacks_audio(message):
        return Failure("capability", told)
    if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Failure("unavailable", told, is_passing=True, wait_s=wait_s, wants_stream=wants_stream)
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        told += (
            f"; the key is that of the variable {key_env}" if key_env else "; no key is sent without key_env"
        )
    return Failure("refused", told, wants_stream=wants_stream)


def read_message(data: object) -> str:
    """Find what an error reply says.

    Args:
        data: The reply, as JSON gives it, or a text.

    >>> read_message({"error": {"message": "no such model", "type": "x"}})
    'no such model'
    >>> read_message({"detail": [{"loc": ["body", "messages"], "msg": "field required"}]})
    'body.messages: field required'
    >>> read_message("<html><title>502</title><p>Bad gateway</html>")
    '502 Bad gateway'
    """
    if isinstance(data, str):
        return " ".join(_TAG.sub(" ", data[:_MOST_READ]).split())
    if isinstance(data, list):
        return "; ".join(filter(None, map(read_message, data)))
    if not isinstance(data, dict):
        return ""
    for name in ("error", "message", "detail", "msg", "error_description", "errors"):
        if message := read_message(data.get(name)):
            place = data.get("loc")
            return f"{'.'.join(map(str, place))}: {message}" if isinstance(place, list) else message
    return ""


def lacks_audio(message: str) -> bool:
    """Tell whether a server says that it knows no audio, rather than that it dislikes this one.

    >>> lacks_audio("audio input is not supported - hint: you may need to provide the mmproj")
    True
    >>> lacks_audio("At most 0 audio(s) may be provided in one prompt.")
    True
    >>> lacks_audio("the audio format 'flac' is not supported")
    False
    """
    if _NEVER_AUDIO.search(message):
        return True
    told = message.replace("_url", "")
    return bool(_AUDIO.search(told) and _LACK.search(told)) and not _ONLY_THIS_AUDIO.search(told)


def needs_stream(message: str) -> bool:
    """Tell whether a server asks for the same request as a stream.

    >>> needs_stream("This model only support stream mode, please enable the stream parameter.")
    True
    >>> needs_stream("streaming is not supported by this model")
    False
    """
    return bool(_STREAM.search(message))


def cut(message: str) -> str:
    """Shorten what a server says to what can be read, without signs that a terminal obeys."""
    shown = "".join(sign if sign.isprintable() else " " for sign in message)
    return shown if len(shown) <= _LONGEST_MESSAGE else f"{shown[:_LONGEST_MESSAGE]} …"


def _name(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no message"
