"""The blocks a Markdown page may hold: each kind finds what a name means and gives its template a view."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from torus_site.errors import ContentError, Problem, nearest
from torus_site.views.cards import cards, tiles
from torus_site.views.figures import figure
from torus_site.views.gallery import comparator
from torus_site.views.model import FigureView, LinkView, TableView
from torus_site.views.pages import outward_links
from torus_site.views.picks import pick_table
from torus_site.views.study import study_facts, study_notes
from torus_site.views.tables import score_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from torus_site.content import Page
    from torus_site.project import Loaded, Project, Study
    from torus_site.render import Renderer
    from torus_site.views.media import ClipAsset
    from torus_site.views.model import PageView, SystemView

    Context = dict[str, object]
    Find = Callable[[Loaded, str], Any]
    Make = Callable[["Blocks", Study, Any], Context]


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """What a block means: the benchmark and the part of it, such as a table's specification."""

    benchmark: str
    part: Any


class Finder:
    """Finds what the blocks of one page mean; what is wrong with them is collected in ``problems``.

    Args:
        page: The page.
        names: The benchmarks of the site, the first of which owns the pages at its root.
        loaded: Those of them that could be read.
    """

    def __init__(self, page: Page, names: Sequence[str], loaded: Iterable[Loaded]) -> None:
        self.problems: list[Problem] = []
        self._page = page
        self._own = page.folder or next(iter(names), "")
        self._names = names
        self._loaded = {each.benchmark.id: each for each in loaded}
        self._shown: set[tuple[str, str, str]] = set()

    def __call__(self, kind: str, name: str) -> Found | None:
        """Return what one block means, or nothing when it is wrong or its benchmark could not be read."""
        try:
            find, _ = _pick(kind, _KINDS, "a kind of block")
            benchmark, local = self._split(name)
            self._refuse_second(kind, benchmark, local)
            loaded = self._loaded.get(benchmark)
            return Found(benchmark, find(loaded, local)) if loaded and loaded.is_whole else None
        except ContentError as error:
            self.problems += [
                replace(problem, file=self._page.file, place=f"::: {kind} {name}".strip())
                for problem in error.problems
            ]
            return None

    def anchor(self, found: Found, name: str) -> str:
        """Return what a table or figure is called in ids: two benchmarks may give theirs the same name."""
        # No id holds "--", so nothing of the page's own benchmark is called the same.
        return name if found.benchmark == self._own else f"{found.benchmark}--{name}"

    def _split(self, name: str) -> tuple[str, str]:
        """Tell which benchmark a name means, the one before a colon or the page's own, and what of it."""
        prefix, colon, local = name.partition(":")
        if not colon:
            return self._own, name
        return _pick(prefix, {each: each for each in self._names}, "a benchmark"), local

    def _refuse_second(self, kind: str, benchmark: str, local: str) -> None:
        """Refuse a piece that has an anchor where it stands on the page already."""
        if kind not in _ANCHORED:
            return
        key = (kind, benchmark, local if kind in _NAMED else "")
        if key in self._shown:
            raise ContentError(Problem("", "", "a second one", "one on a page", "remove one"))
        self._shown.add(key)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Renders the blocks of one page.

    Args:
        project: The project.
        media: Published clips by their path in the project.
        renderer: Renders templates.
        find: Finds what a block means.
        frame: The page as shown.
        facts: What the site was built from.
        tables: Where every table a page shows is kept, by the path of its CSV file.
        told: The systems whose incomplete run the page has told of.
    """

    project: Project
    media: Mapping[str, ClipAsset]
    renderer: Renderer
    find: Finder
    frame: PageView
    facts: tuple[tuple[str, str], ...]
    tables: dict[str, TableView]
    told: set[tuple[str, str]] = field(default_factory=set)

    def __call__(self, kind: str, name: str) -> str:
        """Render one block; one that is wrong gives nothing."""
        found = self.find(kind, name)
        if found is None:
            return ""
        study = next(study for study in self.project.studies if study.benchmark.id == found.benchmark)
        _, make = _KINDS[kind]
        context = make(self, study, found)
        for view in context.values():
            table = view.table if isinstance(view, FigureView) else view
            if (
                isinstance(table, TableView)
                and self.tables.setdefault(table.csv, table).groups != table.groups
            ):
                self.find.problems.append(
                    Problem(table.csv, "", "two tables for this place", "one", "rename a table or a figure")
                )
        block = self.renderer.render(f"blocks/{kind}.html", self.frame, **context)
        return self._tell_unfinished(found.benchmark, context) + block

    def _tell_unfinished(self, benchmark: str, context: Context) -> str:
        """Render a notice before the first numbers of an incomplete run; nothing before other blocks."""
        systems = [
            system
            for view in context.values()
            for system in _list_systems(view)
            if system.incomplete and (benchmark, system.id) not in self.told
        ]
        self.told.update((benchmark, system.id) for system in systems)
        return self.renderer.render("blocks/unfinished.html", self.frame, systems=systems) if systems else ""


def _list_systems(view: object) -> Iterator[SystemView]:
    """List the systems whose numbers a block shows, or leaves out."""
    if isinstance(view, FigureView):
        yield from view.left_out
        view = view.table
    if isinstance(view, TableView):
        yield from (row.system for group in view.groups for row in group.rows if row.system)


def _pick(name: str, known: Mapping[str, T], noun: str) -> T:
    if name in known:
        return known[name]
    hint = nearest(name, known) or f"known: {', '.join(known) or 'none'}"
    raise ContentError(Problem("", "", repr(name), noun, hint))


def _by_id(specs: Iterable[T], name: str, noun: str) -> T:
    return _pick(name, {str(getattr(spec, "id", "")): spec for spec in specs}, noun)


def _find_nothing(loaded: Loaded, name: str) -> None:
    """Find nothing: the whole benchmark is meant."""


def _find_comparator(loaded: Loaded, name: str) -> Any:  # noqa: ANN401  each kind finds its own
    descriptor = loaded.benchmark.descriptor
    spec = descriptor.comparator
    if spec is None:
        raise ContentError(Problem("", "", "no [comparator]", "one in benchmark.toml", "add it"))
    item = _by_id(loaded.benchmark.items, name or spec.item, f"a {descriptor.noun.one}")
    return spec.model_copy(update={"item": item.id})


def _find_figure(loaded: Loaded, name: str) -> Any:  # noqa: ANN401  each kind finds its own
    return _by_id(loaded.benchmark.descriptor.figures, name, "a figure")


def _find_table(loaded: Loaded, name: str) -> Any:  # noqa: ANN401  each kind finds its own
    return _by_id(loaded.benchmark.descriptor.tables, name, "a table")


def _find_facet(loaded: Loaded, name: str) -> Any:  # noqa: ANN401  each kind finds its own
    facets = [facet for facet in loaded.benchmark.descriptor.facets if facet.on == "item"]
    return _by_id(facets, name, "a facet of items")


def _find_study(loaded: Loaded, name: str) -> Any:  # noqa: ANN401  each kind finds its own
    return _by_id(loaded.results.studies, name, "a study")


def _hero(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    descriptor = study.benchmark.descriptor
    return {
        "hero": {
            "claim": descriptor.claim,
            "figures": tuple((figure.value, figure.label) for figure in descriptor.figures_of_claim),
            "links": outward_links(blocks.project.config),
        }
    }


def _comparator(blocks: Blocks, study: Study, found: Found) -> Context:
    item = study.benchmark.item(found.part.item)
    return {
        "grid": comparator(study.lookup, found.part, blocks.media),
        "more": LinkView(item.title, study.lookup.item_path(item)),
    }


def _protocol(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"steps": study.benchmark.descriptor.protocol}


def _figure(blocks: Blocks, study: Study, found: Found) -> Context:
    name = found.part.id
    anchor = blocks.find.anchor(found, name)
    view = figure(study.lookup, found.part.model_copy(update={"id": anchor}))
    return {"figure": replace(view, table=replace(view.table, csv=view.table.csv.replace(anchor, name)))}


def _table(blocks: Blocks, study: Study, found: Found) -> Context:
    name = found.part.id
    anchor = blocks.find.anchor(found, name)
    view = score_table(study.lookup, found.part.model_copy(update={"id": anchor}))
    return {"table": replace(view, csv=view.csv.replace(anchor, name))}


def _cards(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"cards": cards(study.lookup, found.part.id)}


def _tiles(blocks: Blocks, study: Study, found: Found) -> Context:
    return {"groups": tiles(study.lookup, found.part.id, blocks.media)}


def _picks(blocks: Blocks, study: Study, found: Found) -> Context:
    view = pick_table(study.lookup)
    return {"table": view and replace(view, id=blocks.find.anchor(found, view.id))}


def _human_study(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"study": study_facts(found.part), "notes": study_notes(found.part)}


def _citation(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    descriptor = study.benchmark.descriptor
    # A citation names its authors in more ways than could be looked for.
    bibtex = "" if blocks.project.config.anonymous else descriptor.bibtex.strip()
    return {"bibtex": bibtex, "benchmark": descriptor.id}


def _facts(blocks: Blocks, study: Study, found: Found) -> Context:  # noqa: ARG001  the shape all kinds share
    return {"facts": blocks.facts}


_KINDS: dict[str, tuple[Find, Make]] = {
    "hero": (_find_nothing, _hero),
    "comparator": (_find_comparator, _comparator),
    "protocol": (_find_nothing, _protocol),
    "figure": (_find_figure, _figure),
    "table": (_find_table, _table),
    "cards": (_find_facet, _cards),
    "tiles": (_find_facet, _tiles),
    "picks": (_find_nothing, _picks),
    "study": (_find_study, _human_study),
    "citation": (_find_nothing, _citation),
    "facts": (_find_nothing, _facts),
}
_NAMED = frozenset({"figure", "table"})
_ANCHORED = _NAMED | {"comparator", "citation", "picks"}
