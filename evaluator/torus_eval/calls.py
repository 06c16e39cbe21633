"""One call of a system: what it carries, how it is made, and what came of it."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from torus_eval.admission import admit
from torus_eval.answering.questions import Asked
from torus_eval.clips import decode_clip, encode_clip
from torus_eval.errors import CallError, CapabilityError, OutputError
from torus_eval.systems.opening import open_part
from torus_site.errors import TorusError

if TYPE_CHECKING:
    from torus_eval.clips import Clip
    from torus_eval.systems.base import Capability, Made, System
    from torus_eval.systems.model import Part

Status = Literal["ok", "failed", "error"]
LONGEST_RESPONSE = 100_000
_LONGEST_NOTE = 10_000


@dataclass(frozen=True, slots=True)
class Slot:
    """Which call of a run: its item, point and kind, and for an answer the question and the order.

    Args:
        item: The item's id.
        point: The point's name, empty where there is only one.
        call: The kind of call.
        question: The question's id, empty for calls that make or describe a clip.
        repeat: The how-manieth order of the options it is, from 0.
    """

    item: str
    point: str
    call: Capability
    question: str = ""
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """One call with all that it carries, ready to be sent to any process.

    Args:
        slot: Which call of the run it is. It is not given to the system.
        key: Under which its result is kept.
        part: The model that takes it.
        folder: Where the system file lies.
        seed: For whatever the call draws.
        text: The prompt, the instruction or the question.
        options: The options of a question by letter, in the order asked.
        clip: The clip's file, empty when the call makes the first one.
        heard: The sha256 of that file.
        order: For each letter as asked the letter of the item file.
        longest_clip_s: The longest clip that is taken.
    """

    slot: Slot
    key: str
    part: Part
    folder: str
    seed: int
    text: str
    options: tuple[tuple[str, str], ...] = ()
    clip: bytes = b""
    heard: str = ""
    order: str = ""
    longest_clip_s: float = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call.

    Args:
        status: ``ok``; ``failed`` when the model came back with nothing usable; ``error`` when it did not
            come back, so that the call is still owed.
        reason: A short name of what went wrong.
        message: The same in plain words.
        clip: The file of the clip that was made.
        text: The response or the caption.
        note: What the system could not do.
        seconds: How long the call took.
        is_final: Whether asking again is no use.
    """

    status: Status = "ok"
    reason: str = ""
    message: str = ""
    clip: bytes = b""
    text: str | None = None
    note: str = ""
    seconds: float = 0.0
    is_final: bool = False


# By thread and part: a system takes one call at a time.
_systems: dict[tuple[int, str], System] = {}
_lock = threading.Lock()


def execute_call(call: Call) -> Outcome:
    """Make a call in this process, opening the system the first time it is needed.

    Faults of the model and of the way to it become a part of the outcome.

    Raises:
        EvaluationError: The system cannot be opened because its file is wrong.
    """
    start = time.monotonic()
    try:
        outcome = _ask(call)
    except OutputError as error:
        outcome = Outcome("failed", error.code, error.message)
    except CapabilityError as error:
        outcome = Outcome("error", error.code, error.message, is_final=True)
    except CallError as error:
        outcome = Outcome("error", error.code, error.message)
    except TorusError:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever a system hands back, the run goes on with other calls
        outcome = Outcome("error", "exception", f"{type(error).__name__}: {error}")
    return replace(
        outcome,
        reason=_cut(outcome.reason, _LONGEST_NOTE),
        message=_cut(outcome.message or outcome.reason, _LONGEST_NOTE),
        text=None if outcome.text is None else _cut(outcome.text, LONGEST_RESPONSE),
        note=_cut(str(outcome.note), _LONGEST_NOTE),
        seconds=round(time.monotonic() - start, 3),
    )


def name_opened(part: Part, folder: str) -> str:
    """Name what is opened for a part, so that it can be closed."""
    return f"{folder}\n{part.model_dump_json()}"


def close_systems(names: frozenset[str] | None = None) -> None:
    """Close systems that this process has opened, in whatever thread.

    Args:
        names: What to close, as ``name_opened`` says it; everything by default.
    """
    with _lock:
        chosen = [key for key in _systems if names is None or key[1] in names]
        systems = [_systems.pop(key) for key in chosen]
    for system in systems:
        # A system that cannot be closed has nothing left that is needed.
        with suppress(CallError, OSError):
            system.close()


def _ask(call: Call) -> Outcome:
    system, kind = _open(call.part, call.folder), call.slot.call
    if kind not in system.capabilities:
        can = ", ".join(sorted(system.capabilities)) or "nothing"
        message = f"the system cannot {kind}; it can {can}"
        raise CapabilityError(message)
    if kind == "generate":
        return _keep(system.generate(call.text, seed=call.seed), call)
    if kind == "edit":
        # A clip of its own: whoever edits may do it in place.
        clip = decode_clip(call.clip, file=call.heard)
        return _keep(system.edit(clip, call.text, seed=call.seed), call)
    clip = _decode(call.heard, call.clip)
    if kind == "caption":
        return Outcome(text=system.caption(clip, seed=call.seed))
    asked = Asked(call.text, dict(call.options))
    return Outcome(text=system.answer(clip, asked, seed=call.seed))


def _open(part: Part, folder: str) -> System:
    key = (threading.get_ident(), name_opened(part, folder))
    with _lock:
        system = _systems.get(key)
    if system is None:
        system = open_part(part, Path(folder))
        with _lock:
            _systems[key] = system
    return system


def _keep(made: Made, call: Call) -> Outcome:
    clip = admit(made.clip.samples, made.clip.rate_hz, longest_s=call.longest_clip_s)
    return Outcome(clip=encode_clip(clip), note=made.note)


def _cut(text: str, longest: int) -> str:
    # What cannot be stored as UTF-8 would make the record unreadable.
    return text[:longest].encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=8)
def _decode(sha256: str, data: bytes) -> Clip:
    """Decode a clip once for all questions about it: listeners keep what they heard by the object.

    What one of them did to its samples would be heard by the next, so they cannot be written to.
    """
    clip = decode_clip(data, file=sha256)
    clip.samples.setflags(write=False)
    return clip
