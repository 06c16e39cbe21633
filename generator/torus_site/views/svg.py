"""SVG elements from values, escaped: a chart's drawing is text without a colour in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT_SIZE: Final = 12.5
_TEXT_WIDTH: Final = 0.54
"""Mean width of a letter in the system's sans-serif faces, as a share of the text size."""


def element(name: str, *children: str, **attributes: object) -> Markup:
    """Write one element.

    Args:
        name: Its name.
        children: Markup is kept, other text is escaped.
        attributes: A trailing underscore is dropped, others become hyphens; ``None`` leaves an attribute out.

    >>> str(element("text", "a < b", x=1.27, class_="tick", text_anchor="end"))
    '<text x="1.3" class="tick" text-anchor="end">a &lt; b</text>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_write(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if not children:
        return Markup(f"<{name}{written}/>")  # noqa: S704 -- names come from this package, values are escaped
    inside = "".join(escape(child) for child in children)
    return Markup(f"<{name}{written}>{inside}</{name}>")  # noqa: S704 -- as above


def drawing(  # noqa: D417 -- the title and description speak for themselves
    name: str, *children: str, width: float, height: float, title: str, description: str
) -> Markup:
    """Write a whole drawing that fills the width it is given and tells its content to a screen reader.

    Args:
        name: What its ids start with.
        children: Its elements.
        width: Width of its box in units; text is sized for it to be shown at about this many pixels.
        height: Height of its box.
    """
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", description, id=f"{name}-desc"),
        *children,
        viewBox=f"0 0 {_write(width)} {_write(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        font_size=TEXT_SIZE,
    )


def tip(lines: Iterable[str]) -> Markup:
    """Write what a pointer brings up on the element it is put into."""
    return element("title", "\n".join(lines))


def measure(text: str) -> float:
    """Guess how wide a text is; drawings are made without a font at hand."""
    return len(text) * TEXT_SIZE * _TEXT_WIDTH


def shorten(text: str, *, width: float) -> str:
    """Cut a text that would not fit a width, with an ellipsis.

    >>> shorten("Source composition", width=60), shorten("Speech", width=60)
    ('Source…', 'Speech')
    """
    letters = int(width / (TEXT_SIZE * _TEXT_WIDTH))
    return text if len(text) <= letters else f"{text[: max(letters - 1, 1)].rstrip()}…"


def _write(value: object) -> str:
    """Write a coordinate with one decimal at most; anything else as it is."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
