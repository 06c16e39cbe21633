"""``site.toml``: what the site as a whole is called, shows and publishes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from torus_site.records.model import Record, Slug, Text


class LinkConfig(Record):
    """An outward link of the header or footer; an anonymous build shows it disabled."""

    title: Text
    url: Annotated[str, Field(pattern=r"^(https?://|mailto:).+")]


class AudioConfig(Record):
    """How clips are published."""

    format: Literal["mp3", "flac", "copy"] = "mp3"
    bitrate_kbps: Annotated[int, Field(ge=32, le=320)] = 96
    spectrograms: bool = True


class SiteConfig(Record):
    """The whole of ``site.toml``. ``benchmarks`` are folders beside it; the first one owns the home page."""

    schema_version: Literal[1] = Field(alias="schema")
    title: Text
    description: Text
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$")] = "en"
    benchmarks: tuple[Slug, ...] = Field(min_length=1)
    anonymous: bool = False
    authors: tuple[Text, ...] = ()
    affiliations: tuple[Text, ...] = ()
    links: tuple[LinkConfig, ...] = ()
    licence: str = ""
    audio: AudioConfig = AudioConfig()
