from __future__ import annotations

import pytest
from jinja2 import Environment
from markupsafe import Markup

from support.projects import write_files
from torus_site.errors import BuildError
from torus_site.memory import Memory
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


@pytest.fixture
def odd_values():
    class Finished:
        def __html__(self):
            return "<u>"

    class Text(str):
        """Text of another class."""

        __slots__ = ()

    return [
        *("a<b", Markup("<i>"), 5, 0.5, None, Finished(), Text("<")),
        *([1, "<"], {"<": 1}, True, "", "\N{NO-BREAK SPACE}&amp;"),
    ]


def test_templates_put_out_what_the_plain_library_makes_of_them(tmp_path, odd_values):
    text = (
        "{% macro show(x) %}[{{ x }}]{% endmacro %}{% set kept %}{{ values[0] }}{% endset %}{{ kept }}"
        "{% for x in values %}{{ x }}{{ show(x) }}{{ x ~ '<' }}{{ x if loop.first else 1 }}{% endfor %}"
        "{% autoescape false %}{{ values[0] }}{% endautoescape %}"
        "{{ values[0] | upper }}{{ '<' | safe }}{{ '<' }}{% filter lower %}{{ values[0] }}{% endfilter %}"
    )
    env = environment(Theme((write_files(tmp_path, {"x.html": text}),)))
    plain = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    assert env.get_template("x.html").render(values=odd_values) == plain.from_string(text).render(
        values=odd_values
    )


def test_a_compiled_template_is_kept_and_compiled_anew_when_it_changes(tmp_path, monkeypatch):
    theme = Theme((write_files(tmp_path / "theme", {"x.html": "one"}),))
    file = tmp_path / "memory.sqlite"

    def render():
        memory = Memory(file)
        with memory.build({}, maker="1"):
            return environment(theme, memory=memory).get_template("x.html").render()

    assert render() == "one"
    with monkeypatch.context() as patch:
        patch.setattr(Environment, "compile", lambda *_: pytest.fail("compiled again"))
        assert render() == "one"
    write_files(tmp_path / "theme", {"x.html": "two"})
    assert render() == "two"


def test_loading_passes_over_templates_that_are_wrong(tmp_path):
    theme = Theme((write_files(tmp_path, {"x.html": "{% if %}", "y.html": "fine"}),))
    renderer = Renderer(environment(theme), SITE)
    renderer.load(["x.html", "y.html", "z.html"])
    assert renderer.render("y.html", make_page()) == "fine"
