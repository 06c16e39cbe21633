from __future__ import annotations

import xml.etree.ElementTree as ET

from markupsafe import Markup

from torus_site.views.svg import drawing, element, measure, shorten, tip


def test_text_and_attributes_are_escaped_and_markup_is_kept():
    made = element("text", "<script>", Markup("<b/>"), data_name='"&')
    assert made == '<text data-name="&#34;&amp;">&lt;script&gt;<b/></text>'


def test_attribute_without_a_value_is_left_out():
    assert element("rect", x=None, y=0) == '<rect y="0"/>'


def test_coordinates_have_one_decimal_at_most():
    assert element("line", x1=2.0, x2=3.14159, y1=-0.26) == '<line x1="2" x2="3.1" y1="-0.3"/>'


def test_drawing_names_itself_for_a_screen_reader():
    svg = ET.fromstring(  # noqa: S314 -- what this project drew
        drawing("figure-a", element("g"), width=340, height=100, title="A & b", description="Two <things>.")
    )
    assert svg.get("viewBox") == "0 0 340 100"
    assert svg.get("role") == "img"
    ids = svg.get("aria-labelledby").split()
    assert [svg.find(f"*[@id='{name}']").text for name in ids] == ["A & b", "Two <things>."]


def test_tip_has_a_line_for_each_part():
    assert tip(["a", "b < c"]) == "<title>a\nb &lt; c</title>"


def test_long_text_is_cut_with_an_ellipsis():
    assert shorten("Interaction and congruence", width=90) == "Interaction…"
    assert measure(shorten("x" * 100, width=90)) <= 90
    assert shorten("abc", width=1) == "a…"


def test_fitting_text_is_kept():
    assert shorten("Speech", width=measure("Speech") + 1) == "Speech"
