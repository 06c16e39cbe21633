"""MPEG Layer III streams as frames: find them, and write the header frame that makes playback exact.

A decoder starts 1105 frames late unless the first frame says how much silence the encoder put before and
after the audio. That frame is the "Info" tag of the LAME encoder, written here for streams that lack it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

ENCODER_DELAY: Final = 576
"""Frames of silence that LAME puts before the audio."""

MP3_RATES_HZ: Final = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)

_HEADER: Final = 4
_VERSIONS: Final = {3: 1.0, 2: 2.0, 0: 2.5}
_RATES_HZ: Final = {1.0: (44100, 48000, 32000), 2.0: (22050, 24000, 16000), 2.5: (11025, 12000, 8000)}
_KBPS_1: Final = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KBPS_2: Final = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_LAYER_3: Final = 1
_MONO: Final = 3
_TAG_BYTES: Final = 156
_TOC_POINTS: Final = 100
_CRC_LANES: Final = 1024


@dataclass(frozen=True, slots=True)
class FrameHeader:
    """What the four bytes before a Layer III frame say.

    Args:
        word: The four bytes as one number.
        version: 1.0, 2.0 or 2.5.
        rate_hz: Frames of audio a second.
        bitrate_kbps: Kilobits a second of this frame.
        channels: 1 or 2.
        length: Bytes of the frame, header included.
    """

    word: int
    version: float
    rate_hz: int
    bitrate_kbps: int
    channels: int
    length: int

    @property
    def samples(self) -> int:
        """Frames of audio that one MPEG frame holds."""
        return 1152 if self.version == 1.0 else 576

    @property
    def side_info(self) -> int:
        """Bytes between the header and the main data, where an Info tag begins."""
        if self.version == 1.0:
            return 17 if self.channels == 1 else 32
        return 9 if self.channels == 1 else 17

    def continues(self, other: FrameHeader) -> bool:
        """Whether this frame can belong to the same stream as ``other``."""
        if self is other:
            return True
        return (self.version, self.rate_hz, self.channels) == (other.version, other.rate_hz, other.channels)


def parse_header(data: bytes, offset: int = 0) -> FrameHeader | None:
    """Read a Layer III frame header.

    Returns:
        The header, or ``None`` when none (or one of free format) stands at ``offset``.

    >>> parse_header(bytes.fromhex("fffb70c4")).bitrate_kbps
    96
    >>> parse_header(b"RIFF") is None
    True
    """
    if len(data) < offset + _HEADER or data[offset] != 0xFF or data[offset + 1] < 0xE0:  # noqa: PLR2004 -- the sync word
        return None
    return _decode_header(int.from_bytes(data[offset : offset + _HEADER], "big"))


@lru_cache(maxsize=256)
def _decode_header(word: int) -> FrameHeader | None:
    version = _VERSIONS.get(word >> 19 & 3)
    bitrate_index, rate_index = word >> 12 & 15, word >> 10 & 3
    if version is None or word >> 17 & 3 != _LAYER_3 or bitrate_index in (0, 15) or rate_index == 3:  # noqa: PLR2004 -- reserved
        return None
    rate_hz = _RATES_HZ[version][rate_index]
    kbps = (_KBPS_1 if version == 1.0 else _KBPS_2)[bitrate_index]
    length = (144000 if version == 1.0 else 72000) * kbps // rate_hz + (word >> 9 & 1)
    return FrameHeader(word, version, rate_hz, kbps, 1 if word >> 6 & 3 == _MONO else 2, length)


def find_frames(data: bytes) -> Iterator[tuple[int, FrameHeader]]:
    """Walk over the whole frames of a stream and skip whatever stands between them.

    Two stray bytes can look like a header, so a frame counts only next to another frame or at the end of the
    data, and it must agree with the first in version, rate and channels.

    Yields:
        The offset and header of each frame.
    """
    offset, previous_end = 0, -1
    first: FrameHeader | None = None
    header = parse_header(data)
    while offset >= 0:
        if header and header.continues(first or header) and (end := offset + header.length) <= len(data):
            following = parse_header(data, end)
            beside = following is not None and following.continues(header)
            if beside or offset == previous_end or end == len(data):
                first = first or header
                yield offset, header
                offset, previous_end, header = end, end, following
                continue
        offset = data.find(b"\xff", offset + 1)
        header = parse_header(data, max(offset, 0))


@dataclass(frozen=True, slots=True)
class Gapless:
    """What an Info tag says about the silence around the audio.

    Args:
        delay: Frames of audio that the encoder put before the clip.
        padding: Frames of audio that it put after the clip.
    """

    delay: int
    padding: int


def read_gapless(data: bytes, offset: int = 0) -> Gapless | None:
    """Read the encoder delay and padding from the frame at ``offset``.

    Returns:
        The two counts, or ``None`` when the frame carries no Info or Xing tag with an encoder's extension.
    """
    header = parse_header(data, offset)
    if header is None:
        return None
    start = offset + _HEADER + header.side_info
    if data[start : start + 4] not in (b"Info", b"Xing"):
        return None
    (flags,) = struct.unpack_from(">I", data, start + 4)
    numbers = (flags & 1) + (flags >> 1 & 1) + (flags >> 3 & 1)
    extension = start + 8 + 4 * numbers + _TOC_POINTS * (flags >> 2 & 1)
    counts = data[extension + 21 : extension + 24]
    encoder = data[extension : extension + 4]
    if len(counts) < 3 or not encoder.isalnum():  # noqa: PLR2004 -- two numbers of 12 bits
        return None
    both = int.from_bytes(counts, "big")
    return Gapless(both >> 12, both & 0xFFF)


def add_info_tag(stream: bytes, *, frames: int) -> bytes:
    """Put an Info tag before a stream of constant bitrate that LAME encoded without one.

    Args:
        stream: Whole Layer III frames from the first byte on.
        frames: Frames of audio that were encoded.

    Returns:
        The stream behind a frame that states frame count, byte count, a table for seeking, encoder delay and
        padding, and checksums of the stream and of itself. Decoders skip the frame and cut the silence.

    Raises:
        ValueError: The stream is not made of such frames alone, or holds less audio than ``frames``.
    """
    head = parse_header(stream)
    offsets = _find_constant(stream, head) if head else []
    if not (head and offsets):
        msg = "the stream is not made of Layer III frames of one bitrate"
        raise ValueError(msg)
    padding = len(offsets) * head.samples - ENCODER_DELAY - frames
    if padding < 0:
        msg = f"{len(offsets)} MPEG frames cannot hold {frames} frames of audio"
        raise ValueError(msg)
    holder = _roomy_header(head)
    total = holder.length + len(stream)
    toc = bytes(
        (holder.length + offsets[point * len(offsets) // _TOC_POINTS]) * 256 // total
        for point in range(_TOC_POINTS)
    )
    start = _HEADER + holder.side_info
    tag = bytearray(holder.length)
    struct.pack_into(">I", tag, 0, holder.word)
    # 15: frame count, byte count, seek table and quality follow.
    struct.pack_into(">4sIII100sI", tag, start, b"Info", 15, len(offsets), total, toc, 0)
    struct.pack_into(
        ">9sBB4s4sBB3sBB2sIH",
        tag,
        start + 120,
        b"LAME3.100",
        1,  # revision 0 of the tag, constant bitrate
        0,  # low-pass not stated
        bytes(4),  # peak not stated
        bytes(4),  # replay gain not stated
        0,  # encoder flags not stated
        min(head.bitrate_kbps, 255),
        (ENCODER_DELAY << 12 | padding).to_bytes(3, "big"),
        _source_rate_code(head.rate_hz) << 6 | (3 if head.channels > 1 else 0) << 2,  # 3: joint stereo
        0,  # gain not changed afterwards
        bytes(2),  # preset not stated
        total,
        crc16(stream),
    )
    struct.pack_into(">H", tag, start + 154, crc16(bytes(tag[: start + 154])))
    return bytes(tag) + stream


def _find_constant(stream: bytes, head: FrameHeader) -> list[int]:
    """Find the frames of a stream of constant bitrate; where anything else is in it, the list is empty."""
    length = head.length - (head.word >> 9 & 1)
    start, offset, offsets = stream[:2], 0, []
    while offset < len(stream):
        if stream[offset : offset + 2] != start:
            return []
        offsets.append(offset)
        offset += length + (stream[offset + 2] >> 1 & 1)
    return offsets if offset == len(stream) else []


def crc16(data: bytes) -> int:
    """Compute the cyclic redundancy check that the Info tag uses (polynomial 0x8005, reflected, from zero).

    >>> hex(crc16(b"123456789"))
    '0xbb3d'
    """
    step, leap = _crc_tables()
    # Leading zeros change nothing, so the data may grow at the front to whole rows of 16-bit words.
    padded = bytes(-len(data) % (2 * _CRC_LANES)) + data
    rows = np.frombuffer(padded, dtype="<u2").reshape(-1, _CRC_LANES)
    lanes = np.zeros(_CRC_LANES, dtype=np.uint16)
    for row in rows:
        lanes = leap[lanes] ^ row
    remainder = 0
    for word in lanes.tolist():
        remainder = step[remainder ^ word]
    return remainder


@lru_cache(maxsize=1)
def _crc_tables() -> tuple[list[int], npt.NDArray[np.uint16]]:
    """Make two tables over all 16-bit words: a word's check, and a word moved on by a whole row."""
    step: npt.NDArray[np.uint16] = np.arange(1 << 16, dtype=np.uint16)
    for _ in range(16):
        step = (step >> np.uint16(1)) ^ (step & np.uint16(1)) * np.uint16(0xA001)
    # Moving on is linear over bits: move the 16 single bits, then combine them.
    bits = np.uint16(1) << np.arange(16, dtype=np.uint16)
    for _ in range(_CRC_LANES):
        bits = step[bits]
    leap = np.zeros(1 << 16, dtype=np.uint16)
    for index, moved in enumerate(bits):
        leap[1 << index : 2 << index] = leap[: 1 << index] ^ moved
    return step.tolist(), leap


def _roomy_header(head: FrameHeader) -> FrameHeader:
    """Choose the header of the tag's frame: the stream's, or the next bitrate whose frame holds the tag."""
    unpadded = head.word & ~(1 << 9)
    for index in range(head.word >> 12 & 15, 15):
        word = (unpadded & ~(15 << 12)) | index << 12
        header = parse_header(struct.pack(">I", word))
        if header and header.length >= _HEADER + header.side_info + _TAG_BYTES:
            return header
    msg = "no bitrate has frames that hold an Info tag"
    raise ValueError(msg)  # pragma: no cover -- the greatest bitrate of every rate holds it


def _source_rate_code(rate_hz: int) -> int:
    """Class a rate the way the tag does: up to 32 kHz, 44.1 kHz, 48 kHz."""
    return {44100: 1, 48000: 2}.get(rate_hz, 0)
