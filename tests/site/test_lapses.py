"""What failed or is owed is told where it stands, and an incomplete run wherever its numbers are shown."""

from __future__ import annotations

import re

import pytest

from support.console import run_site
from support.lapses import lapsed_files
from support.projects import write_files
from support.reading import parse_elements


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The built site."""
    project = write_files(tmp_path_factory.mktemp("lapsed") / "project", lapsed_files())
    told = run_site("build", "--project", project)
    assert told.code == 0, told.err
    return project / "build"


@pytest.fixture(scope="module")
def read(built):
    """A function that returns the elements of a page."""
    return lambda page: parse_elements((built / page).read_text(encoding="utf-8"))


def texts(elements, tag, part=None):
    """Return the texts of elements of one class, or of all, spaces as one."""
    return [
        re.sub(r"\s+", " ", element.text).strip()
        for element in elements
        if element.tag == tag and (part is None or part in (element.attributes.get("class") or "").split())
    ]


def test_players_give_way_to_what_became_of_the_clip(read):
    assert texts(read("toy/bell/index.html"), "td", "lapse") == [
        "No usable clip: it is failed",
        "Not reached: S1 failed",
    ]
    assert texts(read("toy/horn/index.html"), "td", "lapse") == ["Not asked yet"]


def test_verdicts_say_it_in_a_word_and_in_a_label(read):
    elements = read("toy/bell/index.html")
    links = [it for it in elements if it.tag == "a" and "lapse" in it.attributes.get("class", "")]
    assert [it.text for it in links] == ["No clip", "No clip", "Not reached", "Not reached"]
    assert links[0].attributes["aria-label"] == (
        "Copy, question S1.1: no clip, counts as wrong: it is failed"
    )
    assert "3/4 2 not asked yet" in texts(read("toy/horn/index.html"), "td", "score")


def test_every_system_of_an_incomplete_run_is_marked_where_its_numbers_stand(read):
    elements = read("index.html")
    assert texts(elements, "small", "owes") == ["incomplete: 3 calls owed"] * 3
    assert "Copy incomplete: 3 calls owed" in texts(elements, "th")
    assert texts(read("toy/horn/index.html"), "small", "owes") == ["incomplete: 3 calls owed"]


def test_a_notice_stands_once_before_the_first_numbers(read, built):
    (notice,) = texts(read("index.html"), "aside", "notice")
    assert notice.startswith("A run is incomplete. Calls to these systems were lost on their way")
    page = (built / "index.html").read_text(encoding="utf-8")
    assert page.index("A run is incomplete") < page.index('id="table-table-main"')
    assert texts(read("toy/results/index.html"), "aside", "notice") == []


def test_charts_leave_the_system_out_and_say_so(read):
    elements = read("index.html")
    assert "Left out: Copy incomplete: 3 calls owed" in texts(elements, "p", "note")
    drawn = [text for text in texts(elements, "desc") if "Coherence by Stage" in text]
    assert drawn
    assert all(text.endswith("left out: Copy, incomplete: 3 calls owed.") for text in drawn)


def test_difference_stands_with_its_interval_or_a_dash(read):
    elements = read("index.html")
    cells = texts(elements, "td", "n")
    assert "baseline" in cells
    assert any(cell.startswith("\N{MINUS SIGN}50.0 \N{MINUS SIGN}30.0 to 5.0") for cell in cells)


def test_table_tells_how_it_was_measured(read):
    (told, *_) = texts(read("index.html"), "details", "measured")
    assert told.startswith("How this was measured")
    assert told.endswith("How like the baseline's clips are.backbone: earreference: Cascaden: 3")


def test_replies_in_words_and_further_orders_are_told_under_their_question(read):
    (first, *_) = texts(read("toy/gong/index.html"), "details", "replies")
    assert first.startswith("How replies were read Copy Strict: A, right")
    assert "Also asked in 1 other order: picked nothing readable (leniently A)" in first
