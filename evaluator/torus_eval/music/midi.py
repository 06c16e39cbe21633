"""Write a score as a Standard MIDI File of format 0."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from torus_eval.errors import EvaluationError
from torus_site.errors import Problem

if TYPE_CHECKING:
    from torus_eval.music.score import Score

_TICKS_A_QUARTER = 960
_QUARTER_US = 500_000
_TICKS_A_SECOND = _TICKS_A_QUARTER * 1_000_000 // _QUARTER_US
_KIT_CHANNEL = 9
_CHANNELS = tuple(channel for channel in range(16) if channel != _KIT_CHANNEL)
_EXPRESSION = 11
_BEND_CENTRE, _BEND_CENTS = 8192, 200.0


def write_midi(score: Score) -> bytes:
    """Write a score.

    Args:
        score: At most 15 programs besides the kit.

    Returns:
        A whole file: one track of 1920 ticks a second, which ends when the score does.

    Raises:
        EvaluationError: The score has more programs than MIDI has channels.
    """
    channels = _choose_channels(score)
    # At one tick, a note ends before the next begins, and settings come before either.
    events: list[tuple[int, int, bytes]] = []
    for program, channel in channels.items():
        if program is not None:
            events.append((0, 0, bytes([0xC0 | channel, program])))
        if score.cents:
            bend = round(_BEND_CENTRE * (1.0 + score.cents / _BEND_CENTS))
            bend = min(max(bend, 0), 2 * _BEND_CENTRE - 1)
            events.append((0, 0, bytes([0xE0 | channel, bend & 0x7F, bend >> 7])))
        events += [
            (_to_ticks(swell.time_s), 1, bytes([0xB0 | channel, _EXPRESSION, swell.level]))
            for swell in score.swells
        ]
    for note in score.notes:
        channel = channels[note.program]
        start = _to_ticks(note.start_s)
        end = max(start + 1, _to_ticks(note.start_s + note.duration_s))
        events.append((start, 3, bytes([0x90 | channel, note.pitch, note.velocity])))
        events.append((end, 2, bytes([0x80 | channel, note.pitch, 64])))
    events.sort()
    track = bytearray(b"\x00\xff\x51\x03" + _QUARTER_US.to_bytes(3, "big"))
    now = 0
    for tick, _, message in events:
        track += write_length(tick - now) + message
        now = tick
    track += write_length(max(0, _to_ticks(score.length_s) - now)) + b"\xff\x2f\x00"
    head = b"MThd" + struct.pack(">IHHH", 6, 0, 1, _TICKS_A_QUARTER)
    return head + b"MTrk" + struct.pack(">I", len(track)) + bytes(track)


def write_length(value: int) -> bytes:
    r"""Write a number as MIDI's quantity of variable length, seven bits a byte.

    >>> write_length(0), write_length(128), write_length(0x0FFFFFFF)
    (b'\x00', b'\x81\x00', b'\xff\xff\xff\x7f')
    """
    parts = [value & 0x7F]
    while value > 0x7F:  # noqa: PLR2004 -- the largest number of seven bits
        value >>= 7
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


def _choose_channels(score: Score) -> dict[int | None, int]:
    programs = list(dict.fromkeys(note.program for note in score.notes))
    tuned = [program for program in programs if program is not None]
    if len(tuned) > len(_CHANNELS):
        raise EvaluationError(
            Problem("score", found=f"{len(tuned)} instruments", expected=f"at most {len(_CHANNELS)}")
        )
    channels: dict[int | None, int] = dict(zip(tuned, _CHANNELS, strict=False))
    if None in programs:
        channels[None] = _KIT_CHANNEL
    return channels


def _to_ticks(time_s: float) -> int:
    return round(time_s * _TICKS_A_SECOND)
