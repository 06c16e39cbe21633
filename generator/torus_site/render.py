"""Templates to HTML: the jinja environment, with escaping on and undefined names refused."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
    pass_context,
)
from markupsafe import Markup

from torus_site.errors import BuildError, Problem

if TYPE_CHECKING:
    from jinja2.runtime import Context

    from torus_site.theme import Theme
    from torus_site.views.model import PageView, SiteView


_MISTAKES = (
    TemplateError,
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
    RecursionError,
)
"""What a template that is wrong may raise."""


def environment(theme: Theme) -> Environment:
    """Return the environment all templates of a theme are loaded in."""
    env = Environment(
        loader=FileSystemLoader([str(folder) for folder in theme.folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.globals["href"] = _href
    env.globals["asset"] = _asset
    return env


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders templates for one site.

    Args:
        env: The jinja environment.
        site: What every page shares.
    """

    env: Environment
    site: SiteView

    def render(self, template: str, page: PageView, **context: object) -> Markup:
        """Render one template.

        Args:
            template: Its name, such as ``item.html``.
            page: The page it stands on.
            context: What else the template is given.

        Raises:
            BuildError: The template is missing, does not parse, or does something that cannot be done, such
                as using a name it is not given.
        """
        try:
            text = self.env.get_template(template).render(site=self.site, page=page, **context)
        except _MISTAKES as error:
            raise BuildError(self._explain(error, template)) from error
        return Markup(text)  # noqa: S704  rendered with escaping on

    def _explain(self, error: Exception, template: str) -> Problem:
        """Say which template is wrong and where; the innermost one that was at work is."""
        name, line, found = template, 0, str(error)
        for at in traceback.extract_tb(error.__traceback__):
            if inner := self._name(Path(at.filename)):
                name, line = inner, at.lineno or 0
        if isinstance(error, TemplateSyntaxError):
            name, line = error.name or name, error.lineno
        elif isinstance(error, TemplateNotFound):
            name, found = (name, f"no template {error.name!r}") if line else (template, "no such template")
        return Problem(
            f"templates/{name}",
            f"line {line}" if line else "",
            found,
            "a template that renders",
            "mend the template, or remove your own copy to use the shipped one",
        )

    def _name(self, path: Path) -> str:
        """Return the name of a template's file, or nothing for another file."""
        folders: list[str] = getattr(self.env.loader, "searchpath", [])
        found = (path.relative_to(folder) for folder in folders if path.is_relative_to(folder))
        return next((inner.as_posix() for inner in found), "")


@pass_context
def _href(context: Context, path: str) -> str:
    """Return a link relative to the page the template stands on."""
    root: str = context["page"].root
    return root + path


@pass_context
def _asset(context: Context, name: str) -> str:
    """Return the relative link of a theme file under its published name."""
    root: str = context["page"].root
    assets: dict[str, str] = context["site"].assets
    if name not in assets:
        message = f"no asset {name!r} in this theme"
        raise TemplateRuntimeError(message)
    return root + assets[name]
