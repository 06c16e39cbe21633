"""The shape of a system file."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from torus_eval.systems.base import Capability
from torus_site.records.model import Record, Slug, Text

ANY = "any"
_WAYS = ("python", "command", "http")


def _thaw(value: object) -> object:
    """Make lists of tuples: records are read with lists frozen, and a model is given what its file says."""
    if isinstance(value, dict):
        return {name: _thaw(inner) for name, inner in value.items()}
    return [_thaw(inner) for inner in value] if isinstance(value, list | tuple) else value


Json = Annotated[JsonValue, BeforeValidator(_thaw)]
"""Anything that JSON can hold."""
Seconds = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False, strict=False)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="the name of a variable")]


class PythonWay(Record):
    """A class in this interpreter: an entry point of the group ``torus_eval.systems``, or ``module:Class``.

    ``options`` are the keyword arguments it is made with.
    """

    target: Text
    options: dict[str, Json] = {}


class CommandWay(Record):
    """A child process that speaks JSON lines.

    A program with a slash in it and ``folder`` start at the system file; ``{python}`` is this interpreter.
    """

    argv: tuple[Text, ...] = Field(min_length=1)
    folder: Text = "."
    env: dict[Name, str] = {}
    start_s: Seconds = 120.0
    deadline_s: Seconds = 600.0
    restarts: Annotated[int, Field(ge=0, le=100)] = 2


class HttpWay(Record):
    """A chat server that speaks the OpenAI protocol. The key is read from the variable named ``key_env``."""

    base_url: Annotated[str, Field(pattern=r"^https?://[^\s?#]+$", description="an http or https address")]
    model: Text
    can: tuple[Capability, ...] = Field(default=("answer",), min_length=1)
    key_env: Name | None = None
    audio_in: Literal["input_audio", "audio_url"] = "input_audio"
    audio_format: Literal["wav", "mp3"] = "wav"
    audio_out: Literal["wav", "mp3", "flac", "opus", "pcm16"] = "wav"
    voice: Text | None = None
    pcm_rate_hz: Annotated[int, Field(ge=4000, le=192_000)] = 24_000
    stream: bool = False
    tries: Annotated[int, Field(ge=1, le=20)] = 5
    timeout_s: Seconds = 120.0
    deadline_s: Seconds = 600.0
    largest_clip_bytes: Annotated[int, Field(ge=1000)] | None = None
    body: dict[str, Json] = {}


class Part(Record):
    """A model and the way in to it: exactly one of ``python``, ``command`` and ``http``.

    ``model`` and ``revision`` say which weights they are, ``sampling`` how it draws: all three are a part of
    the key under which a call is kept.
    """

    python: PythonWay | None = None
    command: CommandWay | None = None
    http: HttpWay | None = None
    model: str = ""
    revision: str = ""
    sampling: dict[str, Json] = {}

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways in that are given."""
        return tuple(way for way in _WAYS if getattr(self, way) is not None)


class NamedPart(Part):
    """A part in the table ``parts``."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if len(self.ways) != 1:
            message = f"exactly one of {', '.join(_WAYS)} in a part, not {' and '.join(self.ways) or 'none'}"
            raise ValueError(message)
        return self


class SystemFile(Part):
    """A system as data: what it is made of, and how it changes a clip.

    Either the file itself names one way in, and that model makes every call; or ``generate``, ``edit``,
    ``caption`` and ``answer`` name parts: those of the table ``parts``, or entry points. ``generate`` and
    ``edit`` map a value of the item facet ``route`` to a part; ``any`` serves the values not named. The arm
    says how a clip is changed: ``self-caption`` captions it and generates anew, the others edit.
    """

    schema_version: Literal[1] = Field(alias="schema")
    id: Slug
    arm: Literal["cascaded", "native-edit", "self-caption"]
    text: Text
    route: Slug | None = None
    generate: dict[str, Text] = {}
    edit: dict[str, Text] = {}
    caption: Text | None = None
    answer: Text | None = None
    parts: dict[Slug, NamedPart] = {}
    longest_clip_s: Seconds = 60.0

    @model_validator(mode="after")
    def _is_one_model_or_parts(self) -> Self:
        roles = bool(self.generate or self.edit or self.caption or self.answer or self.parts)
        if len(self.ways) > 1 or bool(self.ways) == roles:
            message = f"either one of {', '.join(_WAYS)}, or parts under generate, edit and answer"
            raise ValueError(message)
        if roles and not self.answer:
            message = "a part under answer, as every system of parts needs it"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _can_do_what_its_arm_needs(self) -> Self:
        if self.ways:
            return self
        edits, captions = bool(self.edit), self.caption is not None
        if self.arm == "self-caption" and (edits or not captions):
            message = "a part under caption and none under edit, as the arm self-caption needs them"
            raise ValueError(message)
        if self.arm != "self-caption" and (captions or not edits):
            message = f"parts under edit and none under caption, as the arm {self.arm} needs them"
            raise ValueError(message)
        for table in (self.generate, *([self.edit] if edits else [])):
            if ANY not in table or (self.route is None and len(table) > 1):
                message = "'any' under generate and edit, and further rows only with a route"
                raise ValueError(message)
        return self
