"""Sound as models want it: one channel, at their rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from torus_site.media.resample import resample

if TYPE_CHECKING:
    from numpy.typing import NDArray


def to_rate(mono: NDArray[np.floating], rate_hz: int, to_hz: int) -> NDArray[np.float32]:
    """Change the rate of one channel.

    Args:
        mono: Shape (frames,).
        rate_hz: Its rate.
        to_hz: The rate wanted.

    Returns:
        Shape ``(ceil(frames * to_hz / rate_hz),)``.

    Raises:
        ValueError: There are no samples, or the shape is another.

    >>> import numpy as np
    >>> to_rate(np.zeros(44100, dtype=np.float32), 44100, 16000).shape
    (16000,)
    """
    if mono.ndim != 1 or not mono.size:
        message = f"one channel needs the shape (frames,), not {mono.shape}"
        raise ValueError(message)
    samples = mono.astype(np.float32)
    if rate_hz == to_hz:
        return samples
    return np.ascontiguousarray(resample(samples[:, None], rate_hz=rate_hz, to_hz=to_hz)[:, 0])
