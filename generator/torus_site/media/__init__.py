"""Clips made fit to be published: encoded, measured and drawn, each once.

Importing this package imports neither numpy nor soundfile nor Pillow, so that a build with nothing to do
stays quick.
"""

from __future__ import annotations

from torus_site.media.library import Asset, MediaLibrary
from torus_site.media.settings import Format, MediaSettings

__all__ = ["Asset", "Format", "MediaLibrary", "MediaSettings"]
