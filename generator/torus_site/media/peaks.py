"""The outline of a clip as a few small whole numbers, for a waveform drawn at build time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

PEAK_SCALE: Final = 100
"""The height of a clip's greatest sample."""


def measure_peaks(
    samples: npt.NDArray[np.floating] | npt.NDArray[np.int16], *, points: int
) -> tuple[int, ...]:
    """Measure the greatest magnitude in equal parts of a clip, relative to the clip's own greatest.

    Heights are relative so that a quiet clip still shows its shape; how loud it is, loudness and true peak
    say. A part without a sample of its own (a clip of fewer frames than points) repeats the nearest before
    it.

    Args:
        samples: Shape (frames, channels); a part's height is the greatest over the channels.
        points: Number of parts, at least 1.

    Returns:
        One height from 0 to ``PEAK_SCALE`` a part; all are 0 for silence or for no frames.

    >>> import numpy as np
    >>> measure_peaks(np.array([[0.0], [0.25], [-0.5], [0.1]]), points=4)
    (0, 50, 100, 20)
    """
    frames = len(samples)
    if frames == 0:
        return (0,) * points
    edges = np.arange(points, dtype=np.int64) * frames // points
    high = np.maximum.reduceat(samples, edges, axis=0).max(axis=1)
    low = np.minimum.reduceat(samples, edges, axis=0).min(axis=1)
    # The most negative 16-bit number has no positive twin, so magnitudes are taken after widening.
    heights = np.maximum(high.astype(np.float64), -low.astype(np.float64))
    greatest = heights.max()
    if greatest <= 0.0:
        return (0,) * points
    return tuple(np.rint(heights / greatest * PEAK_SCALE).astype(int).tolist())
