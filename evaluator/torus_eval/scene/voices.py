"""Voices: a text-to-speech program, or wordless babble from formants where there is none or no text."""

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
from torus_eval.signals.filters import band_pass, low_pass, rms_db, shape_spectrum, to_gain
from torus_eval.signals.timing import change_rate, fade, stretch
from torus_site.errors import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Signal = NDArray[np.float64]

_VOWELS_HZ = ((730, 1090, 2440), (270, 2290, 3010), (300, 870, 2240), (530, 1840, 2480), (570, 840, 2410))
_SYLLABLE_S = 0.19
_WORDS_A_MINUTE = 155
_TIMEOUT_S = 60
_RISE_S, _RISE = 0.5, 2.3
# A recogniser misunderstands flite's recorded voices far less often than espeak-ng's formants.
_PROGRAMS = ("flite", "espeak-ng")
# The alias "en-gb" silently drops the variant after the plus sign; the full name keeps it.
_ESPEAK = {"woman": "en-gb-x-rp+f3", "man": "en-gb-x-rp+m3", "voice": "en-gb-x-rp"}
_FLITE = {"woman": "slt", "man": "rms", "voice": "kal16"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One phrase to be said without a pause.

    Args:
        text: The words.
        speaker: A voice of the lexicon.
        base_hz: Pitch of the babble.
        pace: Factor on the ordinary speed.
        rising: Whether the pitch rises at the end.
    """

    text: str
    speaker: str
    base_hz: float
    pace: float = 1.0
    rising: bool = False


class Voice(Protocol):
    """Says a phrase."""

    def say(self, line: Line, *, rng: np.random.Generator) -> Signal:
        """Return the phrase at 44.1 kHz, shape (frames,), with a mean level of 0 dB."""


@dataclass(frozen=True, slots=True)
class ProgramVoice:
    """Speech by ``flite``, or by ``espeak-ng`` where only that is installed.

    Args:
        program: The path of the program.
        name: Which of the two it is.
    """

    program: str
    name: str

    @classmethod
    def find(cls) -> ProgramVoice:
        """Look for a program on the search path.

        Raises:
            EvaluationError: None of them is installed.
        """
        for name in _PROGRAMS:
            program = shutil.which(name)
            if program:
                return cls(program, name)
        raise EvaluationError(
            Problem(
                "flite",
                found="no such program, nor espeak-ng",
                expected="a text-to-speech program on the search path",
                action="install the package flite",
            )
        )

    def say(self, line: Line, *, rng: np.random.Generator) -> Signal:
        """Say a phrase; the program gives the same sound for the same phrase."""
        del rng
        # Very fast or slow speech is stretched: the programs' own range of speeds is narrow.
        own = float(np.clip(line.pace, 0.55, 2.2))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "line.wav"
            self._call(self._arguments(line, own, file))
            clip = decode_clip(file.read_bytes(), file=f"the sound of {self.name}")
        signal = _trim(change_rate(clip.mono, clip.rate_hz, RATE_HZ))
        if line.rising and self.name == "flite":
            # flite says a question as it says everything else.
            signal = raise_end(signal)
        return _set_speech_level(stretch(signal, RATE_HZ, own / line.pace))

    def _arguments(self, line: Line, pace: float, file: Path) -> list[str]:
        text = line.text if not line.rising or line.text.endswith("?") else f"{line.text.rstrip('.!')}?"
        if self.name == "flite":
            voice = _FLITE.get(line.speaker, _FLITE["voice"])
            return [
                "-voice",
                voice,
                "--setf",
                f"duration_stretch={1 / pace:.3f}",
                "-t",
                text,
                "-o",
                str(file),
            ]
        voice = _ESPEAK.get(line.speaker, _ESPEAK["voice"])
        return ["-v", voice, "-s", str(round(_WORDS_A_MINUTE * pace)), "-w", str(file), "--", text]

    def _call(self, arguments: list[str]) -> None:
        try:
            done = subprocess.run(  # noqa: S603 -- the program was looked up by name and gets no shell
                [self.program, *arguments], capture_output=True, check=False, timeout=_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EvaluationError(Problem(self.name, found=str(error), expected="speech")) from error
        if done.returncode:
            told = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise EvaluationError(
                Problem(
                    self.name, found=f"exit status {done.returncode}: {' '.join(told)}", expected="speech"
                )
            )


@dataclass(frozen=True, slots=True)
class BabbleVoice:
    """Wordless speech: a buzz through moving formants, one vowel a syllable."""

    def say(self, line: Line, *, rng: np.random.Generator) -> Signal:
        """Babble as many syllables as the text has."""
        count = max(1, count_syllables(line.text))
        size = int(_SYLLABLE_S / line.pace * RATE_HZ)
        parts = []
        for index in range(count):
            fall = 1.08 - 0.2 * index / count
            rise = 1.35 if line.rising and index == count - 1 else 1.0
            parts.append(_babble_once(rng, line.base_hz * fall, size, rise=rise))
        return _set_speech_level(np.concatenate(parts))


def count_syllables(text: str) -> int:
    """Count groups of vowels, leaving out a silent final e.

    >>> count_syllables("Take the left fork")
    4
    """
    total = 0
    for word in text.lower().split():
        groups = "".join(letter if letter in "aeiouy" else " " for letter in word).split()
        silent = word.rstrip(".,!?;:").endswith("e") and len(groups) > 1
        total += max(1, len(groups) - silent) if any(letter.isalpha() for letter in word) else 0
    return total


def raise_end(signal: Signal) -> Signal:
    """Let the pitch of a voice rise over its last half second, as in a question.

    Args:
        signal: Shape (frames,) at 44.1 kHz.

    Returns:
        About as many frames.
    """
    size = min(int(_RISE_S * RATE_HZ), len(signal))
    glide = _RISE ** (np.arange(size) / max(1, size))
    tail = stretch(signal[len(signal) - size :], RATE_HZ, float(glide.mean()))
    places = np.cumsum(glide) - glide[0] if size else glide
    bent = np.interp(places, np.arange(len(tail)), tail)
    return np.concatenate([signal[: len(signal) - size], bent])


def weaken(signal: Signal, rate_hz: int, *, rng: np.random.Generator) -> Signal:
    """Make a voice weak, breathy and strained: less tone, more breath, a creeping and wavering pitch."""
    frames = len(signal)
    ramp = np.linspace(0.0, 1.0, frames)
    waver = 1.0 + 0.05 * ramp + 0.025 * ramp * np.sin(2.0 * np.pi * 6.0 * np.arange(frames) / rate_hz)
    places = np.cumsum(waver)
    bent = np.interp(np.clip(places, 0, frames - 1), np.arange(frames), signal)
    contour = np.sqrt(low_pass(np.square(bent), rate_hz, 20.0).clip(0.0))
    breath = band_pass(rng.standard_normal(frames), rate_hz, 900.0, 7000.0, order=2)
    breath *= contour * 0.55 / max(float(breath.std()), 1e-9)
    tone = band_pass(bent, rate_hz, 250.0, 5000.0, order=1)
    return np.asarray((tone * (1.0 - 0.75 * ramp) + breath * ramp) * (1.0 - 0.6 * ramp), dtype=np.float64)


def _babble_once(rng: np.random.Generator, base_hz: float, size: int, *, rise: float) -> Signal:
    formants = _VOWELS_HZ[int(rng.integers(len(_VOWELS_HZ)))]
    times = np.linspace(0.0, 1.0, size)
    phase = np.cumsum(base_hz * rise**times * (1.0 + 0.01 * np.sin(6.0 * times))) / RATE_HZ
    buzz = sum(np.sin(2.0 * np.pi * k * phase) / k for k in range(1, int(5000 / base_hz)))

    def response(hz: Signal) -> Signal:
        peaks = [
            gain / (1.0 + ((hz - f) / (90.0 + 0.04 * f)) ** 2)
            for f, gain in zip(formants, (1, 0.6, 0.3), strict=True)
        ]
        return np.asarray(sum(peaks) + 0.01, dtype=np.float64)

    vowel = shape_spectrum(np.asarray(buzz, dtype=np.float64), RATE_HZ, response)
    vowel /= max(float(np.abs(vowel).max()), 1e-9)
    onset = int(0.25 * size)
    consonant = band_pass(rng.standard_normal(onset), RATE_HZ, 1500.0, 7000.0)
    shape = np.sin(np.pi * np.clip((times - 0.12) / 0.88, 0.0, 1.0)) ** 0.6
    out = vowel * shape
    out[:onset] += 0.12 * fade(
        consonant / max(float(np.abs(consonant).max()), 1e-9), RATE_HZ, in_s=0.01, out_s=0.02
    )
    return out


def _trim(signal: Signal) -> Signal:
    loud = np.flatnonzero(np.abs(signal) > 0.01 * max(float(np.abs(signal).max()), 1e-9))
    return signal[loud[0] : loud[-1] + 1] if loud.size else signal


def _set_speech_level(signal: Signal) -> Signal:
    return fade(signal * to_gain(-rms_db(signal)), RATE_HZ, in_s=0.003, out_s=0.01)
