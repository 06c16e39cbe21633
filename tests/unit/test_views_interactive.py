from __future__ import annotations

import plotly.graph_objects as go

from torus_site.views.interactive import hover_text, make_layout, wrap_label


def test_layout_is_one_that_plotly_knows_and_has_no_template():
    layout = make_layout(200, {"l": 1, "r": 2, "t": 3, "b": 4})
    assert go.Layout(layout).to_plotly_json().keys() == layout.keys()
    assert "template" not in layout
    assert (layout["height"], layout["showlegend"]) == (200, False)


def test_names_cannot_bring_markup_into_a_chart():
    assert hover_text(["<a href='x'>", "b & c"]) == "&lt;a href='x'&gt;<br>b &amp; c"
    assert wrap_label("<b>bold</b>") == "&lt;b&gt;bold&lt;/b&gt;"


def test_long_name_is_wrapped_and_an_empty_one_stays_empty():
    assert wrap_label("Interaction and congruence") == "Interaction and<br>congruence"
    assert wrap_label("") == ""
