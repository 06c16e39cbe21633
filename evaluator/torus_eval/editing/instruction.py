"""Read an editing instruction as a list of changes to make."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torus_eval.scene.lexicon import Lexicon, find_phrases, load_lexicon
from torus_eval.scene.mentions import Mention, find_mentions
from torus_eval.scene.parse import parse_scene
from torus_eval.words import (
    Clause,
    find_durations_s,
    find_factors,
    find_rates_hz,
    lift_quotes,
    normalise,
    split_clauses,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torus_eval.scene.model import Scene

_KEEP = re.compile(r"\b(?:keep|kept|same|stays?|remains?|unchanged|still|as it is|as before|leave|rest of)\b")
_ADD = re.compile(
    r"\b(?:add|let|come in|comes in|joins?|enters?|bring|introduce|overlay|insert|append|mix in)\b"
)
_REPLACE = re.compile(r"\b(?:instead|but|now|this time|again|replace|same|change)\b")
_MOVE = re.compile(r"\b(?:moved?|into|in an?|now in|inside|put|place|to an?)\b")
_FASTER = re.compile(r"\b(?:faster|quicker|sped up|speed up|hurried)\b")
_SLOWER = re.compile(r"\b(?:slower|slowed|slow down|half speed|half the speed)\b")
_LOUDER = re.compile(
    r"\b(?:louder|turn (?:it |this |everything )?up|turned up|raise the (?:level|volume)|amplify|stronger)\b"
)
_SOFTER = re.compile(
    r"\b(?:softer|quieter|turn (?:it |this |everything )?down|turned down|lower the (?:level|volume)"
    r"|fainter)\b"
)
_DULLER = re.compile(r"\b(?:duller|dull|muffled?|darker|low-pass|underwater)\b")
_BRIGHTER = re.compile(r"\b(?:brighter|bright|crisper|sharper|clearer)\b")
_WEAKER = re.compile(r"\b(?:weak|weaker|breathy|strained|hoarse|fading voice|whispery)\b")
_DETUNE = re.compile(r"\b(?:beats?|beating|flat|sharp|detuned?|out of tune|off pitch)\b")
_NO_PAUSE = re.compile(
    r"\b(?:without (?:a |any )?(?:single )?(?:pauses?|gaps?|silences?|breaks?)|no pauses?|one breath)\b"
)
_REVERSE = re.compile(r"\b(?:backwards?|reversed?|in reverse)\b")
_SWAP = re.compile(r"\b(?:swap|in the other order|opposite order|order reversed)\b")
_REMOVE = re.compile(r"\b(?:remove|without|no|delete|take out|drop|stops?)\b")
_TURN = re.compile(r"\b(?:but|without|except|only now)\b")
_LAST = re.compile(r"\b(?:last|final)\s+(third|half|quarter)\b|\b(?:at|towards) the end\b")
_FIRST = re.compile(r"\b(?:first)\s+(third|half|quarter)\b|\bat the (?:start|beginning)\b")
_SHARES = {"third": 1.0 / 3.0, "half": 0.5, "quarter": 0.25}
_DECIBELS = re.compile(r"(\d+(?:\.\d+)?)\s*(?:db|decibels?)\b")
_ENTRY = re.compile(r"\b(?:from|at|after) (?:its|the) (?:entry|entrance)\b")
_DEFAULT_SPEED, _DEFAULT_DB, _DEFAULT_BEAT_HZ = 1.5, 8.0, 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """What an instruction asks for.

    Args:
        scene: Sounds to render, spoken lines among them.
        replace: Whether they take the place of the sounds that are there.
        keep_bed: Whether the background stays as it is.
        speed: Factor on speed.
        cut_pauses: Whether pauses go.
        weaken: The part of the foreground that turns weak, as shares from 0 to 1.
        beat_hz: The rate at which a detuned copy beats.
        beat_from_entry: Whether the beating begins where a steady note comes in.
        flat: Whether the copy is below the pitch.
        barrier: What comes between the sound and the listener.
        duller: Whether high frequencies go without a barrier.
        brighter: Whether they come up.
        room: The room the sound is moved to.
        kept_room: A room that is said to stay.
        gain_db: Change of level.
        reverse: Whether it is played backwards.
        swap: Whether the first and the second half change places.
        remove_bed: Whether the background goes.
        tail_s: For how long nothing but the background follows.
        unmet: What is asked for and cannot be done.
    """

    scene: Scene | None = None
    replace: bool = False
    keep_bed: bool = False
    speed: float = 1.0
    cut_pauses: bool = False
    weaken: tuple[float, float] | None = None
    beat_hz: float | None = None
    beat_from_entry: bool = False
    flat: bool = True
    barrier: str = ""
    duller: bool = False
    brighter: bool = False
    room: str = ""
    kept_room: str = ""
    gain_db: float = 0.0
    reverse: bool = False
    swap: bool = False
    remove_bed: bool = False
    tail_s: float = 0.0
    unmet: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for that can be done."""
        asked = (
            self.scene,
            self.speed != 1.0,
            self.cut_pauses,
            self.weaken,
            self.beat_hz,
            self.barrier,
            self.duller,
            self.brighter,
            self.room,
            self.gain_db,
            self.reverse,
            self.swap,
            self.remove_bed,
        )
        return not any(asked)


def read_instruction(text: str) -> Instruction:
    """Read an instruction.

    >>> found = read_instruction("Same words in the same hall, but three times faster, without a pause.")
    >>> found.speed, found.cut_pauses, found.kept_room
    (3.0, True, 'hall')
    """
    lexicon = load_lexicon()
    unquoted, quotes = lift_quotes(text)
    plain = normalise(unquoted)
    clauses = split_clauses(plain)
    mentions = find_mentions(clauses, lexicon)
    fresh = [clause for clause in clauses if _ADD.search(clause.text) or not _KEEP.search(clause.text)]
    words = " , ".join(clause.text if clause in fresh else _after_keeping(clause.text) for clause in clauses)
    scene = _read_sounds(unquoted, quotes, clauses, fresh, mentions)
    room, kept_room = _read_room(clauses, lexicon)
    barrier = _read_barrier(plain, lexicon)
    detuned = bool(_DETUNE.search(words))
    return Instruction(
        scene=scene,
        replace=bool(_REPLACE.search(plain))
        and not any(_ADD.search(clause.text) for clause in _openers(fresh)),
        keep_bed=_keeps_bed(clauses, mentions),
        speed=1.0 if scene else _read_speed(words),
        cut_pauses=bool(_NO_PAUSE.search(words)) and not scene,
        weaken=_read_share(words) if _WEAKER.search(words) and not barrier else None,
        beat_hz=_read_beat(plain) if detuned else None,
        beat_from_entry=bool(_ENTRY.search(plain)),
        flat=not re.search(r"\bsharp\b", words),
        barrier=barrier,
        duller=bool(_DULLER.search(words)) and not barrier,
        brighter=bool(_BRIGHTER.search(words)),
        room=room,
        kept_room=kept_room,
        gain_db=0.0 if barrier or scene else _read_gain(words),
        reverse=bool(_REVERSE.search(words)) and not _SWAP.search(words),
        swap=bool(_SWAP.search(words)),
        remove_bed=_removes_bed(clauses, mentions),
        tail_s=_read_tail(clauses, mentions),
        unmet=_list_unmet(clauses, mentions, scene),
    )


def _after_keeping(text: str) -> str:
    """Return what a clause that begins with what stays says about what changes."""
    turn = _TURN.search(text)
    return text[turn.start() :] if turn else ""


def _openers(clauses: Iterable[Clause]) -> list[Clause]:
    return [clause for clause in clauses if not re.search(r"\binstead\b", clause.text)]


def _read_sounds(
    unquoted: str,
    quotes: tuple[str, ...],
    clauses: tuple[Clause, ...],
    fresh: list[Clause],
    mentions: tuple[Mention, ...],
) -> Scene | None:
    """Read the sounds that are new, in a text without the clauses that only say what stays."""
    adding = {index for index, clause in enumerate(clauses) if _ADD.search(clause.text)}
    new_events = [m for m in mentions if _is_new(m, clauses, fresh, adding)]
    if not new_events and not quotes:
        return None
    spaced = re.sub(r"\s+", " ", unquoted).strip()
    kept = "".join(
        _blank_similes(spaced[clause.start : clause.start + len(clause.text)]) + f"{clause.closed_by or '.'} "
        for clause in clauses
        if clause in fresh or "@" in clause.text or _names_speaker(clause)
    )
    for index, quote in enumerate(quotes):
        kept = kept.replace(f"@{index}@", f'"{quote}"')
    scene = parse_scene(kept)
    wanted = {m.source.id for m in new_events}
    layers = tuple(
        layer
        for layer in scene.layers
        if layer.source in wanted or (layer.text and quotes and layer.text in quotes)
    )
    return replace(scene, layers=layers, notes=()) if layers else None


def _names_speaker(clause: Clause) -> bool:
    return bool(re.search(r"\b(?:he|she|woman|man)\b", clause.text)) and not _KEEP.search(clause.text)


def _is_new(mention: Mention, clauses: tuple[Clause, ...], fresh: list[Clause], adding: set[int]) -> bool:
    clause = clauses[mention.clause]
    if mention.absent or clause not in fresh or _is_simile(clause, mention):
        return False
    if mention.source.kind == "event":
        return True
    return mention.source.kind in {"pattern", "bed"} and mention.clause in adding


def _is_simile(clause: Clause, mention: Mention) -> bool:
    before = clause.text[: mention.start - clause.start]
    return bool(re.search(r"\b(?:as|like)(?: if)? an?(?: [a-z]+)?\s*$", before))


def _blank_similes(text: str) -> str:
    return re.sub(r"\b(?:as|like)(?: if)? an?(?: [a-z]+){1,2}", "", text)


def _keeps_bed(clauses: tuple[Clause, ...], mentions: tuple[Mention, ...]) -> bool:
    beds = [m for m in mentions if m.source.kind == "bed" and not m.absent]
    return any(_KEEP.search(clauses[m.clause].text) for m in beds) or any(
        re.search(r"\bkeep everything\b", clause.text) for clause in clauses
    )


def _removes_bed(clauses: tuple[Clause, ...], mentions: tuple[Mention, ...]) -> bool:
    return any(
        m.source.kind == "bed" and m.absent and _REMOVE.search(clauses[m.clause].text) for m in mentions
    )


def _read_room(clauses: tuple[Clause, ...], lexicon: Lexicon) -> tuple[str, str]:
    """Return the room moved to and the room that stays."""
    moved, kept = "", ""
    for clause in clauses:
        for hit in find_phrases(clause.text, lexicon.rooms):
            before = clause.text[: hit.start]
            if re.search(r"\bsame\s+(?:[a-z]+\s+)?$", before):
                kept = kept or hit.id
            elif _MOVE.search(before):
                moved = hit.id
    return moved, kept


def _read_barrier(plain: str, lexicon: Lexicon) -> str:
    hits = find_phrases(plain, lexicon.barriers)
    return hits[-1].id if hits else ""


def _read_speed(words: str) -> float:
    for found in find_factors(words):
        if re.match(r"fast|quick|speed", found.word):
            return found.value
        if found.word.startswith("slow"):
            return 1.0 / found.value
    if _FASTER.search(words):
        return _DEFAULT_SPEED
    return 1.0 / _DEFAULT_SPEED if _SLOWER.search(words) else 1.0


def _read_gain(words: str) -> float:
    if not (_LOUDER.search(words) or _SOFTER.search(words)):
        factors = [found for found in find_factors(words) if found.word.startswith(("loud", "quiet", "soft"))]
        if not factors:
            return 0.0
        # Twice as loud to the ear is about 10 dB.
        louder = factors[0].word.startswith("loud")
        return 10.0 if louder == (factors[0].value > 1.0) else -10.0
    stated = _DECIBELS.search(words)
    size = float(stated.group(1)) if stated else _DEFAULT_DB
    return size if _LOUDER.search(words) else -size


def _read_share(words: str) -> tuple[float, float]:
    last, first = _LAST.search(words), _FIRST.search(words)
    if last:
        return 1.0 - _SHARES.get(last.group(1) or "third", 1.0 / 3.0), 1.0
    return (0.0, _SHARES.get(first.group(1) or "third", 1.0 / 3.0)) if first else (0.0, 1.0)


def _read_beat(plain: str) -> float:
    rates = [found.value for found in find_rates_hz(plain) if found.word in {"times", "beats", "hz"}]
    return rates[0] if rates else _DEFAULT_BEAT_HZ


def _read_tail(clauses: tuple[Clause, ...], mentions: tuple[Mention, ...]) -> float:
    longest = 0.0
    for index, clause in enumerate(clauses):
        own = [m for m in mentions if m.clause == index]
        if re.search(r"\b(?:nothing|silence|only|alone)\b", clause.text) and all(
            m.source.kind == "bed" for m in own
        ):
            longest = max([longest, *(found.value for found in find_durations_s(clause.text))])
    return longest


def _list_unmet(
    clauses: tuple[Clause, ...], mentions: tuple[Mention, ...], scene: Scene | None
) -> tuple[str, ...]:
    """Say which sounds were asked to go and cannot be taken out of a mix."""
    del clauses
    gone = [m.source.id for m in mentions if m.absent and m.source.kind != "bed"]
    return (
        ()
        if scene or not gone
        else tuple(f"cannot take {name} out of the mix" for name in dict.fromkeys(gone))
    )
