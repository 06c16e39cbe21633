"""Read how an instrument plays: the figures of a text in their order, and what holds for the whole piece."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from torus_eval.words import find_durations_s, find_rates_hz, read_number, split_clauses

_THEN = {"then", "and then", "only then", "followed by", "afterwards", "finally", "next"}
_KINDS = (
    ("glissando", r"glissand[oi]|slid(?:es?|ing) (?:up|down)|portamento"),
    ("tremolo", r"tremolo|trembling|shimmering"),
    ("trill", r"trill(?:s|ed|ing)?"),
    ("roll", r"(?:drum )?rolls?"),
    ("arpeggio", r"arpeggi(?:o|os|ated|ating)|broken chords?|finger ?-?pick(?:ed|ing)?|clawhammer"),
    ("strum", r"strum(?:s|med|ming)?"),
    ("chords", r"chords?|chordal|pads?|triads?"),
    ("scale", r"scales?|runs? (?:up|down)"),
    ("hold", r"drones?|droning|holds?|held|holding|sustain(?:s|ed|ing)?|(?:one|a|single) (?:\w+ )?note"),
    ("bass", r"bass ?line|walking bass|walks"),
    (
        "repeat",
        r"ostinato|repeat(?:s|ed|ing)?(?: notes?)?|pulse|pulsing|same note|strikes?|struck|hits?|beats?",
    ),
    ("beat", r"groove|backbeat|rhythm|drum ?beat|drum pattern"),
    (
        "melody",
        (
            r"melod(?:y|ies|ic)|tunes?|theme|lullaby|riffs?|licks?|solo|song|waltz|march|jig|reel|ballad"
            r"|phrases?|improvis\w+|notes"
        ),
    ),
)
_KIND = tuple((kind, re.compile(rf"\b(?:{words})\b")) for kind, words in _KINDS)
_COUNTED = re.compile(
    r"\b(?:notes?|chords?|beats?|hits?|strokes?|strums?|taps?|blows?|plucks?|tones?|toots?|blasts?|strikes?)\b"
)
_TIMES = re.compile(
    r"\b(?P<number>once|twice|thrice|[a-z]+ times|\d+ times)\b(?! (?:a|per|every|each|as|faster|slower))"
)
_UP = re.compile(
    r"\b(?:rising|rises?|ascend(?:s|ing)|climb(?:s|ing)|upwards?|up the|going up|goes up|run up)\b"
)
_DOWN = re.compile(
    r"\b(?:falling|falls?|descend(?:s|ing)|downwards?|down the|going down|goes down|run down)\b"
)
_SHORT = re.compile(r"\b(?:staccato|short|clipped|dry|damped|muted|detached|choppy|percussive|plucky)\b")
_LONG = re.compile(r"\b(?:legato|smooth(?:ly)?|flowing|long|lingering|ringing|let ring|sustained|held)\b")
_GROWS = re.compile(
    r"\b(?:crescendo|swell(?:s|ing)?|louder and louder|(?:grow|gett|becom)(?:s|ing|es)? louder|gets? louder"
    r"|builds?(?: up)?|fad(?:es|ing) in|intensif\w+)\b"
)
_SINKS = re.compile(
    r"\b(?:diminuendo|decrescendo|softer and softer"
    r"|(?:grow|gett|becom)(?:s|ing|es)? (?:softer|quieter|fainter)"
    r"|gets? (?:softer|quieter)|fad(?:es|ing)?(?: out| away)?|dies? away|dying away)\b"
)
_SLOWS = re.compile(r"\b(?:ritardando|rallentando|slow(?:s|ing) down|slower and slower|gets? slower|slows)\b")
_HURRIES = re.compile(r"\b(?:accelerando|speed(?:s|ing) up|faster and faster|gets? faster|accelerat\w+)\b")
_OPEN_END = re.compile(
    r"\b(?:to the end|throughout|without (?:a )?break|from start to end|continuous(?:ly)?|keeps? on)\b"
)
_HOLDS = re.compile(r"\b(?:holds?|holding|held|sustain(?:s|ed|ing)?|drones?|droning)\b")
_OFF = re.compile(r"\b(?:out of tune|slightly (?:flat|sharp)|detuned|off pitch)\b")
_AFTER = re.compile(r"^\s*(?:later|after|afterwards|apart)\b")
_EVERY = re.compile(r"\s+(?:a|per|every|each)\s+(?:second|minute)")
_REACH_WORDS = 3
_SINGLE = {"a", "an", "one", "single", "once"}
_SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
    "pentatonic": (0, 2, 4, 7, 9),
    "blues": (0, 3, 5, 6, 7, 10),
    "chromatic": tuple(range(12)),
    "whole-tone": (0, 2, 4, 6, 8, 10),
}
_MINOR_MOOD = re.compile(
    r"\b(?:sad|mournful|melanchol\w+|gloomy|sombre|somber|tragic|ominous|eerie|lament|wistful|plaintive)\b"
)
_LETTERS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_KEY = re.compile(
    r"\b(?P<letter>[a-g])(?P<sign>#|[ -]sharp|[ -]flat)?[ -]"
    r"(?P<mode>major|minor|dorian|phrygian|lydian|mixolydian)\b(?! key)"
)
_TONIC = re.compile(r"\b(?:open|key of|in) (?P<letter>[b-g])(?P<sign>#|[ -]sharp|[ -]flat)?(?![a-z'])")
_TEMPI = {
    "largo": 0.8,
    "adagio": 1.1,
    "lento": 0.9,
    "andante": 1.4,
    "moderato": 1.7,
    "allegretto": 1.9,
    "allegro": 2.2,
    "vivace": 2.6,
    "presto": 3.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What an instrument plays for a while.

    Args:
        kind: Melody, arpeggio, chords, strum, scale, hold, repeat, tremolo, trill, roll, glissando, bass or
            beat; empty for what the instrument usually plays.
        count: How many notes or chords; ``None`` for as many as fit.
        duration_s: How long it lasts, if stated.
        rise: 1 goes up, -1 down, 0 neither.
        held: Share of its step that a note is held; ``None`` for the usual.
        swell: 1 grows louder, -1 softer.
        hurry: Factor on speed that is reached at the end.
        open_end: Whether it is said to last to the end.
    """

    kind: str = ""
    count: int | None = None
    duration_s: float | None = None
    rise: int = 0
    held: float | None = None
    swell: int = 0
    hurry: float = 1.0
    open_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What all instruments of a piece share.

    Args:
        tonic: Semitones above C; ``None`` if no key is named.
        scale: Semitones above the tonic.
        beat_hz: Beats a second, if stated.
        meter: Beats in a bar.
    """

    tonic: int | None = None
    scale: tuple[int, ...] = _SCALES["major"]
    beat_hz: float | None = None
    meter: int = 4


def read_figures(text: str) -> tuple[Figure, ...]:
    """Read the figures that an instrument plays, one after the other.

    Args:
        text: Normalised text about one instrument.

    >>> [(figure.kind, figure.count) for figure in read_figures("plays three short notes, then a long chord")]
    [('melody', 3), ('chords', 1)]
    """
    found: list[Figure] = []
    for clause in split_clauses(text):
        figure = _read_figure(clause.text)
        if found and (clause.opened_by not in _THEN or not figure.kind):
            found[-1] = _join(found[-1], figure)
        else:
            found.append(figure)
    return tuple(found) or (Figure(),)


def read_piece(text: str) -> Piece:
    """Read what holds for a whole piece of music.

    >>> piece = read_piece("a slow waltz in d minor at 90 bpm")
    >>> piece.tonic, piece.scale[2], piece.beat_hz, piece.meter
    (2, 3, 1.5, 3)
    """
    key = _KEY.search(text)
    named = key or _TONIC.search(text)
    mode = key["mode"] if key else next((m for m in _SCALES if re.search(rf"\b{m}\b", text)), "")
    if not mode:
        mode = "minor" if _MINOR_MOOD.search(text) else "major"
    beats = [found.value for found in find_rates_hz(text) if found.word in {"bpm", "beats"}]
    named_tempo = [hz for word, hz in _TEMPI.items() if re.search(rf"\b{word}\b", text)]
    return Piece(
        tonic=_read_letter(named) if named else None,
        scale=_SCALES[mode],
        beat_hz=beats[0] if beats else named_tempo[0] if named_tempo else None,
        meter=3 if re.search(r"\b(?:waltz|three-four|3/4|triple)\b", text) else 4,
    )


def read_cents(text: str) -> float:
    """Read how far out of tune an instrument is, in cents.

    >>> read_cents("a piano slightly out of tune"), read_cents("a piano")
    (-25.0, 0.0)
    """
    found = _OFF.search(text)
    if not found:
        return 0.0
    return 25.0 if "sharp" in found.group() else -25.0


def _read_letter(match: re.Match[str]) -> int:
    sign = match["sign"] or ""
    return (_LETTERS[match["letter"]] + ("flat" not in sign and bool(sign)) - ("flat" in sign)) % 12


def _read_figure(text: str) -> Figure:
    kind = next((kind for kind, pattern in _KIND if pattern.search(text)), "")
    count = _read_count(text)
    if kind == "hold" and count is None and re.search(r"\b(?:a|one|single)\b[a-z -]*\bnote\b", text):
        count = 1
    if kind == "chords" and count is None and re.search(r"\ban? (?:[a-z-]+ ){0,3}chord\b", text):
        count = 1
    held = 0.3 if _SHORT.search(text) else 1.05 if _LONG.search(text) else None
    slower, faster = _SLOWS.search(text), _HURRIES.search(text)
    lasting = [
        d for d in find_durations_s(text) if not _AFTER.match(text[d.end :]) and not _is_after(text, d.start)
    ]
    return Figure(
        kind=kind,
        count=count,
        duration_s=lasting[0].value if lasting else None,
        rise=_read_rise(text),
        held=held,
        swell=1 if _GROWS.search(text) else -1 if _SINKS.search(text) else 0,
        hurry=0.5 if slower else 1.8 if faster else 1.0,
        open_end=bool(_OPEN_END.search(text)) or (count in {None, 1} and bool(_HOLDS.search(text))),
    )


def _read_rise(text: str) -> int:
    up, down = _UP.search(text), _DOWN.search(text)
    if up and down:
        return 1 if up.start() < down.start() else -1
    return 1 if up else -1 if down else 0


def _is_after(text: str, start: int) -> bool:
    return text[:start].rstrip().endswith(("after", "every"))


def _read_count(text: str) -> int | None:
    for match in _COUNTED.finditer(text):
        if _EVERY.match(text[match.end() :]):
            continue
        for word in reversed(text[: match.start()].split()[-_REACH_WORDS:]):
            # A noun in the plural has a number of its own.
            if word.endswith("s"):
                break
            number = read_number(word)
            if number and not (word in _SINGLE and match.group().endswith("s")):
                return int(number)
    times = _TIMES.search(text)
    number = read_number(times["number"].removesuffix(" times")) if times else None
    return int(number) if number else None


def _join(before: Figure, more: Figure) -> Figure:
    return replace(
        before,
        kind=before.kind or more.kind,
        count=before.count if before.count is not None else more.count,
        duration_s=before.duration_s or more.duration_s,
        rise=before.rise or more.rise,
        held=before.held if before.held is not None else more.held,
        swell=before.swell or more.swell,
        hurry=before.hurry if before.hurry != 1.0 else more.hurry,
        open_end=before.open_end or more.open_end,
    )
