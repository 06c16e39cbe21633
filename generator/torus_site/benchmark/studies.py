"""Checks human studies and compositions: known names, complete counts, win rates from wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.benchmark.recompute import compare, rounding
from torus_site.records.problems import quote

if TYPE_CHECKING:
    from torus_site.benchmark.check import Vocabulary
    from torus_site.records.model import CompositionRecord, StudyRecord

_PERCENT = 100.0
_WIN_RATE_DECIMALS = 1


def check_study(study: StudyRecord, words: Vocabulary) -> None:
    """Note what is wrong with a study: its systems, its counts and its win rates."""
    systems = list(study.wins)
    for index, system in enumerate(systems):
        words.known(("wins", system), system, words.systems, "a system")
        _check_wins(study, system, words)
        for other in systems[index + 1 :]:
            decided = study.wins[system].get(other, 0) + study.wins[other].get(system, 0)
            if decided > study.per_pair:
                found = f"{decided} decided comparisons with {quote(other)}"
                words.add(("wins", system, other), found, f"at most per_pair, which is {study.per_pair}")
    pairs = len(systems) * (len(systems) - 1) // 2
    if study.comparisons != pairs * study.per_pair:
        expected = f"{pairs * study.per_pair}: {study.per_pair} for each pair of systems"
        words.add(("comparisons",), str(study.comparisons), expected)
    _check_win_rates(study, words)


def _check_wins(study: StudyRecord, system: str, words: Vocabulary) -> None:
    wins = study.wins[system]
    for other in wins:
        if other == system:
            words.add(("wins", system, other), f"wins of {quote(system)} over itself", "other systems")
        else:
            words.known(("wins", system, other), other, study.wins, "a system of this study")
    for other in study.wins:
        if other not in wins and other != system:
            words.add(("wins", system), f"no count against {quote(other)}", "a count against every system")


def _check_win_rates(study: StudyRecord, words: Vocabulary) -> None:
    shown = study.per_pair * (len(study.wins) - 1)
    for system, rate in study.win_rate_percent.items():
        words.known(("win_rate_percent", system), system, study.wins, "a system of this study")
        if system in study.wins and shown > 0:
            won = sum(count for other, count in study.wins[system].items() if other != system)
            compare(
                words,
                ("win_rate_percent", system),
                source=study.source,
                value=rate,
                right=_PERCENT * won / shown,
                slack=rounding(rate, _WIN_RATE_DECIMALS),
                basis=f"{won} wins of {shown}",
            )


def check_composition(composition: CompositionRecord, options: int | None, words: Vocabulary) -> None:
    """Note what is wrong with a composition: its facets, their values and totals that differ."""
    if composition.options_per_question not in (None, options):
        found = str(composition.options_per_question)
        words.add(("options_per_question",), found, f"{quote(options)}, as the descriptor has it")
    totals: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for index, table in enumerate(composition.tables):
        parts = ("tables", index)
        words.known((*parts, "facet"), table.facet, words.facets["item"], "a facet of items")
        for value in table.counts:
            if table.facet in words.facets["item"]:
                allowed = words.facets["item"][table.facet]
                words.known((*parts, "counts", value), value, allowed, f"a value of {table.facet!r}")
        if (table.of, table.facet) in seen:
            words.add(parts, f"a second table of {table.of} by {table.facet}", "each table once")
        seen.add((table.of, table.facet))
        if totals.setdefault(table.of, table.total) != table.total:
            expected = f"{totals[table.of]}, as in the table before"
            words.add((*parts, "total"), f"{table.total} {table.of}", expected)
