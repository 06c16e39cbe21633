"""Clips of known make for probes: scenes, spoken lines, soundfont notes and real recordings, put in a row."""

from __future__ import annotations

import io
import shutil
import struct
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np
import soundfile

from torus_eval.clips import RATE_HZ, Clip, decode_clip, encode_clip
from torus_eval.scene.head import make_scene
from torus_eval.seeds import seed_generator
from torus_site.media.resample import resample

MEDIA = Path(__file__).parents[3] / "shared" / "media"
_FONTS = ("FluidR3_GM.sf2", "TimGM6mb.sf2")
_FONT_FOLDER = Path("/usr/share/sounds/sf2")
_TICKS = 480
SPEECH, FONT, RECORDINGS = "no speech program", "no soundfont player", "no recordings"


class AbsentError(Exception):
    """What a probe clip is made of is not on this machine."""


def scene(prompt):
    """Render a prompt with the project's own renderer."""
    seed = int(seed_generator(0, prompt).integers(1 << 32))
    return make_scene().generate(prompt, seed=seed).clip.mono


def say(text, voice="en-us", *, rate=160, pitch=50):
    """Speak a line with espeak-ng, or with flite where the voice is one of its own."""
    flite = voice in {"slt", "rms", "awb", "kal16"}
    program = shutil.which("flite" if flite else "espeak-ng")
    if program is None:
        raise AbsentError(SPEECH)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "line.wav")
        if flite:
            command = [program, "-voice", voice, "-t", text, "-o", str(file)]
        else:
            command = [program, "-v", voice, "-s", str(rate), "-p", str(pitch), "-w", str(file), text]
        subprocess.run(command, check=True, capture_output=True)
        return 0.5 * trim(load(file.read_bytes()))


def play(program, notes, *, tail_s=0.5):
    """Play notes (pitch, start, length, velocity) on a General MIDI program, -1 for drums."""
    fluid, font = (
        shutil.which("fluidsynth"),
        next((f for n in _FONTS if (f := _FONT_FOLDER / n).exists()), None),
    )
    if fluid is None or font is None:
        raise AbsentError(FONT)
    channel = 9 if program < 0 else 0
    events = [(0, bytes([0xC0 | channel, max(program, 0)]))]
    for pitch, start_s, length_s, velocity in notes:
        events.append((round(start_s * 2 * _TICKS), bytes([0x90 | channel, pitch, velocity])))
        events.append((round((start_s + length_s) * 2 * _TICKS), bytes([0x80 | channel, pitch, 0])))
    track, now = b"", 0
    for tick, message in sorted(events):
        step = tick - now
        track += bytes([0x80 | step >> 7, step & 127] if step > 127 else [step]) + message
        now = tick
    track += b"\x00\xff\x2f\x00"
    data = b"MThd" + struct.pack(">IHHH", 6, 0, 1, _TICKS) + b"MTrk" + struct.pack(">I", len(track)) + track
    with tempfile.TemporaryDirectory() as folder:
        midi, wav = Path(folder, "a.mid"), Path(folder, "a.wav")
        midi.write_bytes(data)
        command = [fluid, "-ni", "-q", "-g", "0.7", "-F", str(wav), "-r", str(RATE_HZ), str(font), str(midi)]
        subprocess.run(command, check=True, capture_output=True)
        sound = load(wav.read_bytes())
    end_s = max(start + length for _, start, length, _ in notes) + tail_s
    return sound[: round(end_s * RATE_HZ)]


def recording(name):
    """Read a real recording."""
    if not (MEDIA / name).exists():
        raise AbsentError(RECORDINGS)
    return load((MEDIA / name).read_bytes())


def load(data):
    samples, rate_hz = soundfile.read(io.BytesIO(data), always_2d=True)
    mono = samples.mean(axis=1, keepdims=True)
    return resample(mono.astype(np.float32), rate_hz=rate_hz, to_hz=RATE_HZ)[:, 0].astype(np.float64)


def trim(sound):
    loud = np.flatnonzero(np.abs(sound) > 0.01)
    return sound[loud[0] : loud[-1]] if loud.size else sound


def hush(seconds):
    """Be silent."""
    return np.zeros(round(seconds * RATE_HZ))


def noise(seconds, *, level_db=-30.0, low=False, swell_db=0.0):
    """Make steady noise, bright or low, perhaps growing from start to end."""
    rng = np.random.default_rng(5)
    white = rng.standard_normal(round(seconds * RATE_HZ))
    if low:
        white = np.convolve(white, np.ones(150) / 150.0, "same")
    ramp = (
        10.0 ** (np.linspace(-swell_db, 0.0, len(white)) / 20.0)
        if swell_db >= 0
        else 10.0 ** (np.linspace(0.0, swell_db, len(white)) / 20.0)
    )
    return 10.0 ** (level_db / 20.0) * white / np.std(white) * ramp


def tone(hz, seconds, *, level=0.2, to_hz=None, beat_hz=0.0):
    """Make a tone, perhaps gliding, perhaps beating."""
    count = round(seconds * RATE_HZ)
    course = np.cumsum(np.geomspace(hz, to_hz or hz, count)) / RATE_HZ
    wave = np.sin(2 * np.pi * course)
    if beat_hz:
        wave = (wave + np.sin(2 * np.pi * (course + beat_hz * np.arange(count) / RATE_HZ))) / 2
    edge = np.minimum(1.0, np.minimum(np.arange(count), np.arange(count)[::-1]) / 400.0)
    return level * wave * edge


def gain(sound, db):
    return sound * 10.0 ** (db / 20.0)


def fade(sound, db):
    """Let the level change evenly by some dB over the whole."""
    return sound * 10.0 ** (np.linspace(0.0, db, len(sound)) / 20.0)


def part(sound, start_s, end_s):
    return sound[round(start_s * RATE_HZ) : round(end_s * RATE_HZ)]


def row(*sounds):
    """Put sounds one after the other."""
    return np.concatenate(sounds)


def mix(*sounds):
    """Play sounds together."""
    total = np.zeros(max(len(sound) for sound in sounds))
    for sound in sounds:
        total[: len(sound)] += sound
    return total


@lru_cache(maxsize=128)
def make_clip(make):
    """Make the clip of a probe as it would be published."""
    sound = make()
    sound = sound / max(1.0, np.abs(sound).max() / 0.95) + 1e-5 * np.random.default_rng(1).standard_normal(
        len(sound)
    )
    return decode_clip(encode_clip(Clip.from_mono(sound)), file="probe")
