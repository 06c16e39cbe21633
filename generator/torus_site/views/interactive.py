"""What every interactive chart shares: a slim layout without the library's own template, and safe text.

Plotly takes text for its own small markup, so names and numbers are escaped where it draws them. Traces name
their hue in ``meta`` and the page's script colours them, for colours belong to the style sheet.
"""

from __future__ import annotations

import html
import textwrap
from typing import TYPE_CHECKING, Final

from torus_site.views.svg import TEXT_SIZE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLEAR: Final = "rgba(0,0,0,0)"
_LABEL_LETTERS: Final = 16


def make_layout(height: int, margin: Mapping[str, int]) -> dict[str, object]:
    """Return a layout of the drawing's height and margins, with nothing behind the marks and no legend."""
    return {
        "height": height,
        "margin": {**margin, "pad": 4},
        "showlegend": False,
        "hovermode": "closest",
        "font": {"size": TEXT_SIZE},
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
    }


def hover_text(lines: Iterable[str]) -> str:
    """Write lines for plotly to show as they are.

    >>> hover_text(["a <b>", "50 %"])
    'a &lt;b&gt;<br>50 %'
    """
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def wrap_label(text: str) -> str:
    """Write a name beside an axis, on several lines if it is long.

    >>> wrap_label("Interaction and congruence")
    'Interaction and<br>congruence'
    """
    return hover_text(textwrap.wrap(text, _LABEL_LETTERS) or [""])
