"""``site.toml`` is loaded, or all its problems are told."""

from __future__ import annotations

import pytest

import factories
from torus_site.config import load_config
from torus_site.errors import ConfigError

SITE = {"schema": 1, "title": "Toys", "description": "All toys.", "benchmarks": ["toy"]}


def test_defaults_stand_where_the_file_is_silent(tmp_path):
    config = load_config(factories.write_project(tmp_path))
    assert config.benchmarks == ("toy",)
    assert (config.audio.format, config.audio.bitrate_kbps, config.anonymous) == ("mp3", 96, False)


def test_everything_can_be_said(tmp_path):
    site = SITE | {
        "language": "pt-BR",
        "anonymous": True,
        "authors": ["A"],
        "affiliations": ["B"],
        "links": [{"title": "Code", "url": "https://example.org"}, {"title": "Mail", "url": "mailto:a@b"}],
        "licence": "CC BY 4.0",
        "audio": {"format": "flac", "bitrate_kbps": 128, "spectrograms": False},
    }
    config = load_config(factories.write_project(tmp_path, site=site))
    assert config.links[1].url == "mailto:a@b"
    assert config.audio.spectrograms is False


def test_shape_and_folders_are_told_together(tmp_path):
    site = SITE | {"titel": "x", "benchmarks": ["toys", "toy", "toy"], "audio": {"format": "mp4"}}
    factories.write_project(tmp_path, site=site)
    with pytest.raises(ConfigError) as error:
        load_config(tmp_path)
    assert [problem.place for problem in error.value.problems] == [
        "/audio/format",
        "/benchmarks/0",
        "/benchmarks/2",
        "/titel",
    ]


def test_unknown_schema_version_is_told(tmp_path):
    with pytest.raises(ConfigError, match="knows no other schema"):
        load_config(factories.write_project(tmp_path, site={"schema": 2}))


def test_missing_file_is_told(tmp_path):
    with pytest.raises(ConfigError, match=r"site_src/site.toml: found no such file"):
        load_config(tmp_path)
