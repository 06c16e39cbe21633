"""A scene: what sounds when, how and where, ready to be rendered."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One sound of a scene.

    Args:
        source: Its id in the lexicon.
        start_s: When it begins.
        duration_s: How long it lasts; ``None`` is to the end of the scene.
        count: How often it happens.
        spacing_s: Time between repeats, start to start.
        force: Steps of 6 dB above or below the ordinary.
        pace: Factor on its inner speed.
        pitch: Factor on its frequencies.
        note_hz: A pitch named in the text.
        rate_hz: Notes or strokes a second named in the text.
        room: The room it sounds in, by id; empty for none.
        barriers: What it is heard through, by id, distances among them.
        text: What a voice says; empty for wordless babble.
        pause_s: Silence between the phrases of a voice.
        rising: Whether a voice rises at its end.
        about: What the text tells of an instrument, normalised.
    """

    source: str
    start_s: float = 0.0
    duration_s: float | None = None
    count: int = 1
    spacing_s: float = 0.45
    force: float = 0.0
    pace: float = 1.0
    pitch: float = 1.0
    note_hz: float | None = None
    rate_hz: float | None = None
    room: str = ""
    barriers: tuple[str, ...] = ()
    text: str = ""
    pause_s: float = 0.2
    rising: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A whole scene.

    Args:
        layers: Its sounds.
        duration_s: Its length.
        echo: Factor on the decay time of every room.
        notes: What the grammar could not make sense of.
        text: The whole text, normalised, quotes lifted.
    """

    layers: tuple[Layer, ...]
    duration_s: float
    echo: float = 1.0
    notes: tuple[str, ...] = field(default=())
    text: str = ""
