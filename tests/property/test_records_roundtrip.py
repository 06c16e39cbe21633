"""Any record survives being written and read, and its bytes are the same each time."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from torus_site.records.model import (
    RESULTS,
    Again,
    AgreementRecord,
    Answer,
    CellRecord,
    ClipRef,
    CompositionRecord,
    CountsRecord,
    Difference,
    IntervalRecord,
    ItemRecord,
    Lenient,
    Provenance,
    RunRecord,
    Score,
    StudyRecord,
)
from torus_site.records.parse import parse_results
from torus_site.records.store import dump

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TEXTS = WORDS.filter(bool)
SLUGS = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,4})?", fullmatch=True)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
COUNTS = st.integers(0, 10**6)
POINTS = st.dictionaries(WORDS, WORDS, max_size=2)


def maybe(strategy):
    return st.none() | strategy


INTERVALS = st.builds(
    IntervalRecord,
    half_width=st.floats(0, 1e9),
    method=TEXTS,
    level=st.floats(0.01, 0.99),
    clusters=maybe(COUNTS),
    resamples=maybe(COUNTS),
    seed=maybe(st.integers()),
)
SCORED = st.builds(
    Score,
    metric=SLUGS,
    at=POINTS,
    where=POINTS,
    subset=SLUGS,
    value=NUMBERS,
    correct=maybe(st.integers(0, 5)),
    n=st.integers(5, 99),
    interval=maybe(INTERVALS),
    parameters=st.dictionaries(WORDS, WORDS, max_size=2),
)
UNSCORED = st.builds(
    Score, metric=SLUGS, status=st.sampled_from(["unscored", "failed"]), reason=TEXTS, n=maybe(COUNTS)
)
DIFFERENCES = st.builds(
    Difference,
    metric=SLUGS,
    at=POINTS,
    where=POINTS,
    subset=SLUGS,
    baseline=SLUGS,
    value=NUMBERS,
    reason=maybe(WORDS),
    n=maybe(COUNTS),
    interval=maybe(INTERVALS),
) | st.builds(Difference, metric=SLUGS, baseline=SLUGS, reason=TEXTS)
READ = {"pick": maybe(st.sampled_from("ABCDEF")), "reason": TEXTS, "correct": st.booleans()}
GIVEN = {"response": maybe(WORDS), "lenient": maybe(st.builds(Lenient, **READ)), **READ}
ANSWERS = st.builds(
    Answer, question=TEXTS, again=st.lists(st.builds(Again, **GIVEN), max_size=2).map(tuple), **GIVEN
)
CLIPS = st.builds(
    ClipRef,
    path=st.from_regex(r"audio/[a-zé #%]{1,9}\.flac", fullmatch=True),
    sha256=st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
)
CELLS = st.builds(
    CellRecord,
    at=POINTS,
    clip=maybe(CLIPS),
    caption=maybe(WORDS),
    note=maybe(WORDS),
    answers=st.lists(ANSWERS, max_size=2).map(tuple),
) | st.builds(CellRecord, at=POINTS, status=st.sampled_from(["failed", "not_reached", "owed"]), reason=TEXTS)
ITEMS = st.builds(ItemRecord, item=SLUGS, cells=st.lists(CELLS, max_size=2).map(tuple))
HEAD = {
    "schema": st.just(1),
    "benchmark": SLUGS,
    "source": st.sampled_from(["computed", "reported"]),
    "citation": TEXTS,
}
OWED = COUNTS.map(lambda owed: {"owed": owed, "status": "incomplete" if owed else "complete"})
RUNS = st.builds(
    lambda owed, **fields: RunRecord(**owed, **fields),
    owed=OWED,
    kind=st.just("run"),
    system=SLUGS,
    clips=st.sampled_from(["published", "none"]),
    provenance=maybe(st.builds(Provenance, tool=TEXTS, tool_version=TEXTS, seed=maybe(st.integers()))),
    items=st.lists(ITEMS, max_size=2).map(tuple),
    scores=st.lists(SCORED | UNSCORED, max_size=3).map(tuple),
    differences=st.lists(DIFFERENCES, max_size=2).map(tuple),
    **HEAD,
)
STUDIES = st.builds(
    StudyRecord,
    kind=st.just("study"),
    id=SLUGS,
    raters=COUNTS,
    comparisons=COUNTS,
    per_pair=COUNTS,
    tie_rule=TEXTS,
    wins=st.dictionaries(SLUGS, st.dictionaries(SLUGS, COUNTS, max_size=2), max_size=2),
    win_rate_percent=st.dictionaries(SLUGS, NUMBERS, max_size=2),
    agreement=maybe(st.builds(AgreementRecord, basis=TEXTS, fleiss_kappa=maybe(NUMBERS))),
    **HEAD,
)


@st.composite
def tables(draw):
    counts = draw(st.dictionaries(WORDS, COUNTS, max_size=3))
    of = draw(st.sampled_from(["items", "questions"]))
    return CountsRecord(of=of, facet=draw(SLUGS), counts=counts, total=sum(counts.values()))


COMPOSITIONS = st.builds(
    CompositionRecord,
    kind=st.just("composition"),
    id=SLUGS,
    options_per_question=maybe(COUNTS),
    tables=st.lists(tables(), max_size=2).map(tuple),
    **HEAD,
)
RECORDS = RUNS | STUDIES | COMPOSITIONS


@given(RECORDS)
@settings(max_examples=60, deadline=None)
def test_record_is_read_as_it_was_written(record):
    written = dump(record)
    read = RESULTS.validate_json(written)
    assert read == record
    assert dump(read) == written


@given(record=RECORDS)
@settings(max_examples=15, deadline=None)
def test_file_is_read_as_it_was_written(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "record.json"
    path.write_bytes(dump(record))
    assert parse_results(path, file="record.json") == record


@given(RECORDS)
@settings(max_examples=20, deadline=None)
def test_bytes_are_strict_sorted_json(record):
    written = dump(record)
    assert written.endswith(b"}\n")

    def refuse(name):
        raise AssertionError(name)

    data = json.loads(written, parse_constant=refuse)
    assert list(data) == sorted(data)
