"""How long a video is, read from its container without decoding."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEGMENT: Final = 0x18538067
_INFO: Final = 0x1549A966
_TIMESTAMP_SCALE: Final = 0x2AD7B1
_DURATION: Final = 0x4489
_DEFAULT_SCALE_NS: Final = 1_000_000


def read_duration(data: bytes, container: str) -> float | None:
    """Read the duration that an MP4 or WebM file states.

    Args:
        data: The whole file.
        container: ``mp4`` or ``webm``.

    Returns:
        Seconds, or ``None`` where the file states none, as a recording that was streamed.
    """
    try:
        return _read_mp4(data) if container == "mp4" else _read_webm(data)
    except (struct.error, IndexError):
        return None


def _read_mp4(data: bytes) -> float | None:
    for name, movie in _boxes(data):
        for inner, body in _boxes(movie) if name == b"moov" else ():
            if inner == b"mvhd":
                scale, duration = struct.unpack_from(">IQ" if body[0] else ">II", body, 20 if body[0] else 12)
                return float(duration / scale) if scale and duration else None
    return None


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    offset = 0
    while offset + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, offset)
        start = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, offset + 8)
            start = 16
        end = len(data) if size == 0 else offset + max(size, start)
        yield name, data[offset + start : end]
        offset = end


def _read_webm(data: bytes) -> float | None:
    for name, segment in _elements(data):
        for inner, info in _elements(segment) if name == _SEGMENT else ():
            if inner == _INFO:
                facts = dict(_elements(info))
                scale_ns = int.from_bytes(facts.get(_TIMESTAMP_SCALE, b""), "big") or _DEFAULT_SCALE_NS
                raw = facts.get(_DURATION, b"")
                if len(raw) not in (4, 8):
                    return None
                return float(struct.unpack(">f" if len(raw) == 4 else ">d", raw)[0]) * scale_ns / 1e9  # noqa: PLR2004 -- single or double
    return None


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Walk over EBML elements; one of unknown size reaches to the end."""
    offset = 0
    while offset < len(data):
        length = 9 - data[offset].bit_length()
        name = int.from_bytes(data[offset : offset + length], "big")
        offset += length
        width = 9 - data[offset].bit_length()
        size = int.from_bytes(data[offset : offset + width], "big") & ((1 << 7 * width) - 1)
        offset += width
        end = len(data) if size == (1 << 7 * width) - 1 else offset + size
        yield name, data[offset:end]
        offset = end
