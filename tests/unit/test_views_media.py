from __future__ import annotations

import gzip
import random
import re

import pytest

from torus_site.views.media import WAVE_BARS, ClipAsset, draw_wave, view_clip

BAR = re.compile(r"m(\d+)(?: 0|-(\d+))v(\d+)")


def read_bars(path):
    """Follow a path and return x, top and bottom of each bar."""
    head, _, path = path.partition("m")
    x, y = map(int, head[1:].split())
    bars = []
    for dx, rise, length in BAR.findall(f"m{path}"):
        x += int(dx)
        top = y - int(rise or 0)
        y = top + int(length)
        bars.append((x, top, y))
    return bars


def test_bars_stand_about_the_middle_of_the_box():
    bars = read_bars(draw_wave([0, 3, 50, 100]))
    assert len(bars) == WAVE_BARS
    assert [x for x, _, _ in bars] == list(range(1, 300, 2))
    assert {top + bottom for _, top, bottom in bars} == {40}
    assert (min(top for _, top, _ in bars), max(bottom for _, _, bottom in bars)) == (2, 38)


def test_silence_is_blank_and_any_sound_shows():
    heights = [bottom - top for _, top, bottom in read_bars(draw_wave([0, 1]))]
    assert heights == [0] * 75 + [2] * 75


@pytest.mark.parametrize("points", [1, 7, 150, 151, 299, 1000])
def test_any_number_of_peaks_keeps_the_greatest(points):
    peaks = [10] * points
    peaks[points // 2] = 100
    heights = [bottom - top for _, top, bottom in read_bars(draw_wave(peaks))]
    assert len(heights) == WAVE_BARS
    assert max(heights) == 36


def test_no_peaks_give_no_path():
    assert draw_wave([]) == ""


def test_eighteen_waveforms_stay_small():
    chance = random.Random(7)  # noqa: S311 -- a shape, not a secret
    paths = []
    for _ in range(18):
        level, peaks = 1.0, []
        for _ in range(1000):
            level = 1.0 if chance.random() < 0.01 else level * 0.99
            peaks.append(round(100 * level * chance.uniform(0.6, 1.0)))
        paths.append(draw_wave(peaks))
    assert len(gzip.compress("\n".join(paths).encode())) < 5000


def test_clip_takes_its_id_and_label_and_keeps_its_facts():
    asset = ClipAsset(
        src="media/a.mp3",
        mime="audio/mpeg",
        kind="audio",
        duration_s=8.42,
        wave="M1 20",
        spectrogram="media/a.webp",
        facts=(("Rate", "44.1 kHz"),),
    )
    clip = view_clip(asset, id="clip-a", label="Play a")
    assert (clip.id, clip.label, clip.src, clip.duration_text) == ("clip-a", "Play a", "media/a.mp3", "8.4 s")
    assert (clip.wave, clip.spectrogram, clip.facts) == (asset.wave, asset.spectrogram, asset.facts)


def test_unknown_duration_is_not_written_as_zero():
    asset = ClipAsset(src="a.mp4", mime="video/mp4", kind="video", duration_s=0.0)
    assert view_clip(asset, id="a", label="a").duration_text == ""
