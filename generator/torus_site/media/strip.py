"""Take the tags out of audio files without touching the audio.

Names, comments, pictures and editing traces can say who made a clip. MP3 keeps its MPEG frames, FLAC its
stream description and seek table, WAV its ``fmt`` and ``data`` chunks; an Ogg comment packet is emptied in
place.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final

from torus_site.media.mpeg import find_frames

_FLAC_KEPT: Final = {0, 3}  # STREAMINFO, SEEKTABLE
_OGG_HEADER: Final = 27
_OGG_BEGINS: Final = 2
_APE_FOOTER: Final = 32


def strip_mp3(data: bytes) -> bytes:
    """Keep the MPEG frames alone; ID3, APE and Lyrics3 tags and stray bytes go.

    Raises:
        ValueError: The data hold no whole Layer III frame.
    """
    data = data[leading_id3_size(data) :]
    data = data[: len(data) - _trailing_tags_size(data)]
    kept = b"".join(data[offset : offset + header.length] for offset, header in find_frames(data))
    if not kept:
        msg = "no whole MPEG Layer III frame"
        raise ValueError(msg)
    return kept


def leading_id3_size(data: bytes) -> int:
    """Count the bytes of the ID3v2 tags before the audio.

    >>> leading_id3_size(b"ID3" + bytes([4, 0, 0, 0, 0, 0, 5]) + b"title" + b"fLaC")
    15
    """
    start = 0
    while data[start : start + 3] == b"ID3" and len(data) >= start + 10:
        has_footer = data[start + 5] >> 4 & 1
        size = 0
        for byte in data[start + 6 : start + 10]:
            size = size << 7 | byte & 0x7F
        start += 10 + size + 10 * has_footer
    return min(start, len(data))


def strip_flac(data: bytes) -> bytes:
    """Keep the stream description, the seek table and the audio; comments, pictures and padding go.

    Raises:
        ValueError: The metadata blocks do not lead to the audio.
    """
    data = data[leading_id3_size(data) :]
    data = data[: len(data) - _trailing_tags_size(data)]
    blocks: list[tuple[int, bytes]] = []
    offset, last = 4, False
    while not last:
        head = data[offset : offset + 4]
        if data[:4] != b"fLaC" or len(head) < 4:  # noqa: PLR2004 -- a block header
            msg = "no FLAC metadata"
            raise ValueError(msg)
        last, kind, size = bool(head[0] >> 7), head[0] & 0x7F, int.from_bytes(head[1:], "big")
        if kind in _FLAC_KEPT:
            blocks.append((kind, data[offset + 4 : offset + 4 + size]))
        offset += 4 + size
    metadata = b"".join(
        bytes([kind | (0x80 if index == len(blocks) - 1 else 0)]) + len(body).to_bytes(3, "big") + body
        for index, (kind, body) in enumerate(blocks)
    )
    return b"fLaC" + metadata + data[offset:]


def strip_wav(data: bytes) -> bytes:
    """Keep the ``fmt`` and ``data`` chunks of a RIFF WAVE file.

    A data chunk that claims more than the file holds, as a streaming writer leaves it, is cut to what is
    there.

    Raises:
        ValueError: One of the two chunks is missing.
    """
    chunks: dict[bytes, bytes] = {}
    offset = 12
    while offset + 8 <= len(data) and b"data" not in chunks:
        name, size = struct.unpack_from("<4sI", data, offset)
        chunks.setdefault(name, data[offset + 8 : offset + 8 + size])
        offset += 8 + size + size % 2
    if b"fmt " not in chunks or b"data" not in chunks:
        msg = "no fmt and data chunks"
        raise ValueError(msg)
    body = b"WAVE"
    for name in (b"fmt ", b"data"):
        body += struct.pack("<4sI", name, len(chunks[name])) + chunks[name] + bytes(len(chunks[name]) % 2)
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def strip_ogg(data: bytes) -> bytes:
    """Empty the comment packet of each Vorbis or Opus stream in an Ogg file.

    The packet keeps its length and is filled with zeros, so every page keeps its place and only the pages
    that held comments need a new checksum. Bytes outside pages go.

    Raises:
        ValueError: A stream is neither Vorbis nor Opus, or a page is cut short.
    """
    out = bytearray()
    packets: dict[int, _OggStream] = {}
    offset = 0
    while (offset := data.find(b"OggS", offset)) >= 0:
        table = data[offset + _OGG_HEADER : offset + _OGG_HEADER + _byte(data, offset + 26)]
        start = offset + _OGG_HEADER + len(table)
        page = bytearray(data[offset : start + sum(table)])
        if len(page) < _OGG_HEADER + len(table) + sum(table):
            msg = "an Ogg page is cut short"
            raise ValueError(msg)
        serial = int.from_bytes(page[14:18], "little")
        if page[5] & _OGG_BEGINS:
            packets[serial] = _OggStream(bytes(page[_OGG_HEADER + len(table) :]))
        stream = packets.get(serial)
        if stream is None:
            msg = "an Ogg stream lacks its beginning"
            raise ValueError(msg)
        if stream.blank(page, table):
            page[22:26] = bytes(4)
            page[22:26] = _ogg_crc(page).to_bytes(4, "little")
        out += page
        offset = start + sum(table)
    return bytes(out)


class _OggStream:
    """Follows one logical stream up to the end of its second packet, which holds the comments."""

    def __init__(self, first_packet: bytes) -> None:
        if first_packet.startswith(b"\x01vorbis"):
            # Type and name stay; then an empty vendor, no comments, and the framing bit.
            self._fill = b"\x03vorbis" + bytes(8) + b"\x01"
        elif first_packet.startswith(b"OpusHead"):
            self._fill = b"OpusTags" + bytes(8)
        else:
            msg = "an Ogg stream that is neither Vorbis nor Opus"
            raise ValueError(msg)
        self._packet = 0
        self._done = 0

    def blank(self, page: bytearray, table: bytes) -> bool:
        """Overwrite the part of the comment packet that lies on a page; tell whether there was any."""
        place, touched = _OGG_HEADER + len(table), False
        for size in table:
            if self._packet == 1:
                page[place : place + size] = self._fill[self._done : self._done + size].ljust(size, b"\0")
                self._done += size
                touched = True
            place += size
            self._packet += size < 255  # noqa: PLR2004 -- a shorter lacing value ends a packet
        return touched


def _byte(data: bytes, offset: int) -> int:
    return data[offset] if offset < len(data) else 0


def _trailing_tags_size(data: bytes) -> int:
    """Count the bytes of the ID3v1, APE and Lyrics3 tags after the audio."""
    end = len(data)
    while True:
        size = _last_tag_size(data[:end] if end < len(data) else data)
        if not size:
            return len(data) - end
        end = max(end - size, 0)


def _last_tag_size(data: bytes) -> int:
    if data[-128:-125] == b"TAG":
        return 128
    if data[-_APE_FOOTER:-24] == b"APETAGEX":
        size, _, flags = struct.unpack_from("<III", data, len(data) - 20)
        return int(size) + (_APE_FOOTER if flags >> 31 else 0)
    if data[-9:] == b"LYRICS200" and data[-15:-9].isdigit():
        return int(data[-15:-9]) + 15
    return 0


def _ogg_crc(page: bytearray) -> int:
    """Compute the checksum of an Ogg page (polynomial 0x04C11DB7, not reflected, from zero)."""
    table, crc = _ogg_crc_table(), 0
    for byte in page:
        crc = (crc << 8 & 0xFFFFFFFF) ^ table[crc >> 24 ^ byte]
    return crc


@lru_cache(maxsize=1)
def _ogg_crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        crc = byte << 24
        for _ in range(8):
            crc = (crc << 1 & 0xFFFFFFFF) ^ (0x04C11DB7 if crc >> 31 else 0)
        table.append(crc)
    return tuple(table)
