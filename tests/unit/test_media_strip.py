"""Tags are really gone, and the audio is really untouched."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import soundfile

from support.clips import make_noise, read_bytes, write_bytes
from torus_site.media.strip import leading_id3_size, strip_flac, strip_mp3, strip_ogg, strip_wav

SECRET = b"Someone-We-Must-Not-Name"


def make_id3v2(*, footer=False):
    body = b"TPE1" + struct.pack(">IH", len(SECRET) + 1, 0) + b"\x03" + SECRET
    size = bytes((len(body) >> shift) & 0x7F for shift in (21, 14, 7, 0))
    head = bytes([4, 0, 0x10 if footer else 0]) + size
    return b"ID3" + head + body + (b"3DI" + head if footer else b"")


def make_id3v1():
    return b"TAG" + SECRET[:30].ljust(125, b"\0")


def make_ape(*, header=True):
    item = struct.pack("<II", len(SECRET), 0) + b"Artist\0" + SECRET
    size = len(item) + 32
    end = struct.pack("<IIII8x", 2000, size, 1, 1 << 31 if header else 0)
    return (b"APETAGEX" + end if header else b"") + item + b"APETAGEX" + end


def make_lyrics():
    body = b"LYRICSBEGIN" + SECRET
    return body + b"%06d" % len(body) + b"LYRICS200"


def write_tagged(tmp_path, name, container, subtype, *, channels=1):
    path = tmp_path / name
    with soundfile.SoundFile(path, "w", 44100, channels, format=container, subtype=subtype) as sound:
        sound.artist = SECRET.decode()
        sound.comment = "x" * 70000 + SECRET.decode()
        sound.write(make_noise(channels=channels))
    data = path.read_bytes()
    assert SECRET in data
    return data


def assert_same_audio(before, after):
    heard, rate_hz = read_bytes(after)
    expected, expected_hz = read_bytes(before)
    assert rate_hz == expected_hz
    np.testing.assert_array_equal(heard, expected)


@pytest.fixture(scope="module")
def mp3():
    return write_bytes(make_noise(), container="MP3", subtype="MPEG_LAYER_III")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (make_id3v2(), b""),
        (make_id3v2(footer=True), b""),
        (make_id3v2() + make_id3v2(), b""),
        (b"", make_id3v1()),
        (b"", make_ape()),
        (b"", make_ape(header=False)),
        (b"", make_lyrics() + make_id3v1()),
        (make_id3v2(), make_ape() + make_lyrics() + make_id3v1()),
        (b"", SECRET + b" in no known tag"),
    ],
)
def test_mp3_keeps_frames_alone(mp3, before, after):
    stripped = strip_mp3(before + mp3 + after)
    assert stripped == mp3
    assert SECRET not in stripped


def test_mp3_without_a_frame_is_refused():
    with pytest.raises(ValueError, match="no whole"):
        strip_mp3(make_id3v2() + b"nothing")


def test_mp3_frame_cut_short_at_the_end_goes(mp3):
    assert mp3.startswith(strip_mp3(mp3[:-10]))


def test_leading_tag_that_claims_more_than_there_is_ends_with_the_data():
    assert leading_id3_size(b"ID3" + bytes([4, 0, 0, 127, 127, 127, 127])) == 10


def test_flac_loses_comments_and_pictures(tmp_path):
    tagged = write_tagged(tmp_path, "a.flac", "FLAC", "PCM_16")
    picture = b"\x06" + len(SECRET).to_bytes(3, "big") + SECRET
    streaminfo_end = 4 + 4 + 34
    pictured = tagged[:streaminfo_end] + picture + tagged[streaminfo_end:]
    stripped = strip_flac(make_id3v2() + pictured + make_id3v1())
    assert SECRET not in stripped
    assert b"reference" not in stripped.lower()  # the vendor of the encoder
    assert_same_audio(tagged, stripped)


def test_flac_without_tags_has_only_its_stream_description():
    stripped = strip_flac(write_bytes(make_noise(), container="FLAC"))
    assert stripped[4] & 0x80
    assert int.from_bytes(stripped[5:8], "big") == 34


@pytest.mark.parametrize("data", [b"fLaC", b"RIFF....", b"fLaC\x00\x00\x00\x22" + bytes(34)])
def test_flac_whose_metadata_do_not_end_is_refused(data):
    with pytest.raises(ValueError, match="no FLAC"):
        strip_flac(data)


def make_chunk(name, body):
    return struct.pack("<4sI", name, len(body)) + body + bytes(len(body) % 2)


@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24"])
def test_wav_keeps_format_and_data_alone(subtype):
    plain = write_bytes(make_noise(duration_s=0.1001), subtype=subtype)
    extras = (
        make_chunk(b"LIST", b"INFOIART" + SECRET),
        make_chunk(b"bext", SECRET),
        make_chunk(b"iXML", SECRET),
    )
    body = plain[12:]
    tagged = plain[:12] + extras[0] + body + bytes(len(body) % 2) + extras[1] + extras[2]
    stripped = strip_wav(tagged)
    assert SECRET not in stripped
    assert struct.unpack_from("<I", stripped, 4)[0] == len(stripped) - 8
    assert_same_audio(plain, stripped)


def test_wav_of_a_streaming_writer_gets_its_true_size():
    plain = write_bytes(make_noise())
    at = plain.index(b"data") + 4
    streamed = plain[:at] + b"\xff\xff\xff\xff" + plain[at + 4 :]
    assert strip_wav(streamed) == plain


@pytest.mark.parametrize("data", [b"RIFF\0\0\0\0WAVE", b"RIFF\0\0\0\0WAVEdata\0\0\0\0"])
def test_wav_without_its_two_chunks_is_refused(data):
    with pytest.raises(ValueError, match="no fmt and data"):
        strip_wav(data)


@pytest.mark.parametrize("channels", [1, 2])
def test_ogg_vorbis_loses_comments(tmp_path, channels):
    tagged = write_tagged(tmp_path, "a.ogg", "OGG", "VORBIS", channels=channels)
    stripped = strip_ogg(tagged)
    assert SECRET not in stripped
    assert b"Xiph" not in stripped
    assert len(stripped) == len(tagged)
    assert_same_audio(tagged, stripped)


def test_ogg_opus_loses_comments(tmp_path):
    path = tmp_path / "a.opus"
    with soundfile.SoundFile(path, "w", 48000, 1, format="OGG", subtype="OPUS") as sound:
        sound.artist = SECRET.decode()
        sound.write(make_noise(rate_hz=48000))
    tagged = path.read_bytes()
    assert SECRET in tagged
    stripped = strip_ogg(tagged)
    assert SECRET not in stripped
    assert_same_audio(tagged, stripped)


def test_ogg_loses_what_stands_after_its_pages(tmp_path):
    tagged = write_tagged(tmp_path, "a.ogg", "OGG", "VORBIS")
    assert SECRET not in strip_ogg(tagged + SECRET)


def test_ogg_cut_short_or_of_another_codec_is_refused(tmp_path):
    tagged = write_tagged(tmp_path, "a.ogg", "OGG", "VORBIS")
    with pytest.raises(ValueError, match="cut short"):
        strip_ogg(tagged[:-5])
    with pytest.raises(ValueError, match="neither Vorbis nor Opus"):
        strip_ogg(tagged.replace(b"\x01vorbis", b"\x01sorbet"))
    with pytest.raises(ValueError, match="lacks its beginning"):
        strip_ogg(tagged[tagged.index(b"OggS", 1) :])
