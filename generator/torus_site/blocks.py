"""The blocks a Markdown page may hold: each kind is a template and the view it is given."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from torus_site.errors import ContentError, Problem, nearest
from torus_site.views.cards import cards, tiles
from torus_site.views.figures import figure
from torus_site.views.gallery import comparator
from torus_site.views.model import LinkView
from torus_site.views.pages import outward_links
from torus_site.views.study import study_facts
from torus_site.views.tables import score_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from torus_site.content import Page
    from torus_site.project import Project, Study
    from torus_site.render import Renderer
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import FigureView, PageView, TableView

    Context = dict[str, object]


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Blocks:
    """Renders the blocks of one page.

    Args:
        project: The project.
        media: Published clips by their path in the project.
        renderer: Renders templates.
        page: The page as read, for messages and its benchmark.
        frame: The page as shown.
        facts: What the site was built from.
        problems: Where problems are collected, so that all are reported at once.
        shown: What stands on the page already, of the kinds that may stand there once.
    """

    project: Project
    media: Mapping[str, ClipAsset]
    renderer: Renderer
    page: Page
    frame: PageView
    facts: tuple[tuple[str, str], ...]
    problems: list[Problem]
    shown: set[tuple[str, str, str]] = field(default_factory=set)

    def __call__(self, kind: str, name: str) -> str:
        """Render one block; a problem is collected and gives nothing."""
        make = _KINDS.get(kind)
        if make is None:
            hint = nearest(kind, _KINDS) or f"known: {', '.join(_KINDS)}"
            self.problems.append(self._problem(kind, name, repr(kind), "a kind of block", hint))
            return ""
        try:
            study, local = self._study(name)
            self._refuse_second(kind, study, local)
            context = make(self, study, local)
        except ContentError as error:
            self.problems.extend(
                self._problem(kind, name, problem.found, problem.expected, problem.action)
                for problem in error.problems
            )
            return ""
        return self.renderer.render(f"blocks/{kind}.html", self.frame, **context)

    def _problem(self, kind: str, name: str, found: str, expected: str, action: str) -> Problem:
        return Problem(self.page.file, f"::: {kind} {name}".strip(), found, expected, action)

    def _study(self, name: str) -> tuple[Study, str]:
        """Tell which benchmark a name means: the one before a colon, or the page's own."""
        studies = {study.benchmark.id: study for study in self.project.studies}
        prefix, colon, local = name.partition(":")
        if not colon:
            return studies[self._own], name
        return _pick(prefix, studies, "a benchmark"), local

    @property
    def _own(self) -> str:
        return self.page.folder or self.project.studies[0].benchmark.id

    def _refuse_second(self, kind: str, study: Study, local: str) -> None:
        """Refuse a piece that has an anchor where it stands on the page already."""
        if kind not in _ANCHORED:
            return
        key = (kind, study.benchmark.id, local if kind in _NAMED else "")
        if key in self.shown:
            raise ContentError(Problem("", "", "a second one", "one on a page", "remove one"))
        self.shown.add(key)

    def anchor(self, study: Study, name: str) -> str:
        """Return what a table or figure is called in ids: two benchmarks may give theirs the same name."""
        # No id holds "--", so nothing of the page's own benchmark is called the same.
        return name if study.benchmark.id == self._own else f"{study.benchmark.id}--{name}"


def table_views(study: Study) -> tuple[TableView, ...]:
    """Return every table of a benchmark."""
    return tuple(score_table(study.lookup, spec) for spec in study.benchmark.descriptor.tables)


def figure_views(study: Study) -> tuple[FigureView, ...]:
    """Return every figure of a benchmark."""
    return tuple(figure(study.lookup, spec) for spec in study.benchmark.descriptor.figures)


def _pick(name: str, known: Mapping[str, T], noun: str) -> T:
    if name in known:
        return known[name]
    hint = nearest(name, known) or f"known: {', '.join(known) or 'none'}"
    raise ContentError(Problem("", "", repr(name), noun, hint))


def _by_id(specs: Iterable[T], name: str, noun: str) -> T:
    return _pick(name, {str(getattr(spec, "id", "")): spec for spec in specs}, noun)


def _hero(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    descriptor = study.benchmark.descriptor
    return {
        "hero": {
            "claim": descriptor.claim,
            "figures": tuple((figure.value, figure.label) for figure in descriptor.figures_of_claim),
            "links": outward_links(blocks.project.config),
        }
    }


def _comparator(blocks: Blocks, study: Study, name: str) -> Context:
    spec = study.benchmark.descriptor.comparator
    if spec is None:
        raise ContentError(Problem("", "", "no [comparator]", "one in benchmark.toml", "add it"))
    if name:
        spec = spec.model_copy(update={"item": name})
    item = _by_id(study.benchmark.items, spec.item, f"a {study.benchmark.descriptor.noun.one}")
    return {
        "grid": comparator(study.lookup, spec, blocks.media),
        "more": LinkView(item.title, study.lookup.item_path(item)),
    }


def _protocol(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"steps": study.benchmark.descriptor.protocol}


def _figure(blocks: Blocks, study: Study, name: str) -> Context:
    spec = _by_id(study.benchmark.descriptor.figures, name, "a figure")
    anchor = blocks.anchor(study, name)
    view = figure(study.lookup, spec.model_copy(update={"id": anchor}))
    return {"figure": replace(view, table=replace(view.table, csv=view.table.csv.replace(anchor, name)))}


def _table(blocks: Blocks, study: Study, name: str) -> Context:
    spec = _by_id(study.benchmark.descriptor.tables, name, "a table")
    anchor = blocks.anchor(study, name)
    view = score_table(study.lookup, spec.model_copy(update={"id": anchor}))
    return {"table": replace(view, csv=view.csv.replace(anchor, name))}


def _cards(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    facet = _by_id(study.benchmark.descriptor.facets, name, "a facet")
    return {"cards": cards(study.lookup, facet.id)}


def _tiles(blocks: Blocks, study: Study, name: str) -> Context:
    facet = _by_id(study.benchmark.descriptor.facets, name, "a facet")
    return {"groups": tiles(study.lookup, facet.id, blocks.media)}


def _human_study(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    record = _by_id(study.results.studies, name, "a study")
    return {"study": study_facts(record)}


def _citation(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    descriptor = study.benchmark.descriptor
    return {"bibtex": descriptor.bibtex.strip(), "benchmark": descriptor.id}


def _facts(blocks: Blocks, study: Study, name: str) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"facts": blocks.facts}


_KINDS: dict[str, Callable[[Blocks, Study, str], Context]] = {
    "hero": _hero,
    "comparator": _comparator,
    "protocol": _protocol,
    "figure": _figure,
    "table": _table,
    "cards": _cards,
    "tiles": _tiles,
    "study": _human_study,
    "citation": _citation,
    "facts": _facts,
}
_NAMED = frozenset({"figure", "table"})
_ANCHORED = _NAMED | {"comparator", "citation"}
