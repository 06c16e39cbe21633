"""The clips that the listener's probes ask about, by name, and the probes themselves in two halves."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from support.probe_clips import (
    fade,
    gain,
    hush,
    make_clip,
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

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ListenerProbe:
    """A clip, a question and six options, of which the first is right."""

    kind: str
    clip: str
    question: str
    options: tuple[str, ...]

    def make(self):
        """Make the clip, or raise when what it is made of is not here."""
        return make_clip(CLIPS[self.clip])


def load_probes(name):
    """Read one half of the probes."""
    data = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    return tuple(ListenerProbe(**{**row, "options": tuple(row["options"])}) for row in data["probes"])


CLIPS = {
    "level-1": lambda: fade(tone(300, 5), -30),
    "pitch-2": lambda: tone(220, 5, to_hz=660),
    "pitch-3": lambda: tone(440, 5, beat_hz=4),
    "when-4": lambda: row(hush(3.0), scene("A loud bang.")[:66150], hush(1.0)),
    "when-5": lambda: row(noise(2), hush(2), noise(2)),
    "duration-6": lambda: row(say("Wait for me.", "slt"), hush(2.5), say("I am nearly there.", "slt")),
    "rhythm-7": lambda: row(
        *[row(tone(1000, 0.08), hush(g)) for g in (0.9, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.1)]
    ),
    "colour-8": lambda: noise(4, low=True),
    "colour-9": lambda: row(tone(200, 2), tone(2000, 2)),
    "level-10": lambda: row(gain(say("Come here.", "rms"), -18), hush(0.8), say("Come here!", "rms")),
    "sound-11": lambda: scene("Rain."),
    "sound-12": lambda: recording("loop_tabla.flac"),
    "instrument-13": lambda: recording("guit_em9.flac"),
    "absence-14": lambda: row(recording("guit_e_fifths.flac")),
    "count-15": lambda: scene("Six knocks on a door."),
    "level-16": lambda: noise(6, level_db=-15, swell_db=30),
    "pitch-17": lambda: tone(900, 4, to_hz=200),
    "pitch-18": lambda: tone(330, 6, beat_hz=2),
    "when-19": lambda: row(noise(4, level_db=-45), mix(noise(2, level_db=-45), tone(700, 0.4, level=0.6))),
    "when-20": lambda: row(hush(3), say("Is there anybody in here?", "rms")),
    "duration-21": lambda: row(hush(0.5), tone(500, 0.3), hush(2.5)),
    "rhythm-22": lambda: row(
        *[row(tone(800, 0.08), hush(g)) for g in (0.1, 0.15, 0.22, 0.32, 0.5, 0.75, 1.0)]
    ),
    "colour-23": lambda: gain(noise(4), 6),
    "colour-24": lambda: row(noise(2, low=True), hush(0.5), noise(2)),
    "level-25": lambda: row(scene("A loud bang.")[:66150], hush(1), gain(scene("A loud bang.")[:66150], -22)),
    "loudest-26": lambda: row(
        gain(say("Keep quiet please.", "slt"), -20),
        hush(0.5),
        scene("A loud bang.")[:66150],
        hush(0.5),
        gain(part(recording("perc_bell.flac"), 0, 2), -20),
    ),
    "room-27": lambda: scene("In a cathedral, two knocks 3 seconds apart."),
    "room-28": lambda: scene("In a carpeted room, five knocks."),
    "sound-29": lambda: row(*[recording("misc_crow.flac")] * 4),
    "sound-30": lambda: scene("Wind."),
    "absence-31": lambda: noise(5, level_db=-35),
    "count-32": lambda: row(*[row(tone(1200, 0.1), hush(0.4)) for _ in range(5)]),
    "talk": lambda: row(
        say("The ferry leaves at seven from the north pier.", "rms"),
        hush(0.7),
        say("Then we should hurry.", "slt"),
    ),
    "crow-bell": lambda: row(
        hush(0.5), recording("misc_crow.flac"), hush(1.0), part(recording("perc_bell.flac"), 0, 4)
    ),
    "market": lambda: row(
        noise(1.0), mix(noise(3.0), row(hush(0.3), say("Fresh apples, two for a pound!", "en-gb"))), hush(1.0)
    ),
    "stairs": lambda: scene("In a hall, four footsteps, then a door creak, then a loud bang."),
    "piano-run": lambda: play(0, [(60 + 2 * i, 0.4 * i, 0.35, 40 + 8 * i) for i in range(10)]),
    "flute-then-strings": lambda: row(
        play(73, [(76, 0, 1.5, 90), (79, 1.5, 1.5, 90)]), play(48, [(48, 0, 3, 90), (55, 0, 3, 90)])
    ),
    "drums": lambda: play(-1, [(36 if i % 2 else 38, 0.25 * i, 0.1, 100) for i in range(24)]),
    "three-bells": lambda: row(*[part(recording("perc_bell.flac"), 0, 1.2) for _ in range(3)]),
    "counted-line": lambda: say("One, two, three, four. Ready or not, here I come!", "slt"),
    "reading": lambda: recording("speech_0880.wav"),
    "kitchen": lambda: row(
        say("Have you fed the cat this morning?", "slt"), hush(1.2), say("No, I thought you had.", "en-us")
    ),
    "announcement": lambda: row(
        scene("A bell.")[:88200],
        say("Passengers for Lisbon, please go to gate twelve.", "en-gb+f3", rate=150),
    ),
    "workshop": lambda: scene("Cutlery jangles for 1.5 seconds, then two loud claps, then a low thud."),
    "trumpet-scale": lambda: play(56, [(76 - 2 * i, 0.5 * i, 0.45, 110 - 9 * i) for i in range(8)]),
    "organ-then-kit": lambda: row(
        play(19, [(60, 0, 3, 90), (64, 0, 3, 90), (67, 0, 3, 90)]),
        play(-1, [(38, 0.3 * i, 0.1, 110) for i in range(9)]),
    ),
    "guitar-and-words": lambda: row(part(recording("guit_em9.flac"), 0, 4), recording("speech_0930.wav")),
    "bell-and-crows": lambda: row(
        part(recording("perc_bell.flac"), 0, 3),
        *[row(recording("misc_crow.flac"), hush(0.6)) for _ in range(3)],
    ),
    "slow-waltz": lambda: play(0, [(48 if i % 3 == 0 else 60, 0.8 * i, 0.4, 90) for i in range(9)]),
    "order-line": lambda: say("Buy milk, then post the letter, and finally call your sister.", "rms"),
}

PROBES = load_probes("listener_probes")
HELD_OUT = load_probes("listener_held_out")
