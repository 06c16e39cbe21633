from __future__ import annotations

import pytest

from support.showcase import footage_lookup, make_item, publish_clips, quiz_lookup
from torus_site.records.store import Results
from torus_site.views.cards import cards, tiles


def test_card_tells_counts_of_the_whole_bank():
    shown = cards(quiz_lookup(), "place")
    assert [(card.value.title, card.facts) for card in shown] == [
        ("Indoors", ("1 round trip", "6 questions")),
        ("Outdoors", ("3 round trips", "18 questions")),
    ]


def test_card_leads_to_its_examples():
    inside, outside = cards(quiz_lookup(), "place")
    assert [tile.href for tile in inside.tiles] == ["quiz/bell/index.html"]
    assert [tile.title for tile in outside.tiles] == ["The gate"]


def test_benchmark_without_a_composition_counts_what_it_shows():
    lookup = quiz_lookup(results=Results())
    assert [card.facts for card in cards(lookup, "place")] == [("1 round trip",), ("1 round trip",)]
    assert [card.facts for card in cards(footage_lookup(), "suite")] == [("0 scenes",), ("1 scene",)]


def test_tiles_stand_under_their_value_and_empty_values_are_left_out():
    lookup = footage_lookup()
    (group,) = tiles(lookup, "suite", publish_clips(lookup))
    assert (group.value.title, group.count) == ("Near", "1 scene")
    assert tiles(lookup, "light", publish_clips(lookup)) == ()


def test_tile_shows_facets_and_the_first_waveform():
    lookup = quiz_lookup()
    media = publish_clips(lookup)
    (tile,) = tiles(lookup, "place", media)[0].tiles
    assert tile.wave == media["audio/rook/bell-R1.wav"].wave != ""
    assert [(name, value.title) for name, value in tile.facets] == [("Place", "Indoors")]
    assert tile.summary == "About the bell."


def test_tile_of_an_item_without_clips_has_no_waveform():
    lookup = quiz_lookup(items=(make_item("mute"),))
    (group,) = tiles(lookup, "place", {})
    assert group.tiles[0].wave == ""


def test_tile_skips_outputs_without_a_clip():
    lookup = footage_lookup()
    media = publish_clips(lookup)
    record = lookup.records["eye", "dog"]
    assert record.cells[0].clip is None
    assert tiles(lookup, "suite", media)[0].tiles[0].wave == media["film/dog.mp4"].wave


def test_unknown_facet_is_a_bug():
    with pytest.raises(KeyError):
        cards(quiz_lookup(), "mood")
