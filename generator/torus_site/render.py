"""Templates to HTML: the jinja environment, with escaping on and undefined names refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateRuntimeError,
    pass_context,
)
from markupsafe import Markup

from torus_site.errors import BuildError, Problem

if TYPE_CHECKING:
    from jinja2.runtime import Context

    from torus_site.theme import Theme
    from torus_site.views.model import PageView, SiteView


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
            BuildError: The template is missing, does not parse, or uses a name it is not given.
        """
        try:
            text = self.env.get_template(template).render(site=self.site, page=page, **context)
        except TemplateError as error:
            name = getattr(error, "name", None) or template
            line = getattr(error, "lineno", None)
            raise BuildError(
                Problem(
                    f"templates/{name}",
                    f"line {line}" if line else "",
                    f"{error.message or error}",
                    "a template that renders",
                    "mend the template, or remove your own copy to use the shipped one",
                )
            ) from error
        return Markup(text)  # noqa: S704  rendered with escaping on


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
