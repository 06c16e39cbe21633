"""The plan of a site: every file it publishes, what each is made from, and how."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial, reduce
from importlib.metadata import version
from posixpath import join, normpath, relpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from torus_site.anonymity import disable_links, find_identity, is_telling
from torus_site.blocks import Blocks, Finder
from torus_site.clips import Clips, publish
from torus_site.content import render_markdown
from torus_site.errors import BuildError, ContentError, Problem, TorusError
from torus_site.links import find_broken, find_ids, find_requests, read_document
from torus_site.output import MANIFEST, Entry
from torus_site.project import read_project
from torus_site.render import Renderer, environment
from torus_site.theme import PLOTLY, Theme
from torus_site.views.data import item_csv, item_json, table_csv
from torus_site.views.gallery import item_page
from torus_site.views.model import LinkView
from torus_site.views.pages import ANONYMOUS_REASON, item_frame, markdown_frame, navigation, site_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from torus_site.benchmark.items import Item
    from torus_site.content import Page
    from torus_site.memory import Memory
    from torus_site.project import Draft, Project, Study
    from torus_site.views.lookup import Lookup
    from torus_site.views.model import PageView, TableView

    Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Every file of a site, and what is ugly about the project."""

    entries: tuple[Entry, ...]
    warnings: tuple[Problem, ...]


def plan(root: Path, *, cache: Path, jobs: int, progress: Progress, memory: Memory | None = None) -> Plan:
    """Lay out the site of a project.

    Clips are encoded here, into the cache, and Markdown pages rendered, for both may find problems.
    Item pages are rendered when the plan is written.

    Args:
        root: The project folder.
        cache: The folder of encoded clips.
        jobs: How many clips are encoded and files read at a time.
        progress: Told how far the clips are.
        memory: What is known from earlier builds.

    Raises:
        TorusError: With every problem of every file, clip and page.
    """
    draft = read_project(root, memory=memory, jobs=jobs)
    clips = publish(draft, cache=cache, jobs=jobs, progress=progress)
    problems = (*draft.problems, *clips.problems)
    if any(problem.severity == "error" for problem in problems):
        raise TorusError([*problems, *_check_blocks(draft)])
    project = draft.finish()
    theme = Theme.of(project.root)
    assets = theme.assets()
    site = site_view(project.config, {asset.name: asset.path for asset in assets})
    renderer = Renderer(environment(theme, memory=memory), site)
    renderer.load(name for name in theme.files() if name.endswith(".html"))
    results = _hash_results(project)
    # Results change seldom and then all at once, so that an item's page need not tell which it shows.
    base = _digest(
        site,
        project.config,
        results,
        sorted(clips.by_path.items()),
        *(path.read_bytes() for path in theme.files().values()),
    )
    prose: list[Prose] = []
    entries = [
        *_pages(project, renderer, clips, _facts(results), prose),
        *(entry for study in project.studies for entry in _items(project, study, renderer, clips, base)),
        *(Entry(asset.path, asset.path, partial(bytes, asset.content)) for asset in assets),
        *(Entry(path, path, source.read_bytes) for path, source in sorted(clips.files.items())),
    ]
    _refuse_doubles(entries)
    links = tuple(_check_prose(prose, {MANIFEST, *(entry.path for entry in entries)}))
    if any(problem.severity == "error" for problem in links):
        raise ContentError((*problems, *links))
    if project.config.anonymous:
        addresses = (link.url.partition(":")[2].lstrip("/") for link in project.config.links)
        names = (*project.config.authors, *project.config.affiliations, *addresses)
        entries = _conceal(entries, names, site.assets[PLOTLY])
    return Plan(tuple(entries), (*problems, *theme.find_unused(), *links))


@dataclass(frozen=True, slots=True)
class Prose:
    """What the author of a Markdown page wrote, as HTML, blocks left out.

    Args:
        page: The page.
        html: Its prose.
        ids: The ids of the whole page, blocks included.
    """

    page: Page
    html: str
    ids: set[str]


def check_project(root: Path, *, cache: Path, jobs: int, progress: Progress) -> tuple[Problem, ...]:
    """Return what a build would say of a project, errors and warnings, without writing a site."""
    try:
        return plan(root, cache=cache, jobs=jobs, progress=progress).warnings
    except TorusError as error:
        return error.problems


def _check_blocks(draft: Draft) -> Iterator[Problem]:
    """Look at the blocks of pages that cannot be rendered because something else is wrong."""
    for page in draft.pages:
        find = Finder(page, draft.names, draft.loaded)

        def look(kind: str, name: str, find: Finder = find) -> str:
            find(kind, name)
            return ""

        render_markdown(page.text, look, file=page.file)
        yield from find.problems


def _refuse_doubles(entries: list[Entry]) -> None:
    """Refuse two files for one place, such as an item and a page of the same name."""
    times = Counter([MANIFEST, *(entry.path for entry in entries)])
    folders = {path[:at] for path in times for at, sign in enumerate(path) if sign == "/"}
    problems = [
        Problem(path, "", f"{count} pages or files for this place", "one", "rename an item or a page")
        for path, count in times.items()
        if count > 1
    ]
    problems += [
        Problem(path, "", "a file and a folder of this name", "one of them", "rename an item or a page")
        for path in times
        if path in folders
    ]
    if problems:
        raise ContentError(problems)


def _conceal(entries: list[Entry], names: tuple[str, ...], library: str) -> list[Entry]:
    """Make every text of an anonymous site now, and refuse it if any tells who made the site."""
    made = {entry.path: entry.make() for entry in entries if is_telling(entry.path) and entry.path != library}
    if problems := list(find_identity(made.items(), names)):
        raise ContentError(problems)
    return [
        replace(entry, make=partial(bytes, made[entry.path])) if entry.path in made else entry
        for entry in entries
    ]


def _check_prose(prose: list[Prose], files: set[str]) -> Iterator[Problem]:
    """Find links of Markdown pages that lead nowhere, and what they would ask other hosts for."""
    ids = {each.page.path: each.ids for each in prose}
    published = {each.page.file: each.page.path for each in prose}
    for each in prose:
        page, document = each.page, read_document(each.html)
        for problem in find_requests(page.path, document):
            yield replace(problem, file=page.file, place="")
        for link, problem in find_broken(page.path, document, files, ids):
            # A page is easily named by its source.
            path, _, anchor = link.partition("#")
            target = published.get(normpath(join(page.file, "..", unquote(path))))
            action = problem.action
            if target:
                right = relpath(target, page.path.rpartition("/")[0] or ".") + (anchor and f"#{anchor}")
                action = f"write {right!r}"
            yield replace(problem, file=page.file, place="", action=action, severity="warning")


def _pages(
    project: Project,
    renderer: Renderer,
    clips: Clips,
    facts: tuple[tuple[str, str], ...],
    prose: list[Prose],
) -> list[Entry]:
    names = [study.benchmark.id for study in project.studies]
    problems: list[Problem] = []
    entries = []
    tables: dict[str, TableView] = {}
    for page in project.pages:
        frame = markdown_frame(project.config, project.pages, page)
        find = Finder(page, names, project.studies)
        blocks = Blocks(project, clips.by_path, renderer, find, frame, facts, tables)
        made: list[str] = []

        def block(kind: str, name: str, blocks: Blocks = blocks, made: list[str] = made) -> str:
            made.append(blocks(kind, name))
            return made[-1]

        body = render_markdown(page.text, block, file=page.file)
        # Blocks are the site's own, and reading them takes long.
        html = reduce(lambda rest, part: rest.replace(part, "", 1), made, str(body))
        if project.config.anonymous:
            body = disable_links(body, ANONYMOUS_REASON)
        problems += find.problems
        content = renderer.render("page.html", frame, body=body).encode()
        prose.append(Prose(page, html, find_ids(content.decode())))
        entries.append(_finished(page.path, content))
    if problems:
        raise ContentError(problems)
    entries.extend(_finished(path, table_csv(table)) for path, table in tables.items())
    return entries


def _finished(path: str, content: bytes) -> Entry:
    return Entry(path, hashlib.sha256(content).hexdigest(), partial(bytes, content))


def _items(project: Project, study: Study, renderer: Renderer, clips: Clips, base: str) -> Iterator[Entry]:
    lookup = study.lookup
    items = lookup.items
    context = _digest(base, study.benchmark.descriptor, navigation(project.pages, ""))
    links = [LinkView(item.title, lookup.item_path(item)) for item in items]
    for index, item in enumerate(items):
        around = (links[index - 1] if index else None, links[index + 1] if index + 1 < len(items) else None)
        frame = item_frame(project.config, project.pages, lookup.item_path(item), item, around)
        digest = _digest(context, item.model_dump_json().encode(), around)
        yield Entry(frame.path, digest, partial(_render_item, lookup, renderer, clips, item, frame))
        for name, data in (("data.json", item_json), ("data.csv", item_csv)):
            yield Entry(lookup.item_path(item, name), digest, partial(data, lookup, item, clips.by_path))


def _render_item(lookup: Lookup, renderer: Renderer, clips: Clips, item: Item, frame: PageView) -> bytes:
    page = item_page(lookup, item, clips.by_path)
    return renderer.render("item.html", frame, item=page).encode()


def _hash_results(project: Project) -> tuple[int, str]:
    """Return how many results files there are and the SHA-256 of all."""
    files = sorted(
        path for path in (project.root / "results").rglob("*.json") if not path.name.startswith(".")
    )
    results = hashlib.sha256()
    for file in files:
        results.update(file.relative_to(project.root).as_posix().encode() + b"\0" + file.read_bytes())
    return len(files), results.hexdigest()


def _facts(results: tuple[int, str]) -> tuple[tuple[str, str], ...]:
    """Say what the site was built from; a date stands here only when ``SOURCE_DATE_EPOCH`` fixes it."""
    count, sha256 = results
    facts = [
        ("Built with", f"torus-site {version('torus-site')}"),
        ("Results files", str(count)),
        ("SHA-256 of all results", sha256),
    ]
    if epoch := os.environ.get("SOURCE_DATE_EPOCH", ""):
        facts.append(("Date", _write_date(epoch)))
    return tuple(facts)


def _write_date(epoch: str) -> str:
    try:
        return f"{datetime.fromtimestamp(int(epoch), UTC):%Y-%m-%d}"
    except (ValueError, OverflowError, OSError):
        expected = "seconds since 1970 as a whole number"
        raise BuildError(Problem("SOURCE_DATE_EPOCH", "", repr(epoch), expected)) from None


def _digest(*parts: object) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()
