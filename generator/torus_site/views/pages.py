"""What every page shares: its way to the root, the navigation, the links outward, the site's own facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torus_site.views.model import LinkView, PageView, SiteView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torus_site.benchmark.items import Item
    from torus_site.config import SiteConfig
    from torus_site.content import Page

ANONYMOUS_REASON = "disabled in the anonymous version"


def root_of(path: str) -> str:
    """Return the way from a page back to the site's root.

    >>> root_of("index.html"), root_of("toy/one/index.html")
    ('', '../../')
    """
    return "../" * path.count("/")


def site_view(config: SiteConfig, assets: dict[str, str]) -> SiteView:
    """Return what the whole site shares."""
    named = ", ".join([*config.authors, *config.affiliations])
    return SiteView(
        title=config.title,
        description=config.description,
        language=config.language,
        anonymous=config.anonymous,
        byline="Anonymous authors" if config.anonymous else named,
        licence=config.licence,
        assets=assets,
    )


def outward_links(config: SiteConfig) -> tuple[LinkView, ...]:
    """Return the links that leave the site, disabled with a reason when it is anonymous."""
    return tuple(
        LinkView(link.title, "", outward=True, disabled_reason=ANONYMOUS_REASON)
        if config.anonymous
        else LinkView(link.title, link.url, outward=True)
        for link in config.links
    )


def navigation(pages: Iterable[Page], current: str) -> tuple[LinkView, ...]:
    """Return the pages that ask to be in the navigation, in their order."""
    listed = sorted((page for page in pages if page.nav), key=lambda page: (page.order, page.path))
    return tuple(LinkView(page.nav, page.path, current=page.path == current) for page in listed)


def markdown_frame(config: SiteConfig, pages: tuple[Page, ...], page: Page) -> PageView:
    """Return the frame of a Markdown page."""
    kinds = {kind for kind, _ in page.blocks()}
    return PageView(
        path=page.path,
        root=root_of(page.path),
        title=page.title,
        description=page.description or config.description,
        nav=navigation(pages, page.path),
        links=outward_links(config),
        heading=page.title,
        lead=page.lead,
        has_bench="comparator" in kinds,
        has_figures="figure" in kinds,
    )


def item_frame(
    config: SiteConfig,
    pages: tuple[Page, ...],
    path: str,
    item: Item,
    around: tuple[LinkView | None, LinkView | None],
) -> PageView:
    """Return the frame of an item's page, with the way to its neighbours."""
    return PageView(
        path=path,
        root=root_of(path),
        title=item.title,
        description=item.summary or config.description,
        nav=navigation(pages, path),
        links=outward_links(config),
        heading=item.title,
        lead=item.summary,
        previous=around[0],
        following=around[1],
        has_bench=True,
    )
