"""From a prompt to a scene: put what is mentioned on a time line and into rooms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from torus_eval.music.reading import read_part
from torus_eval.scene.lexicon import Hit, Lexicon, find_phrases, load_lexicon
from torus_eval.scene.mentions import Mention, find_mentions
from torus_eval.scene.model import Layer, Scene
from torus_eval.scene.tellings import tell_about
from torus_eval.words import find_durations_s, lift_quotes, normalise, split_clauses

if TYPE_CHECKING:
    from torus_eval.words import Clause

MIN_S, MAX_S = 6.0, 10.0
_LEAD_S = 0.4
_TAIL_S = 1.2
_PATTERN_S = 8.0
_ROLL_GAP_S, _GAP_S, _SENTENCE_GAP_S = 0.03, 0.3, 0.45
_TURN_S, _ENTRY_S = 3.0, 2.0
_SYLLABLES_A_SECOND = 4.6
THEN = ("then", "and then", "only then", "followed by", "afterwards", "finally", "next")
_BESIDE = re.compile(r"(?:and|with|over|under|while|as|plus)\b")
_JOINS = re.compile(r"\b(?:joins?|joined|enters?|comes? in|joining|entering)\b")
_MARK = re.compile(r"@(\d+)@")
_SILENCE = re.compile(r"\b(?:silence|pause|gap|nothing|only|nobody)\b")
_WHOLE = re.compile(r"([a-z0-9.]+)[\s-]seconds?(?:[\s-]long)?\s+(?:clip|recording|scene|sound|sample)")
_LEADS_IN = {"roll", "creak", "scatter"}
_RUMBLING = re.compile(
    r"\b(?:long|rumbling|endless|vast|huge|large)\b[a-z, -]{0,24}\b(?:echo|reverberation|tails?|decay)"
)


@dataclass(slots=True)
class _Clock:
    """Where on the time line the next sound goes."""

    now_s: float = _LEAD_S
    end_s: float = _LEAD_S
    last_start_s: float = _LEAD_S
    last_source: str = ""
    started: bool = False
    layers: list[Layer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Text:
    """A prompt taken apart."""

    plain: str
    clauses: tuple[Clause, ...]
    quotes: tuple[str, ...]
    mentions: tuple[Mention, ...]
    lexicon: Lexicon


def parse_scene(prompt: str) -> Scene:
    """Read a prompt as a scene.

    Args:
        prompt: Free English text. Quoted text is said; everything else is looked up in the lexicon.

    Returns:
        The scene, 6 to 10 seconds long unless the text names its length.

    >>> [(layer.source, layer.count) for layer in parse_scene("Rain. Three knocks, then a loud bang.").layers]
    [('rain', 1), ('knock', 3), ('bang', 1)]
    """
    return _lay_out(_take_apart(prompt))


def _take_apart(prompt: str) -> _Text:
    lexicon = load_lexicon()
    unquoted, quotes = lift_quotes(prompt)
    plain = normalise(unquoted)
    clauses = split_clauses(plain)
    spaced = re.sub(r"\s+", " ", unquoted).strip()
    original = spaced if len(spaced) == len(plain) else ""
    mentions = find_mentions(clauses, lexicon, original=original)
    return _Text(plain, clauses, quotes, mentions, lexicon)


def _lay_out(text: _Text) -> Scene:
    clock = _Clock()
    detailed = _find_details(text)
    inherited = 0.0
    for index, clause in enumerate(text.clauses):
        for mark in _MARK.finditer(clause.text):
            _place_line(clock, text, index, text.quotes[int(mark.group(1))])
        if clause.opened_by != ":":
            inherited = inherited if clause.sentence == _sentence_before(text, index) else 0.0
        own = [m for m in text.mentions if m.clause == index and not m.absent]
        for mention in own:
            if index in detailed and mention.source.kind == "event":
                inherited = mention.force
                continue
            _place(clock, text, mention if mention.manner else replace(mention, force=inherited))
        _pass_time(clock, text, index, own)
    layers = tuple(_merge(clock.layers))
    notes = () if layers else ("no sound of the prompt is in the lexicon",)
    echo = 1.35 if _RUMBLING.search(text.plain) else 1.0
    return Scene(
        layers=layers, duration_s=_choose_length(text, clock, layers), echo=echo, notes=notes, text=text.plain
    )


def _sentence_before(text: _Text, index: int) -> int:
    return text.clauses[index - 1].sentence if index else -1


def _find_details(text: _Text) -> frozenset[int]:
    """Find clauses that a colon introduces in general words before it tells the sounds in detail."""
    found = set()
    for index, clause in enumerate(text.clauses):
        if clause.closed_by != ":":
            continue
        rest = [i for i, other in enumerate(text.clauses) if i > index and other.sentence == clause.sentence]
        if any(m.clause in rest and m.source.kind == "event" and not m.absent for m in text.mentions):
            found |= {
                i for i, other in enumerate(text.clauses) if other.sentence == clause.sentence and i <= index
            }
    return frozenset(found)


def _place(clock: _Clock, text: _Text, mention: Mention) -> None:
    kind = mention.source.kind
    layer = _dress(text, mention)
    if kind == "bed":
        start_s = mention.gap_s if mention.gap_s and mention.gap_s > 1.0 else 0.0
        clock.layers.append(replace(layer, start_s=start_s))
    elif kind == "pattern":
        _place_pattern(clock, text, mention, layer)
    elif kind == "event":
        if text.clauses[mention.clause].opened_by in THEN:
            _wait_for_lasting(clock)
        _place_event(clock, mention, layer)
    elif not text.quotes and not any(
        text.lexicon.sources[other.source].kind == "voice" for other in clock.layers[-1:]
    ):
        seconds = mention.duration_s or 1.6
        spoken = "la " * max(1, round(seconds * _SYLLABLES_A_SECOND))
        clock.layers.append(replace(layer, start_s=clock.now_s, duration_s=seconds, text=spoken.strip()))
        clock.end_s = clock.now_s + seconds
        clock.now_s = clock.end_s + _GAP_S


def _place_pattern(clock: _Clock, text: _Text, mention: Mention, layer: Layer) -> None:
    """Put an instrument on the time line: one that plays a number of notes moves on what comes after it."""
    figures = read_part(layer, mention.source, text.plain) if mention.source.music else None
    own_s = figures.length_s if figures and figures.length_s else layer.duration_s
    follows = text.clauses[mention.clause].opened_by in THEN or mention.joint.endswith(THEN)
    open_ended = [i for i, other in enumerate(clock.layers) if _lasts(other) and other.duration_s is None]
    played = [i for i in open_ended if text.lexicon.sources[clock.layers[i].source].kind == "pattern"]
    start_s = clock.now_s if clock.started else _LEAD_S / 2
    if _BESIDE.match(mention.joint) and not follows and clock.layers and _lasts(clock.layers[-1]):
        start_s = clock.layers[-1].start_s
    elif mention.gap_s is not None:
        start_s = mention.gap_s + (clock.end_s if clock.started else 0.0)
    elif follows and played and not _JOINS.search(layer.about):
        # The one before makes room for the one that follows.
        before = clock.layers[played[-1]]
        clock.layers[played[-1]] = replace(before, duration_s=_TURN_S)
        start_s = before.start_s + _TURN_S + _ROLL_GAP_S
    elif (follows or _JOINS.search(layer.about)) and open_ended:
        start_s = max(start_s, clock.layers[open_ended[-1]].start_s + _ENTRY_S)
    clock.layers.append(replace(layer, start_s=start_s, duration_s=own_s))
    clock.last_source = ""
    if own_s is not None:
        clock.started = True
        clock.last_start_s, clock.end_s = start_s, start_s + own_s
        clock.now_s = clock.end_s + _GAP_S


def _wait_for_lasting(clock: _Clock) -> None:
    """Let what lasts be heard for a while before the sound that comes then."""
    if not clock.started and clock.layers and _lasts(clock.layers[-1]):
        clock.now_s = clock.end_s = max(clock.now_s, clock.layers[-1].start_s + _ENTRY_S)


def _lasts(layer: Layer) -> bool:
    return load_lexicon().sources[layer.source].kind in {"bed", "pattern"}


def _place_event(clock: _Clock, mention: Mention, layer: Layer) -> None:
    source = mention.source
    short = source.duration_s <= 0.4 or source.repeat > 1  # noqa: PLR2004 -- what can be counted in a row
    count = mention.counted or (max(3, source.repeat) if mention.plural and short else 1)
    length_s = mention.duration_s or source.duration_s / max(mention.pace, 0.5)
    spacing_s = mention.spacing_s or (
        1.0 / mention.rate_hz if mention.rate_hz else source.spacing_s / mention.pace
    )
    together = re.search(r"\b(?:with|while|as|inside|under|over)\b", mention.joint) or (
        mention.joint.startswith("and") and clock.last_source.endswith("+")
    )
    leads_in = clock.last_source.rstrip("+") in _LEADS_IN
    # A stated gap stands in place of the ordinary one.
    free_s = clock.now_s if mention.gap_s is None else clock.end_s + mention.gap_s
    start_s = clock.last_start_s if together and not leads_in else free_s
    clock.layers.append(
        replace(layer, start_s=start_s, duration_s=length_s, count=count, spacing_s=max(spacing_s, 0.08))
    )
    clock.started = True
    clock.last_start_s = start_s
    clock.last_source = source.synth + ("+" if together else "")
    end_s = start_s + (count - 1) * spacing_s + length_s
    gap_s = _ROLL_GAP_S if source.synth in {"roll", "creak"} else _GAP_S
    clock.end_s = max(clock.end_s, end_s) if together else end_s
    clock.now_s = max(clock.now_s, end_s + gap_s) if together else end_s + gap_s


def _place_line(clock: _Clock, text: _Text, index: int, quote: str) -> None:
    """Put a spoken line on the time line: who says it stands before it, how may follow after it."""
    start = text.clauses[index].start
    speakers = [m for m in text.mentions if m.source.kind == "voice" and m.start < start]
    until = next(
        (i for i, c in enumerate(text.clauses) if i > index and (_MARK.search(c.text) or _speaks(text, i))),
        len(text.clauses),
    )
    since = next((i for i in range(index - 1, -1, -1) if _MARK.search(text.clauses[i].text)), -1) + 1
    about = " , ".join(clause.text for clause in text.clauses[since:until] if "@" not in clause.text)
    speaker = max(speakers, key=lambda m: (m.source.id != "voice", m.start), default=None)
    layer = _dress(text, speaker) if speaker else Layer(source="voice")
    gap_s = (speaker.gap_s if speaker and speaker.clause >= since else None) or _stated_gap(
        text, since, index
    )
    spelled = bool(re.search(r"\bsyllable by syllable|word by word|spell", about))
    pace = _say_pace(about, text.lexicon)
    pause_s = _say_pause(about, spelled=spelled)
    rising = quote.rstrip().endswith("?") or bool(re.search(r"\bris(?:es|ing)\b", about))
    syllables = sum(1 for letter in re.sub(r"[aeiouy]{2,}", "a", quote.lower()) if letter in "aeiouy")
    phrases = split_phrases(quote)
    length_s = syllables / (_SYLLABLES_A_SECOND * pace) + pause_s * (len(phrases) - 1)
    start_s = clock.now_s if gap_s is None else clock.end_s + gap_s
    clock.layers.append(
        replace(
            layer,
            start_s=start_s,
            duration_s=length_s,
            text=quote,
            pace=pace,
            pause_s=pause_s,
            rising=rising,
            count=1,
        )
    )
    clock.end_s = start_s + length_s
    clock.now_s = clock.end_s + _SENTENCE_GAP_S
    clock.last_start_s, clock.last_source, clock.started = start_s, "voice", True


def split_phrases(quote: str) -> list[str]:
    """Cut what is said at stops and dashes, where a speaker may pause.

    >>> split_phrases("Take - the left. Now!")
    ['Take', 'the left.', 'Now!']
    """
    return [
        piece.strip()
        for piece in re.split(r"(?<=[.!?;])\s+|\s+-+\s+|\u2026\s*|\.\.\.\s*", quote)
        if piece.strip()
    ]


def _speaks(text: _Text, index: int) -> bool:
    return any(
        m.clause == index and m.source.kind == "voice" and m.source.id != "voice" for m in text.mentions
    )


def _stated_gap(text: _Text, since: int, index: int) -> float | None:
    for place, clause in enumerate(text.clauses[since:index], start=since):
        if not any(m.clause == place for m in text.mentions):
            continue
        for found in find_durations_s(clause.text):
            before, after = clause.text[: found.start], clause.text[found.end :]
            if before.rstrip().endswith("after") or after.lstrip().startswith("later"):
                return found.value
    return None


def _say_pace(about: str, lexicon: Lexicon) -> float:
    pace = 1.0
    for word in re.findall(r"[a-z]+", about):
        pace *= lexicon.manner.pace.get(word, 1.0)
    if re.search(r"\bhalf(?: the)? speed\b", about):
        pace *= 0.5
    return min(max(pace, 0.4), 3.0)


def _say_pause(about: str, *, spelled: bool) -> float:
    for match in re.finditer(r"\b(?:silences?|pauses?|gaps?)\b([^,]*)", about):
        stated = find_durations_s(match.group(0))
        if stated and "after" not in about[max(0, match.start() - 12) : match.start()]:
            return stated[0].value
        if re.search(r"\blong\s*$", about[: match.start()]):
            return 1.2
    return 0.25 if spelled else 0.2


def _pass_time(clock: _Clock, text: _Text, index: int, own: list[Mention]) -> None:
    """Let time go by where the text says that nothing happens for a while."""
    clause = text.clauses[index].text
    stated = find_durations_s(clause)
    quiet = all(m.source.kind == "bed" for m in own)
    if quiet and stated and _SILENCE.search(clause) and "after each" not in clause:
        clock.now_s = clock.end_s + stated[-1].value
    elif (
        not own
        and stated
        and re.search(r"\b(?:later|after(?:wards)?)\b", clause)
        and "after each" not in clause
    ):
        clock.now_s = clock.end_s + stated[0].value


def _dress(text: _Text, mention: Mention) -> Layer:
    return Layer(
        source=mention.source.id,
        duration_s=mention.duration_s,
        force=mention.force,
        pace=mention.pace,
        pitch=mention.pitch,
        note_hz=mention.note_hz,
        rate_hz=mention.rate_hz,
        room=_find_room(text, mention),
        barriers=_find_barriers(text, mention),
        about=tell_about(mention, text.mentions, text.clauses) if mention.source.music else "",
    )


def _find_room(text: _Text, mention: Mention) -> str:
    rooms = find_phrases(text.plain, text.lexicon.rooms)
    if not rooms:
        return ""
    same = [hit for hit in rooms if _sentence_of(text, hit) == mention.sentence]
    before = [hit for hit in same if hit.start <= mention.start]
    if before or same:
        return (before or same)[-1 if before else 0].id
    earlier = [hit for hit in rooms if hit.start <= mention.start]
    return rooms[0].id if mention.source.kind == "bed" or not earlier else earlier[-1].id


def _find_barriers(text: _Text, mention: Mention) -> tuple[str, ...]:
    clause = text.clauses[mention.clause].text
    barriers = find_phrases(clause, text.lexicon.barriers)
    # A closed door is not close.
    distances = [
        hit.id
        for hit in find_phrases(clause, text.lexicon.distances)
        if not any(hit.start < other.end and other.start < hit.end for other in barriers)
    ]
    if "near" in distances:
        return ()
    through = [
        hit.id
        for hit in find_phrases(text.plain, text.lexicon.barriers)
        if _sentence_of(text, hit) == mention.sentence and mention.source.kind != "bed"
    ]
    return tuple(dict.fromkeys([*through[-1:], *distances[:1]]))


def _sentence_of(text: _Text, hit: Hit) -> int:
    starts = [clause for clause in text.clauses if clause.start <= hit.start]
    return starts[-1].sentence if starts else 0


def _merge(layers: list[Layer]) -> list[Layer]:
    """Keep one layer of each bed and pattern, and join a sound told twice in a row."""
    lexicon = load_lexicon()
    kept: list[Layer] = []
    for layer in layers:
        lasting = lexicon.sources[layer.source].kind in {"bed", "pattern"}
        twin = next((i for i, other in enumerate(kept) if lasting and _is_same(other, layer)), None)
        if twin is None:
            kept.append(layer)
        else:
            kept[twin] = replace(
                kept[twin],
                force=layer.force or kept[twin].force,
                rate_hz=layer.rate_hz or kept[twin].rate_hz,
                note_hz=layer.note_hz or kept[twin].note_hz,
                about=", ".join(filter(None, (kept[twin].about, layer.about))),
            )
    return kept


def _is_same(before: Layer, layer: Layer) -> bool:
    return before.source == layer.source and before.duration_s is None


def _choose_length(text: _Text, clock: _Clock, layers: tuple[Layer, ...]) -> float:
    whole = _WHOLE.search(text.plain)
    if whole and (stated := find_durations_s(whole.group(0))):
        return min(max(stated[0].value, 1.0), 30.0)
    lasting = any(load_lexicon().sources[layer.source].kind == "pattern" for layer in layers)
    return min(max(MIN_S, clock.now_s + _TAIL_S, _PATTERN_S if lasting else 0.0), MAX_S)
