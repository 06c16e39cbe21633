"""A human study: what it was, how often each system won, and against whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.stats import tally_wins
from torus_site.views.format import (
    NOT_STATED,
    SYSTEMS,
    format_count,
    format_half_width,
    format_level,
    format_number,
)
from torus_site.views.model import ValueView
from torus_site.views.series import Chart, Fact, Mark, Series
from torus_site.views.tables import csv_path

if TYPE_CHECKING:
    from torus_site.benchmark.descriptor import HeadToHeadSpec, WinRatesSpec
    from torus_site.records.model import StudyRecord
    from torus_site.stats import HeadToHead, PairCell, Standing
    from torus_site.views.lookup import Lookup
    from torus_site.views.model import SystemView

_RATE_DECIMALS = 1
_AGREEMENT_DECIMALS = 3


def study_facts(study: StudyRecord) -> tuple[tuple[str, str], ...]:
    """Return the numbers of a study and of the agreement of its raters, as pairs of name and value."""
    return tuple(pair for pair in (*_count(study), *_measure_agreement(study)) if pair[1] != NOT_STATED)


def study_notes(study: StudyRecord) -> tuple[tuple[str, str], ...]:
    """Return what a study says in words, and what it does not state, as pairs of name and text."""
    silent = tuple(pair for pair in _measure_agreement(study) if pair[1] == NOT_STATED)
    basis = (("Agreement measured on", study.agreement.basis),) if study.agreement else ()
    return (("Ties", study.tie_rule), *basis, *silent)


def _count(study: StudyRecord) -> tuple[tuple[str, str], ...]:
    return (
        ("Raters", str(study.raters)),
        ("Comparisons", str(study.comparisons)),
        ("Comparisons of each pair", str(study.per_pair)),
    )


def _measure_agreement(study: StudyRecord) -> tuple[tuple[str, str], ...]:
    agreement = study.agreement
    if agreement is None:
        return (("Agreement", NOT_STATED),)
    percent = agreement.raw_percent
    return (
        ("Raw agreement", f"{format_number(percent, decimals=1)} %" if percent is not None else NOT_STATED),
        ("Fleiss' kappa", _write_agreement(agreement.fleiss_kappa)),
        ("Krippendorff's alpha", _write_agreement(agreement.krippendorff_alpha)),
    )


def chart_win_rates(lookup: Lookup, spec: WinRatesSpec) -> Chart:
    """Gather how often each system won, counted from wins, with Wilson's interval.

    Raises:
        KeyError: There is no such study.
    """
    study, tally = _tally(lookup, spec.study)
    series = tuple(
        _make_series(
            lookup.systems[standing.system],
            (_mark_standing(standing, study.win_rate_percent.get(standing.system)),),
        )
        for standing in tally.list_standings()
    )
    found = [(it.marks[0].value, f"{it.title} with {it.marks[0].text} %") for it in series]
    known = [(value, text) for value, text in found if value is not None]
    told = f"; highest {max(known)[1]}; lowest {min(known)[1]}" if known else ""
    return Chart(
        id=spec.id,
        title=spec.title,
        caption=spec.caption,
        alt=f"Bars: win rates of {format_count(len(series), SYSTEMS)}{told}.",
        categories=(ValueView(id="", title=""),),
        series=series,
        measure="Win rate",
        unit="%",
        category_head="System",
        csv=csv_path(lookup, f"figure-{spec.id}"),
        source=study.source,
        citation=study.citation or "",
        direction="higher",
        reference=spec.reference,
    )


def chart_pairs(lookup: Lookup, spec: HeadToHeadSpec) -> Chart:
    """Gather the wins of each system against each other; ties are what neither won.

    Raises:
        KeyError: There is no such study.
    """
    study, tally = _tally(lookup, spec.study)
    systems = [lookup.systems[name] for name in tally.systems]
    series = tuple(
        _make_series(row, tuple(_mark_pair(tally, row.id, column.id) for column in systems))
        for row in systems
    )
    known = [
        (cell.wins, f"{lookup.systems[cell.row].title} over {lookup.systems[cell.column].title}")
        for cell in tally.cells
        if cell.wins is not None
    ]
    most = max(known, default=None)
    told = f"; most wins: {most[1]}, {most[0]} of {study.per_pair}" if most else ""
    return Chart(
        id=spec.id,
        title=spec.title,
        caption=spec.caption,
        alt=f"Matrix: wins of {format_count(len(systems), SYSTEMS)}, row against column{told}.",
        categories=tuple(ValueView(id=it.id, title=it.title, short=it.short) for it in systems),
        series=series,
        measure="Wins, ties, losses",
        unit="",
        category_head="System",
        csv=csv_path(lookup, f"figure-{spec.id}"),
        source=study.source,
        citation=study.citation or "",
        direction="higher",
        high=float(study.per_pair),
        between=" against ",
    )


def _tally(lookup: Lookup, name: str) -> tuple[StudyRecord, HeadToHead]:
    """Return a study and its tally, systems in the order of the benchmark and not in that of the file."""
    study = lookup.studies[name]
    wins = {system: study.wins[system] for system in lookup.systems if system in study.wins}
    return study, tally_wins(wins, study.per_pair)


def _make_series(system: SystemView, marks: tuple[Mark, ...]) -> Series:
    return Series(title=system.title, short=system.short, hue=system.hue, marks=marks, system=system)


def _mark_standing(standing: Standing, stated: float | None) -> Mark:
    """Turn a standing into a mark; a rate that counts do not give is shown as stated, if it is."""
    facts = tuple(
        Fact(title, count, NOT_STATED if count is None else str(count))
        for title, count in (
            ("Wins", standing.wins),
            ("Ties", standing.ties),
            ("Losses", standing.losses),
            ("Comparisons", standing.n),
        )
    )
    percent = standing.rate.percent if standing.rate else None
    interval = standing.interval
    if percent is None or interval is None:
        if stated is None:
            return Mark(value=None, text=NOT_STATED, detail=standing.reason or "", facts=facts)
        text = format_number(stated, decimals=_RATE_DECIMALS)
        return Mark(value=stated, text=text, detail=f"as stated: {standing.reason}", facts=facts)
    low, high = 100 * interval.low, 100 * interval.high
    limits = [format_number(limit, decimals=_RATE_DECIMALS) for limit in (low, high)]
    return Mark(
        value=percent,
        text=format_number(percent, decimals=_RATE_DECIMALS),
        low=low,
        high=high,
        extra=format_half_width(100 * interval.half_width, decimals=_RATE_DECIMALS),
        detail=(
            f"{standing.wins} of {standing.n}; {format_level(interval.level)} interval "
            f"{limits[0]} to {limits[1]}, {interval.method}"
        ),
        facts=facts,
    )


def _mark_pair(tally: HeadToHead, row: str, column: str) -> Mark:
    if row == column:
        return Mark(value=None, text="\N{EN DASH}")
    cell: PairCell = tally.cell(row, column)
    if cell.wins is None:
        return Mark(value=None, text=NOT_STATED)
    if cell.ties is None or cell.losses is None:
        return Mark(
            value=cell.wins,
            text=f"{cell.wins} wins",
            detail=f"ties and losses {NOT_STATED}; n = {cell.n}",
        )
    return Mark(
        value=cell.wins,
        text="\N{EN DASH}".join(map(str, (cell.wins, cell.ties, cell.losses))),
        detail=f"n = {cell.n}",
    )


def _write_agreement(value: float | None) -> str:
    return NOT_STATED if value is None else format_number(value, decimals=_AGREEMENT_DECIMALS)
