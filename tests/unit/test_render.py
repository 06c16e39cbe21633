from __future__ import annotations

import pytest
from markupsafe import Markup

from support.projects import write_files
from torus_site.errors import BuildError
from torus_site.render import Renderer, environment
from torus_site.theme import Theme
from torus_site.views.model import PageView, SiteView

ADVICE = "expected a template that renders; mend the template, or remove your own copy to use the shipped one"
SITE = SiteView(
    title="Toys & more",
    description="",
    language="en",
    anonymous=False,
    byline="",
    licence="",
    assets={"css/site.css": "assets/site-0123456789.css"},
)


def make_page(path="a/b/index.html"):
    return PageView(path=path, root="../" * path.count("/"), title="T", description="", nav=(), links=())


@pytest.fixture
def render(tmp_path):
    """A function that renders the first of some templates."""

    def run(templates, **context):
        theme = Theme((write_files(tmp_path / "theme", templates),))
        return Renderer(environment(theme), SITE).render(next(iter(templates)), make_page(), **context)

    return run


def test_text_is_escaped_and_markup_is_not(render):
    text = render({"x.html": "{{ site.title }} {{ it }} {{ raw }}"}, it="<b>\"'", raw=Markup("<i>"))
    assert text == "Toys &amp; more &lt;b&gt;&#34;&#39; <i>"
    assert isinstance(text, Markup)


def test_links_are_relative_to_the_page(render):
    assert render({"x.html": "{{ href('index.html') }}"}) == "../../index.html"


def test_an_asset_is_linked_under_its_published_name(render):
    assert render({"x.html": "{{ asset('css/site.css') }}"}) == "../../assets/site-0123456789.css"


def test_macros_that_are_given_the_context_can_link(render):
    templates = {
        "x.html": '{% from "m.html" import link with context %}{{ link() }}',
        "m.html": "{% macro link() %}{{ href('a.html') }}{% endmacro %}",
    }
    assert render(templates) == "../../a.html"


MISTAKES = {
    "missing": ({}, "templates/x.html: found no such template"),
    "missing include": (
        {"x.html": "\n{% include 'y.html' %}"},
        "templates/x.html at line 2: found no template 'y.html'",
    ),
    "syntax": (
        {"x.html": "a\n{% if %}"},
        "templates/x.html at line 2: found Expected an expression, got 'end of statement block'",
    ),
    "syntax of an include": (
        {"x.html": "{% include 'y.html' %}", "y.html": "\n\n{{ 1 +"},
        "templates/y.html at line 3: found unexpected 'end of template'",
    ),
    "undefined name": (
        {"x.html": "\n\n{{ nothing }}"},
        "templates/x.html at line 3: found 'nothing' is undefined",
    ),
    "undefined part": (
        {"x.html": "{{ page.tilte }}"},
        "templates/x.html at line 1: found 'torus_site.views.model.PageView object' has no attribute 'tilte'",
    ),
    "undefined name in a macro": (
        {
            "x.html": '{% from "m.html" import show %}\n{{ show() }}',
            "m.html": "{% macro show() %}\n\n{{ site.title }}{% endmacro %}",
        },
        "templates/m.html at line 3: found 'site' is undefined",
    ),
    "unknown asset": (
        {"x.html": "\n{{ asset('css/lost.css') }}"},
        "templates/x.html at line 2: found no asset 'css/lost.css' in this theme",
    ),
    "wrong kind of value": (
        {"x.html": "\n{{ page.title + 1 }}"},
        'templates/x.html at line 2: found can only concatenate str (not "int") to str',
    ),
    "division by nothing": ({"x.html": "{{ 1 / 0 }}"}, "templates/x.html at line 1: found division by zero"),
    "unknown filter": (
        {"x.html": "\n{{ page.title | shout }}"},
        "templates/x.html at line 2: found No filter named 'shout'.",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_template_is_told_with_file_and_line(name, tmp_path):
    templates, expected = MISTAKES[name]
    renderer = Renderer(environment(Theme((write_files(tmp_path, templates),))), SITE)
    with pytest.raises(BuildError) as caught:
        renderer.render("x.html", make_page())
    assert str(caught.value) == f"{expected}; {ADVICE}"


def test_the_first_folder_of_a_theme_wins(tmp_path):
    own = write_files(tmp_path / "own", {"x.html": "own"})
    shipped = write_files(tmp_path / "shipped", {"x.html": "shipped", "y.html": "{% include 'x.html' %}"})
    renderer = Renderer(environment(Theme((own, shipped))), SITE)
    assert renderer.render("y.html", make_page()) == "own"
