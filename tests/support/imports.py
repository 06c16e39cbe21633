"""What a Python file imports, read from its syntax tree and never by running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.repository import PACKAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module.

    Args:
        module: Its dotted name; for ``from a import b`` both ``a`` and ``a.b`` are tried.
        line: Where it stands.
        is_deferred: It happens inside a function, so only when that function runs.
        is_typing: It stands under ``if TYPE_CHECKING``, so never at run time.
    """

    module: str
    line: int
    is_deferred: bool
    is_typing: bool


def name_module(path: Path) -> str:
    """Return a source file's dotted name: ``torus_site.stats.rates``, a package's for its ``__init__``."""
    root = next(package.parent for package in PACKAGES if path.is_relative_to(package))
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def list_imports(path: Path) -> list[Import]:
    """Return every import of a source file in the order in which they stand."""
    package = name_module(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return list(_walk(tree, package, is_deferred=False, is_typing=False))


def _walk(node: ast.AST, package: list[str], *, is_deferred: bool, is_typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        deferred = is_deferred or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        typing = is_typing or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, child.lineno, deferred, typing)
        elif isinstance(child, ast.ImportFrom):
            above = package[: len(package) - child.level + 1] if child.level else []
            base = ".".join([*above, *([child.module] if child.module else [])])
            yield Import(base, child.lineno, deferred, typing)
            for alias in child.names:
                yield Import(f"{base}.{alias.name}", child.lineno, deferred, typing)
        yield from _walk(child, package, is_deferred=deferred, is_typing=typing)
