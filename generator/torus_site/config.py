"""``site.toml``: what the site as a whole is called, shows and publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from torus_site.errors import ConfigError, Problem
from torus_site.records.mend import examine
from torus_site.records.model import Record, Slug, Text
from torus_site.records.parse import read_toml
from torus_site.records.problems import pointer, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class LinkConfig(Record):
    """An outward link of the header or footer; an anonymous build shows it disabled."""

    title: Text
    url: Annotated[
        str,
        Field(pattern=r"^(https?://|mailto:).+", description="an address with https://, http:// or mailto:"),
    ]


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
    language: Annotated[
        str,
        Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]+)*$", description="a language tag such as en or pt-BR"),
    ] = "en"
    benchmarks: tuple[Slug, ...] = Field(min_length=1)
    anonymous: bool = False
    authors: tuple[Text, ...] = ()
    affiliations: tuple[Text, ...] = ()
    links: tuple[LinkConfig, ...] = ()
    licence: str = ""
    audio: AudioConfig = AudioConfig()


def load_config(root: Path) -> SiteConfig:
    """Load ``site_src/site.toml``.

    Args:
        root: The project's folder.

    Raises:
        ConfigError: Every problem of the file, a benchmark without a descriptor among them.
    """
    file = "site_src/site.toml"
    found = examine(SiteConfig, read_toml(root / file, file=file), file=file)
    problems = found.join(_check_benchmarks(found.record, root, file=file) if found.record else ())
    if found.record is None or problems:
        raise ConfigError(problems)
    return found.record


def _check_benchmarks(config: SiteConfig, root: Path, *, file: str) -> Iterator[Problem]:
    folders = sorted(path.parent.name for path in (root / "site_src").glob("*/benchmark.toml"))
    for index, name in enumerate(config.benchmarks):
        place = pointer("benchmarks", index)
        if name not in folders:
            yield unknown(file, place, name, folders, what="a folder that holds a benchmark.toml")
        if name in config.benchmarks[:index]:
            yield Problem(file, place, f"{name!r} a second time", "each benchmark once")
