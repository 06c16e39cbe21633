"""Ids on a page, made from names so that links to them last."""

from __future__ import annotations

import re

_OTHER = re.compile(r"[^A-Za-z0-9]")


def question_anchor(question: str) -> str:
    """Return the id of a question on its page; different questions never share one.

    A dot becomes a hyphen, every other mark its code between underscores, so nothing needs escaping in a URL
    or a selector.

    >>> question_anchor("S1.2"), question_anchor("a-b")
    ('q-S1-2', 'q-a_2d_b')
    """
    return "q-" + _OTHER.sub(_escape, question)


def clip_anchor(prefix: str, system: str, point: str) -> str:
    """Return the id of a clip in a grid. System and point ids never hold ``--``, or only between axes.

    >>> clip_anchor("clip", "scene-cascade", "S1"), clip_anchor("clip", "scene-cascade", "")
    ('clip-scene-cascade--S1', 'clip-scene-cascade')
    """
    return f"{prefix}-{system}--{point}" if point else f"{prefix}-{system}"


def _escape(match: re.Match[str]) -> str:
    mark = match.group()
    return "-" if mark == "." else f"_{ord(mark):x}_"
