"""Where templates and assets are, and the published form of every asset.

A project may override any template or asset by a file of the same name in its own ``templates`` folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from torus_site.errors import BuildError, Problem

STYLESHEET = "css/site.css"
PLOTLY = "vendor/plotly.min.js"
_CLOSE = 0.75


def theme_root() -> Path:
    """Return the folder of the shipped templates: the packaged one if it is there, else the checkout's."""
    packaged = Path(__file__).parent / "templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


@dataclass(frozen=True, slots=True)
class Asset:
    """A file every page may ask for, under a name that changes with its content.

    Args:
        name: What templates call it, such as ``css/site.css``.
        path: Where it is published, from the site's root.
        content: Its bytes.
    """

    name: str
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Theme:
    """The templates and assets of a project: its own files first, then the shipped ones."""

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, project: Path) -> Theme:
        """Return the theme of a project folder."""
        own = project / "templates"
        shipped = theme_root()
        if own.is_dir() and own.resolve() != shipped.resolve():
            return cls((own, shipped))
        return cls((shipped,))

    def files(self) -> dict[str, Path]:
        """Return every theme file by its name from the theme's root, overrides applied, in order.

        Hidden files, byte code and what an editor keeps beside a file are left out.
        """
        found: dict[str, Path] = {}
        for folder in reversed(self.folders):
            for path in folder.rglob("*"):
                inner = path.relative_to(folder)
                is_private = any(part.startswith((".", "__pycache__")) for part in inner.parts)
                if path.is_file() and not is_private and not path.name.endswith("~"):
                    found[inner.as_posix()] = path
        return dict(sorted(found.items()))

    def assets(self) -> tuple[Asset, ...]:
        """Return what is published: one stylesheet, each script and image, and the chart library.

        Raises:
            BuildError: The plotly package has no browser library in it.
        """
        sheets: list[bytes] = []
        assets: list[Asset] = []
        for name, path in self.files().items():
            if not name.startswith("assets/"):
                continue
            short = name.removeprefix("assets/")
            if short.endswith(".css"):
                sheets.append(path.read_bytes())
            else:
                assets.append(_asset(short, path.read_bytes()))
        assets.append(_asset(STYLESHEET, b"".join(sheets)))
        assets.append(_asset(PLOTLY, plotly_library().read_bytes()))
        return tuple(sorted(assets, key=lambda asset: asset.name))

    def find_unused(self) -> tuple[Problem, ...]:
        """Warn of own templates that nothing asks for and that are nearly called like a shipped one."""
        if len(self.folders) == 1:
            return ()
        own, shipped = (
            {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html"))}
            for folder in self.folders
        )
        by_stem = {path.stem: name for name, path in shipped.items()}
        texts = [path.read_bytes() for path in own.values() if path.is_file()]
        problems = []
        for name, path in own.items():
            if name in shipped or any(name.encode() in text for text in texts):
                continue
            if close := get_close_matches(path.stem, by_stem, n=1, cutoff=_CLOSE):
                action = f"did you mean {by_stem[close[0]]!r}?"
                problems.append(
                    Problem(
                        f"templates/{name}",
                        found="a template nothing asks for",
                        action=action,
                        severity="warning",
                    )
                )
        return tuple(problems)


def plotly_library() -> Path:
    """Return the browser library inside the installed plotly package, without importing plotly.

    Raises:
        BuildError: The package or the file is missing.
    """
    spec = importlib.util.find_spec("plotly")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "package_data" / "plotly.min.js"
        if path.is_file():
            return path
    raise BuildError(
        Problem(
            "plotly",
            found="no package_data/plotly.min.js in the installed plotly",
            expected="the browser library",
            action="install plotly again: pip install --force-reinstall plotly",
        )
    )


def _asset(name: str, content: bytes) -> Asset:
    stem, dot, suffix = name.rpartition("/")[2].partition(".")
    digest = hashlib.sha256(content).hexdigest()[:10]
    return Asset(name, f"assets/{stem}-{digest}{dot}{suffix}", content)
