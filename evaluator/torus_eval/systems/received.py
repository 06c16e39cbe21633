"""A sound as a server sent it: base64 of a file, of raw samples, or of pieces of either."""

from __future__ import annotations

import base64
import binascii
import re
import struct
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.admission import admit
from torus_eval.clips import read_sound
from torus_eval.errors import OutputError
from torus_eval.systems.base import Made

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.systems.replies import Reply

_RAW = "pcm16"
_SPACE = re.compile(r"\s+")
_STRETCH = re.compile(r"[^=]+=*")
_UNPADDED = str.maketrans("-_", "+/", "=")
_SIZE = struct.Struct("<I")
_RIFF_HEAD, _CHUNK_HEAD = 12, 8
_RIFF_IN_BASE64 = "UklGR"
_LONGEST_QUOTE = 200


def make_clip(reply: Reply, *, said: str, form: str, pcm_rate_hz: int) -> Made:
    """Find the sound of a reply and make it a clip.

    Args:
        reply: The reply, all of whose choices are looked at.
        said: Its text, told where there is no sound.
        form: The format that was asked for.
        pcm_rate_hz: The rate of raw samples, which are mono and 16 bits wide.

    Raises:
        OutputError: ``no_audio``, ``not_fetched``, ``not_base64``, ``not_sound``, or what ``admit`` finds.
    """
    pieces = reply.sound
    if not pieces:
        if reply.points_elsewhere:
            raise OutputError("not_fetched", "the reply names an address for its audio, which is not fetched")
        quote = f"; it says {said.strip()[:_LONGEST_QUOTE]!r}" if said.strip() else ""
        raise OutputError("no_audio", f"a reply without audio{quote}")
    if len(pieces) > 1 and all(piece.startswith(_RIFF_IN_BASE64) for piece in pieces):
        return _join([read_sound(repair_wav(decode_base64([piece]))) for piece in pieces])
    data = decode_base64(pieces)
    if is_wav(data):
        return Made(admit(*read_sound(repair_wav(data))))
    # A stream of WAV is often one of its samples only, and raw samples have no mark to be known by.
    bare = form == "wav" and reply.is_streamed and not _has_mark(data)
    if bare or (form == _RAW and not _has_mark(data)):
        note = f"the audio came without a header and was read as mono of {pcm_rate_hz} Hz" if bare else ""
        return Made(admit(read_raw(data), pcm_rate_hz), note)
    return Made(admit(*read_sound(data)))


def decode_base64(pieces: list[str] | tuple[str, ...]) -> bytes:
    """Decode base64 that was cut anywhere, or encoded piece by piece.

    Raises:
        OutputError: ``not_base64``.

    >>> decode_base64(["YWI=", "Y2Q="]), decode_base64(["Y", "WJjZ", "A"])
    (b'abcd', b'abcd')
    """
    text = _SPACE.sub("", "".join(pieces))
    try:
        return b"".join(_decode(stretch) for stretch in _STRETCH.findall(text))
    except (binascii.Error, ValueError):
        raise OutputError("not_base64", f"audio of {len(text):,} signs that are not base64") from None


def is_wav(data: bytes) -> bool:
    """Tell whether data are a WAV file."""
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"


def repair_wav(data: bytes) -> bytes:
    """Give a WAV file the lengths it has.

    Who streams a file does not know its length when the header is due, and writes 0 or the greatest number.

    Args:
        data: A WAV file.

    Returns:
        The same, with the lengths of the file and of its samples reaching to the end where they did not fit.
    """
    place = _RIFF_HEAD
    while place + _CHUNK_HEAD <= len(data):
        start = place + _CHUNK_HEAD
        (size,) = _SIZE.unpack_from(data, place + 4)
        rest = len(data) - start
        if data[place : place + 4] == b"data":
            is_open = size > rest or (size == 0 and data[start : start + 4] != b"LIST")
            kept = rest if is_open else size
            body = data[start:] if is_open else data[start : start + size]
            head = data[:4] + _SIZE.pack(start + kept - 8) + data[8 : place + 4] + _SIZE.pack(kept)
            return head + body
        place = start + size + size % 2
    return data


def read_raw(data: bytes) -> NDArray[np.int16]:
    """Read raw samples, 16 bits wide and little end first; half a sample at the end is dropped.

    >>> read_raw(bytes([1, 0, 255, 255, 7])).tolist()
    [1, -1]
    """
    return np.frombuffer(data[: len(data) // 2 * 2], "<i2").astype(np.int16)


def _decode(stretch: str) -> bytes:
    bare = stretch.translate(_UNPADDED)
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def _has_mark(data: bytes) -> bool:
    return data[:4] in {b"fLaC", b"OggS"} or data[:3] == b"ID3"


def _join(sounds: list[tuple[NDArray[np.float64], int]]) -> Made:
    shapes = {(samples.shape[1], rate_hz) for samples, rate_hz in sounds if len(samples)}
    if len(shapes) > 1:
        raise OutputError("bad_shape", "a stream of sounds that differ in rate or channels")
    filled = [samples for samples, _ in sounds if len(samples)] or [sounds[0][0]]
    return Made(admit(np.concatenate(filled), sounds[0][1]))
