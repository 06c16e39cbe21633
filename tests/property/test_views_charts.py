"""Whatever the numbers, drawing, plotly data and table agree."""

from __future__ import annotations

import plotly.graph_objects as go
from hypothesis import given, settings
from hypothesis import strategies as st

from support.drawn import drawn_marks, plotted_values, tabled_values
from support.showcase import make_run, quiz_descriptor, quiz_lookup, quiz_results
from torus_site.records.store import Results
from torus_site.views.figures import figure

PLACES = ("R1", "R2", "R3")
counts = st.integers(0, 10**6)


@st.composite
def scores(draw):
    """Scores of one system: any number with or without limits, at some of the places."""
    found = []
    for place in draw(st.sets(st.sampled_from(PLACES))):
        value = draw(st.floats(-50, 250))
        down, up = draw(st.floats(0, 60)), draw(st.floats(0, 60))
        interval = {"low": value - down, "high": value + up, "half_width": (up + down) / 2, "method": "m"}
        found.append(
            {
                "metric": "right",
                "value": value,
                "at": {"round": place},
                "interval": draw(st.sampled_from([None, interval])),
            }
        )
    return found


def agree(view, columns=None):
    drawn = sorted(value for value, _, _ in drawn_marks(view.svg))
    assert drawn == sorted(plotted_values(view.plotly)) == sorted(tabled_values(view.table, columns))
    go.Figure(view.plotly["data"], view.plotly["layout"])


@settings(deadline=None, max_examples=30)
@given(
    st.lists(scores(), min_size=2, max_size=2), st.sampled_from([(0.0, 100.0), (-100.0, 100.0), (20.0, 60.0)])
)
def test_bars_agree(both, scale):
    spec = {"kind": "bars", "id": "b", "title": "B", "metric": "right", "source": "computed", "axis": "round"}
    spec |= {"systems": ["wren", "lark"], "low": scale[0], "high": scale[1]}
    runs = tuple(make_run(name, scores=rows) for name, rows in zip(("wren", "lark"), both, strict=True))
    lookup = quiz_lookup(quiz_descriptor(figures=[spec]), Results(runs=runs))
    agree(figure(lookup, lookup.descriptor.figures[0]))


@settings(deadline=None, max_examples=30)
@given(counts, counts)
def test_shares_agree_but_for_what_has_no_slice(inside, outside):
    spec = {"kind": "donut", "id": "d", "title": "D", "composition": "bank", "of": "items", "facet": "place"}
    (bank,) = quiz_results().compositions
    table = bank.tables[0].model_copy(
        update={"counts": {"in": inside, "out": outside}, "total": inside + outside}
    )
    results = Results(compositions=(bank.model_copy(update={"tables": (table,)}),))
    lookup = quiz_lookup(quiz_descriptor(figures=[spec]), results)
    view = figure(lookup, lookup.descriptor.figures[0])
    drawn = sorted(value for value, _, _ in drawn_marks(view.svg))
    assert drawn == sorted(plotted_values(view.plotly))
    assert drawn == sorted(value for value in tabled_values(view.table, 1) if value)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 11)), min_size=3, max_size=3))
def test_studies_agree_and_every_pair_adds_up(pairs):
    names = ("hen", "emu", "top")
    wins = {name: {} for name in names}
    for (first, second), (ours, theirs) in zip([(0, 1), (0, 2), (1, 2)], pairs, strict=True):
        wins[names[first]][names[second]] = ours
        wins[names[second]][names[first]] = theirs
    (study,) = quiz_results().studies
    specs = [
        {"kind": kind, "id": kind, "title": kind, "study": "pairs"} for kind in ("win-rates", "head-to-head")
    ]
    results = Results(studies=(study.model_copy(update={"wins": wins}),))
    lookup = quiz_lookup(quiz_descriptor(figures=specs), results)
    rates, matrix = (figure(lookup, spec) for spec in lookup.descriptor.figures)
    agree(rates, 1)
    agree(matrix)
    for row in rates.table.groups[0].rows:
        rate, won, tied, lost, n = (float(cell.sort) for cell in row.cells)
        assert won + tied + lost == n == 42
        assert abs(rate - 100 * won / n) < 1e-9
