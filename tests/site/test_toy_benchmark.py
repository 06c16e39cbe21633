"""A benchmark the engine was not written for builds: odd axes, names and units, and a video."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import tomllib

import pytest

from support import oddities
from support.console import run_site
from support.projects import write_files
from support.reading import read_elements
from support.repository import CONTENT

TEXT = {".html", ".json", ".csv"}
EARLY, SILENT, CARP = "orchard/early-pick", "orchard/silent-row", "tank/carp"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """The odd project, built strictly: its folder, its site and what the build said."""
    project = write_files(tmp_path_factory.mktemp("odd") / "project", oddities.odd_files())
    told = run_site("build", "--strict", "--project", project)
    return project, project / "build", told


@pytest.fixture(scope="module")
def built(odd):
    """The built site."""
    return odd[1]


@pytest.fixture(scope="module")
def pages(built):
    """The elements of every page."""
    return {path.relative_to(built).as_posix(): read_elements(path) for path in sorted(built.rglob("*.html"))}


def texts(elements, tag, **attributes):
    return [
        element.text.strip()
        for element in elements
        if element.tag == tag and attributes.items() <= element.attributes.items()
    ]


def test_it_builds_strictly_without_a_word_of_complaint(odd):
    told = odd[2]
    assert (told.code, told.err) == (0, "")


def test_check_finds_nothing_in_project_or_site(odd):
    project, built, _ = odd
    assert run_site("check", "--strict", "--project", project).out == "No problems.\n"
    assert run_site("check", "--strict", built).out == "No problems.\n"


def test_every_page_is_there(pages):
    items = [f"{item}/index.html" for item in (EARLY, SILENT, CARP)]
    assert sorted(pages) == sorted(
        ["index.html", "orchard/harvest/index.html", "tank/index.html", *items],
    )


def read_own_words():
    """Return the ids and titles this repository's own benchmarks use."""
    words = set()
    for path in CONTENT.glob("*/benchmark.toml"):
        descriptor = tomllib.loads(path.read_text(encoding="utf-8"))
        words |= {descriptor["id"], descriptor["title"], *descriptor["noun"].values()}
        for part in ("systems", "metrics", "facets", "axes", "operations"):
            for entry in descriptor.get(part, ()):
                words |= {entry["id"], entry["title"]}
                words |= {value["title"] for value in entry.get("values", ())}
    return {word.lower() for word in words if len(word) > 3 and word != "text-prior"}


def test_no_word_of_another_benchmark_is_on_it(built, pages):
    words = read_own_words()
    assert len(words) > 30
    shown = {
        path.relative_to(built).as_posix(): re.sub(r"[\w-]+-[0-9a-f]{10}\.", "", path.read_text().lower())
        for path in built.rglob("*")
        if path.suffix in TEXT and path.name != "manifest.json"
    }
    assert len(shown) > len(pages)
    found = {
        (name, word)
        for name, text in shown.items()
        for word in words
        if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.sub(r"<[^<>]*>", " ", text))
    }
    assert found == set()


def test_markup_in_titles_prompts_and_captions_is_text(pages):
    for item, title in oddities.TITLES.items():
        elements = pages[f"orchard/{item}/index.html"]
        assert texts(elements, "h1") == [title]
        assert texts(elements, "title") == [f"{title} · Orchard & tank"]
        assert texts(elements, "dd").count(oddities.PROMPT) == 4
    for name, elements in pages.items():
        assert {element.tag for element in elements} & {"em", "img", "s", "u"} == set(), name
        assert all(element.text == "" for element in elements if element.attributes.get("src")), name
        scripts = [element for element in elements if element.tag == "script" and element.text]
        assert {element.attributes.get("type") for element in scripts} <= {"application/json"}, name
        for script in scripts:
            json.loads(script.text)


def test_captions_stand_in_the_data_of_the_page_as_written(pages):
    texts_of = [element.text for element in pages[f"{EARLY}/index.html"] if element.tag == "script"]
    facts = next(json.loads(text) for text in texts_of if text)
    assert len(facts) == 8
    assert {caption for _, caption, _ in facts.values()} == {oddities.CAPTION}


def find_values(data, key):
    """Yield every value of a key, however deep it lies."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in inner:
        if name == key:
            yield value
        else:
            yield from find_values(value, key)


def test_the_data_beside_a_page_hold_responses_as_written(built):
    data = json.loads((built / EARLY / "data.json").read_bytes())
    assert list(find_values(data, "response")) == [oddities.RESPONSE] * 8
    rows = list(csv.DictReader(io.StringIO((built / EARLY / "data.csv").read_text(encoding="utf-8"))))
    assert [row["weather"] for row in rows] == [*oddities.WEATHER] * 2
    assert {row["response"] for row in rows} == {oddities.RESPONSE}


def test_questions_have_three_options_and_the_silent_item_has_none(pages):
    early, silent = pages[f"{EARLY}/index.html"], pages[f"{SILENT}/index.html"]
    questions = [it for it in early if it.tag == "article" and it.attributes.get("class") == "q"]
    options = [it for it in early if it.tag == "li" and it.inside[-2:] == ("article", "ol")]
    assert (len(questions), len(options)) == (4, 12)
    assert not [it for it in silent if it.tag == "article"]
    assert "sec-questions" not in {it.attributes.get("id") for it in silent}
    assert "sec-verdicts" not in {it.attributes.get("id") for it in silent}


def test_the_nouns_and_the_language_are_the_descriptors(pages):
    elements = pages[f"{CARP}/index.html"]
    assert next(it for it in elements if it.tag == "html").attributes["lang"] == "de"
    assert "Every system on this fish" in texts(elements, "caption")


def test_a_benchmark_without_axes_draws_none(pages):
    for name, elements in pages.items():
        empty = [
            (element.tag, element.attributes)
            for element in elements
            if element.tag in {"h1", "h2", "h3", "h4", "th", "a", "button"}
            and not element.text.strip()
            and not element.attributes.get("aria-label")
        ]
        assert empty == [], name


def test_a_video_is_published_as_it_is_and_plays_as_one(built, pages):
    elements = pages[f"{CARP}/index.html"]
    players = {it.attributes["src"].rpartition(".")[2]: it for it in elements if it.tag == "video"}
    contents = {"mp4": oddities.make_mp4(), "webm": oddities.make_webm()}
    assert set(players) == set(contents)
    for suffix, player in players.items():
        assert player.inside[-1] == "noscript"
        assert (player.attributes["preload"], "controls" in player.attributes) == ("none", True)
        published = built / CARP / player.attributes["src"]
        assert published.read_bytes() == contents[suffix]
    assert sum("data-video" in it.attributes for it in elements if it.tag == "button") == 2


def test_durations_are_read_from_the_videos(pages):
    times = texts(pages[f"{CARP}/index.html"], "small")
    assert [time[:5] for time in times if time[:1].isdigit()] == ["1.5 s", "2.5 s"]


def test_directions_and_units_follow_the_descriptor(pages):
    heads = {
        " ".join(text.split()) for elements in pages.values() for text in texts(elements, "th", scope="col")
    }
    assert "Bruises per kg ↓ lower is better" in heads
    assert "Weight t" in heads
    assert "Latency ms ↓ lower is better" in heads


def test_the_lower_number_is_the_better_one(pages):
    best = [it.text for it in pages["tank/index.html"] if it.attributes.get("class") == "n best"]
    assert [text.strip()[:4] for text in best] == ["12.5"]


def test_what_was_not_counted_is_said_in_the_descriptors_words(pages):
    table = next(it for it in pages["index.html"] if it.attributes.get("id") == "table-table-main")
    assert table.text.count("never counted") == 1
    assert table.text.count("nobody <counted>") == 1


def test_a_page_shows_tables_of_two_benchmarks_that_share_a_name(built, pages):
    tables = [it for it in pages["index.html"] if it.tag == "table" and "data" in it.attributes["class"]]
    ids = [it.attributes["id"] for it in tables]
    assert len(ids) == len(set(ids)) == 4
    assert sum("12.5" in it.text for it in tables) == 2
    links = [it.attributes["href"] for it in pages["index.html"] if it.tag == "a" and it.text == "CSV"]
    assert {"orchard/tables/main.csv", "tank/tables/main.csv", "tank/tables/other.csv"} <= set(links)
    assert all((built / link).is_file() for link in links)


def test_media_have_plain_names_that_tell_nothing_of_the_source(built):
    names = [path.name for path in (built / "media").iterdir()]
    assert len(names) == 16 * 2 + 2
    assert [name for name in names if not re.fullmatch(r"[0-9a-f]+\.(flac|webp|mp4|webm)", name)] == []


def test_every_clip_of_the_results_is_on_its_page(pages):
    for item in (EARLY, SILENT):
        sources = [it.attributes["src"] for it in pages[f"{item}/index.html"] if it.tag == "audio"]
        assert len(sources) == len(set(sources)) == 8


def test_equal_content_is_published_once(make_site):
    files = oddities.odd_files()
    path = "audio/tank/gull/carp.mp4"
    files["audio/tank/heron/carp.mp4"] = files[path]
    run = files["results/tank/heron.json"]
    sha256 = hashlib.sha256(files[path]).hexdigest()
    run["items"][0]["cells"][0]["clip"] = {"path": "audio/tank/heron/carp.mp4", "sha256": sha256}
    del files["audio/tank/heron/carp.webm"]
    project = make_site(files)
    assert run_site("build", "--strict", "--project", project).code == 0
    assert len(list((project / "build/media").glob("*.mp4"))) == 1
