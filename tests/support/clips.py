"""Clips made of arithmetic, and what is needed to compare them."""

from __future__ import annotations

import io

import numpy as np
import soundfile

from support.repository import ROOT

RECORDINGS = ROOT.parent / "shared" / "media"
"""Real recordings beside the repository; tests that use them skip where they are absent."""


def make_noise(*, duration_s=0.5, rate_hz=44100, channels=1, level=0.3, seed=0):
    """Noise that falls towards high frequencies, so that every codec keeps it; shape (frames, channels)."""
    frames = round(duration_s * rate_hz)
    white = np.random.default_rng(seed).standard_normal((frames + 8, channels))
    smooth = np.lib.stride_tricks.sliding_window_view(white, 8, axis=0).mean(axis=-1)[:frames]
    return (level * smooth / np.abs(smooth).max()).astype(np.float32)


def make_sine(frequency_hz, *, duration_s=1.0, rate_hz=48000, amplitude=1.0, phase=0.0):
    """A sine in one channel; shape (frames, 1)."""
    time = np.arange(round(duration_s * rate_hz)) / rate_hz
    return (amplitude * np.sin(2 * np.pi * frequency_hz * time + phase))[:, None]


def write_bytes(samples, rate_hz=44100, *, container="WAV", subtype="PCM_16"):
    """The bytes of an audio file."""
    file = io.BytesIO()
    soundfile.write(file, samples, rate_hz, format=container, subtype=subtype)
    return file.getvalue()


def read_bytes(data):
    """Samples of shape (frames, channels) and the rate of an audio file."""
    return soundfile.read(io.BytesIO(data), always_2d=True)


def measure_lag(reference, heard):
    """How many frames ``heard`` comes after ``reference``, by cross-correlation of the first channels."""
    size = 1 << (len(reference) + len(heard)).bit_length()
    spectrum = np.fft.rfft(heard[:, 0], size) * np.conj(np.fft.rfft(reference[:, 0], size))
    return (int(np.argmax(np.fft.irfft(spectrum))) + size // 2) % size - size // 2
