from __future__ import annotations

import numpy as np
import pytest

from torus_eval.errors import EvaluationError
from torus_eval.music.compose import Part, compose, measure_figures_s
from torus_eval.music.figures import Figure, Piece, read_cents, read_figures, read_piece
from torus_eval.music.midi import write_length, write_midi
from torus_eval.music.score import Note, Score, Swell


def play(text, *, length_s=8.0, **part):
    made = Part(**{"program": 0, **part})
    return compose(
        read_figures(text), made, read_piece(text), length_s=length_s, rng=np.random.default_rng(0)
    )


def starts(score):
    return sorted({note.start_s for note in score.notes})


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("a piano plays three short notes", "melody", 3),
        ("a guitar strums two chords", "strum", 2),
        ("two acoustic guitars strum chords", "strum", None),
        ("a drone is held to the end", "hold", None),
        ("an arpeggio of four notes a second", "arpeggio", None),
        ("one long note", "hold", 1),
        ("a snare drum roll", "roll", None),
        ("it is struck five times", "repeat", 5),
    ],
)
def test_figure_is_read_with_its_count(text, kind, count):
    (figure,) = read_figures(text)
    assert (figure.kind, figure.count) == (kind, count)


def test_figures_follow_one_another_at_words_of_order():
    found = read_figures("a piano plays two notes, then a chord, then slows down")
    assert [(figure.kind, figure.count) for figure in found] == [("melody", 2), ("chords", 1)]
    assert found[1].hurry < 1.0


@pytest.mark.parametrize(
    ("text", "held", "swell", "rise"),
    [
        ("short staccato notes", 0.3, 0, 0),
        ("a smooth melody that grows louder", 1.05, 1, 0),
        ("a rising scale fading away", None, -1, 1),
        ("a scale going down", None, 0, -1),
    ],
)
def test_manner_is_read(text, held, swell, rise):
    (figure,) = read_figures(text)
    assert (figure.held, figure.swell, figure.rise) == (held, swell, rise)


@pytest.mark.parametrize(
    ("text", "tonic", "third"),
    [
        ("in d minor", 2, 3),
        ("in e flat major", 3, 4),
        ("in a minor key", None, 3),
        ("a banjo in open g", 7, 4),
        ("a sad tune", None, 3),
        ("in f# dorian", 6, 3),
    ],
)
def test_key_is_read(text, tonic, third):
    piece = read_piece(text)
    assert (piece.tonic, piece.scale[2]) == (tonic, third)


def test_beat_and_meter_are_read():
    assert read_piece("a waltz at 150 bpm").meter == 3
    assert read_piece("a waltz at 150 bpm").beat_hz == 2.5
    assert read_piece("presto").beat_hz > read_piece("adagio").beat_hz


def test_cents_are_read():
    assert read_cents("slightly sharp") > 0 > read_cents("a piano out of tune")


@pytest.mark.parametrize("count", [1, 3, 5])
def test_as_many_notes_are_played_as_counted(count):
    words = {1: "a single note", 3: "three notes", 5: "five notes"}[count]
    assert len(starts(play(f"it plays {words}"))) == count


def test_counted_notes_have_a_length_and_a_melody_has_none():
    part, piece = Part(program=0), Piece()
    assert 1.0 < measure_figures_s((Figure(kind="melody", count=3),), part, piece) < 4.0
    assert measure_figures_s((Figure(kind="melody"),), part, piece) is None


def test_notes_come_at_the_rate_stated():
    steps = np.diff(starts(play("an arpeggio", rate_hz=4.0)))
    assert steps == pytest.approx(np.full(len(steps), 0.25))


def test_staccato_is_shorter_than_legato():
    short, long = (play(f"a {word} melody").notes[0].duration_s for word in ("staccato", "legato"))
    assert short < 0.5 * long


def test_ritardando_widens_the_steps_and_crescendo_hits_harder():
    steps = np.diff(starts(play("eight notes slowing down")))
    assert steps[-1] > 1.4 * steps[0]
    notes = play("eight notes growing louder").notes
    assert notes[-1].velocity > notes[0].velocity + 15


def test_held_note_swells_by_expression():
    score = play("a drone growing louder", style="hold")
    assert len(score.notes) == 1
    assert score.swells[-1].level > score.swells[0].level + 80


def test_rising_scale_rises_in_the_key():
    pitches = [note.pitch for note in play("a rising scale of eight notes in c major").notes]
    assert pitches == [60, 62, 64, 65, 67, 69, 71, 72]


def test_named_note_is_kept_against_the_key():
    (note,) = play("one note in d minor", base_pitch=67, exact=True).notes
    assert note.pitch == 67


def test_drum_strikes_its_key_and_a_kit_keeps_a_beat():
    assert {note.pitch for note in play("three hits", program=None, key=56, style="repeat").notes} == {56}
    kit = play("it keeps the beat", program=None, key=38, style="beat").notes
    assert {note.pitch for note in kit} >= {36, 38, 42}
    assert {note.program for note in kit} == {None}


def test_no_note_is_held_beyond_the_time_there_is():
    score = play("chords", length_s=5.0)
    assert max(note.start_s + note.duration_s for note in score.notes) <= 5.0


def make_score(*notes, **more):
    return Score(notes=notes, length_s=2.0, **more)


def test_midi_file_holds_program_note_and_end():
    data = write_midi(make_score(Note(program=105, pitch=55, start_s=0.5, duration_s=1.0, velocity=90)))
    assert data[:14] == b"MThd\x00\x00\x00\x06\x00\x00\x00\x01\x03\xc0"
    assert b"\x00\xc0\x69" in data
    assert write_length(960) + b"\x90\x37\x5a" + write_length(1920) + b"\x80\x37\x40" in data
    assert data.endswith(write_length(960) + b"\xff\x2f\x00")
    assert int.from_bytes(data[18:22], "big") == len(data) - 22


def test_midi_kit_has_the_tenth_channel_and_programs_their_own():
    data = write_midi(
        make_score(
            Note(program=None, pitch=38, start_s=0.0, duration_s=0.1),
            Note(program=40, pitch=60, start_s=0.0, duration_s=0.1),
            Note(program=41, pitch=60, start_s=0.0, duration_s=0.1),
        )
    )
    assert b"\x99\x26" in data
    assert b"\xc0\x28" in data
    assert b"\xc1\x29" in data


def test_midi_note_ends_before_the_same_note_begins_again():
    notes = [Note(program=0, pitch=60, start_s=0.5 * n, duration_s=0.5) for n in range(2)]
    data = write_midi(make_score(*notes))
    assert data.index(b"\x80\x3c\x40\x00\x90\x3c") > 0


def test_midi_bends_and_swells():
    data = write_midi(
        make_score(
            Note(program=0, pitch=60, start_s=0.0, duration_s=1.0),
            cents=-100.0,
            swells=(Swell(time_s=0.0, level=28),),
        )
    )
    assert b"\xe0\x00\x20" in data
    assert b"\xb0\x0b\x1c" in data


def test_more_programs_than_channels_are_refused():
    notes = [Note(program=n, pitch=60, start_s=0.0, duration_s=0.1) for n in range(16)]
    with pytest.raises(EvaluationError, match="16 instruments"):
        write_midi(make_score(*notes))
