"""Two modest editors: one that knows only level, speed and dullness, and one that does nothing."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, cast

import numpy as np

from torus_eval.clips import RATE_HZ, Clip
from torus_eval.editing.instruction import read_instruction
from torus_eval.systems.base import Made

if TYPE_CHECKING:
    from types import ModuleType

_FULL_SCALE = 32768.0
_DULL_HZ = 700
_BARRIER_DB = -12.0
_FASTEST = 3.0


@dataclass(frozen=True, slots=True)
class UntouchedEditor:
    """Returns the clip as it is."""

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Return the clip; the instruction is not read."""
        del instruction, seed
        return Made(clip, "the clip is left as it was")


@dataclass(frozen=True, slots=True)
class LevelAndSpeedEditor:
    """Turns a clip up or down, plays it faster or slower, or duller, as whole, with pydub."""

    def edit(self, clip: Clip, instruction: str, *, seed: int) -> Made:
        """Change level, speed or dullness of the whole clip."""
        del seed
        asked = read_instruction(instruction)
        pydub = _load_pydub()
        samples = np.clip(np.rint(clip.mono * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE - 1).astype("<i2")
        segment = pydub.AudioSegment(samples.tobytes(), frame_rate=clip.rate_hz, sample_width=2, channels=1)
        done = []
        if asked.speed > 1.0:
            segment = segment.speedup(playback_speed=min(asked.speed, _FASTEST))
            done.append("speed")
        elif asked.speed < 1.0:
            slow = segment._spawn(segment.raw_data, {"frame_rate": round(clip.rate_hz * asked.speed)})  # noqa: SLF001 -- the documented way to play at another rate
            segment = slow.set_frame_rate(clip.rate_hz)
            done.append("speed")
        if asked.duller or asked.barrier:
            segment = segment.low_pass_filter(_DULL_HZ)
            done.append("dullness")
        gain_db = asked.gain_db or (_BARRIER_DB if asked.barrier else 0.0)
        if gain_db:
            segment = segment.apply_gain(min(gain_db, -1.0 - segment.max_dBFS) if gain_db > 0 else gain_db)
            done.append("level")
        note = (
            f"changed {' and '.join(done)} only"
            if done
            else "the instruction asks for more than level or speed"
        )
        raw = np.frombuffer(cast("bytes", segment.raw_data), dtype="<i2").astype(np.float64)
        return Made(Clip.from_mono(raw / _FULL_SCALE, RATE_HZ), note)


def _load_pydub() -> ModuleType:
    with warnings.catch_warnings():
        # pydub warns that ffmpeg is missing; nothing here needs it.
        warnings.simplefilter("ignore")
        return import_module("pydub")
