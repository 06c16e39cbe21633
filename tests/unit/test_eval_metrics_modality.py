"""Which kind of sound a clip is."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from support.weights import need_weights
from torus_eval.backbones import open_tagger
from torus_eval.metrics.modality import MODALITIES, map_classes, measure_peak_level, tell_modality

RATE_HZ = 44100


def read_labels():
    (folder,) = need_weights("yamnet")
    with (folder / "classes.csv").open(encoding="utf-8", newline="") as file:
        return tuple(row["display_name"] for row in csv.DictReader(file))


def make_noise(seconds=3.0, level=0.1):
    return np.random.default_rng(0).standard_normal(round(seconds * RATE_HZ)) * level


def tell(samples):
    tags = open_tagger("yamnet").tag(samples.astype(np.float32), RATE_HZ)
    level = measure_peak_level(samples, RATE_HZ)
    return tell_modality(tags.probabilities.mean(axis=0), tags.labels, level)


@pytest.mark.parametrize(("size", "level"), [(1.0, 0.0), (0.1, -20.0), (0.001, -60.0), (0.0, -120.0)])
def test_level_is_that_of_the_loudest_tenth_of_a_second(size, level):
    samples = np.zeros(2 * RATE_HZ)
    samples[RATE_HZ : RATE_HZ + RATE_HZ // 10] = size
    assert measure_peak_level(samples, RATE_HZ) == level


def test_clip_shorter_than_a_window_has_a_level():
    assert measure_peak_level(np.full(3, 0.1), RATE_HZ) == -20.0


@pytest.mark.models
def test_map_knows_every_class_and_leaves_places_out():
    labels = read_labels()
    kinds = dict(zip(labels, map_classes(labels), strict=True))
    assert set(kinds.values()) == {*MODALITIES, None}
    right = {
        "Speech": "speech",
        "Whispering": "speech",
        "Singing": "music",
        "Music": "music",
        "Piano": "music",
        "Sad music": "music",
        "Bell": "sound",
        "Dog": "sound",
        "Rain": "sound",
        "White noise": "noise",
        "Silence": None,
        "Inside, small room": None,
        "Echo": None,
    }
    assert {name: kinds[name] for name in right} == right
    counts = {kind: list(kinds.values()).count(kind) for kind in right.values()}
    assert counts == {"speech": 9, "music": 146, "sound": 345, "noise": 8, None: 13}


@pytest.mark.models
def test_likeliest_kind_wins_unless_the_clip_is_silent():
    labels = read_labels()
    likely = np.zeros(len(labels))
    likely[labels.index("Silence")] = 1.0
    likely[labels.index("Dog")] = 0.2
    likely[labels.index("Piano")] = 0.3
    assert tell_modality(likely, labels, -20.0) == "music"
    assert tell_modality(likely, labels, -60.0) == "music"
    assert tell_modality(likely, labels, -60.1) == "silence"


def test_map_of_other_classes_is_refused():
    with pytest.raises(KeyError, match="Speech"):
        map_classes(("Cat", "Dog"))


@pytest.mark.models
def test_noise_is_noise_and_the_same_far_down_is_silence():
    need_weights("yamnet")
    assert tell(make_noise()) == "noise"
    assert tell(make_noise(level=1e-4)) == "silence"
