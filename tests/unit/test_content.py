from __future__ import annotations

import pytest

from torus_site.content import read_page, render_markdown
from torus_site.errors import ContentError


def write(tmp_path, text, name="page.md"):
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_front_matter_and_text_are_told_apart(tmp_path):
    text = "title: A page\nnav: Page\norder: 3\nlead: Short.\n\n# Hello\nkey: not front matter\n"
    page = read_page(write(tmp_path, text), file="site_src/page.md")
    assert (page.title, page.nav, page.order, page.lead) == ("A page", "Page", 3, "Short.")
    assert page.text == "# Hello\nkey: not front matter\n"


@pytest.mark.parametrize(
    ("folder", "name", "path"),
    [
        ("", "index.md", "index.html"),
        ("", "404.md", "404.html"),
        ("", "about.md", "about/index.html"),
        ("toy", "index.md", "toy/index.html"),
        ("toy", "results.md", "toy/results/index.html"),
    ],
)
def test_a_page_knows_where_it_is_published(tmp_path, folder, name, path):
    page = read_page(write(tmp_path, "title: x\n", name), file=name, folder=folder)
    assert page.path == path


def test_every_problem_of_the_front_matter_is_told(tmp_path):
    with pytest.raises(ContentError) as caught:
        read_page(write(tmp_path, "titel: x\norder: first\n\ntext"), file="p.md")
    assert str(caught.value).splitlines() == [
        "p.md at line 1: found 'titel'; expected a front matter key; did you mean 'title'?",
        "p.md at line 1: found no title; expected a first line 'title: ...'; add one",
        "p.md at order: found 'first'; expected a whole number",
    ]


def test_a_page_that_is_not_text_is_told(tmp_path):
    with pytest.raises(ContentError, match="save it as UTF-8"):
        read_page(write(tmp_path, b"title: \xff\xfe"), file="p.md")


def test_a_byte_order_mark_is_not_part_of_the_title(tmp_path):
    assert read_page(write(tmp_path, "\ufefftitle: x\n"), file="p.md").title == "x"


def test_blocks_are_rendered_where_they_stand_and_nowhere_else():
    asked = []

    def block(kind, name):
        asked.append((kind, name))
        return f"<section>{kind} {name}</section>"

    text = "before\n::: table main\nafter\n\n    ::: code\n\n```\n::: fenced\n```\n"
    html = render_markdown(text, block)
    assert asked == [("table", "main")]
    assert html.index("before") < html.index("<section>table main</section>") < html.index("after")
    assert "::: code" in html
    assert "::: fenced" in html


def test_tables_footnotes_attributes_and_heading_ids_work():
    text = "## Head {#top}\n\n|a|b|\n|-|-|\n|1|2|\n\nNote[^1].\n\n[^1]: Said.\n\n## Two words\n"
    html = render_markdown(text, lambda _kind, _name: "")
    for part in ('id="top"', "<table>", "footnote", 'id="two-words"'):
        assert part in html


def test_a_page_lists_its_blocks(tmp_path):
    page = read_page(write(tmp_path, "title: x\n\n::: hero\n\n::: table other:main\n"), file="p.md")
    assert page.blocks() == (("hero", ""), ("table", "other:main"))


def test_a_number_keeps_its_percent_sign_on_the_line():
    assert "50\N{NO-BREAK SPACE}% of" in render_markdown("50 % of it", lambda _kind, _name: "")


def test_lists_nested_beyond_reason_are_told():
    text = "".join(f"{'    ' * depth}- x\n" for depth in range(300))
    with pytest.raises(ContentError, match=r"page\.md: found lists or quotations nested too deeply"):
        render_markdown(text, lambda _kind, _name: "", file="page.md")


def test_lines_around_the_front_matter_are_to_be_removed(tmp_path):
    (tmp_path / "p.md").write_text("---\ntitle: A page\n---\n\nText.\n")
    with pytest.raises(ContentError) as caught:
        read_page(tmp_path / "p.md", file="p.md")
    assert str(caught.value) == (
        "p.md at line 1: found '---'; expected front matter without lines around it; remove the --- lines"
    )
