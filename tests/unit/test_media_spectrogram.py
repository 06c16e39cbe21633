"""The small picture of a clip."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import soundfile
from PIL import Image

from support.clips import RECORDINGS, make_noise, make_sine
from torus_site.media.spectrogram import COLUMNS_PER_S, ROWS, draw_spectrogram, measure_levels


def open_picture(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def place_band(frequency_hz):
    """The band whose middle is nearest to a frequency."""
    low, high, mel = (2595 * np.log10(1 + f / 700) for f in (40, 16000, frequency_hz))
    return round((mel - low) / (high - low) * (ROWS + 1)) - 1


@pytest.mark.parametrize("rate_hz", [16000, 44100, 48000])
@pytest.mark.parametrize("frequency_hz", [200, 1000, 5000])
def test_sine_lights_its_band_at_its_level(rate_hz, frequency_hz):
    sine = make_sine(frequency_hz, rate_hz=rate_hz, amplitude=0.1).astype(np.float32)
    levels = measure_levels(sine, rate_hz, columns=40, span_s=1.0)[20]
    assert abs(int(levels.argmax()) - place_band(frequency_hz)) <= 1
    assert levels.max() == pytest.approx(-20, abs=3)
    far = np.abs(np.arange(ROWS) - levels.argmax()) > 12
    assert levels[far].max() < -70


def test_low_bands_have_no_gaps():
    sweep = np.concatenate([make_sine(f, duration_s=0.1, rate_hz=44100) for f in range(50, 400, 7)])
    levels = measure_levels(sweep.astype(np.float32), 44100, columns=400, span_s=len(sweep) / 44100)
    assert levels[5:-5, :20].max(axis=1).min() > -12


def test_click_lights_its_column():
    samples = np.zeros((44100, 1), dtype=np.float32)
    samples[22050] = 1
    levels = measure_levels(samples, 44100, columns=100, span_s=1.0)
    loud = np.flatnonzero(levels.max(axis=1) > -60)
    assert loud.mean() == pytest.approx(49.5, abs=1)
    assert len(loud) <= 6


def test_bands_above_the_rate_stay_dark():
    noise = make_noise(rate_hz=16000, duration_s=1)
    levels = measure_levels(noise, 16000, columns=20, span_s=1.0)
    assert levels[:, place_band(9500) :].max() < -100


def test_size_follows_duration_at_a_fixed_scale():
    picture = open_picture(draw_spectrogram(make_noise(duration_s=2), 44100))
    assert picture.shape == (ROWS, 2 * COLUMNS_PER_S, 3)


def test_low_pitch_is_at_the_bottom():
    picture = open_picture(draw_spectrogram(make_sine(100).astype(np.float32), 48000)).sum(axis=2)
    assert picture.mean(axis=1).argmax() > 0.9 * ROWS


def test_shorter_clip_in_a_shared_span_ends_in_the_dark():
    noise = make_noise(duration_s=1)
    picture = open_picture(draw_spectrogram(noise, 44100, span_s=4)).sum(axis=2)
    assert picture.shape[1] == 4 * COLUMNS_PER_S
    assert picture[:, : COLUMNS_PER_S - 4].mean() > 4 * picture[:, COLUMNS_PER_S + 16 :].mean()


def test_longer_clip_in_a_shared_span_is_cut():
    noise = make_noise(duration_s=3)
    assert open_picture(draw_spectrogram(noise, 44100, span_s=1)).shape[1] == COLUMNS_PER_S


def test_long_clip_keeps_a_bounded_width():
    picture = open_picture(draw_spectrogram(make_noise(duration_s=90, rate_hz=8000), 8000))
    assert picture.shape[1] == 1600


@pytest.mark.parametrize("frames", [1, 100])
def test_shortest_clips_are_drawn(frames):
    assert open_picture(draw_spectrogram(make_noise()[:frames], 44100)).shape[1] >= 1


def test_same_clip_gives_the_same_bytes_in_any_thread():
    clips = [make_noise(seed=seed, channels=2) for seed in range(4)]
    alone = [draw_spectrogram(clip, 44100) for clip in clips]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda clip: draw_spectrogram(clip, 44100), clips * 3))
    assert together == alone * 3


@pytest.mark.parametrize("name", ["loop_tabla.flac", "guit_em9.flac", "speech_0870.wav"])
def test_ten_seconds_of_a_recording_take_at_most_13_kb(name):
    if not RECORDINGS.is_dir():
        pytest.skip(f"no recordings in {RECORDINGS.name} beside the repository")
    samples, rate_hz = soundfile.read(RECORDINGS / name, dtype="float32", always_2d=True)
    assert len(draw_spectrogram(samples[: 10 * rate_hz], rate_hz)) <= 13_000
