"""A ring of shares, each with its name, count and percentage beside it.

A value with a short name has that beside its slice, and a key below the ring tells what it stands for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from torus_site.views.format import format_raw
from torus_site.views.interactive import hover_text, make_layout
from torus_site.views.svg import TEXT_SIZE, drawing, element, measure, shorten, tip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from torus_site.views.model import ValueView
    from torus_site.views.series import Chart, Mark

WIDTH: Final = 340
_RING: Final = 232
"""Height of the part that holds the ring."""
_RADIUS: Final = 84.0
_HOLE: Final = 0.6
_LINE: Final = 15.0
_LABEL: Final = 2 * _LINE + 4
_KEY: Final = 20
_KEY_GAP: Final = 12


@dataclass(frozen=True, slots=True)
class _Slice:
    """A share of the ring, from one angle to another in turns, clockwise from the top."""

    hue: int
    category: ValueView
    mark: Mark
    start: float
    end: float

    @property
    def middle(self) -> tuple[float, float]:
        """Where the slice points to, on the unit circle."""
        return _point((self.start + self.end) / 2)


def donut_height(chart: Chart) -> int:
    """Return the height of the box: the ring, and below it the key if there is one."""
    keys = _list_keys(chart)
    return max(y for _, y, _, _ in keys) + 8 if keys else _RING


def draw_donut(chart: Chart, name: str) -> Markup:
    """Draw the ring.

    Args:
        chart: The numbers; its one series has a mark for each slice.
        name: What ids start with.
    """
    slices = _cut(chart)
    return drawing(
        name,
        *(_draw_slice(chart, it) for it in slices),
        *_draw_labels(slices),
        *_draw_total(chart),
        *_draw_key(chart),
        width=WIDTH,
        height=donut_height(chart),
        title=chart.title,
        description=chart.alt,
    )


def plot_donut(chart: Chart) -> dict[str, object]:
    """Return the same ring for plotly."""
    slices = _cut(chart)
    height = donut_height(chart)
    side = round(WIDTH / 2 - _RADIUS)
    top = round(_RING / 2 - _RADIUS)
    bottom = round(height - _RING / 2 - _RADIUS)
    (series,) = chart.series
    trace = {
        "type": "pie",
        "hole": _HOLE,
        "sort": False,
        "direction": "clockwise",
        "labels": [it.category.title for it in slices],
        "values": [it.mark.value for it in slices],
        "text": [hover_text(_label(it)) for it in slices],
        "textinfo": "text",
        "textposition": "outside",
        "automargin": False,
        "customdata": [hover_text(chart.tell(series, it.category, it.mark)) for it in slices],
        "hovertemplate": "%{customdata}<extra></extra>",
        "meta": {"hues": [it.hue for it in slices]},
    }
    total, noun = _total(chart)
    place = {"xref": "paper", "yref": "paper", "showarrow": False}
    middle = {**place, "text": f"<b>{total}</b><br>{hover_text([noun])}", "x": 0.5, "y": 0.5}
    # The area of the chart ends with the ring; the key is placed in pixels below it.
    key = [
        {
            **place,
            "text": hover_text([text]),
            "x": 0,
            "xanchor": "left",
            "xshift": x - side,
            "y": 0,
            "yanchor": "bottom",
            "yshift": height - bottom - y - 3,
        }
        for x, y, _, text in _list_keys(chart)
    ]
    layout = make_layout(height, {"l": side, "r": side, "t": top, "b": bottom})
    return {"data": [trace], "layout": layout | {"annotations": [middle, *key]}}


def _list_keys(chart: Chart) -> list[tuple[int, int, str, str]]:
    """Return the texts of the key, short names and titles: where each starts, its base, kind and text."""
    told = [category for category in chart.categories if category.short not in {"", category.title}]
    indent = round(max((measure(category.short) for category in told), default=0)) + _KEY_GAP
    return [
        (x, _RING + _KEY * (index + 1), kind, text)
        for index, category in enumerate(told)
        for x, kind, text in ((0, "label", category.short), (indent, "tick", category.title))
    ]


def _draw_key(chart: Chart) -> Iterator[Markup]:
    for x, y, kind, text in _list_keys(chart):
        yield element("text", text, x=x, y=y, class_=kind)


def _cut(chart: Chart) -> list[_Slice]:
    """Cut the ring; what has no number or none of the whole has no slice."""
    (series,) = chart.series
    found = [
        (index, category, mark, mark.value)
        for index, (category, mark) in enumerate(zip(chart.categories, series.marks, strict=True))
        if mark.value
    ]
    total = sum(value for _, _, _, value in found)
    ends = [0.0]
    for _, _, _, value in found:
        ends.append(ends[-1] + value / total)
    return [
        _Slice(index % 12, category, mark, start, end)
        for (index, category, mark, _), (start, end) in zip(found, pairwise(ends), strict=True)
    ]


def _draw_slice(chart: Chart, it: _Slice) -> Markup:
    (series,) = chart.series
    # An arc of a whole turn ends where it starts and would be nothing, so it is drawn as two halves.
    parts = [it.start, (it.start + it.end) / 2, it.end]
    outer = [_place(turn, _RADIUS) for turn in parts]
    inner = [_place(turn, _RADIUS * _HOLE) for turn in parts]
    path = [f"M{outer[0]}"]
    path += [f"A{_RADIUS:g} {_RADIUS:g} 0 0 1 {end}" for end in outer[1:]]
    path += [f"L{inner[2]}"]
    path += [f"A{_RADIUS * _HOLE:g} {_RADIUS * _HOLE:g} 0 0 0 {end}" for end in (inner[1], inner[0])]
    return element(
        "path",
        tip(chart.tell(series, it.category, it.mark)),
        d="".join(path) + "z",
        class_=f"slice series-{it.hue}",
        data_value=None if it.mark.value is None else format_raw(it.mark.value),
    )


def _draw_labels(slices: Sequence[_Slice]) -> Iterator[Markup]:
    for right in (True, False):
        side = [it for it in slices if (it.middle[0] >= 0) is right]
        side.sort(key=lambda it: it.middle[1])
        for it, y in zip(side, _spread([_label_height(it) for it in side]), strict=True):
            x = WIDTH / 2 + (1 if right else -1) * _label_distance(y)
            anchor = "start" if right else "end"
            room = WIDTH - x if right else x
            for index, line in enumerate(_label(it)):
                yield element(
                    "text",
                    shorten(line, width=room),
                    x=x,
                    y=y + index * _LINE,
                    class_="value-label" if index else "label",
                    text_anchor=anchor,
                )


def _label(it: _Slice) -> list[str]:
    """Return the name of a slice, and its number with its share."""
    shares = [fact.text for fact in it.mark.facts]
    return [it.category.short or it.category.title, " · ".join([it.mark.text, *shares])]


def _label_height(it: _Slice) -> float:
    """Return where the first line of a label would best stand."""
    return _RING / 2 + it.middle[1] * (_RADIUS + 14) - _LINE / 2 + TEXT_SIZE * 0.35


def _label_distance(y: float) -> float:
    """Return how far from the middle a label must start to clear the ring at its height."""
    nearest = min(abs(y + shift - _RING / 2) for shift in (-TEXT_SIZE * 0.7, 0.0, _LINE))
    reach = _RADIUS + 8
    return max(math.sqrt(max(reach**2 - nearest**2, 0.0)), 12.0)


def _spread(wanted: Sequence[float]) -> list[float]:
    """Move labels down, then up, until none lies on another and all are inside the box."""
    placed: list[float] = []
    for y in wanted:
        placed.append(max(y, placed[-1] + _LABEL if placed else TEXT_SIZE))
    limit = _RING - _LINE - 4
    for index in range(len(placed) - 1, -1, -1):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - _LABEL
    return placed


def _draw_total(chart: Chart) -> Iterator[Markup]:
    total, noun = _total(chart)
    for text, y, size in ((total, _RING / 2 + 2, 22), (noun, _RING / 2 + 20, None)):
        yield element("text", text, x=WIDTH / 2, y=y, class_="label", text_anchor="middle", font_size=size)


def _total(chart: Chart) -> tuple[str, str]:
    """Return the sum of all slices and what it counts."""
    (series,) = chart.series
    return f"{sum(mark.value or 0 for mark in series.marks):g}", chart.unit


def _point(turn: float) -> tuple[float, float]:
    return math.sin(2 * math.pi * turn), -math.cos(2 * math.pi * turn)


def _place(turn: float, radius: float) -> str:
    x, y = _point(turn)
    return f"{WIDTH / 2 + radius * x:.1f} {_RING / 2 + radius * y:.1f}"
