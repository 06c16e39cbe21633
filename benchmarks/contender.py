"""What is measured: a site generator over one site on disk, told apart only by its commands and folders."""

from __future__ import annotations

import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from hugo_maker import make_hugo_site
from project_maker import BENCHMARK, make_project

WORD = "rumblemark"
_NOTICE = re.compile(rf'^notice = "(?:{WORD}\d+ )?', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Contender:
    """A site generator and its site.

    Args:
        name: What the table calls it.
        root: The folder of the site's source; commands run there.
        build: The command that builds.
        serve: The command that serves; a port is put behind it.
        forget: What a cold build does not have.
        output: Where the site goes.
        item: The file of one item.
        page: The page of that item, from the site's root.
    """

    name: str
    root: Path
    build: tuple[str, ...]
    serve: tuple[str, ...]
    forget: tuple[str, ...]
    output: str
    item: str
    page: str

    def make_cold(self) -> None:
        """Remove the output and everything remembered, encoded clips apart: Hugo encodes none."""
        for pattern in self.forget:
            for path in self.root.glob(pattern):
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink()

    def edit(self, number: int) -> str:
        """Write a word that no other page holds into the item's file and return it."""
        path = self.root / self.item
        word = f"{WORD}{number}"
        text = _NOTICE.sub(f'notice = "{word} ', path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        return word


def torus_site(root: Path, count: int) -> Contender:
    """Make the project and return this project's own generator."""
    items = make_project(root, count)
    name = items[count // 2]["id"]
    command = str(Path(sys.executable).with_name("torus-site"))
    return Contender(
        name="torus-site",
        root=root,
        build=(command, "build", "--quiet"),
        serve=(command, "serve", "--quiet", "--port"),
        forget=("build", ".cache/build-*", ".cache/memory*", ".cache/templates"),
        output="build",
        item=f"site_src/{BENCHMARK}/tests/{name}.toml",
        page=f"{BENCHMARK}/{name}/index.html",
    )


def hugo(root: Path, count: int, program: Path) -> Contender:
    """Make the site of the same items and return Hugo."""
    items = make_hugo_site(root, count)
    name = items[count // 2]["id"]
    return Contender(
        name="Hugo",
        root=root,
        build=(str(program), "--quiet"),
        serve=(str(program), "server", "--quiet", "--bind", "127.0.0.1", "--port"),
        forget=("public", "resources", ".hugo_build.lock"),
        output="public",
        item=f"content/{BENCHMARK}/{name}.md",
        page=f"{BENCHMARK}/{name}/index.html",
    )
