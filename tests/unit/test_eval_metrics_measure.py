"""Scores of clips by what a descriptor wants measured."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from support.weights import need_weights
from torus_eval.backbones.base import Tags
from torus_eval.errors import EvaluationError
from torus_eval.metrics import outcomes
from torus_eval.metrics.measure import measure_clips, score_observed
from torus_eval.metrics.observe import ClipCase, Observed, Wanted, list_wanted, observe_clip
from torus_eval.metrics.requests import list_requests
from torus_eval.metrics.spread import resample_ratio
from torus_site.benchmark.descriptor import Descriptor

LABELS = ("talk", "tune")
ROUNDS = ("R1", "R2")
METRICS = (
    {"id": "words", "title": "Words", "measure": "word-errors"},
    {
        "id": "kind",
        "title": "Kind",
        "kind": "rate",
        "unit": "%",
        "measure": "modality",
        "parameters": {"facet": "sort"},
    },
    {"id": "apart", "title": "Apart", "measure": "divergence", "parameters": {"reference": "rook"}},
    {"id": "away", "title": "Away", "measure": "frechet", "parameters": {"reference": "rook"}},
    {"id": "other", "title": "Other", "measure": "strict", "parameters": {"free": "text"}},
)


def describe(*metrics):
    def name(one):
        return {"id": one, "title": one}

    return Descriptor.model_validate_json(
        json.dumps(
            {
                "schema": 1,
                "id": "toy",
                "title": "Toy",
                "noun": {"one": "thing", "many": "things"},
                "claim": "It is measured.",
                "axes": [{**name("round"), "values": [name(one) for one in ROUNDS]}],
                "facets": [
                    {**name("sort"), "values": [name("speech"), name("music")]},
                    {**name("arm"), "on": "system", "values": [name("one")]},
                ],
                "metrics": list(metrics or METRICS),
                "systems": [
                    {**name("rook"), "source": "computed", "hue": 0},
                    {**name("wren"), "source": "computed", "hue": 1},
                ],
            }
        )
    )


def observe(item, at, *, logits=(2.0, 0.0), heard="a b", vectors=((0.0, 1.0), (1.0, 0.0)), **more):
    return Observed(
        item,
        {"round": at},
        {"sort": "speech"},
        is_made=True,
        transcript="a b c d",
        level_db=-20.0,
        heard={"whisper-tiny.en": heard},
        tags={"yamnet": Tags(np.array([0.5]), np.array([logits], np.float32), LABELS, 1.0)},
        vectors={"yamnet": np.array(vectors, np.float32)},
        **more,
    )


@pytest.fixture(autouse=True)
def two_classes(monkeypatch):
    """Let the first class be speech and the second music."""

    def tell(probabilities, labels, level_db):
        assert labels == LABELS
        return "silence" if level_db < -60 else ("speech", "music")[int(np.argmax(probabilities))]

    monkeypatch.setattr(outcomes, "tell_modality", tell)


OBSERVED = (
    observe("ant", "R1"),
    observe("ant", "R2", heard="a b c d x", logits=(0.0, 2.0)),
    observe("bee", "R1", heard="a b c d", logits=(0.0, 1.0)),
    replace(observe("bee", "R2"), is_made=False, heard={}, tags={}, vectors={}),
)
REFERENCE = tuple(
    observe(item, at, vectors=((2.0, 1.0), (3.0, 0.0))) for item in ("ant", "bee") for at in ROUNDS
)


def score(observed=OBSERVED, *, system="wren", references=None, metrics=()):
    references = {"rook": REFERENCE} if references is None else references
    scores = score_observed(describe(*metrics), system, observed, references, seed=3)
    return {(one.metric, one.at.get("round", "")): one for one in scores}


def test_each_measured_metric_is_scored_in_total_and_at_each_value_of_an_axis():
    names = ("words", "kind", "apart", "away")
    assert list(score()) == [(name, at) for name in names for at in ("", *ROUNDS)]


def test_clip_that_was_not_made_said_nothing_and_was_of_no_kind():
    found = score()
    words, kind = found["words", ""], found["kind", ""]
    assert words.value == (2 + 1 + 0 + 4) / 16
    assert (words.n, words.parameters["words"], words.parameters["deletions"]) == (4, "16", "6")
    assert words.parameters["clips not made"] == "1"
    assert (kind.correct, kind.n, kind.value) == (1, 4, 25.0)
    assert kind.parameters["outcomes"] == "speech 1, music 2, sound 0, noise 0, silence 0"
    assert kind.parameters["clips not made"] == "1"


def test_parts_add_up_to_the_total():
    found = score()
    assert found["kind", ""].n == found["kind", "R1"].n + found["kind", "R2"].n
    assert found["kind", ""].correct == found["kind", "R1"].correct + found["kind", "R2"].correct


def test_divergence_is_the_mean_over_pairs_in_the_direction_named():
    p, q = np.exp(2) / (1 + np.exp(2)), 1 / (1 + np.exp(2))
    r = 1 / (1 + np.exp(1))

    def diverge(a, b):
        return a * np.log(a / b) + (1 - a) * np.log((1 - a) / (1 - b))

    apart = score()["apart", ""]
    assert np.isclose(apart.value, (0 + diverge(p, q) + diverge(p, r)) / 3)
    assert (apart.n, apart.parameters["pairs"]) == (3, "3 of 4 clips, same item and place")
    assert apart.parameters["direction"] == "reference-to-system"
    turned = {**METRICS[2], "parameters": {"reference": "rook", "direction": "system-to-reference"}}
    back = score(metrics=[turned])["apart", ""]
    assert np.isclose(back.value, (0 + diverge(q, p) + diverge(r, p)) / 3)


def test_divergence_without_pairs_is_of_means_and_says_so():
    others = tuple(replace(one, item=f"{one.item}-2") for one in REFERENCE)
    for turned in ("reference-to-system", "system-to-reference"):
        metric = {**METRICS[2], "parameters": {"reference": "rook", "direction": turned}}
        apart = score(references={"rook": others}, metrics=[metric])["apart", ""]
        assert apart.parameters["pairs"] == "none: of the mean of all clips"
        assert apart.value > 0
        assert apart.interval is None


def test_frechet_distance_states_its_sizes_and_warns():
    away = score()["away", ""]
    assert np.isclose(away.value, 4.0 + (0.6**0.5 - (4 / 7) ** 0.5) ** 2)
    assert away.n == 3
    shown = {name: away.parameters[name] for name in ("backbone", "n", "reference n", "dimension", "rank")}
    assert shown == {"backbone": "yamnet", "n": "6", "reference n": "8", "dimension": "2", "rank": "1"}
    assert "few vectors" in away.parameters["warning"]


def test_many_vectors_are_not_warned_of():
    cloud = np.random.default_rng(0).normal(size=(40, 2))
    many = observe("ant", "R1", vectors=cloud)
    assert "warning" not in score([many], references={"rook": [many]})["away", ""].parameters


def test_single_vector_is_refused_with_the_reason():
    single = [observe("ant", "R1", vectors=((1.0, 1.0),))]
    away = score(single)["away", "R1"]
    assert (away.status, away.value) == ("unscored", None)
    assert "at least two vectors" in away.reason


def test_what_cannot_be_measured_is_unscored_with_a_reason():
    own = score(system="rook")
    assert own["apart", ""].reason == own["away", "R1"].reason
    assert "others are measured against" in own["away", ""].reason
    assert own["words", ""].status == "scored"
    assert "no clips of rook" in score(references={})["apart", ""].reason
    assert score(OBSERVED[:1])["words", "R2"].reason == "no clip of this run is here"
    lost = score(OBSERVED[3:])
    assert lost["apart", ""].reason == lost["away", ""].reason == "no clips of this system here"
    gone = score(references={"rook": OBSERVED[3:]})
    assert gone["apart", ""].reason == gone["away", ""].reason == "no clips of the reference here"


def test_clips_without_words_or_kind_are_unscored():
    mute = [replace(one, transcript=None, facets={}) for one in OBSERVED]
    found = score(mute)
    assert found["words", ""].reason == "no clip here has a transcript"
    assert "as its sort" in found["kind", ""].reason
    mixed = score([*OBSERVED[:3], mute[3]])["kind", ""]
    assert (mixed.n, mixed.parameters["clips asked to be of another kind"]) == (3, "1")
    blank = [replace(one, transcript=" -- ") for one in OBSERVED]
    assert score(blank)["words", ""].reason == "the transcripts here hold no words"


def test_percent_is_given_where_the_metric_is_in_percent():
    found = score(metrics=[{**METRICS[0], "unit": "%"}])["words", ""]
    assert found.value == 100 * 7 / 16
    assert found.interval.low <= found.value <= found.interval.high


def test_silence_is_an_outcome_of_its_own():
    silent = [replace(one, level_db=-80.0) for one in OBSERVED[:3]]
    kind = score(silent)["kind", ""]
    assert (kind.correct, kind.parameters["outcomes"]) == (
        0,
        "speech 0, music 0, sound 0, noise 0, silence 3",
    )


def test_every_wrong_parameter_is_told_at_once():
    wrong = [
        {"id": "one", "title": "One", "measure": "word-errors", "parameters": {"backbon": "x"}},
        {"id": "two", "title": "Two", "measure": "modality", "parameters": {"facet": "arm"}},
        {"id": "three", "title": "Three", "measure": "divergence", "parameters": {"pooling": "mode"}},
        {"id": "four", "title": "Four", "measure": "frechet", "parameters": {"reference": "rok"}},
        {
            "id": "five",
            "title": "Five",
            "measure": "modality",
            "parameters": {"backbone": "passt", "facet": "sort"},
        },
    ]
    with pytest.raises(EvaluationError) as caught:
        list_requests(describe(*wrong))
    places = [problem.place for problem in caught.value.problems]
    assert places == [
        "/metrics/0/parameters/backbon",
        "/metrics/1/parameters/facet",
        "/metrics/2/parameters",
        "/metrics/2/parameters/pooling",
        "/metrics/3/parameters/reference",
        "/metrics/4/parameters/backbone",
    ]
    assert "did you mean 'rook'" in str(caught.value)


def test_reference_clips_are_looked_at_only_for_distances():
    requests = list_requests(describe())
    assert list_wanted(requests) == Wanted(("whisper-tiny.en",), ("yamnet",), ("yamnet",))
    assert list_wanted(requests, is_reference=True) == Wanted((), ("yamnet",), ("yamnet",))


def test_clip_that_was_not_made_needs_no_backbone():
    case = ClipCase("ant", {"round": "R1"}, {}, None, transcript="a")
    found = observe_clip(case, Wanted(("none",), ("none",), ("none",)))
    assert not found.is_made
    assert found.transcript == "a"


def test_observations_travel_between_processes():
    one = pickle.loads(pickle.dumps(OBSERVED[0]))  # noqa: S301 -- made in this very line
    assert one.tags["yamnet"].labels == LABELS


@pytest.mark.parametrize("parts", [[("a", 1, 2)], [("a", 1, 2), ("b", 0, 0)], []])
def test_interval_needs_two_items_with_a_total(parts):
    assert resample_ratio(parts, seed=1) is None


def test_interval_does_not_depend_on_the_order_of_clips():
    parts = [("b", 3, 4), ("a", 1, 4), ("c", 9, 5), ("a", 0, 2)]
    assert resample_ratio(parts, seed=1) == resample_ratio(parts[::-1], seed=1)


def test_interval_has_the_limits_of_the_share_correct():
    rows = {"a": [1, 1, 1], "b": [1, 0, 0], "c": [0, 0, 0], "d": [1, 1, 0]}
    found = resample_ratio([(item, hit, 1) for item, row in rows.items() for hit in row], seed=12345)
    assert (round(found.low, 6), round(found.high, 6), round(found.half_width, 6)) == (
        0.166667,
        0.833333,
        0.333333,
    )


@pytest.mark.models
def test_real_clips_give_the_same_scores_in_threads():
    need_weights("yamnet")
    generator = np.random.default_rng(0)

    def make(item, at, level):
        samples = generator.standard_normal((44100, 2)) * level
        return ClipCase(item, {"round": at}, {"sort": "speech"}, samples)

    clips = [make(item, at, 0.1) for item in ("ant", "bee") for at in ROUNDS]
    others = {"rook": [replace(clip, samples=clip.samples * 0.01) for clip in clips]}
    descriptor = describe(*METRICS[2:4])
    found = measure_clips(descriptor, "wren", clips, others, seed=1)
    with ThreadPoolExecutor(2) as executor:
        again = measure_clips(descriptor, "wren", clips, others, seed=1, apply=executor.map)
    assert found == again
    values = {one.metric: one.value for one in found if not one.at}
    assert values["apart"] > 0.1
    assert values["away"] > 0.1
    assert found[-3].parameters["dimension"] == "1024"
