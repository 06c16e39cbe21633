"""What may become a clip: samples as any model may return them, checked and brought into one form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from torus_eval.clips import Clip
from torus_eval.errors import OutputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

LEAST_RATE_HZ, MOST_RATE_HZ = 4000, 192_000
_MOST_CHANNELS = 2
_PLANE = 2


def admit(samples: ArrayLike, rate_hz: float, *, longest_s: float = 600.0) -> Clip:
    """Make a clip from what a model returned.

    Whole numbers are read as PCM of their width. Channels may stand first or last; more than two are refused.
    Silence is a clip: that a model made nothing audible is for the listener to say.

    Args:
        samples: Shape (frames,), (frames, channels) or (channels, frames), full scale 1 for floats.
        rate_hz: Frames a second, 4,000 to 192,000.
        longest_s: The longest clip that is taken.

    Raises:
        OutputError: ``no_samples``, ``not_numbers``, ``not_finite``, ``bad_shape``, ``bad_rate`` or
            ``too_long``.

    >>> import numpy as np
    >>> admit(np.zeros((2, 8000), np.int16), 8000).samples.shape
    (8000, 2)
    """
    try:
        given = np.asarray(samples)
    except ValueError:
        raise OutputError("bad_shape", "samples whose rows differ in length") from None
    except Exception as error:
        # Such as a tensor on another device, or of a type that numpy does not have.
        raise OutputError("not_numbers", f"samples that numpy cannot read: {error}") from error
    if given.dtype.kind not in "iuf":
        raise OutputError("not_numbers", f"samples of type {given.dtype}, not numbers")
    if not given.size:
        raise OutputError("no_samples", "a clip without samples")
    rate = _check_rate(rate_hz)
    planes = _stand_up(given)
    duration_s = len(planes) / rate
    if duration_s > longest_s:
        raise OutputError("too_long", f"a clip of {duration_s:.1f} s; at most {longest_s:g} s are taken")
    signal = _scale(planes)
    if not np.all(np.isfinite(signal)):
        bad = int(np.sum(~np.isfinite(signal)))
        raise OutputError("not_finite", f"{bad} of {signal.size} samples are not finite numbers")
    return Clip(signal, rate)


def _check_rate(rate_hz: float) -> int:
    try:
        rate = round(float(rate_hz))
    except (TypeError, ValueError, OverflowError):
        raise OutputError("bad_rate", f"a rate of {rate_hz!r}") from None
    if not LEAST_RATE_HZ <= rate <= MOST_RATE_HZ:
        message = f"a rate of {rate_hz} Hz; {LEAST_RATE_HZ} to {MOST_RATE_HZ} Hz are taken"
        raise OutputError("bad_rate", message)
    return rate


def _stand_up(given: NDArray[Any]) -> NDArray[Any]:
    if given.ndim == 1:
        return given.reshape(-1, 1)
    if given.ndim != _PLANE:
        raise OutputError("bad_shape", f"samples of shape {given.shape}, not (frames,) or (frames, channels)")
    planes = given.T if given.shape[0] < given.shape[1] else given
    if planes.shape[1] > _MOST_CHANNELS:
        raise OutputError("bad_shape", f"{planes.shape[1]} channels; one or two are taken")
    return planes


def _scale(planes: NDArray[Any]) -> NDArray[np.float64]:
    if planes.dtype.kind == "f":
        # What a wider float holds and a clip cannot becomes infinite, and is refused as such.
        with np.errstate(over="ignore"):
            return planes.astype(np.float64)
    limits = np.iinfo(planes.dtype)
    middle = (limits.max + 1) // 2 if planes.dtype.kind == "u" else 0
    half = float(limits.max - middle) + 1.0 if middle else float(-int(limits.min))
    scaled: NDArray[np.float64] = (planes.astype(np.float64) - middle) / half
    return scaled
