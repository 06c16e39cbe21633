"""Templates to HTML: the jinja environment, with escaping on and undefined names refused."""

from __future__ import annotations

import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import markupsafe
from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
    pass_context,
)
from jinja2.compiler import CodeGenerator
from markupsafe import Markup

from torus_site.errors import BuildError, Problem
from torus_site.memory import Codec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2 import nodes
    from jinja2.bccache import Bucket
    from jinja2.compiler import Frame
    from jinja2.runtime import Context

    from torus_site.memory import Memory
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
_BYTES = Codec[bytes](bytes, bytes)


class _Generator(CodeGenerator):
    """Compiles templates so that text is escaped without an object being made of every piece of it.

    Of a page with a thousand pieces this saves a quarter of the time.
    """

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  jinja's
        """Make the function known that escapes text, and nothing but text."""
        self.writeline("from markupsafe import _escape_inner as escape_text")
        super().visit_Template(node, frame)

    def _output_child_pre(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if _is_plain(frame, finalize):
            self.write("(escape_text(out) if (out := (")
        else:
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(
        self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        if _is_plain(frame, finalize):
            self.write(")).__class__ is str else escape(out))")
        else:
            super()._output_child_post(node, frame, finalize)


def _is_plain(frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> bool:
    return bool(frame.eval_ctx.autoescape) and not frame.eval_ctx.volatile and finalize.src is None


class _Environment(Environment):
    # What the generator relies on is no promise of the library; without it its own generator does.
    code_generator_class = _Generator if hasattr(markupsafe, "_escape_inner") else CodeGenerator


class _Compiled(BytecodeCache):
    """Keeps compiled templates in a memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give a template's code, if it was compiled from the same text before."""
        if code := self._memory.recall(f"template {bucket.key}", bucket.checksum, _BYTES):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template's code."""
        code = bucket.bytecode_to_string()
        self._memory.keep(f"template {bucket.key}", bucket.checksum, code, _BYTES)


def environment(theme: Theme, *, memory: Memory | None = None) -> Environment:
    """Return the environment all templates of a theme are loaded in.

    Args:
        theme: The theme.
        memory: Where compiled templates are kept.
    """
    env = _Environment(
        loader=FileSystemLoader([str(folder) for folder in theme.folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
        bytecode_cache=_Compiled(memory) if memory else None,
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

    def load(self, names: Iterable[str]) -> None:
        """Load templates, those that are right, so that no copy of this process has to."""
        for name in names:
            with suppress(TemplateError):
                self.env.get_template(name)

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
