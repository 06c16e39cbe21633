"""Quantities of notes and entries: how notes begin and end, when something comes in to stay."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from torus_eval.listening.events import HOP_S
from torus_eval.signals.filters import band_pass
from torus_eval.signals.spectra import centroid_hz, level_contour, smooth

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from torus_eval.listening.events import Views

    Signal = NDArray[np.float64]

_ATTACK_FRAMES = 3
_LEAST_NOTE_S = 0.12
_STEP_S, _ENTRY_HOP_S = 1.5, 0.1
_ENTRY_DB, _STAY_DB = 6.0, 3.0
_ENTRY_BANDS_HZ = ((60.0, 300.0), (300.0, 1500.0), (1500.0, 8000.0))
_HEARD_DB = 35.0


def measure_notes(views: Views, onsets: tuple[float, ...]) -> dict[str, float]:
    """Measure how bright notes begin and how far they have died away when the next begins.

    Args:
        views: The foreground.
        onsets: When notes begin, in seconds.

    Returns:
        ``attack_hz`` and, with two notes or more, ``dip_db``.
    """
    found: dict[str, float] = {}
    starts = [int(onset_s / HOP_S) + 2 for onset_s in onsets]
    attacks = [
        centroid_hz(np.sqrt(np.mean(np.square(views.spectra[at : at + _ATTACK_FRAMES]), axis=0)), views.hz)
        for at in starts
        if at + _ATTACK_FRAMES <= len(views.spectra)
    ]
    if attacks:
        found["attack_hz"] = max(float(np.median(attacks)), 20.0)
    dips = [
        float(views.levels[at : at + 8].max() - views.levels[max(at, until - 8) : until - 2].min())
        for at, until in pairwise(starts)
        if (until - at) * HOP_S >= _LEAST_NOTE_S
    ]
    if dips:
        found["dip_db"] = float(np.median(dips))
    return found


def measure_entry(signal: Signal, rate_hz: int) -> dict[str, float]:
    """Measure when the level of a band steps up and stays up.

    Returns:
        ``entry_s``, 0 when nothing comes in later than the rest.
    """
    step = round(_STEP_S / _ENTRY_HOP_S)
    best_db, best_s = _ENTRY_DB, 0.0
    contours = [
        smooth(level_contour(band_pass(signal, rate_hz, *band), rate_hz, hop_s=_ENTRY_HOP_S, window_s=0.2), 3)
        for band in _ENTRY_BANDS_HZ
    ]
    top_db = max(float(contour.max()) for contour in contours)
    for contour in contours:
        for at in range(5, len(contour) - step):
            before, after = contour[max(0, at - step) : at], contour[at : at + step]
            rise = float(after.mean() - before.mean())
            stays = float(np.percentile(contour[at:-3], 15)) > float(before.mean()) + _STAY_DB
            if rise > best_db and stays and float(after.mean()) > top_db - _HEARD_DB:
                best_db, best_s = rise, at * _ENTRY_HOP_S
    return {"entry_s": best_s}
