"""Backbones: the picture YAMNet looks at, outputs added to a graph, names that open, adapters of others."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from support.programs import need_program
from support.weights import need_weights
from torus_eval.backbones import (
    needs,
    open_embedder,
    open_tagger,
    open_text_embedder,
    open_transcriber,
    opening,
)
from torus_eval.backbones.base import Tags
from torus_eval.backbones.logmel import compute_log_mel, make_patches
from torus_eval.backbones.sessions import add_outputs, open_session
from torus_eval.backbones.sound import to_rate
from torus_eval.clips import decode_clip
from torus_eval.errors import EvaluationError
from torus_eval.metrics.normalise import normalise
from torus_eval.metrics.wer import count_errors


def compute_slowly(samples):
    """Compute log-mel bands straight from their definition, sum by sum."""
    edges = [
        1127 * math.log(1 + 125 / 700) + k * 1127 * (math.log(1 + 7500 / 700) - math.log(1 + 125 / 700)) / 65
        for k in range(66)
    ]
    rows = []
    for start in range(0, len(samples) - 400 + 1, 160):
        shaped = [samples[start + n] * math.sin(math.pi * n / 400) ** 2 for n in range(400)]
        times = np.arange(400)
        size = [abs(np.sum(shaped * np.exp(-2j * np.pi * k * times / 512))) for k in range(257)]
        row = []
        for band in range(64):
            low, middle, high = edges[band : band + 3]
            total = 0.0
            for k in range(1, 257):
                mel = 1127 * math.log(1 + k * 16000 / 512 / 700)
                if low < mel <= middle:
                    total += size[k] * (mel - low) / (middle - low)
                elif middle < mel < high:
                    total += size[k] * (high - mel) / (high - middle)
            row.append(math.log(total + 0.001))
        rows.append(row)
    return np.array(rows)


def test_log_mel_equals_its_definition():
    generator = np.random.default_rng(3)
    samples = generator.uniform(-1, 1, 900) * np.linspace(0, 1, 900)
    assert np.abs(compute_log_mel(samples) - compute_slowly(samples)).max() < 1e-9


def test_silence_is_the_logarithm_of_the_offset():
    assert np.allclose(make_patches(np.zeros(100, dtype=np.float32)), math.log(0.001))


@pytest.mark.parametrize(("frames", "patches"), [(2, 1), (15600, 1), (15601, 2), (23280, 2), (160000, 20)])
def test_patches_reach_the_last_sample(frames, patches):
    samples = np.zeros(frames, dtype=np.float32)
    samples[-1] = 1.0
    found = make_patches(samples)
    assert found.shape == (patches, 96, 64)
    assert found[-1].max() > math.log(0.001)


def test_tone_stands_in_the_band_of_its_pitch():
    tone = np.sin(2 * np.pi * 1000 * np.arange(16000) / 16000).astype(np.float32)
    bands = make_patches(tone)[0].mean(axis=0)
    edges = np.linspace(1127 * np.log1p(125 / 700), 1127 * np.log1p(7500 / 700), 66)
    expected = np.argmin(np.abs(edges[1:-1] - 1127 * np.log1p(1000 / 700)))
    assert bands.argmax() == expected


def test_output_names_longer_than_a_byte_counts_are_added_whole():
    name = "x" * 200
    added = add_outputs(b"model", [name])
    assert added.startswith(b"model\x3a\xce\x01\x62\xcb\x01\x0a\xc8\x01")
    assert added.endswith(name.encode())


def test_resampling_keeps_a_tone_and_drops_what_does_not_fit():
    times = np.arange(44100) / 44100
    kept = to_rate(np.sin(2 * np.pi * 1000 * times), 44100, 16000)
    right = np.sin(2 * np.pi * 1000 * np.arange(16000) / 16000)
    assert np.abs(kept - right)[200:-200].max() < 1e-3
    assert np.abs(to_rate(np.sin(2 * np.pi * 12000 * times), 44100, 16000))[200:-200].max() < 1e-3


@pytest.mark.parametrize("samples", [np.zeros((4, 2)), np.zeros(0)])
def test_sound_of_another_shape_is_refused(samples):
    with pytest.raises(ValueError, match="shape"):
        to_rate(samples, 44100, 16000)


def test_tags_rank_classes_by_their_mean_probability():
    tags = Tags(np.array([0.5, 1.0]), np.array([[0, 2, -1], [0, 0, -1]], np.float32), ("a", "b", "c"), 1.0)
    assert [label for label, _ in tags.rank(2)] == ["b", "a"]
    assert tags.probabilities[0, 0] == 0.5


def test_unknown_backbone_suggests_the_nearest():
    with pytest.raises(EvaluationError, match=r"no tagger 'yamnt'.*yamnet, passt.*did you mean 'yamnet'"):
        open_tagger("yamnt")
    with pytest.raises(EvaluationError, match="no transcriber 'yamnet'"):
        open_transcriber("yamnet")


def test_missing_library_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "laion_clap", None)
    with pytest.raises(EvaluationError, match="run: pip install laion-clap"):
        open_embedder("clap")
    with pytest.raises(EvaluationError, match=r'pip install "torus-site\[models\]"'):
        needs.need_library("laion_clap", extra="models")


def test_missing_weights_name_what_to_run(tmp_path, monkeypatch):
    monkeypatch.setenv("TORUS_MODELS", str(tmp_path))
    with pytest.raises(EvaluationError, match="run: torus-eval models install minilm"):
        open_text_embedder("minilm")


class FakeTensor:
    """A tensor as far as the adapters know one."""

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.float32)

    def cpu(self):
        return self

    def numpy(self):
        return self.values


class FakeNoGrad:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


@pytest.fixture
def fake(monkeypatch):
    """Put modules in place of libraries that are not installed here, and forget backbones afterwards."""

    def put(**modules):
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name.replace("__", "."), module)

    monkeypatch.setattr(opening, "_LOADED", {})
    return put


def test_vggish_adapter_asks_for_raw_vectors_at_its_rate(fake):
    asked = {}

    class Model:
        def eval(self):
            asked["eval"] = True

        def forward(self, samples, rate_hz):
            asked.update(frames=len(samples), rate_hz=rate_hz)
            return FakeTensor(np.arange(128.0))

    def load(repository, entry, **options):
        asked.update(entry=entry, **options)
        assert repository.count("/") == 1
        return Model()

    fake(torch=SimpleNamespace(hub=SimpleNamespace(load=load), no_grad=FakeNoGrad))
    found = open_embedder("vggish").embed(np.zeros(4410, np.float32), 44100)
    assert found.shape == (1, 128)
    assert asked == {"eval": True, "frames": 15600, "rate_hz": 16000, "entry": "vggish", "postprocess": False}


def test_clap_adapter_cuts_parts_and_gives_unit_rows_for_texts(fake):
    asked = []

    class Module:
        def __init__(self, *, enable_fusion):
            asked.append(enable_fusion)

        def load_ckpt(self):
            asked.append("loaded")

        def get_audio_embedding_from_data(self, *, x, use_tensor):
            asked.append((x.shape, use_tensor))
            return np.full((1, 512), 2.0)

        def get_text_embedding(self, texts, *, use_tensor):
            assert use_tensor is False
            return np.full((len(texts), 512), 3.0)

    fake(laion_clap=SimpleNamespace(CLAP_Module=Module))
    clap = open_embedder("clap")
    assert clap.embed(np.zeros(12 * 16000, np.float32), 16000).shape == (2, 512)
    assert asked == [False, "loaded", ((1, 480000), False), ((1, 96000), False)]
    assert open_text_embedder("clap") is clap
    rows = clap.embed_texts(["a dog"])
    assert rows.shape == (1, 512)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)


def test_passt_adapter_fills_its_last_ten_seconds(fake):
    asked = []

    class Model:
        def eval(self):
            asked.append("eval")

        def __call__(self, samples):
            asked.append(samples.shape)
            return FakeTensor(np.zeros((1, 527)))

    base = SimpleNamespace(get_basic_model=lambda *, mode: asked.append(mode) or Model())
    fake(torch=SimpleNamespace(no_grad=FakeNoGrad, from_numpy=lambda array: array))
    fake(hear21passt__base=base, hear21passt=SimpleNamespace(base=base))
    tags = open_tagger("passt").tag(np.zeros(11 * 32000, np.float32), 32000)
    assert tags.logits.shape == (2, 527)
    assert tags.times_s.tolist() == [5.0, 15.0]
    assert asked == ["logits", "eval", (1, 320000), (1, 320000)]


def test_every_backbone_stands_where_the_table_says():
    for name, backbone in opening.BACKBONES.items():
        module, _, member = backbone.place.partition(":")
        assert getattr(importlib.import_module(f"torus_eval.backbones.{module}"), member).name == name


@pytest.mark.models
def test_tagger_knows_noise_and_gives_the_same_numbers_twice():
    need_weights("yamnet")
    noise = np.random.default_rng(0).standard_normal(3 * 44100).astype(np.float32) * np.float32(0.1)
    tagger = open_tagger("yamnet")
    tags = tagger.tag(noise, 44100)
    assert len(tags.labels) == tags.logits.shape[1] == 521
    assert tags.rank(1)[0][0] == "White noise"
    assert np.allclose(np.diff(tags.times_s), 0.48)
    other = tagger.tag(noise[::-1].copy(), 44100)
    assert not np.array_equal(other.logits, tags.logits)
    assert np.array_equal(tagger.tag(noise, 44100).logits, tags.logits)
    assert open_embedder("yamnet") is tagger


@pytest.mark.models
def test_embedding_gives_the_logits_through_the_last_layer():
    (folder,) = need_weights("yamnet")
    names = ["model.classifier.weight_qdq", "model.classifier.bias"]
    session = open_session(folder / "model.onnx", outputs=names)
    weights, bias = session.run(names, {"audio": np.zeros((1, 1, 96, 64), np.uint8)})
    noise = np.random.default_rng(1).standard_normal(32000).astype(np.float32) * np.float32(0.1)
    vectors = open_embedder("yamnet").embed(noise, 16000)
    logits = open_tagger("yamnet").tag(noise, 16000).logits
    assert vectors.shape == (len(logits), 1024)
    found = vectors @ weights.reshape(-1, 1024).T + bias
    assert np.abs(found - logits).max() < 1e-3


@pytest.mark.models
def test_sentences_of_one_meaning_are_near_and_do_not_depend_on_company():
    need_weights("minilm")
    embedder = open_text_embedder("minilm")
    rows = embedder.embed_texts(
        ["A dog barks twice.", "Two barks of a dog are heard.", "A piano plays a waltz."]
    )
    assert rows.shape == (3, 384)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)
    near, far = rows[0] @ rows[1], rows[0] @ rows[2]
    assert near > 0.7
    assert far < 0.3
    opening._LOADED.clear()
    assert np.array_equal(open_text_embedder("minilm").embed_texts(["A piano plays a waltz."])[0], rows[2])
    assert embedder.embed_texts([]).shape == (0, 384)
    twice = embedder.embed_texts(["A dog barks twice."] * 2)
    assert np.array_equal(twice[0], twice[1])


@pytest.mark.models
@pytest.mark.slow
def test_transcriber_hears_nothing_in_silence_and_repeats_itself_exactly():
    need_weights("whisper-tiny.en")
    transcriber = open_transcriber("whisper-tiny.en")
    assert transcriber.transcribe(np.zeros(44100, np.float32), 44100).words == ()
    noise = np.random.default_rng(0).standard_normal(44100).astype(np.float32) * np.float32(0.1)
    assert transcriber.transcribe(noise, 44100) == transcriber.transcribe(noise, 44100)


@pytest.mark.models
@pytest.mark.slow
def test_spoken_sentence_is_heard_with_the_times_of_its_words(tmp_path):
    need_weights("whisper-tiny.en", "yamnet")
    words = "please put the blue cup on the table near the window"
    path = tmp_path / "spoken.wav"
    subprocess.run([need_program("espeak-ng"), "-v", "en-us", "-s", "140", "-w", path, words], check=True)
    clip = decode_clip(path.read_bytes(), file="spoken.wav")
    mono = clip.mono.astype(np.float32)
    heard = open_transcriber("whisper-tiny.en").transcribe(mono, clip.rate_hz)
    assert count_errors(normalise(words), normalise(heard.text)).rate <= 0.25
    starts = [word.start_s for word in heard.words]
    assert starts == sorted(starts)
    assert heard.words[-1].end_s <= clip.duration_s + 0.5
    assert open_tagger("yamnet").tag(mono, clip.rate_hz).rank(1)[0][0] == "Speech"
