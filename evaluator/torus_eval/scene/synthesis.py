"""Synthesis of single sounds from a few parameters: impacts, rolls, textures and notes.

Each function takes a generator and a :class:`Voicing` and returns a signal of shape (frames,) at no
particular level; the renderer sets the level.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.signals.filters import band_pass, tilt
from torus_eval.signals.timing import add_at, fade

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_STEP_DB_OCTAVE = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Voicing:
    """How a sound shall be made.

    Args:
        rate_hz: Frames a second.
        duration_s: How long it lasts; an impact may ring on.
        params: The parameters of its kind, from the lexicon.
        steps: Semitones above the base of each note in turn.
        force: Steps above or below the ordinary; harder is brighter.
        pace: Factor on inner speed.
        pitch: Factor on frequencies.
        note_hz: A pitch that replaces the base.
        pulse_hz: A rate that replaces that of the notes.
    """

    rate_hz: int
    duration_s: float
    params: dict[str, float]
    steps: tuple[int, ...] = (0,)
    force: float = 0.0
    pace: float = 1.0
    pitch: float = 1.0
    note_hz: float | None = None
    pulse_hz: float | None = None

    @property
    def frames(self) -> int:
        """The duration in frames, at least one."""
        return max(1, int(self.duration_s * self.rate_hz))

    @property
    def times_s(self) -> Signal:
        """The time of each frame, shape (frames,)."""
        return np.arange(self.frames) / self.rate_hz

    @property
    def base_hz(self) -> float:
        """The pitch of the first note."""
        return self.note_hz or self.params["base_hz"] * self.pitch

    @property
    def note_rate_hz(self) -> float:
        """Notes or strokes a second."""
        return self.pulse_hz or self.params["rate_hz"] * self.pace


def make_strike(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Hit something: decaying modes between two frequencies and a short click of noise."""
    params, rate_hz = voicing.params, voicing.rate_hz
    count = int(params["modes"])
    low_hz, high_hz = params["low_hz"] * voicing.pitch, params["high_hz"] * voicing.pitch
    place = np.sort((np.arange(count) + rng.uniform(0.1, 0.9, count)) / count)
    hz = low_hz * (high_hz / low_hz) ** place
    ring_s = params["ring_s"] * (low_hz / hz) ** 0.35 * rng.uniform(0.8, 1.25, count)
    slope = -6.0 + _STEP_DB_OCTAVE * voicing.force
    gain = 10.0 ** (slope * np.log2(hz / low_hz) / 20.0) * rng.uniform(0.6, 1.0, count)
    frames = max(voicing.frames, int(5.0 * float(ring_s.max()) * rate_hz))
    times_s = np.arange(frames) / rate_hz
    phase = rng.uniform(0.0, 2.0 * np.pi, (count, 1))
    modes = np.sin(2.0 * np.pi * hz[:, None] * times_s + phase) * np.exp(-times_s / ring_s[:, None])
    body = gain @ modes
    body *= np.minimum(1.0, times_s / 0.0008)
    click_frames = min(frames, int(0.02 * rate_hz))
    click = rng.standard_normal(click_frames) * np.exp(-times_s[:click_frames] / 0.003)
    click = band_pass(click, rate_hz, low_hz, min(high_hz * 2.0, 0.45 * rate_hz))
    body[:click_frames] += (
        params["click"] * click * np.abs(body).max() / max(float(np.abs(click).max()), 1e-9)
    )
    return fade(body, rate_hz, in_s=0.0005, out_s=0.02)


def make_scatter(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Hit many small things, ever fewer and weaker: cutlery, coins, gravel."""
    params = voicing.params
    density_hz = params["density_hz"] * voicing.pace
    count = max(3, int(density_hz * voicing.duration_s))
    # One hit in each part of the whole: drawn freely, they leave gaps that are heard as an end.
    share = (np.arange(count) + rng.uniform(0.0, 1.0, count)) / count
    starts_s = voicing.duration_s * (1.0 - (1.0 - share) ** (1.0 / (1.0 + params["decline"])))
    starts_s[0] = 0.0
    out = np.zeros(voicing.frames + voicing.rate_hz // 2)
    for start_s in starts_s:
        small = Voicing(
            rate_hz=voicing.rate_hz,
            duration_s=0.02,
            params=params,
            force=voicing.force,
            pitch=voicing.pitch * float(rng.uniform(0.75, 1.3)),
        )
        gain = float(rng.uniform(0.3, 1.0)) * float(
            np.exp(-0.6 * params["decline"] * start_s / voicing.duration_s)
        )
        strike = make_strike(rng, small)
        add_at(out, gain * strike / max(float(np.abs(strike).max()), 1e-9), int(start_s * voicing.rate_hz))
    return fade(out, voicing.rate_hz, in_s=0.0, out_s=0.05)


def make_roll(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Roll or slide: noise in a band, bumping as wheels and runners do."""
    params, times_s = voicing.params, voicing.times_s
    high_hz = min(params["high_hz"] * voicing.pitch * 2.0 ** (0.4 * voicing.force), 0.45 * voicing.rate_hz)
    noise = band_pass(
        tilt(rng.standard_normal(voicing.frames), voicing.rate_hz, -3.0),
        voicing.rate_hz,
        params["low_hz"] * voicing.pitch,
        high_hz,
    )
    drift = np.cumsum(rng.standard_normal(voicing.frames)) / np.sqrt(voicing.rate_hz)
    bumps = 0.5 + 0.5 * np.sin(2.0 * np.pi * params["bump_hz"] * voicing.pace * times_s + 2.0 * drift)
    noise *= 1.0 - 0.6 * params["grain"] * bumps
    swell = np.sin(np.pi * np.clip(times_s / voicing.duration_s, 0.0, 1.0)) ** 0.4
    return fade(noise * swell, voicing.rate_hz, in_s=0.01, out_s=0.02)


def make_creak(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Rub until it sings: a train of pulses whose rate glides up."""
    times_s = voicing.times_s
    glide = voicing.params["span"] ** (times_s / voicing.duration_s + 0.1 * np.sin(7.0 * times_s))
    phase = np.cumsum(voicing.params["base_hz"] * voicing.pitch * glide) / voicing.rate_hz
    tone = sum(np.sin(2.0 * np.pi * k * phase + rng.uniform(0, 6.0)) / k**0.7 for k in range(1, 12))
    grain = 0.6 + 0.4 * np.sin(2.0 * np.pi * 23.0 * times_s)
    return fade(np.asarray(tone) * grain, voicing.rate_hz, in_s=0.05, out_s=0.08)


def make_bark(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Bark: a rough falling tone with noise."""
    times_s = voicing.times_s
    glide = voicing.params["span"] ** (times_s / voicing.duration_s)
    phase = np.cumsum(voicing.params["base_hz"] * voicing.pitch * glide) / voicing.rate_hz
    tone = sum(np.sin(2.0 * np.pi * k * phase) / k**0.6 for k in range(1, 14))
    shape = np.minimum(1.0, times_s / 0.02) * np.exp(-4.0 * times_s / voicing.duration_s)
    rough = np.asarray(tone) + 0.8 * rng.standard_normal(voicing.frames)
    return fade(rough * shape, voicing.rate_hz, out_s=0.03)


def make_hum(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Hum: steady harmonics of a mains or motor frequency with some air."""
    params, times_s = voicing.params, voicing.times_s
    base_hz = params["base_hz"] * voicing.pitch
    wobble = 1.0 + params["wobble"] * np.sin(2.0 * np.pi * 0.7 * voicing.pace * times_s + rng.uniform(0, 6.0))
    order = np.arange(1, int(params["partials"]) + 1)
    # Small loudspeakers give no 50 Hz, so the second harmonic carries most.
    gain = 10.0 ** (params["slope_db"] * np.log2(np.maximum(order, 2) / 2.0) / 20.0)
    gain[0] *= 0.5
    phase = rng.uniform(0, 2.0 * np.pi, len(order))
    tone = np.zeros(voicing.frames)
    for k, level, turn in zip(order, gain, phase, strict=True):
        tone += level * np.sin(2.0 * np.pi * base_hz * k * times_s + turn)
    air = tilt(rng.standard_normal(voicing.frames), voicing.rate_hz, -5.0)
    return np.asarray(tone * wobble + params["air"] * air * tone.std() / air.std(), dtype=np.float64)


def make_noise(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Blow, stream or hiss: shaped noise that swells and sinks."""
    params, times_s = voicing.params, voicing.times_s
    noise = tilt(rng.standard_normal(voicing.frames), voicing.rate_hz, params["slope_db"])
    noise = band_pass(noise, voicing.rate_hz, params["low_hz"], params["high_hz"], order=2)
    swell_hz, depth = params["swell_hz"] * voicing.pace, params["swell"]
    turns = rng.uniform(0, 2.0 * np.pi, 3)
    swell = sum(
        np.sin(2.0 * np.pi * swell_hz * ratio * times_s + turn) / 3.0
        for ratio, turn in zip((1.0, 1.7, 0.43), turns, strict=True)
    )
    return np.asarray(noise * (1.0 + depth * np.asarray(swell) * 1.5).clip(0.02), dtype=np.float64)


def make_patter(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Patter: many drops at random over a hiss; rain, fire, applause."""
    params, rate_hz = voicing.params, voicing.rate_hz
    impulses = np.zeros(voicing.frames)
    count = max(1, int(params["density_hz"] * voicing.pace * voicing.duration_s))
    places = rng.integers(0, voicing.frames, count)
    impulses[places] = rng.exponential(1.0, count) * rng.choice([-1.0, 1.0], count)
    length = int(6.0 * params["drop_s"] * rate_hz)
    drop = rng.standard_normal(length) * np.exp(-np.arange(length) / (params["drop_s"] * rate_hz))
    size = voicing.frames + length
    drops = np.fft.irfft(np.fft.rfft(impulses, size) * np.fft.rfft(drop, size), size)[: voicing.frames]
    hiss = rng.standard_normal(voicing.frames)
    mixed = drops / drops.std() + params["hiss"] * hiss
    return band_pass(mixed, rate_hz, params["low_hz"], params["high_hz"], order=2)


def make_calls(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Call: short gliding whistles now and then; birds and insects."""
    params, rate_hz = voicing.params, voicing.rate_hz
    out = np.zeros(voicing.frames)
    call_s = params["call_s"]
    times_s = np.arange(int(call_s * rate_hz)) / rate_hz
    count = max(1, int(params["rate_hz"] * voicing.pace * voicing.duration_s))
    for start_s in np.sort(rng.uniform(0, max(0.01, voicing.duration_s - call_s), count)):
        base_hz = params["base_hz"] * voicing.pitch * rng.uniform(0.85, 1.15)
        glide = params["span"] ** (times_s / call_s * rng.choice([-1.0, 1.0]))
        call = np.sin(2.0 * np.pi * np.cumsum(base_hz * glide) / rate_hz)
        add_at(
            out, fade(call * rng.uniform(0.4, 1.0), rate_hz, in_s=0.01, out_s=0.02), int(start_s * rate_hz)
        )
    return out


def make_pluck(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Pluck a pattern of notes on strings that ring over one another."""
    params, rate_hz = voicing.params, voicing.rate_hz
    spacing_s = 1.0 / voicing.note_rate_hz
    out = np.zeros(voicing.frames)
    notes = {
        step: _pluck_once(rng, voicing, voicing.base_hz * 2.0 ** (step / 12.0)) for step in voicing.steps
    }
    for index in range(int(np.ceil(voicing.duration_s / spacing_s - 1e-6))):
        note = notes[voicing.steps[index % len(voicing.steps)]]
        accent = 1.0 if index % max(1, len(voicing.steps) // 2) == 0 else 0.8
        late_s = float(rng.uniform(0, 0.006))
        add_at(out, accent * note, int((index * spacing_s + late_s) * rate_hz))
    return fade(out, rate_hz, in_s=0.0, out_s=0.15) if params["ring_s"] else out


def _pluck_once(rng: np.random.Generator, voicing: Voicing, hz: float) -> Signal:
    params, rate_hz = voicing.params, voicing.rate_hz
    frames = int(4.0 * params["ring_s"] * rate_hz)
    times_s = np.arange(frames) / rate_hz
    order = np.arange(1, int(params["partials"]) + 1)
    order = order[order * hz < 0.45 * rate_hz]
    slope = params["slope_db"] + _STEP_DB_OCTAVE * voicing.force
    gain = 10.0 ** (slope * np.log2(order) / 20.0)
    gain = gain * (0.25 + np.abs(np.sin(np.pi * order / 5.3)))
    ring_s = params["ring_s"] / (1.0 + 0.12 * (order - 1))
    tone = gain @ (np.sin(2.0 * np.pi * hz * order[:, None] * times_s) * np.exp(-times_s / ring_s[:, None]))
    pick = rng.standard_normal(frames) * np.exp(-times_s / 0.004) * params["pick"] * 0.5
    return fade((tone + pick) * np.minimum(1.0, times_s / 0.002), rate_hz, in_s=0.0005, out_s=0.05)


def make_pulse(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Strike at a steady rate: a metronome, a clock, a drum."""
    spacing_s = 1.0 / voicing.note_rate_hz
    strikes = []
    for step in voicing.steps:
        small = Voicing(
            rate_hz=voicing.rate_hz,
            duration_s=0.08,
            params=voicing.params,
            force=voicing.force,
            pitch=voicing.pitch * 2.0 ** (step / 12.0),
        )
        strikes.append(make_strike(rng, small))
    out = np.zeros(voicing.frames)
    for index in range(int(np.ceil(voicing.duration_s / spacing_s - 1e-6))):
        strike = strikes[index % len(strikes)]
        add_at(out, strike / np.abs(strike).max(), int(index * spacing_s * voicing.rate_hz))
    return out


def make_reed(rng: np.random.Generator, voicing: Voicing) -> Signal:
    """Hold a note: steady harmonics with a slow attack; reeds, bows, pipes, plain tones."""
    params, rate_hz, times_s = voicing.params, voicing.rate_hz, voicing.times_s
    drift = 1.0 + params["wobble"] * np.sin(2.0 * np.pi * 5.3 * times_s)
    phase = np.cumsum(voicing.base_hz * drift) / rate_hz
    order = np.arange(1, int(params["partials"]) + 1)
    order = order[order * voicing.base_hz < 0.45 * rate_hz]
    turns = rng.uniform(0, 2.0 * np.pi, len(order))
    tone = np.zeros(voicing.frames)
    for k, turn in zip(order, turns, strict=True):
        tone += 10.0 ** (params["slope_db"] * np.log2(k) / 20.0) * np.sin(2.0 * np.pi * k * phase + turn)
    return fade(tone, rate_hz, in_s=params["attack_s"], out_s=0.15)


SYNTHS: dict[str, Callable[[np.random.Generator, Voicing], Signal]] = {
    "bark": make_bark,
    "calls": make_calls,
    "creak": make_creak,
    "hum": make_hum,
    "noise": make_noise,
    "patter": make_patter,
    "pluck": make_pluck,
    "pulse": make_pulse,
    "reed": make_reed,
    "roll": make_roll,
    "scatter": make_scatter,
    "strike": make_strike,
}
