"""How long publishing clips takes, beside encoders that do nothing else.

Run ``python benchmarks/media.py [--clips 24] [--rounds 5]``. Clips of 10 s are synthesised. Each round runs
every contender once, in turn, so that all meet the same machine; a ratio is the median over rounds of the
ratio within a round. Processor time is told beside elapsed time, since it holds on a busy machine too. Goals:
publishing without pictures at most 1.05 times lameenc alone in as many threads, and a rebuild that opens no
clip.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import lameenc
import numpy as np
import soundfile

from torus_site.media import MediaLibrary, MediaSettings

RATE_HZ = 44100
DURATION_S = 10
BITRATE_KBPS = 96


def make_clip(path: Path, seed: int) -> None:
    """Write notes that decay over a quiet noise, in one channel of 16 bits."""
    generator = np.random.default_rng(seed)
    clip = 0.003 * generator.standard_normal(DURATION_S * RATE_HZ)
    for start in np.sort(generator.integers(0, len(clip) - RATE_HZ, 24)):
        length = min(2 * RATE_HZ, len(clip) - start)
        moment = np.arange(length) / RATE_HZ
        pitch_hz = 110 * 2 ** (generator.integers(0, 36) / 12)
        for partial_tone in range(1, 8):
            decay = np.exp(-moment * (2 + partial_tone))
            clip[start : start + length] += (
                0.1 / partial_tone * decay * np.sin(2 * np.pi * pitch_hz * partial_tone * moment)
            )
    soundfile.write(path, 0.8 * clip / np.abs(clip).max(), RATE_HZ, subtype="PCM_16")


def encode_with_lameenc(clip: Path, into: Path) -> None:
    """Read, encode at the quality the lame program uses, write."""
    samples, rate_hz = soundfile.read(clip, dtype="int16", always_2d=True)
    encoder = lameenc.Encoder()
    encoder.silence()
    encoder.set_in_sample_rate(rate_hz)
    encoder.set_channels(samples.shape[1])
    encoder.set_bit_rate(BITRATE_KBPS)
    encoder.set_quality(3)
    (into / f"{clip.stem}.mp3").write_bytes(bytes(encoder.encode(samples)) + bytes(encoder.flush()))


def encode_with_soundfile(clip: Path, into: Path) -> None:
    """Read, encode with the encoder inside soundfile, write."""
    samples, rate_hz = soundfile.read(clip, dtype="int16", always_2d=True)
    soundfile.write(
        into / f"{clip.stem}.mp3", samples, rate_hz, bitrate_mode="CONSTANT", compression_level=0.7
    )


def encode_with_program(clip: Path, into: Path, *, program: str) -> None:
    """Run the lame program."""
    command = [program, "--quiet", "-b", str(BITRATE_KBPS), str(clip), str(into / f"{clip.stem}.mp3")]
    subprocess.run(command, check=True)


def publish(folder: Path, names: list[str], cache: Path, *, pictures: bool, jobs: int) -> None:
    """Publish as a build does."""
    MediaLibrary(folder, cache, MediaSettings(spectrogram=pictures), jobs).publish(names)


def time_s(task: partial[object]) -> tuple[float, float]:
    """Run a task once; return elapsed seconds and those of all processors, children included."""
    begun, used = time.perf_counter(), count_processors_s()
    task()
    return time.perf_counter() - begun, count_processors_s() - used


def count_processors_s() -> float:
    """Count the seconds that this process and its ended children have used so far."""
    shares = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(share.ru_utime + share.ru_stime for share in shares)


def count_opened(task: partial[object], folder: Path) -> int:
    """Count the files below ``folder`` that a task opens."""
    opened = []
    sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
    task()
    return sum(name.startswith(str(folder)) for name in opened)


def main() -> None:
    """Print the figures of one run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clips", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        compare(Path(place), clips=chosen.clips, rounds=chosen.rounds, jobs=chosen.jobs)


def compare(place: Path, *, clips: int, rounds: int, jobs: int) -> None:
    """Run all contenders in turn and print their medians."""
    source, into, cache = place / "clips", place / "encoded", place / "cache"
    source.mkdir()
    into.mkdir()
    files = [source / f"clip-{index}.wav" for index in range(clips)]
    for seed, file in enumerate(files):
        make_clip(file, seed)
    names = [file.name for file in files]

    def in_threads(encode: partial[None]) -> None:
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(encode, files))

    def afresh(*, pictures: bool) -> None:
        publish(source, names, cache, pictures=pictures, jobs=jobs)

    contenders = {
        "lameenc alone": partial(in_threads, partial(encode_with_lameenc, into=into)),
        "soundfile alone": partial(in_threads, partial(encode_with_soundfile, into=into)),
        "torus-site": partial(afresh, pictures=False),
        "torus-site, spectrograms": partial(afresh, pictures=True),
    }
    if program := shutil.which("lame"):
        contenders["lame program alone"] = partial(
            in_threads, partial(encode_with_program, into=into, program=program)
        )
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            shutil.rmtree(cache, ignore_errors=True)
            spent[name].append(time_s(contender))
    print(f"{clips} clips of {DURATION_S} s, MP3 {BITRATE_KBPS} kb/s, {jobs} threads, {rounds} rounds")
    for name, rows in spent.items():
        print(f"{name:26}", *(tell(rows, spent["lameenc alone"], part, clips) for part in (0, 1)), sep="  ")
    afresh(pictures=True)
    again = partial(afresh, pictures=True)
    known_us = 1e6 * statistics.median(time_s(again)[0] for _ in range(rounds)) / clips
    print(f"{'all known':26}  {known_us:.1f} us a clip, {count_opened(again, source)} clips opened")


def tell(rows: list[tuple[float, float]], reference: list[tuple[float, float]], part: int, clips: int) -> str:
    """Say the median milliseconds a clip and the median ratio to the reference."""
    seconds = statistics.median(row[part] for row in rows)
    ratio = statistics.median(row[part] / base[part] for row, base in zip(rows, reference, strict=True))
    return f"{('elapsed', 'processors')[part]} {1000 * seconds / clips:6.1f} ms a clip, {ratio:.2f} x lameenc"


if __name__ == "__main__":
    main()
