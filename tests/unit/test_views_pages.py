from __future__ import annotations

import pytest

from support.showcase import make_item
from torus_site.config import SiteConfig
from torus_site.content import read_page
from torus_site.views.model import LinkView
from torus_site.views.pages import item_frame, markdown_frame, navigation, outward_links, root_of, site_view

HOME = "title: Home\nnav: Start\norder: 2\n\n::: comparator\n\n::: figure a\n"
ABOUT = "title: About\ndescription: What it is.\nnav: About\norder: 1\n\nText.\n"
HIDDEN = "title: Lost\n\nText.\n"


@pytest.fixture(name="pages")
def _pages(tmp_path):
    pages = []
    for name, text in (("index", HOME), ("about", ABOUT), ("404", HIDDEN)):
        path = tmp_path / f"{name}.md"
        path.write_text(text, encoding="utf-8")
        pages.append(read_page(path, file=f"site_src/{name}.md", folder=""))
    return tuple(pages)


def configure(**changes):
    return SiteConfig.model_validate_json(
        SiteConfig(
            schema=1,
            title="Site",
            description="All of it.",
            benchmarks=("quiz",),
            authors=("A. Author",),
            affiliations=("An Institute",),
            links=({"title": "Code", "url": "https://example.org/code"},),
        )
        .model_copy(update=changes)
        .model_dump_json(by_alias=True)
    )


def test_way_to_the_root_is_relative():
    assert [root_of(path) for path in ("index.html", "about/index.html", "a/b/index.html")] == [
        "",
        "../",
        "../../",
    ]


def test_anonymous_site_names_nobody_and_leads_nowhere():
    anonymous = configure(anonymous=True)
    site = site_view(anonymous, {})
    (link,) = outward_links(anonymous)
    assert "Author" not in site.byline
    assert "Institute" not in site.byline
    assert (link.href, link.disabled_reason) == ("", "disabled in the anonymous version")


def test_named_site_tells_who_and_links_out():
    named = configure()
    assert site_view(named, {"css/site.css": "assets/site.css"}).byline == "A. Author, An Institute"
    assert outward_links(named) == (LinkView("Code", "https://example.org/code", outward=True),)


def test_navigation_holds_pages_with_a_label_in_their_order(pages):
    links = navigation(pages, "index.html")
    assert [(link.title, link.current) for link in links] == [("About", False), ("Start", True)]


def test_page_knows_what_its_blocks_need(pages):
    home, about, _ = (markdown_frame(configure(), pages, page) for page in pages)
    assert (home.has_bench, home.has_figures) == (True, True)
    assert (about.has_bench, about.has_figures) == (False, False)
    assert (home.description, about.description) == ("All of it.", "What it is.")


def test_item_frame_leads_to_its_neighbours(pages):
    before = LinkView("Before", "quiz/a/index.html")
    frame = item_frame(configure(), pages, "quiz/bell/index.html", make_item("bell"), (before, None))
    assert (frame.previous, frame.following, frame.root) == (before, None, "../../")
    assert (frame.title, frame.description, frame.has_bench) == ("The bell", "About the bell.", True)
