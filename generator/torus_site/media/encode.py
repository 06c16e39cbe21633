"""Clips as the bytes a browser plays.

MP3 is encoded by lameenc and led by an Info tag (see ``mpeg``), so that a decoder gives back the clip's
frames, none early or late. FLAC is written by soundfile. ``copy`` keeps what the file holds and takes its
tags out.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import lameenc
import numpy as np
import soundfile

from torus_site.errors import MediaError, Problem
from torus_site.media import strip
from torus_site.media.decode import Audio, limit
from torus_site.media.mpeg import MP3_RATES_HZ, add_info_tag, find_frames, parse_header, read_gapless
from torus_site.media.probe import CONTAINER_NAMES
from torus_site.media.resample import choose_rate, resample

if TYPE_CHECKING:
    from collections.abc import Callable

    from torus_site.media.probe import Probe

# The quality the lame program itself uses by default; the best, 2, takes twice the time.
_LAME_QUALITY: Final = 3


@dataclass(frozen=True, slots=True)
class Encoded:
    """A clip ready to be published.

    Args:
        data: The file's bytes.
        suffix: What its name ends in, with the dot.
        mime: Its media type.
        codec: What a reader is told, such as ``MP3 96 kb/s``.
        rate_hz: Its frames a second.
        channels: Its channels.
    """

    data: bytes
    suffix: str
    mime: str
    codec: str
    rate_hz: int
    channels: int


def encode_mp3(audio: Audio, *, bitrate_kbps: int) -> Encoded:
    """Encode a clip as MP3 of constant bitrate, playable without delay.

    MP3 knows nine rates up to 48 kHz. A clip at another rate is resampled: 96 kHz to 48 kHz, 88.2 kHz to 44.1
    kHz, others to the next above. Rates of 12 kHz and less allow at most 64 kb/s, those up to 24 kHz 160
    kb/s; a greater wish is lowered to that.

    Up to 160 kb/s LAME turns every clip down by the same 0.45 dB, so that what a decoder gives back seldom
    clips.

    Args:
        audio: The clip.
        bitrate_kbps: One of the bitrates MP3 knows.
    """
    rate_hz = choose_rate(audio.rate_hz, MP3_RATES_HZ)
    pcm = audio.to_pcm()
    if rate_hz != audio.rate_hz:
        moved, _ = limit(resample(audio.samples, rate_hz=audio.rate_hz, to_hz=rate_hz))
        pcm = Audio(moved, rate_hz, 16).to_pcm()
    encoder = lameenc.Encoder()
    encoder.silence()
    encoder.set_in_sample_rate(rate_hz)
    # Unless told, LAME lowers the rate of a stereo clip at 96 kb/s, and what it resamples it also delays.
    encoder.set_out_sample_rate(rate_hz)
    encoder.set_channels(pcm.shape[1])
    encoder.set_bit_rate(bitrate_kbps)
    encoder.set_quality(_LAME_QUALITY)
    stream = bytes(encoder.encode(np.ascontiguousarray(pcm, dtype="<i2")))
    stream += bytes(encoder.flush())
    tagged = add_info_tag(stream, frames=len(pcm))
    head = parse_header(stream)
    label = f"MP3 {head.bitrate_kbps if head else bitrate_kbps} kb/s"
    return Encoded(tagged, ".mp3", "audio/mpeg", label, rate_hz, pcm.shape[1])


def encode_flac(audio: Audio) -> Encoded:
    """Encode a clip as FLAC: 16 bits where the source had no more, else 24."""
    return _write(audio, container="FLAC", bits=audio.bits, suffix=".flac", mime="audio/flac")


def encode_wav(audio: Audio) -> Encoded:
    """Encode a clip as WAV of 16 bits, which every browser plays."""
    return _write(audio, container="WAV", bits=16, suffix=".wav", mime="audio/wav")


def pass_mp3(data: bytes, *, bitrate_kbps: int) -> Encoded | None:
    """Publish an MP3 file as it is, without its tags, where encoding it again would only lose.

    Returns:
        The clip, or ``None`` when the file says nothing about its delay or takes more than ``bitrate_kbps``.
    """
    try:
        frames = strip.strip_mp3(data)
    except ValueError:
        return None
    if read_gapless(frames) is None or _mean_kbps(frames) > bitrate_kbps:
        return None
    header = next(find_frames(frames))[1]
    return Encoded(frames, ".mp3", "audio/mpeg", _label_mp3(frames), header.rate_hz, header.channels)


def copy(data: bytes, audio: Audio, probe: Probe, *, clip: str) -> Encoded:
    """Publish a clip as it is, without its tags.

    MP3, FLAC, Ogg Vorbis and Opus, and WAV of 8, 16 or 24 bits are copied with all their channels. Anything
    else, such as WAV of floats or AIFF, is not safe in every browser and becomes WAV of 16 bits.

    Args:
        data: The whole file.
        audio: The same, decoded.
        probe: What the file is.
        clip: How the file is called in problems.

    Raises:
        MediaError: The file decodes, but its structure is damaged.
    """
    copier = _COPIERS.get(probe.container)
    if copier is None or probe.subtype not in copier.subtypes:
        return encode_wav(audio)
    try:
        stripped = copier.strip(data)
    except ValueError as error:
        problem = Problem(
            clip,
            found=str(error),
            expected=f"sound {CONTAINER_NAMES[probe.container]}",
            action="write it again",
        )
        raise MediaError(problem) from error
    codec = _label_mp3(stripped) if probe.container == "mp3" else f"{copier.label} {_DETAILS[probe.subtype]}"
    rate_hz, channels = probe.rate_hz or audio.rate_hz, probe.channels or audio.samples.shape[1]
    return Encoded(stripped, copier.suffix, copier.mime, codec, rate_hz, channels)


@dataclass(frozen=True, slots=True)
class _Copier:
    strip: Callable[[bytes], bytes]
    suffix: str
    mime: str
    label: str
    subtypes: frozenset[str]


# Browsers play WAV of these; floats, 32-bit numbers and telephone codings play in some only.
_SAFE_WAV: Final = frozenset({"PCM_16", "PCM_24", "PCM_U8"})
_SAFE_FLAC: Final = frozenset({"PCM_S8", "PCM_16", "PCM_24"})
_COPIERS: Final = {
    "mp3": _Copier(strip.strip_mp3, ".mp3", "audio/mpeg", "MP3", frozenset({"MPEG_LAYER_III"})),
    "flac": _Copier(strip.strip_flac, ".flac", "audio/flac", "FLAC", _SAFE_FLAC),
    "wav": _Copier(strip.strip_wav, ".wav", "audio/wav", "WAV", _SAFE_WAV),
    "ogg": _Copier(strip.strip_ogg, ".ogg", "audio/ogg", "Ogg", frozenset({"VORBIS", "OPUS"})),
}
_DETAILS: Final = {
    "VORBIS": "Vorbis",
    "OPUS": "Opus",
    "PCM_S8": "8 bit",
    "PCM_U8": "8 bit",
    "PCM_16": "16 bit",
    "PCM_24": "24 bit",
}


def _write(audio: Audio, *, container: str, bits: int, suffix: str, mime: str) -> Encoded:
    file = io.BytesIO()
    samples = audio.to_pcm(bits)
    soundfile.write(file, samples, audio.rate_hz, format=container, subtype=f"PCM_{bits}")
    codec = f"{container} {bits} bit"
    return Encoded(file.getvalue(), suffix, mime, codec, audio.rate_hz, samples.shape[1])


def _mean_kbps(frames: bytes) -> float:
    """Average the bitrate over the frames, the tag's own left out where there is one."""
    headers = [header for _, header in find_frames(frames)]
    headers = headers[1:] or headers
    return sum(header.bitrate_kbps for header in headers) / len(headers)


def _label_mp3(frames: bytes) -> str:
    return f"MP3 {_mean_kbps(frames):.0f} kb/s"
