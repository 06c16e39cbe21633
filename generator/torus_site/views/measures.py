"""How the metrics of a table were measured: what each is, and what it was computed with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.views.model import MeasureView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torus_site.benchmark.descriptor import Metric
    from torus_site.views.lookup import Lookup, ScoreKey
    from torus_site.views.model import SystemView


def list_measures(
    lookup: Lookup, keys: Iterable[ScoreKey], systems: Sequence[SystemView]
) -> tuple[MeasureView, ...]:
    """Tell how the metrics of some scores were measured, each metric once.

    Args:
        lookup: The benchmark and its results.
        keys: The scores that are shown.
        systems: The systems they are shown of.
    """
    shown: dict[str, list[ScoreKey]] = {}
    for key in keys:
        shown.setdefault(key[0], []).append(key)
    views = (_make_measure(lookup, lookup.metrics[name], found, systems) for name, found in shown.items())
    return tuple(view for view in views if view.text or view.parameters)


def _make_measure(
    lookup: Lookup, metric: Metric, keys: Sequence[ScoreKey], systems: Sequence[SystemView]
) -> MeasureView:
    """Put together what the descriptor fixes and what the scores report."""
    stated: dict[str, dict[str, list[str]]] = {}
    for name, value in metric.parameters.items():
        stated[name] = {value: []}
    for system in systems:
        scores = lookup.scores(system.id)
        for key in keys:
            for name, value in (scores[key].parameters if key in scores else {}).items():
                owners = stated.setdefault(name, {}).setdefault(value, [])
                if system.short not in owners:
                    owners.append(system.short)
    return MeasureView(
        title=metric.title,
        text=metric.text,
        parameters=tuple((name.replace("_", " "), _tell(lookup, values)) for name, values in stated.items()),
    )


def _tell(lookup: Lookup, values: dict[str, list[str]]) -> str:
    """Write one value, or each with the systems it holds for; a system's id is written as its name."""
    titles = {value: lookup.systems[value].title if value in lookup.systems else value for value in values}
    if len(values) == 1:
        return next(iter(titles.values()))
    return "; ".join(
        f"{titles[value]} ({', '.join(owners)})" if owners else titles[value]
        for value, owners in values.items()
    )
