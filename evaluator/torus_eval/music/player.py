"""The soundfont player: a score through the program ``fluidsynth`` and a soundfont of the system."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from torus_eval.clips import RATE_HZ, decode_clip
from torus_eval.errors import EvaluationError
from torus_eval.music.compose import compose
from torus_eval.music.midi import write_midi
from torus_eval.music.reading import read_part, to_pitch
from torus_eval.music.score import Note, Score
from torus_eval.signals.filters import to_gain
from torus_site.errors import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.scene.lexicon import Source
    from torus_eval.scene.model import Layer

    Signal = NDArray[np.float64]

PROGRAM = "fluidsynth"
FOLDERS = (
    "/usr/share/sounds/sf2",
    "/usr/share/soundfonts",
    "/usr/local/share/soundfonts",
    "/opt/homebrew/share/soundfonts",
)
# The small one comes first: results were made with it, and every machine can have it.
SOUNDFONTS = ("TimGM6mb.sf2", "FluidR3_GM.sf2", "default-GM.sf2", "default.sf2", "GeneralUser-GS.sf2")
_GAIN = "0.4"
_TIMEOUT_S = 60
_BLOCK_S = 0.05
_ACTIVE_DB = 30.0
_CREST_DB = 15.0
_SILENT = 1e-4
_STROKE_VELOCITY, _STEP_VELOCITY, _STROKE_RING_S = 96, 14, 1.5


class Player(Protocol):
    """Plays an instrument of a scene."""

    def play(
        self, layer: Layer, source: Source, *, text: str, length_s: float, rng: np.random.Generator
    ) -> Signal | None:
        """Return what the instrument plays at 44.1 kHz, shape (frames,), with a mean level of 0 dB.

        Args:
            layer: What is played, and how.
            source: The instrument.
            text: The whole text, for what all instruments share.
            length_s: How long there is to play; the last notes may ring on.
            rng: Draws the turns of a melody.

        Returns:
            The sound, or ``None`` if the player cannot play it.
        """


@dataclass(frozen=True, slots=True)
class SoundfontPlayer:
    """Plays instruments by ``fluidsynth``.

    Args:
        program: The path of the program.
        soundfont: The path of the soundfont.
    """

    program: str
    soundfont: str

    @classmethod
    def find(cls, folders: tuple[str, ...] = FOLDERS) -> SoundfontPlayer:
        """Look for the program on the search path and for a soundfont in the usual folders.

        Raises:
            EvaluationError: Either is missing; both are told at once.
        """
        program = shutil.which(PROGRAM)
        files = [Path(folder) / name for name in SOUNDFONTS for folder in folders]
        soundfont = next((file for file in files if file.is_file()), None)
        problems = []
        if program is None:
            problems.append(
                Problem(
                    PROGRAM,
                    found="no such program",
                    expected="a soundfont player on the search path",
                    action="install the package fluidsynth",
                )
            )
        if soundfont is None:
            problems.append(
                Problem(
                    "soundfont",
                    found=f"none of {', '.join(SOUNDFONTS)} in {', '.join(folders)}",
                    expected="a General MIDI soundfont",
                    action="install the package timgm6mb-soundfont or fluid-soundfont-gm",
                )
            )
        if program is None or soundfont is None:
            raise EvaluationError(problems)
        return cls(program, soundfont.as_posix())

    def play(
        self, layer: Layer, source: Source, *, text: str, length_s: float, rng: np.random.Generator
    ) -> Signal | None:
        """Compose what the text says and play it; a stroke is played as often as the layer counts."""
        if source.program is None and source.key is None:
            return None
        if source.kind == "event":
            return set_playing_level(self.render(_count_strokes(layer, source)))
        reading = read_part(layer, source, text)
        score = compose(reading.figures, reading.part, reading.piece, length_s=length_s, rng=rng)
        signal = self.render(score)
        # A soundfont may have nothing at a pitch that its instrument does not reach.
        return set_playing_level(signal) if np.abs(signal).max(initial=0.0) > _SILENT else None

    def render(self, score: Score) -> Signal:
        """Render a score; the same score gives the same bytes.

        Returns:
            Shape (frames,) at 44.1 kHz, the mean of both channels, without echo or chorus.

        Raises:
            EvaluationError: The program fails.
        """
        with tempfile.TemporaryDirectory() as folder:
            tune, file = Path(folder) / "score.mid", Path(folder) / "score.wav"
            tune.write_bytes(write_midi(score))
            self._call(
                ["-n", "-i", "-q", "-R", "0", "-C", "0", "-g", _GAIN, "-r", str(RATE_HZ), "-T", "wav"],
                file,
                tune,
            )
            clip = decode_clip(file.read_bytes(), file=f"the sound of {PROGRAM}")
        frames = int(score.length_s * RATE_HZ)
        return clip.mono[:frames]

    def _call(self, options: list[str], file: Path, tune: Path) -> None:
        arguments = [self.program, *options, "-O", "float", "-F", str(file), self.soundfont, str(tune)]
        try:
            done = subprocess.run(  # noqa: S603 -- the program was looked up by name and gets no shell
                arguments, capture_output=True, check=False, timeout=_TIMEOUT_S, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EvaluationError(Problem(PROGRAM, found=str(error), expected="music")) from error
        if done.returncode or not file.is_file():
            told = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            found = f"exit status {done.returncode}: {' '.join(told)}"
            raise EvaluationError(Problem(PROGRAM, found=found, expected="music"))


def _count_strokes(layer: Layer, source: Source) -> Score:
    """Write one stroke for each time that an event happens."""
    pitch = source.key if source.key is not None else to_pitch(source.params["base_hz"])
    velocity = int(np.clip(_STROKE_VELOCITY + _STEP_VELOCITY * layer.force, 30, 126))
    notes = tuple(
        Note(
            program=source.program,
            pitch=pitch,
            start_s=index * layer.spacing_s,
            duration_s=layer.spacing_s if index < layer.count - 1 else source.duration_s,
            velocity=velocity,
        )
        for index in range(layer.count)
    )
    end_s = (layer.count - 1) * layer.spacing_s + source.duration_s
    return Score(notes=notes, length_s=end_s + _STROKE_RING_S)


def set_playing_level(signal: Signal) -> Signal:
    """Bring a signal to a mean level of 0 dB while it sounds; peaks stay within 15 dB of that.

    Args:
        signal: Shape (frames,). Rests do not count: three short notes are as loud as a long one.

    Returns:
        Shape (frames,).
    """
    size = int(_BLOCK_S * RATE_HZ)
    blocks = signal[: len(signal) // size * size].reshape(-1, size)
    power = np.mean(np.square(blocks), axis=1) if blocks.size else np.zeros(1)
    active = power[power > power.max() * to_gain(-_ACTIVE_DB) ** 2]
    if not active.size or not active.max():
        return signal
    peak = float(np.abs(signal).max())
    return np.asarray(
        signal / max(float(np.sqrt(active.mean())), peak * to_gain(-_CREST_DB)), dtype=np.float64
    )
