"""The transcribed figures: equal to their source where it is at hand, and true to themselves everywhere."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from torus_site.benchmark.fit import check_results
from torus_site.benchmark.load import load_benchmark
from torus_site.records.store import dump, load_results

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(os.environ.get("TORUS_PUBLISHED_FIGURES", ROOT.parent / "shared/published/torus_figures.json"))
BENCHMARK = load_benchmark(ROOT, "torus")
RESULTS = load_results(ROOT, "torus")
REPORTED = {run.system: run for run in RESULTS.runs if run.source == "reported"}
NAMES = {system.title: system.id for system in BENCHMARK.descriptor.systems if system.source == "reported"}
LISTED = [
    system.id for system in BENCHMARK.descriptor.systems if system.source == "reported" and system.listed
]
STAGES = ("S1", "S2", "S3")
NUMBERS = ("wer", "kl", "fad", "fd")


@pytest.fixture(scope="module")
def figures():
    if not SOURCE.is_file():
        pytest.skip(
            "the published figures are not part of the repository; name their file in TORUS_PUBLISHED_FIGURES"
        )
    return json.loads(SOURCE.read_text(encoding="utf-8"))


def score(system, metric, *, subset="all", at=None, **where):
    """Return the one score of a system at a place."""
    found = [
        entry
        for entry in REPORTED[system].scores
        if (entry.metric, entry.subset, entry.at, entry.where) == (metric, subset, at or {}, where)
    ]
    assert len(found) == 1, (system, metric, at, where)
    return found[0]


def verdicts(system, item):
    """Return the verdict row of a system on an item, such as ``111001100``."""
    records = [record for record in REPORTED[system].items if record.item == item]
    return "".join(
        str(int(answer.correct)) for record in records for cell in record.cells for answer in cell.answers
    )


def half_width(entry):
    return entry.interval.half_width


# -- against the source ---------------------------------------------------------------------------


def test_every_published_system_is_transcribed_and_no_other(figures):
    published = [NAMES[entry["name"]] for entry in figures["systems"]]
    assert published == LISTED
    assert set(REPORTED) == {*published, "best-unified"}


def test_coherence_carries_over_with_its_half_widths(figures):
    for row in figures["table1"]:
        system = NAMES[row["system"]]
        for stage in STAGES:
            entry = score(system, "coherence", at={"stage": stage})
            assert [entry.value, half_width(entry)] == row[stage]
            assert entry.n == figures["table1_notes"]["stages_out_of"]
        total = score(system, "coherence")
        assert [total.value, half_width(total)] == row["total"]
        assert total.n == figures["composition"]["questions"]


def test_clip_metrics_carry_over_and_what_is_missing_is_unscored(figures):
    for row in figures["table1"]:
        system = NAMES[row["system"]]
        modality = score(system, "cm")
        assert [modality.value, half_width(modality)] == row["CM"]
        assert modality.n == figures["table1_notes"]["metrics_clips"]
        for metric in NUMBERS:
            entry = score(system, metric)
            assert entry.value == row[metric.upper()]
            assert entry.status == ("unscored" if row[metric.upper()] is None else "scored")


def test_the_interval_method_is_the_published_one(figures):
    tests = figures["composition"]["tests"]
    said = figures["table1_notes"]["bootstrap"]
    for run in REPORTED.values():
        for entry in run.scores:
            if entry.interval:
                assert said.startswith(entry.interval.method)
                assert (entry.interval.clusters, entry.interval.resamples) == (tests, 5000)
                assert (entry.interval.low, entry.interval.high) == (None, None)


def test_families_and_types_hold_what_is_stated_and_nothing_more(figures):
    families, types = figures["by_family_never_flagged"], figures["by_audio_type"]
    for system, name in (("cascaded-baseline", "baseline"), ("best-unified", "best_unified")):
        for family in "ABCDE":
            entry = score(system, "coherence", subset="never-flagged", family=family)
            assert entry.value == families.get(family, {}).get(name)
        for audio_type, stated in types.items():
            entry = score(system, "coherence", subset="never-flagged", audio_type=audio_type)
            assert entry.value == stated.get(name)


def test_verdict_rows_carry_over_for_the_same_five_tests(figures):
    items = {item.title: item for item in BENCHMARK.items}
    assert [entry["title"] for entry in figures["worked_examples"]] == list(items)
    for entry in figures["worked_examples"]:
        item = items[entry["title"]]
        for system in LISTED:
            by_title = {NAMES[title]: row for title, row in entry["verdicts"].items()}
            assert verdicts(system, item.id) == by_title.get(system, "")


def test_worked_examples_keep_type_family_and_operations(figures):
    shown = {value.id: value.short or value.title for value in BENCHMARK.descriptor.operations}
    items = {item.title: item for item in BENCHMARK.items}
    for entry in figures["worked_examples"]:
        item = items[entry["title"]]
        assert item.facets == {"audio_type": entry["audio_type"], "family": entry["family"]}
        operations = [shown[cell.operation].lower() for cell in item.cells]
        assert operations == [name.lower() for name in entry["operations"]]


def test_the_composition_carries_over(figures):
    stated, record = figures["composition"], RESULTS.composition("bank")
    tables = {table.facet: table for table in record.tables}
    assert record.options_per_question == stated["options_per_question"]
    assert tables["audio_type"].counts == stated["tests_by_audio_type"]
    assert tables["audio_type"].total == stated["tests"]
    families = {name.partition(" ")[0]: count for name, count in stated["questions_by_family"].items()}
    assert tables["family"].counts == families
    assert tables["family"].total == stated["questions"]


def test_family_names_are_the_published_ones(figures):
    family = next(facet for facet in BENCHMARK.descriptor.facets if facet.id == "family")
    shown = [f"{value.id} {value.title}".lower() for value in family.values]
    assert shown == [name.lower() for name in figures["composition"]["questions_by_family"]]


def test_the_human_study_carries_over(figures):
    stated, study = figures["human_study"], RESULTS.study("human")
    assert study.raters == stated["raters"]
    assert [study.comparisons, study.per_pair] == [stated["comparisons"], stated["per_pair"]]
    assert study.tie_rule == stated["tie_rule"]
    for row, wins in stated["wins"].items():
        assert study.wins[NAMES[row]] == {NAMES[name]: n for name, n in wins.items() if n is not None}
    assert study.win_rate_percent == {NAMES[name]: rate for name, rate in stated["overall_win_rate"].items()}
    agreement = study.agreement
    assert agreement.fleiss_kappa == stated["fleiss_kappa"]
    assert agreement.krippendorff_alpha == stated["krippendorff_alpha"]
    assert agreement.raw_percent == stated["raw_agreement"]
    assert agreement.basis == stated["agreement_on"]


# -- true to itself -------------------------------------------------------------------------------


def test_transcribed_files_fit_the_benchmark():
    errors = [problem for problem in check_results(BENCHMARK, RESULTS) if problem.severity == "error"]
    assert not [str(problem) for problem in errors if "/reported/" in problem.file]


def test_transcribed_files_are_in_canonical_form():
    records = [*REPORTED.values(), *RESULTS.studies, *RESULTS.compositions]
    assert len(records) == 10
    for record in records:
        path = ROOT / RESULTS.file_of(record)
        assert path.read_bytes() == dump(record), path.name


def test_every_transcribed_record_is_cited_as_reported():
    for record in [*REPORTED.values(), *RESULTS.studies, *RESULTS.compositions]:
        assert record.source == "reported"
        assert "anonymous review version" in record.citation


def test_a_missing_number_says_why():
    missing = [entry for run in REPORTED.values() for entry in run.scores if entry.value is None]
    assert len(missing) == 3 + 3 + 3 + 1  # metrics of the baseline; families C, D, E twice; music
    assert all(entry.reason and "not stated" in entry.reason for entry in missing)


def test_nothing_that_was_not_published_is_filled_in():
    for run in REPORTED.values():
        assert run.clips == "none"
        assert all(entry.correct is None for entry in run.scores)
        answers = [answer for item in run.items for cell in item.cells for answer in cell.answers]
        assert all(
            (answer.response, answer.pick, answer.reason) == (None, None, "reported") for answer in answers
        )


def test_published_percentages_are_counts_over_their_questions_and_add_up():
    for system in LISTED:
        stages = [score(system, "coherence", at={"stage": stage}) for stage in STAGES]
        counts = [round(entry.value * entry.n / 100) for entry in stages]
        shown = [round(100 * count / entry.n, 1) for count, entry in zip(counts, stages, strict=True)]
        assert shown == [entry.value for entry in stages]
        total = score(system, "coherence")
        assert round(100 * sum(counts) / total.n, 1) == total.value


def test_win_rates_follow_from_the_win_counts():
    study = RESULTS.study("human")
    pairs = len(study.wins) * (len(study.wins) - 1) // 2
    assert study.comparisons == pairs * study.per_pair
    for system, row in study.wins.items():
        rate = 100 * sum(row.values()) / (len(row) * study.per_pair)
        assert round(rate, 1) == study.win_rate_percent[system]
        assert all(row[other] + study.wins[other][system] <= study.per_pair for other in row)


# -- what the pages say ---------------------------------------------------------------------------


def page(name):
    return (ROOT / "site_src" / name).read_text(encoding="utf-8")


def section(name, heading):
    """Return the text under a heading of the second level."""
    parts = re.split(r"^## (.+)\n", page(name), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]


def numbers(text):
    """List the numbers of a text, those in the names of systems left out."""
    for title in sorted(NAMES, key=len, reverse=True):
        text = text.replace(title, "")
    return [float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text)]


def total(system):
    return score(system, "coherence").value


def with_half_width(system):
    return [total(system), half_width(score(system, "coherence"))]


def at_stage(system, stage):
    return score(system, "coherence", at={"stage": stage}).value


def among(system, **where):
    return score(system, "coherence", subset="never-flagged", **where).value


def chance():
    return round(100 / RESULTS.composition("bank").options_per_question, 1)


def unified():
    baselines = {system.id for system in BENCHMARK.descriptor.systems if system.baseline}
    return [system for system in LISTED if system not in baselines]


def best_unified():
    return max(unified(), key=total)


def findings():
    text = section("index.md", "What the published figures show")
    return re.split(r"^\d+\. ", text.partition("\n\nAll six")[0], flags=re.MULTILINE)[1:]


def test_the_best_unified_system_in_total_is_the_one_named():
    assert best_unified() == NAMES["Audex-30B"]


def test_every_number_of_the_findings_follows_from_the_results():
    cascade, omni, caption = (
        NAMES[name] for name in ("Cascaded Baseline", "Audio-Omni", "Audio-Omni (self-caption)")
    )
    lowest = [system for system in LISTED if min(STAGES, key=lambda s: at_stage(system, s)) == "S2"]
    leads = [
        round(among(cascade, audio_type=kind) - among("best-unified", audio_type=kind), 1)
        for kind in ("sound", "speech")
    ]
    families = [among(system, family="B") for system in (cascade, "best-unified")]
    sources = {among(system, family="A") for system in (cascade, "best-unified")}
    lead = round(total(cascade) - total(best_unified()), 1)
    three = [cascade, best_unified(), omni]
    near = [with_half_width(NAMES[name]) for name in ("UniAudio-2", "Unified-IO 2")]
    expected = [
        [*with_half_width(best_unified()), *with_half_width(cascade), lead, chance()],
        [len(lowest), len(LISTED), 2, *(at_stage(cascade, stage) for stage in STAGES)],
        [*families, *sources, *leads],
        [*with_half_width(omni), *with_half_width(caption)],
        [*(score(system, "cm").value for system in three), *map(total, three)],
        [*near[0], *near[1], *(round(value - half - chance(), 1) for value, half in near)],
    ]
    assert [numbers(finding) for finding in findings()] == expected


def test_numbers_about_the_human_study_follow_from_it():
    study = RESULTS.study("human")
    rates = study.win_rate_percent
    most = max(rates, key=rates.get)
    assert most == NAMES["Audio-Omni"]
    assert max(LISTED, key=total) == NAMES["Cascaded Baseline"]
    said = numbers(section("index.md", "The human study, as published"))
    assert said == [rates[most], rates[NAMES["Cascaded Baseline"]]]


def test_the_claim_stands_on_published_totals():
    totals = {table.of: table.total for table in RESULTS.composition("bank").tables}
    shown = BENCHMARK.descriptor.figures_of_claim
    assert [numbers(figure.value)[0] for figure in shown] == [
        total(best_unified()),
        total(NAMES["Cascaded Baseline"]),
        chance(),
        totals["questions"],
    ]
    assert numbers(shown[-1].label) == [totals["items"]]
    assert 45 < total(best_unified()) < 55 < total(NAMES["Cascaded Baseline"])  # "right half of the time"


def test_reference_lines_stand_at_chance_and_at_one_half():
    lines = [
        (figure.kind, figure.reference)
        for figure in BENCHMARK.descriptor.figures
        if getattr(figure, "reference", None)
    ]
    assert {(kind, line.value) for kind, line in lines} == {("bars", chance()), ("win-rates", 50.0)}
    assert all(line.value in numbers(line.label) for _, line in lines)


def test_captions_say_how_many_questions_and_comparisons_there_were(figures):
    captions = {figure.id: figure.caption for figure in BENCHMARK.descriptor.figures}
    study, families = figures["human_study"], figures["by_family_never_flagged"]
    assert numbers(captions["by-family-reported"]) == [families["questions"], *families["n_per_cell"]]
    assert numbers(captions["win-rates"])[0] == study["per_pair"] * (len(study["wins"]) - 1)
    assert numbers(captions["head-to-head"]) == [study["per_pair"]]
    table = next(table for table in BENCHMARK.descriptor.tables if table.id == "main")
    stages, questions = figures["table1_notes"]["stages_out_of"], figures["composition"]["questions"]
    assert numbers(table.caption) == [stages, questions, 95]


def test_the_about_page_counts_as_the_figures_do(figures):
    said = numbers(section("about.md", "Statistics"))
    tests, questions = figures["composition"]["tests"], figures["composition"]["questions"]
    never = figures["by_family_never_flagged"]["questions"]
    assert said == [5000, tests, never, questions, 100, figures["table1_notes"]["stages_out_of"]]


def test_prose_about_the_open_run_holds_no_number():
    for name, heading in (("index.md", "The open run"), ("torus/results.md", "Open run")):
        assert numbers(section(name, heading)) == []
