from __future__ import annotations

import pytest

from support.showcase import quiz_descriptor, quiz_lookup, quiz_results
from torus_site.views.coverage import chart_shares

DONUT = {
    "kind": "donut",
    "id": "bank",
    "title": "Bank",
    "composition": "bank",
    "of": "items",
    "facet": "place",
}


def gather(counts=None, **changes):
    results = quiz_results()
    if counts is not None:
        (bank,) = results.compositions
        table = bank.tables[0].model_copy(update={"counts": counts, "total": sum(counts.values())})
        changed = bank.model_copy(update={"tables": (table,)})
        results = type(results)(compositions=(changed,))
    lookup = quiz_lookup(quiz_descriptor(figures=[DONUT | changes]), results)
    return chart_shares(lookup, lookup.descriptor.figures[0])


def test_counts_and_shares_come_from_the_composition():
    chart = gather()
    (series,) = chart.series
    assert [(mark.value, mark.text, mark.detail) for mark in series.marks] == [
        (1, "1", "25.0 %"),
        (3, "3", "75.0 %"),
    ]
    assert [fact.value for mark in series.marks for fact in mark.facts] == [25.0, 75.0]
    assert (chart.source, chart.citation) == ("reported", "A paper, section 3")


def test_alternative_text_tells_every_share():
    assert gather().alt == "Ring of 4 round trips by Place: Indoors 1 (25.0 %), Outdoors 3 (75.0 %)."
    assert gather(of="questions").alt.startswith("Ring of 24 questions by Place: Indoors 6")


def test_value_without_a_count_counts_nothing():
    assert [mark.value for mark in gather({"out": 3}).series[0].marks] == [0, 3]


def test_empty_bank_has_no_shares():
    chart = gather({"in": 0, "out": 0})
    assert chart.alt == "Ring of 0 round trips by Place: Indoors 0, Outdoors 0."
    assert [mark.facts[0].value for mark in chart.series[0].marks] == [None, None]


def test_unknown_table_is_a_bug():
    with pytest.raises(KeyError):
        gather(composition="other")
