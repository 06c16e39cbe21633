"""Whatever text an author or a model writes, a page shows it as that text and as nothing else."""

from __future__ import annotations

import json
from functools import cache

from hypothesis import example, given, settings
from hypothesis import strategies as st

import factories
from support.reading import parse_elements
from torus_site.config import SiteConfig
from torus_site.render import Renderer, environment
from torus_site.theme import Theme, theme_root
from torus_site.views.gallery import item_page
from torus_site.views.lookup import look_up
from torus_site.views.media import ClipAsset
from torus_site.views.pages import item_frame, site_view

NASTY = [
    "</title></script><script>alert(1)</script>",
    "<!-- <b>bold</b> --> &amp; &lt; &#39; &notin; \"'`",
    "{{ 7 * 7 }} {% raw %} ${x} %s",
    "\u202ertl\u202c \u05e9\u05dc\u05d5\u05dd e\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 \ufeff",
    "tab\tnew\nline\x0b\x1f\x7f\x85\u2028\u2029 \\u0041 \\",
]
SHOWN = st.text(min_size=1, max_size=40) | st.sampled_from(NASTY)


@cache
def make_renderer():
    theme = Theme.of(theme_root().parent)
    config = SiteConfig(schema_version=1, title="Toys", description="All toys.", benchmarks=("toy",))
    return Renderer(
        environment(theme), site_view(config, {asset.name: asset.path for asset in theme.assets()})
    )


def show(*, title, prompt, question, option, caption):
    """Render an item's page with texts in every kind of place and return its elements."""
    data = factories.item_data(title=title, summary=title, notice=prompt)
    data["cells"][0] |= {"prompt": prompt, "intended": prompt, "transcript": prompt}
    data["cells"][0]["questions"][0] |= {
        "text": question,
        "options": [option, f"not {option}", f"nor {option}"],
    }
    (item,) = [factories.make_item(**{name: value for name, value in data.items() if name != "schema"})]
    run = factories.run_data()
    run["items"][0]["cells"][0]["caption"] = caption
    benchmark = factories.make_benchmark(items=[item])
    run.pop("schema")
    lookup = look_up(benchmark, factories.make_results(factories.make_run(**run)))
    paths = [cell["clip"]["path"] for cell in run["items"][0]["cells"]]
    media = {path: ClipAsset("media/a.mp3", "audio/mpeg", "audio", 1.0) for path in paths}
    config = SiteConfig(schema_version=1, title="Toys", description="All toys.", benchmarks=("toy",))
    frame = item_frame(config, (), "toy/bell/index.html", item, (None, None))
    return parse_elements(make_renderer().render("item.html", frame, item=item_page(lookup, item, media)))


@settings(max_examples=60, deadline=None)
@given(title=SHOWN, prompt=SHOWN, question=SHOWN, option=SHOWN, caption=SHOWN)
@example(*[NASTY[0]] * 5)
@example(*[NASTY[1]] * 5)
@example(*NASTY)
def test_any_text_is_shown_as_it_is_and_adds_no_element(title, prompt, question, option, caption):
    texts = {"title": title, "prompt": prompt, "question": question, "option": option, "caption": caption}
    elements = show(**texts)
    by_tag = {}
    for element in elements:
        by_tag.setdefault(element.tag, []).append(element)
    assert [element.text for element in by_tag["h1"]] == [title]
    assert [element.text for element in by_tag["title"]] == [f"{title} · Toys" if title != "Toys" else "Toys"]
    assert sum(element.text == prompt for element in by_tag["dd"]) == 3
    assert any(element.text.endswith(question) for element in by_tag["h4"])
    assert any(option in element.text for element in by_tag["li"])
    benches = [element for element in elements if "data-title" in element.attributes]
    assert [element.attributes["data-title"] for element in benches] == [title]
    scripts = [json.loads(element.text) for element in by_tag["script"] if element.text]
    assert caption in flatten(scripts)
    plain = show(**dict.fromkeys(texts, "x"))
    assert [element.tag for element in elements] == [element.tag for element in plain]
    assert [set(element.attributes) for element in elements] == [set(element.attributes) for element in plain]


def flatten(data):
    """Return every text in nested lists and dictionaries."""
    if isinstance(data, str):
        return [data]
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [text for part in inner for text in flatten(part)]
