"""Reads numbers back out of what was drawn: SVG, plotly data and tables."""

from __future__ import annotations

import xml.etree.ElementTree as ET


def read_svg(svg):
    """Parse a drawing."""
    return ET.fromstring(svg)  # noqa: S314 -- what this project drew


def drawn_marks(svg):
    """Return value, low and high of every drawn mark, in order; a missing limit is ``None``."""
    return [
        tuple(
            None if it.get(name) is None else float(it.get(name))
            for name in ("data-value", "data-low", "data-high")
        )
        for it in read_svg(svg).iter()
        if it.get("data-value") is not None
    ]


def texts(svg, kind):
    """Return every text of a class."""
    return [it.text for it in read_svg(svg).iter("text") if kind in it.get("class", "").split()]


def plotted_values(plotly):
    """Return the numbers of all traces in the order of the drawing's series, gaps left out."""
    found = []
    for trace in plotly["data"]:
        rows = {
            "bar": lambda trace: trace["x"],
            "pie": lambda trace: trace["values"],
            "heatmap": lambda trace: [value for row in trace["z"] for value in row],
            "scatter": lambda _: [],
        }[trace["type"]](trace)
        found += [value for value in rows if value is not None]
    return found


def plotted_limits(plotly):
    """Return value, low and high of every bar, in the order of the series, gaps left out."""
    found = []
    for trace in plotly["data"]:
        if trace["type"] != "bar":
            continue
        reach = trace.get(
            "error_x", {"arrayminus": [None] * len(trace["x"]), "array": [None] * len(trace["x"])}
        )
        for value, down, up in zip(trace["x"], reach["arrayminus"], reach["array"], strict=True):
            if value is not None:
                found.append(
                    (value, None if down is None else value - down, None if up is None else value + up)
                )
    return found


def tabled_values(table, columns=None):
    """Return the raw numbers of a table, row by row, of its first columns, gaps left out."""
    return [
        float(cell.sort)
        for group in table.groups
        for row in group.rows
        for cell in row.cells[:columns]
        if cell.sort
    ]
