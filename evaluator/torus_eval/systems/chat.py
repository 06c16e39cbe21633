"""What a chat server is sent: one message with a text and, where there is one, a clip."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from torus_site.errors import Problem
from torus_site.media.decode import Audio
from torus_site.media.encode import encode_mp3, encode_wav

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torus_eval.clips import Clip
    from torus_eval.systems.model import HttpWay

CAPTION_REQUEST = (
    "Describe this audio so that it could be made again from your words alone: what is heard, in which "
    "order, how often, how loud, and where. Quote what is spoken. Reply with the description only."
)
_MP3_KBPS = 160
_MOST_SEED = 1 << 31
_OURS = {
    "messages": "the message is the call's own",
    "model": "set /http/model",
    "stream": "set /http/stream",
}


def encode_attached(clip: Clip, form: str) -> bytes:
    """Encode a clip as it is sent: WAV of 16 bits, or MP3 of 160 kb/s.

    Args:
        clip: Samples beyond full scale are cut off.
        form: ``wav`` or ``mp3``.
    """
    samples = np.clip(clip.samples, -1.0, 1.0).astype(np.float32)
    audio = Audio(samples, clip.rate_hz, 16)
    return encode_mp3(audio, bitrate_kbps=_MP3_KBPS).data if form == "mp3" else encode_wav(audio).data


def build_body(
    way: HttpWay,
    sampling: Mapping[str, Any],
    *,
    text: str,
    attached: bytes | None,
    wants_sound: bool,
    seed: int,
) -> dict[str, Any]:
    """Build the body of a request.

    The sampling stands in it as it is. Unless it has a ``seed`` of its own, the call's seed is sent, brought
    to 31 bits since servers differ in what they take; ``seed = false`` sends none. The table ``body`` comes
    last: its tables are merged into those there, all else replaces.

    Args:
        way: The server.
        sampling: How the model draws.
        text: What is asked.
        attached: The clip's file.
        wants_sound: The reply is to be a sound.
        seed: The call's seed.
    """
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if attached is not None:
        content.append(_attach(way, base64.b64encode(attached).decode("ascii")))
    body: dict[str, Any] = {
        "model": way.model,
        "messages": [{"role": "user", "content": content}],
        "seed": seed % _MOST_SEED,
        **sampling,
    }
    if body["seed"] is False:
        del body["seed"]
    if wants_sound:
        body["modalities"] = ["text", "audio"]
        body["audio"] = {"format": way.audio_out, **({"voice": way.voice} if way.voice else {})}
    elif not {"generate", "edit"}.isdisjoint(way.can):
        # A model that makes sound is told not to where words are wanted; others may not know the field.
        body["modalities"] = ["text"]
    return _merge(body, way.body)


def check_fields(way: HttpWay, sampling: Mapping[str, Any], *, file: str) -> list[Problem]:
    """Find what a system file may not put into the body.

    Args:
        way: The server.
        sampling: How the model draws.
        file: How the system is called in problems.
    """
    problems = []
    for place, table in (("/sampling", sampling), ("/http/body", way.body)):
        problems += [
            Problem(file, f"{place}/{name}", "a field that every request has of its own", action=action)
            for name, action in _OURS.items()
            if name in table
        ]
        try:
            json.dumps(table, allow_nan=False)
        except ValueError:
            problems.append(Problem(file, place, "NaN or infinity", "numbers that JSON has"))
    return problems


def _attach(way: HttpWay, data: str) -> dict[str, Any]:
    if way.audio_in == "audio_url":
        mime = {"wav": "audio/wav", "mp3": "audio/mpeg"}[way.audio_format]
        return {"type": "audio_url", "audio_url": {"url": f"data:{mime};base64,{data}"}}
    return {"type": "input_audio", "input_audio": {"data": data, "format": way.audio_format}}


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in over.items():
        old = merged.get(name)
        merged[name] = _merge(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return merged
