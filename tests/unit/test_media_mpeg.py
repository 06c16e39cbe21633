"""Layer III frames, the Info tag before them, and whether decoders believe it."""

from __future__ import annotations

import lameenc
import numpy as np
import pytest

from support.clips import make_noise, measure_lag, read_bytes
from torus_site.media.mpeg import (
    MP3_RATES_HZ,
    Gapless,
    add_info_tag,
    crc16,
    find_frames,
    parse_header,
    read_gapless,
)


def encode_bare(samples, rate_hz, *, bitrate_kbps=96):
    encoder = lameenc.Encoder()
    encoder.silence()
    encoder.set_in_sample_rate(rate_hz)
    encoder.set_out_sample_rate(rate_hz)
    encoder.set_channels(samples.shape[1])
    encoder.set_bit_rate(bitrate_kbps)
    encoder.set_quality(7)
    pcm = np.rint(samples * 32767).astype("<i2")
    return bytes(encoder.encode(np.ascontiguousarray(pcm))) + bytes(encoder.flush())


def divide_slowly(data):
    remainder = 0
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (0xA001 if remainder & 1 else 0)
    return remainder


def test_encoder_alone_gives_no_tag_and_decodes_late():
    noise = make_noise()
    bare = encode_bare(noise, 44100)
    heard, _ = read_bytes(bare)
    assert read_gapless(bare) is None
    assert measure_lag(noise, heard) == 1105


@pytest.mark.parametrize("rate_hz", MP3_RATES_HZ)
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("bitrate_kbps", [32, 96, 320])
def test_tagged_stream_decodes_to_the_same_frames_without_lag(rate_hz, channels, bitrate_kbps):
    noise = make_noise(rate_hz=rate_hz, channels=channels, duration_s=0.4)
    tagged = add_info_tag(encode_bare(noise, rate_hz, bitrate_kbps=bitrate_kbps), frames=len(noise))
    heard, heard_hz = read_bytes(tagged)
    assert (heard_hz, heard.shape) == (rate_hz, noise.shape)
    assert measure_lag(noise, heard) == 0


@pytest.mark.parametrize("frames", [1, 2, 575, 576, 577, 1151, 1152, 1153, 2304, 4607])
def test_any_number_of_frames_comes_back_whole(frames):
    noise = make_noise(duration_s=1)[:frames]
    tagged = add_info_tag(encode_bare(noise, 44100), frames=frames)
    gapless = read_gapless(tagged)
    assert gapless.delay == 576
    assert gapless.padding >= 529  # a decoder cuts 529 fewer, which must not be less than none
    assert len(read_bytes(tagged)[0]) == frames


def test_tag_states_counts_and_checksums():
    noise = make_noise()
    bare = encode_bare(noise, 44100)
    tagged = add_info_tag(bare, frames=len(noise))
    frames = list(find_frames(tagged))
    head = frames[0][1]
    start = 4 + head.side_info
    assert tagged[start : start + 4] == b"Info"
    assert int.from_bytes(tagged[start + 8 : start + 12], "big") == len(frames) - 1
    assert int.from_bytes(tagged[start + 12 : start + 16], "big") == len(tagged)
    assert list(tagged[start + 16 : start + 116]) == sorted(tagged[start + 16 : start + 116])
    assert int.from_bytes(tagged[start + 152 : start + 154], "big") == divide_slowly(bare)
    assert int.from_bytes(tagged[start + 154 : start + 156], "big") == divide_slowly(tagged[: start + 154])


def test_tag_that_carries_no_encoder_extension_says_nothing():
    noise = make_noise()
    tagged = bytearray(add_info_tag(encode_bare(noise, 44100), frames=len(noise)))
    at = tagged.index(b"LAME")
    assert read_gapless(bytes(tagged)) == Gapless(576, 21 * 1152 - 576 - 22050)
    tagged[at : at + 4] = bytes(4)
    assert read_gapless(bytes(tagged)) is None


def test_tag_refuses_what_is_no_stream_or_too_short():
    bare = encode_bare(make_noise(), 44100)
    with pytest.raises(ValueError, match="not made of"):
        add_info_tag(b"junk" + bare, frames=10)
    with pytest.raises(ValueError, match="not made of"):
        add_info_tag(bare + b"junk", frames=10)
    with pytest.raises(ValueError, match="not made of"):
        add_info_tag(bare[:-1], frames=10)
    with pytest.raises(ValueError, match="cannot hold"):
        add_info_tag(bare, frames=10**6)


@pytest.mark.parametrize("size", [0, 1, 2, 3, 1023, 1024, 1025, 5000])
def test_checksum_equals_division_bit_by_bit(size):
    data = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8).tobytes()
    assert crc16(data) == divide_slowly(data)


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("fffb9064", (1.0, 44100, 128, 2, 417)),
        ("fffb70c4", (1.0, 44100, 96, 1, 313)),
        ("fff3a0c4", (2.0, 22050, 96, 1, 313)),
        ("ffe384c4", (2.5, 12000, 64, 1, 384)),
    ],
)
def test_header_is_read(word, said):
    header = parse_header(bytes.fromhex(word))
    assert (header.version, header.rate_hz, header.bitrate_kbps, header.channels, header.length) == said


@pytest.mark.parametrize(
    "word", ["fffb00c4", "fffbf0c4", "fffb7cc4", "ffeb70c4", "fff970c4", "ff1b70c4", "fffb70"]
)
def test_reserved_and_foreign_headers_are_none(word):
    assert parse_header(bytes.fromhex(word)) is None


def test_frames_are_found_among_junk_that_looks_like_headers():
    bare = encode_bare(make_noise(), 44100)
    whole = [bare[offset : offset + header.length] for offset, header in find_frames(bare)]
    stray = b"stray \xff\xfb\x70\xc4 \xff\xff"
    littered = stray + b"".join(whole[:5]) + stray + b"".join(whole[5:])
    found = [littered[offset : offset + header.length] for offset, header in find_frames(littered)]
    assert found == whole
