"""How long a video says it is."""

from __future__ import annotations

import struct

import pytest

from torus_site.media.video import read_duration


def make_box(name, body, *, wide=False):
    if wide:
        return struct.pack(">I4sQ", 1, name, len(body) + 16) + body
    return struct.pack(">I4s", len(body) + 8, name) + body


def make_mp4(*, version=0, scale=1000, duration=2500, wide=False):
    times = (
        struct.pack(">QQIQ", 0, 0, scale, duration)
        if version
        else struct.pack(">IIII", 0, 0, scale, duration)
    )
    header = make_box(b"mvhd", bytes([version, 0, 0, 0]) + times + bytes(80))
    media = make_box(b"mdat", bytes(50), wide=wide)
    return make_box(b"ftyp", b"isom" + bytes(4)) + media + make_box(b"moov", make_box(b"udta", b"") + header)


def make_element(name, body, *, unknown=False):
    size = b"\xff" if unknown else struct.pack(">I", len(body) | 0x10000000)
    return bytes.fromhex(name) + size + body


def make_webm(*info, unknown=False):
    segment = make_element("114D9B74", b"seek") + make_element("1549A966", b"".join(info))
    return make_element("1A45DFA3", make_element("4282", b"webm")) + make_element(
        "18538067", segment, unknown=unknown
    )


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("wide", [False, True])
def test_mp4_states_its_duration(version, wide):
    assert read_duration(make_mp4(version=version, wide=wide), "mp4") == 2.5


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize(("code", "width"), [(">f", 4), (">d", 8)])
def test_webm_states_its_duration(code, width, unknown):
    number = make_element("4489", struct.pack(code, 1250.0))
    assert len(struct.pack(code, 1250.0)) == width
    assert read_duration(make_webm(number, unknown=unknown), "webm") == 1.25
    scale = make_element("2AD7B1", (2_000_000).to_bytes(3, "big"))
    assert read_duration(make_webm(scale, number, unknown=unknown), "webm") == 2.5


@pytest.mark.parametrize(
    ("data", "container"),
    [
        (b"", "mp4"),
        (make_mp4(duration=0), "mp4"),
        (make_mp4(scale=0), "mp4"),
        (make_mp4()[:-150], "mp4"),
        (make_box(b"moov", make_box(b"mvhd", b"\0")), "mp4"),
        (b"", "webm"),
        (make_webm(), "webm"),
        (make_webm(make_element("4489", b"\0\0")), "webm"),
        (b"\x1aE\xdf\xa3", "webm"),
        (b"\0" * 20, "webm"),
    ],
)
def test_video_that_states_none_gives_none(data, container):
    assert read_duration(data, container) is None
