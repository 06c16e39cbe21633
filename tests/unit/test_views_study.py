from __future__ import annotations

import pytest

from support.showcase import quiz_descriptor, quiz_lookup, quiz_results
from torus_site.records.store import Results
from torus_site.views.study import chart_pairs, chart_win_rates, study_facts, study_notes

RATES = {"kind": "win-rates", "id": "rates", "title": "Rates", "study": "pairs"}
PAIRS = {"kind": "head-to-head", "id": "pairs", "title": "Pairs", "study": "pairs"}


def study(**changes):
    return quiz_results().studies[0].model_copy(update=changes)


def gather(make, spec, record):
    lookup = quiz_lookup(quiz_descriptor(figures=[spec]), Results(studies=(record,)))
    return make(lookup, lookup.descriptor.figures[0])


def test_win_rate_counts_wins_over_all_comparisons():
    chart = gather(chart_win_rates, RATES, study())
    assert [(it.title, it.marks[0].text) for it in chart.series] == [
        ("Hen", "73.8"),
        ("Emu", "21.4"),
        ("Best of all", "11.9"),
    ]
    mark = chart.series[0].marks[0]
    assert mark.value == pytest.approx(100 * 31 / 42)
    assert [(fact.title, fact.value) for fact in mark.facts] == [
        ("Wins", 31),
        ("Ties", 2),
        ("Losses", 9),
        ("Comparisons", 42),
    ]


def test_win_rate_has_wilson_limits():
    mark = gather(chart_win_rates, RATES, study()).series[0].marks[0]
    # Wilson's formula by hand for 31 of 42 and z = 1.959964.
    z, share, n = 1.959964, 31 / 42, 42
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    assert mark.low == pytest.approx(100 * (middle - reach), abs=1e-4)
    assert mark.high == pytest.approx(100 * (middle + reach), abs=1e-4)
    assert mark.detail == "31 of 42; 95 % interval 58.9 to 84.7, Wilson score"


def test_rows_stand_in_the_order_of_the_benchmark():
    backwards = dict(reversed(study().wins.items()))
    chart = gather(chart_pairs, PAIRS, study(wins=backwards))
    assert [it.title for it in chart.series] == ["Hen", "Emu", "Best of all"]


def test_stated_rate_stands_in_where_wins_are_not_all_stated():
    wins = {"hen": {"emu": 10}, "emu": {"hen": 9, "top": 0}, "top": {"hen": 0}}
    chart = gather(chart_win_rates, RATES, study(wins=wins, win_rate_percent={"hen": 73.8}))
    hen, _, top = (it.marks[0] for it in chart.series)
    assert (hen.value, hen.low, hen.detail) == (73.8, None, "as stated: wins against top not stated")
    assert (top.value, top.text, top.detail) == (None, "not stated", "wins against emu not stated")
    assert top.facts[0].text == "not stated"


def test_alternative_text_of_rates_tells_extremes_if_there_are_any():
    assert gather(chart_win_rates, RATES, study()).alt == (
        "Bars: win rates of 3 systems; highest Hen with 73.8 %; lowest Best of all with 11.9 %."
    )
    empty = study(wins={"hen": {}, "emu": {}})
    assert gather(chart_win_rates, RATES, empty).alt == "Bars: win rates of 2 systems."
    assert gather(chart_pairs, PAIRS, empty).alt == "Matrix: wins of 2 systems, row against column."


def test_pair_tells_wins_ties_losses_and_n():
    chart = gather(chart_pairs, PAIRS, study())
    mark = chart.series[0].marks[1]
    assert (mark.value, mark.text, mark.detail) == (10, "10\N{EN DASH}2\N{EN DASH}9", "n = 21")
    assert chart.alt.endswith("row against column; most wins: Hen over Best of all, 21 of 21.")


def test_system_is_not_compared_with_itself():
    chart = gather(chart_pairs, PAIRS, study())
    assert [it.marks[index].value for index, it in enumerate(chart.series)] == [None] * 3


def test_pair_without_wins_is_not_stated():
    wins = {"hen": {"emu": 10}, "emu": {}}
    hen, emu = gather(chart_pairs, PAIRS, study(wins=wins)).series
    assert (hen.marks[1].text, hen.marks[1].detail) == ("10 wins", "ties and losses not stated; n = 21")
    assert (emu.marks[0].value, emu.marks[0].text) == (None, "not stated")


def test_facts_tell_the_study_and_its_agreement():
    facts = dict(study_facts(study()))
    assert facts["Raters"] == "7"
    assert facts["Comparisons of each pair"] == "21"
    assert facts["Raw agreement"] == "71.9 %"
    assert facts["Fleiss' kappa"] == "0.377"
    assert "not stated" not in facts.values()


def test_what_is_told_in_words_is_apart_from_the_numbers():
    notes = study_notes(study())
    assert [name for name, _ in notes] == ["Ties", "Agreement measured on", "Krippendorff's alpha"]
    assert notes[1:] == (("Agreement measured on", "decisive votes"), ("Krippendorff's alpha", "not stated"))


def test_notes_without_agreement_say_so():
    assert study_notes(study(agreement=None))[-1] == ("Agreement", "not stated")
    silent = study().agreement.model_copy(update={"raw_percent": None})
    assert dict(study_notes(study(agreement=silent)))["Raw agreement"] == "not stated"
