"""Every clip of a project as a published asset, encoded and measured once."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from torus_site.errors import MediaError, Problem
from torus_site.media.cache import Cache
from torus_site.media.places import Places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Future
    from pathlib import Path

    from torus_site.media.cache import Record
    from torus_site.media.places import Place
    from torus_site.media.settings import MediaSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """What is published of one clip.

    Args:
        source: The clip's path in the project.
        sha256: SHA-256 of the clip's content.
        kind: What plays it.
        file: Where the published bytes are, in the cache.
        name: A short name from the published content, the same for the same bytes.
        suffix: What the published name ends in, with the dot.
        mime: Media type of the published bytes.
        codec: What a reader is told of them, such as ``MP3 96 kb/s``.
        duration_s: Length in seconds; 0.0 for a video that states none.
        channels: Channels of the published audio; 0 for a video.
        rate_hz: Its frames a second; 0 for a video.
        peaks: The waveform as heights from 0 to 100, relative to the greatest; empty for a video.
        loudness_lufs: Integrated loudness, ``None`` where it is undefined or for a video.
        true_peak_db: True peak in dBTP, ``None`` for silence or a video.
        spectrogram: Where the picture is, in the cache, if one was drawn.
    """

    source: str
    sha256: str
    kind: Literal["audio", "video"]
    file: Path
    name: str
    suffix: str
    mime: str
    codec: str
    duration_s: float
    channels: int
    rate_hz: int
    peaks: tuple[int, ...]
    loudness_lufs: float | None
    true_peak_db: float | None
    spectrogram: Path | None = None


class MediaLibrary:
    """Publishes the clips of one project.

    Args:
        root: The project's folder.
        cache: A folder for what is kept between runs.
        settings: How to publish.
        jobs: Clips to work on at once; the encoders run outside the interpreter's lock, so threads use every
            core.
    """

    def __init__(self, root: Path, cache: Path, settings: MediaSettings, jobs: int = 1) -> None:
        self._places = Places(root)
        self._cache = Cache(cache)
        self._settings = settings
        self._jobs = max(jobs, 1)
        self._recipe = settings.describe()
        self._lock = threading.Lock()
        self.warnings: tuple[Problem, ...] = ()
        """What the last :meth:`publish` found to be poor, though not wrong."""

    def publish(
        self, clips: Iterable[str], *, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Asset]:
        """Publish clips.

        Args:
            clips: Paths in the project, with forward slashes.
            progress: Called in this thread with the number of clips done and in all, for clips that are not
                known already.

        Returns:
            An asset for each clip, in the order given.

        Raises:
            MediaError: Everything that is wrong with any of the clips.
        """
        wanted = list(dict.fromkeys(clips))
        problems: list[Problem] = []
        places: dict[str, Place] = {}
        found: dict[str, tuple[str, Record]] = {}
        for clip in wanted:
            try:
                places[clip] = place = self._places.find(clip)
            except MediaError as error:
                problems += error.problems
                continue
            sha256 = self._cache.recall(clip, place)
            record = self._cache.find(self._key(sha256, clip)) if sha256 else None
            if sha256 and record:
                found[clip] = sha256, record
        unknown = {clip: place for clip, place in places.items() if clip not in found}
        try:
            if unknown:
                problems += self._make(unknown, found, progress or _ignore)
        finally:
            self._cache.save()
        if problems:
            raise MediaError(problems)
        assets = {clip: self._build(clip, *found[clip]) for clip in wanted}
        self.warnings = tuple(
            Problem(clip, place, fault, expected, action, severity="warning")
            for clip in wanted
            for place, fault, expected, action in found[clip][1]["warnings"]
        )
        return assets

    def _make(
        self,
        places: Mapping[str, Place],
        found: dict[str, tuple[str, Record]],
        progress: Callable[[int, int], None],
    ) -> list[Problem]:
        """Read unknown clips and add what became of them to ``found``, those of equal content once."""
        from concurrent.futures import ThreadPoolExecutor, as_completed  # noqa: PLC0415 -- for work

        self._cache.settle(max(place.mtime_ns for place in places.values()))
        claimed: dict[str, Future[Record]] = {}
        problems: list[Problem] = []
        with ThreadPoolExecutor(self._jobs) as pool:
            # The longest first, so that no core waits for one at the end.
            order = sorted(places, key=lambda clip: (-places[clip].size, clip))
            tasks = {pool.submit(self._read, clip, places[clip], claimed): clip for clip in order}
            try:
                for done, task in enumerate(as_completed(tasks), start=1):
                    clip = tasks[task]
                    try:
                        sha256, made = task.result()
                        found[clip] = sha256, made.result()
                        self._cache.remember(clip, places[clip], sha256)
                    except MediaError as error:
                        # Clips of equal content share the error, each under its own name.
                        problems += [replace(problem, file=clip) for problem in error.problems]
                    progress(done, len(tasks))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return problems

    def _read(
        self, clip: str, place: Place, claimed: dict[str, Future[Record]]
    ) -> tuple[str, Future[Record]]:
        """Read one clip and make what is published of it, unless another task has claimed its content."""
        from concurrent.futures import Future  # noqa: PLC0415 -- not needed when all is known

        try:
            data = place.path.read_bytes()
        except OSError as error:
            raise MediaError(
                Problem(clip, found=(error.strerror or "no file").lower(), expected="a clip")
            ) from error
        sha256 = hashlib.sha256(data).hexdigest()
        key = self._key(sha256, clip)
        with self._lock:
            if key in claimed:
                return sha256, claimed[key]
            made = claimed[key] = Future()
        try:
            made.set_result(self._cache.find(key) or self._prepare(key, data, clip, place.path))
        except BaseException as error:  # noqa: BLE001 -- the future hands it to whoever waits
            made.set_exception(error)
        return sha256, made

    def _prepare(self, key: str, data: bytes, clip: str, path: Path) -> Record:
        from torus_site.media.prepare import prepare  # noqa: PLC0415 -- loads numpy, soundfile and Pillow

        prepared = prepare(data, clip=clip, path=path, settings=self._settings)
        return self._cache.keep(key, prepared.facts, prepared.files)

    def _key(self, sha256: str, clip: str) -> str:
        # A suffix tells a video from a soundtrack of the same bytes.
        described = f"{sha256}\n{clip.rpartition('.')[2].lower()}\n{self._recipe}"
        return hashlib.sha256(described.encode(errors="surrogateescape")).hexdigest()

    def _build(self, clip: str, sha256: str, record: Record) -> Asset:
        picture = record.get("spectrogram")
        return Asset(
            source=clip,
            sha256=sha256,
            kind=record["kind"],
            file=self._cache.locate(record["file"]),
            name=record["file"].removesuffix(record["suffix"]),
            suffix=record["suffix"],
            mime=record["mime"],
            codec=record["codec"],
            duration_s=record["duration_s"],
            channels=record["channels"],
            rate_hz=record["rate_hz"],
            peaks=tuple(bytes.fromhex(record["peaks"])),
            loudness_lufs=record["loudness_lufs"],
            true_peak_db=record["true_peak_db"],
            spectrogram=self._cache.locate(picture) if picture else None,
        )


def _ignore(done: int, total: int) -> None:
    """Tell nobody about progress."""
