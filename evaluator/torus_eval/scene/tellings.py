"""Find what a text tells about each instrument: its own clause and those that go on about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torus_eval.scene.mentions import Mention
    from torus_eval.words import Clause

_LISTED = re.compile(r"^\s*(?:and|with|,|plus)?(?:\s*(?:an?|the|two|some|then))?\s*(?:[a-z]+\s)?\s*$")
_CUT = re.compile(r"\b(?:and|with|while|over|as|joined by|followed by|before|under)\b")


def tell_about(mention: Mention, mentions: tuple[Mention, ...], clauses: tuple[Clause, ...]) -> str:
    """Gather the text about one instrument.

    Clauses about other sounds are left out; words of order between the clauses stay, for they part figures.

    Args:
        mention: The instrument.
        mentions: Every sound of the text, in order.
        clauses: The clauses of the text.

    Returns:
        Normalised text, clauses joined by commas.
    """
    musical = [m for m in mentions if m.source.music and not m.absent]
    place = musical.index(mention)
    after = musical[place + 1] if place + 1 < len(musical) else None
    parts = [_own_words(mention, musical[place - 1] if place else None, after, clauses[mention.clause])]
    if after is not None and after.clause == mention.clause:
        between = clauses[mention.clause].text[
            mention.end - clauses[mention.clause].start : after.start - clauses[mention.clause].start
        ]
        # "A flute and a cello play three notes": both do.
        return tell_about(after, mentions, clauses) if _LISTED.match(between) else parts[0]
    for index in range(mention.clause + 1, after.clause if after else len(clauses)):
        clause = clauses[index]
        if "@" in clause.text or any(m.clause == index for m in mentions):
            continue
        joint = clause.opened_by if clause.opened_by.isalpha() or " " in clause.opened_by else ""
        parts.append(f"{joint} {clause.text}".strip())
    return ", ".join(parts)


def _own_words(mention: Mention, before: Mention | None, after: Mention | None, clause: Clause) -> str:
    start, end = 0, len(clause.text)
    if before is not None and before.clause == mention.clause:
        start = before.end - clause.start
        cuts = list(_CUT.finditer(clause.text, start, mention.start - clause.start))
        start = cuts[-1].end() if cuts else start
    if after is not None and after.clause == mention.clause:
        end = after.start - clause.start
        cuts = list(_CUT.finditer(clause.text, mention.end - clause.start, end))
        end = cuts[-1].start() if cuts else end
    return clause.text[start:end].strip()
