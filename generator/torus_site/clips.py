"""The clips of a project on their way to the site: which there are, and what became of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from torus_site.benchmark.check import show
from torus_site.config import AudioConfig
from torus_site.errors import MediaError, Problem
from torus_site.media import MediaLibrary, MediaSettings
from torus_site.views.media import WAVE_BARS, ClipAsset, draw_wave

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from torus_site.media import Asset
    from torus_site.project import Draft


@dataclass(frozen=True, slots=True)
class Clips:
    """Published clips.

    Args:
        by_path: What views need of each, by the clip's path in the project.
        files: Where each published file's bytes are, by its path from the site's root.
        problems: Clips that are missing, unfit, or not the ones the results were computed on; as warnings
            those that are poor, and those that no results name.
    """

    by_path: Mapping[str, ClipAsset]
    files: Mapping[str, Path]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Reference:
    """Where results first name a clip: the file, the cell in words, and the content it had then."""

    file: str
    cell: str
    sha256: str


def publish(draft: Draft, *, cache: Path, jobs: int, progress: Callable[[str, int, int], None]) -> Clips:
    """Encode and measure every clip that results name.

    Those of a project with other problems are examined too, so that all can be told at once; what is
    encoded meanwhile is in the cache when those are mended.
    """
    references: dict[str, _Reference] = {}
    for path, reference in _references(draft):
        references.setdefault(path, reference)
    audio = draft.config.audio if draft.config else AudioConfig()
    settings = MediaSettings(
        format=audio.format,
        bitrate_kbps=audio.bitrate_kbps,
        peaks_points=WAVE_BARS,
        spectrogram=audio.spectrograms,
    )
    library = MediaLibrary(draft.root, cache / "media", settings, jobs=jobs)
    wanted = sorted(references)
    problems: list[Problem] = []
    try:
        assets = library.publish(wanted, progress=lambda done, total: progress("clips", done, total))
    except MediaError as error:
        problems += (_name_cell(problem, references) for problem in error.problems)
        wrong = {problem.file for problem in problems}
        assets = library.publish([path for path in wanted if path not in wrong])
    problems += [
        Problem(
            path,
            reference.cell,
            f"sha256 {assets[path].sha256[:12]}…",
            f"{reference.sha256[:12]}…, that of the clip {reference.file} is about",
            "run the evaluator again or restore the clip",
        )
        for path, reference in references.items()
        if path in assets and assets[path].sha256 != reference.sha256
    ]
    files: dict[str, Path] = {}
    by_path = {path: _place(asset, files) for path, asset in assets.items()}
    return Clips(by_path, files, (*problems, *library.warnings, *_unused(draft, references)))


def _references(draft: Draft) -> Iterator[tuple[str, _Reference]]:
    for loaded in draft.loaded:
        for use in loaded.results.clips():
            point = f", {show(use.at)}" if use.at else ""
            yield use.path, _Reference(use.file, f"{use.system}, {use.item}{point}", use.sha256)


def _name_cell(problem: Problem, references: Mapping[str, _Reference]) -> Problem:
    """Say which cell a clip was for, after where in the clip something is wrong."""
    place = ", ".join(part for part in (problem.place, references[problem.file].cell) if part)
    return replace(problem, place=place)


def _place(asset: Asset, files: dict[str, Path]) -> ClipAsset:
    src = f"media/{asset.name}{asset.suffix}"
    files[src] = asset.file
    spectrogram = ""
    if asset.spectrogram:
        spectrogram = f"media/{asset.name}{asset.spectrogram.suffix}"
        files[spectrogram] = asset.spectrogram
    return ClipAsset(
        src=src,
        mime=asset.mime,
        kind=asset.kind,
        duration_s=asset.duration_s,
        wave=draw_wave(asset.peaks),
        spectrogram=spectrogram,
        facts=_facts(asset),
    )


def _facts(asset: Asset) -> tuple[tuple[str, str], ...]:
    facts = [("Format", asset.codec)]
    if asset.rate_hz:
        channels = {1: "mono", 2: "stereo"}.get(asset.channels, f"{asset.channels} channels")
        facts.append(("Signal", f"{asset.rate_hz / 1000:g} kHz, {channels}"))
    if asset.loudness_lufs is not None:
        facts.append(("Loudness", f"{asset.loudness_lufs:.1f} LUFS".replace("-", "\N{MINUS SIGN}")))
    if asset.true_peak_db is not None:
        facts.append(("True peak", f"{asset.true_peak_db:.1f} dBTP".replace("-", "\N{MINUS SIGN}")))
    return tuple(facts)


def _unused(draft: Draft, references: Mapping[str, object]) -> Iterator[Problem]:
    for loaded in draft.loaded:
        if not loaded.is_whole:
            continue
        for path in sorted((draft.root / "audio" / loaded.benchmark.id).rglob("*")):
            name = path.relative_to(draft.root).as_posix()
            hidden = any(part.startswith(".") for part in name.split("/"))
            if path.is_file() and not hidden and name not in references:
                yield Problem(name, "", "a clip no results name", action="remove it", severity="warning")
