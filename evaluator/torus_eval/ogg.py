"""Ogg pages: give a stream a fixed serial number so that equal sound is equal bytes.

libsndfile numbers each stream from the clock. Every page (RFC 3533) is: magic ``OggS``, version, flags,
position (8 bytes), serial (4), sequence (4), checksum (4), count of segments, their sizes, then the body.
"""

from __future__ import annotations

import struct

_HEADER = struct.Struct("<4sBBqIII B")
_SERIAL_AT, _CHECKSUM_AT = 14, 22
_POLYNOMIAL = 0x04C11DB7


def _make_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1) ^ (_POLYNOMIAL if value & 0x80000000 else 0)
        table.append(value & 0xFFFFFFFF)
    return tuple(table)


_TABLE = _make_table()


def set_serial(data: bytes, serial: int) -> bytes:
    """Rewrite the serial number and the checksum of every page of a one-stream Ogg file.

    Args:
        data: The whole file.
        serial: The number every page shall carry.

    Returns:
        The file, of the same length.

    Raises:
        ValueError: The data are not Ogg pages from first to last byte.
    """
    pages = bytearray(data)
    start = 0
    while start < len(pages):
        end = _find_end(pages, start)
        struct.pack_into("<I", pages, start + _SERIAL_AT, serial)
        struct.pack_into("<I", pages, start + _CHECKSUM_AT, 0)
        struct.pack_into("<I", pages, start + _CHECKSUM_AT, _sum(memoryview(pages)[start:end]))
        start = end
    return bytes(pages)


def _find_end(pages: bytearray, start: int) -> int:
    body = start + _HEADER.size
    if pages[start : start + 4] != b"OggS" or body > len(pages):
        message = f"no Ogg page at byte {start}"
        raise ValueError(message)
    segments = pages[body - 1]
    end = body + segments + sum(pages[body : body + segments])
    if end > len(pages):
        message = f"the Ogg page at byte {start} is cut short"
        raise ValueError(message)
    return end


def _sum(page: memoryview) -> int:
    value = 0
    for byte in page:
        value = ((value << 8) & 0xFFFFFFFF) ^ _TABLE[(value >> 24) ^ byte]
    return value
