"""The half of the listener's probes that it is developed on; the other half is in ``listener_held_out``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.probe_clips import (
    fade,
    gain,
    hush,
    mix,
    noise,
    part,
    play,
    recording,
    row,
    say,
    scene,
    tone,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class ListenerProbe:
    """A clip, a question and six options; the first option is right, they are shuffled when asked."""

    kind: str
    make: Callable
    question: str
    options: tuple[str, ...]


def P(kind, make, question, *options):  # noqa: N802 -- reads like a row of a table
    return ListenerProbe(kind, make, question, options)


def talk():
    return row(say("The ferry leaves at seven from the north pier.", "rms"), hush(0.7), say("Then we should hurry.", "slt"))


def crow_bell():
    return row(hush(0.5), recording("misc_crow.flac"), hush(1.0), part(recording("perc_bell.flac"), 0, 4))


def market():
    return row(noise(1.0), mix(noise(3.0), row(hush(0.3), say("Fresh apples, two for a pound!", "en-gb"))), hush(1.0))


def stairs():
    return scene("In a hall, four footsteps, then a door creak, then a loud bang.")


def piano_run():
    return play(0, [(60 + 2 * i, 0.4 * i, 0.35, 40 + 8 * i) for i in range(10)])


def flute_then_strings():
    return row(play(73, [(76, 0, 1.5, 90), (79, 1.5, 1.5, 90)]), play(48, [(48, 0, 3, 90), (55, 0, 3, 90)]))


def drums():
    return play(-1, [(36 if i % 2 else 38, 0.25 * i, 0.1, 100) for i in range(24)])


def three_bells():
    return row(*[part(recording("perc_bell.flac"), 0, 1.2) for _ in range(3)])


def counted_line():
    return say("One, two, three, four. Ready or not, here I come!", "slt")


def reading():
    return recording("speech_0880.wav")


PROBES = (
    P("spoken", talk, "What does the first speaker say about the ferry?", "That it leaves at seven from the north pier", "That it leaves at nine from the south pier", "That it has already sailed", "That it is cancelled because of fog", "That it arrives at seven tomorrow", "That tickets are sold at the pier"),
    P("speaker", talk, "Which voices are heard, and in what order?", "A man, then a woman", "A woman, then a man", "Only a man", "Only a woman", "Two men talking at once", "A child, then a man"),
    P("spoken", talk, "How does the second speaker reply?", '"Then we should hurry."', '"I would rather stay here."', '"There is no need to hurry."', '"Which pier was it?"', '"We have plenty of time."', "There is no reply at all"),
    P("count", talk, "How many people speak?", "Two", "One", "Three", "Four", "Nobody speaks", "A whole crowd"),
    P("order", crow_bell, "What is the sequence of sounds?", "A crow caws, then a bell is struck", "A bell is struck, then a crow caws", "A dog barks, then a bell rings", "A crow caws twice and nothing else", "A bell, a crow, and the bell once more", "A cat meows, then glass breaks"),
    P("ending", crow_bell, "What is heard at the very end?", "The ring of a bell dying away", "A bird calling again", "A door slamming", "Footsteps leaving", "A man's laughter", "Abrupt silence right after the caw"),
    P("absence", crow_bell, "Which of these is NOT part of the clip?", "Human speech", "A bird's call", "A ringing metallic sound", "A pause between two sounds", "A sound that decays slowly", "A harsh caw"),
    P("duration", crow_bell, "How long does the final bell go on sounding?", "About four seconds", "A quarter of a second", "About half a second", "About ten seconds", "Less than a second", "About nine seconds"),
    P("spoken", market, "What is being sold?", "Apples", "Fish", "Newspapers", "Flowers", "Oranges", "Bread"),
    P("level", market, "What is there beneath the voice?", "A steady hiss of noise that stops near the end", "Music with a strong beat", "Total silence throughout", "Birdsong", "A second voice mumbling", "A ticking clock"),
    P("order", stairs, "What happens in the hallway?", "Footsteps, then a creak, then a slam", "A slam, then a creak, then footsteps", "A creak, then footsteps, then a slam", "Footsteps and a slam, with no creak", "A slam followed by running water", "A creak alone"),
    P("loudest", stairs, "What is the loudest moment of the clip?", "The bang at the end", "The first footstep", "The creak", "The middle, where nothing else sounds", "A scream", "The very beginning"),
    P("room", stairs, "What kind of space do the steps suggest?", "A reverberant hall with an audible tail", "A padded, carpeted booth", "An open field, with no reflections", "A tight dry closet", "A dead studio", "Inside a cushioned box"),
    P("level", piano_run, "How does the loudness develop?", "It gets steadily louder", "It fades away step by step", "It stays the same all the way", "It starts loud and suddenly drops", "It swells and then sinks again", "It jumps between loud and soft at random"),
    P("pitch", piano_run, "In which direction do the notes go?", "Upward, step by step", "Downward, step by step", "They stay on one pitch", "Up and then back down", "Down and then back up", "They leap about without direction"),
    P("instrument", piano_run, "Which instrument plays?", "A piano", "A violin", "A trumpet", "A flute", "A drum kit", "A church organ"),
    P("count", piano_run, "How many notes are struck?", "Ten", "Four", "Six", "Two", "Twenty", "One"),
    P("instrument", flute_then_strings, "Which instrument opens the piece?", "A flute", "A snare drum", "An electric guitar", "A piano", "A trumpet", "A glockenspiel"),
    P("order", flute_then_strings, "What follows what?", "A high flute melody, then low sustained strings", "Low sustained strings, then a high flute melody", "Drums, then a flute", "A piano, then a choir", "Strings throughout, with no other instrument", "A guitar, then silence"),
    P("rhythm", drums, "What is the beat like?", "Fast and regular, about four strokes a second", "Slow and regular, about one stroke a second", "Irregular, with long gaps", "There is no beat, only held tones", "It slows down to a stop", "One single stroke"),
    P("absence", drums, "What is missing from the music?", "Any melody", "Any rhythm", "Any percussion", "Any drums", "Any sharp attacks", "Any loud strokes"),
    P("count", three_bells, "How often is the bell struck?", "Three times", "Once", "Twice", "Five times", "Six times", "Ten times"),
    P("spoken", counted_line, "Up to which number does the voice count?", "Four", "Three", "Ten", "Seven", "Five", "Two"),
    P("spoken", counted_line, "Which words come last?", '"here I come"', '"ready or not"', '"one, two, three"', '"where are you"', '"count to four"', '"I found you"'),
    P("speaker", reading, "Who is speaking?", "One adult reading aloud", "Two people arguing", "A crowd cheering", "A choir singing", "Nobody, only wind is heard", "A dog and its owner"),
    P("spoken", reading, "How is the young man described?", "As not ill disposed", "As rich and proud", "As a cruel master", "As very old", "As a brave soldier", "As lazy and rude"),
    P("level", lambda: fade(tone(300, 5), -30), "How does the tone end?", "It has almost vanished, having faded all along", "It is cut off at full strength", "It has grown louder than at the start", "It has split into two tones", "It breaks into short pulses", "It is joined by a drum"),
    P("pitch", lambda: tone(220, 5, to_hz=660), "What happens to the pitch?", "It slides upward", "It slides downward", "It stays put", "It wavers up and down quickly", "It falls in steps", "There is no pitch, only noise"),
    P("pitch", lambda: tone(440, 5, beat_hz=4), "Is the tone steady?", "No, it throbs about four times a second", "Yes, it is perfectly steady", "No, it throbs about once a second", "No, it throbs about ten times a second", "No, it slowly sinks in pitch", "It is interrupted by silences"),
    P("when", lambda: row(hush(3.0), scene("A loud bang.")[:66150], hush(1.0)), "When does the blow fall?", "About three seconds in", "Right at the start", "Half a second in", "After about six seconds", "After about one second", "In the last half second, after eight seconds"),
    P("when", lambda: row(noise(2), hush(2), noise(2)), "Where is the silence?", "In the middle, for about two seconds", "At the beginning", "At the end", "There is none", "It is there twice", "It fills the whole clip"),
    P("duration", lambda: row(say("Wait for me.", "slt"), hush(2.5), say("I am nearly there.", "slt")), "How long is the pause between the sentences?", "Two and a half seconds", "Half a second", "There is no pause", "A quarter of a second", "Six seconds", "One second"),
    P("rhythm", lambda: row(*[row(tone(1000, 0.08), hush(g)) for g in (0.9, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.1)]), "What happens to the pace of the beeps?", "It quickens towards the end", "It slows towards the end", "It never changes", "It stops halfway and starts again", "It alternates between fast and slow", "There is only one beep"),
    P("colour", lambda: noise(4, low=True), "How would you describe the noise?", "A deep, dull rumble", "A bright, sharp hiss", "A clear ringing tone", "A crisp crackle", "A shrill whistle", "A thin, tinny buzz"),
    P("colour", lambda: row(tone(200, 2), tone(2000, 2)), "How does the second tone differ from the first?", "It is much higher", "It is much lower", "It is the same tone again", "It is far quieter and lower", "It is a noise instead of a tone", "It is shorter and deeper"),
    P("level", lambda: row(gain(say("Come here.", "rms"), -18), hush(0.8), say("Come here!", "rms")), "How do the two calls compare?", "The second is louder than the first", "The first is louder than the second", "Both are equally loud", "There is only one call", "The second is a whisper", "The second is softer and farther away"),
    P("sound", lambda: scene("Rain."), "What is the weather like?", "Rainy", "Thundery, with loud claps", "Calm and silent", "Hail on a tin drum with music", "Sunny, with people chatting", "Snow underfoot"),
    P("sound", lambda: recording("loop_tabla.flac"), "What is making the sound?", "Hand drums", "A violin section", "A man speaking", "A running engine", "A barking dog", "Church bells"),
    P("instrument", lambda: recording("guit_em9.flac"), "What instrument is this?", "A guitar", "A saxophone", "A drum kit", "A harmonica", "A choir of voices", "A trumpet"),
    P("rhythm", lambda: recording("loop_tabla.flac"), "How is the music made up?", "A lively percussive pattern without singing", "A slow held chord", "A single long note that fades", "A singer with piano", "Silence broken by two strokes", "Spoken verse"),
    P("absence", lambda: row(recording("guit_e_fifths.flac")), "Which statement is true?", "Nobody sings or speaks", "A woman sings", "A man narrates", "A crowd applauds", "A child laughs", "Two people whisper"),
    P("count", lambda: scene("Six knocks on a door."), "How many times does someone knock?", "Six", "Two", "Three", "One", "Ten", "Not once"),
)
