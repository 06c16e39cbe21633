"""Markdown pages: their front matter, their prose, and the blocks that stand between.

A line ``::: kind name`` on its own is a block: a table, a figure or another piece the descriptor declares.
Everything else is Markdown with tables, footnotes and attribute lists.
"""

from __future__ import annotations

import re
import stat
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension
from markupsafe import Markup

from torus_site.errors import ContentError, Problem, nearest

if TYPE_CHECKING:
    from pathlib import Path

KEYS = ("title", "description", "nav", "order", "lead")
_BLOCK = re.compile(r"^:::[ \t]*(?P<kind>[a-z-]+)(?:[ \t]+(?P<name>\S+))?[ \t]*$")
_PERCENT = re.compile(r"(?<=\d) (?=%)")
_FRONT = re.compile(r"^(?P<key>[A-Za-z_-]+):[ \t]*(?P<value>.*)$")


class BlockRenderer(Protocol):
    """Turns a block of a page into HTML."""

    def __call__(self, kind: str, name: str) -> str:
        """Render one block.

        Raises:
            ContentError: The kind or the name is unknown.
        """


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown page as read.

    Args:
        file: Its place in the project, for messages.
        folder: The benchmark folder it stands in, or an empty string.
        slug: The file's name without the ending.
        title: From the front matter.
        description: For search engines and link previews.
        nav: Its label in the navigation, or an empty string to stay out of it.
        order: Its place in the navigation.
        lead: A sentence under the title.
        text: The Markdown below the front matter.
    """

    file: str
    folder: str
    slug: str
    title: str
    description: str
    nav: str
    order: int
    lead: str
    text: str

    @property
    def path(self) -> str:
        """Where the page is published, from the site's root."""
        if not self.folder and self.slug in {"index", "404"}:
            return f"{self.slug}.html"
        parts = [part for part in (self.folder, "" if self.slug == "index" else self.slug) if part]
        return "/".join([*parts, "index.html"])

    def blocks(self) -> tuple[tuple[str, str], ...]:
        """Return kind and name of every block, in order."""
        found = (_BLOCK.match(line) for line in self.text.splitlines())
        return tuple((match["kind"], match["name"] or "") for match in found if match)


def read_page(path: Path, *, file: str, folder: str = "") -> Page:
    """Read a Markdown page.

    Args:
        path: The file.
        file: Its name in messages.
        folder: The benchmark folder it belongs to.

    Raises:
        ContentError: The file is not UTF-8, or its front matter is wrong.
    """
    lines = _read_text(path, file=file).splitlines()
    front: dict[str, str] = {}
    problems: list[Problem] = []
    used = 0
    for number, line in enumerate(lines, 1):
        match = _FRONT.match(line)
        if not match:
            used = number if not line.strip() and front else number - 1
            break
        used = number
        key = match["key"].lower()
        if key not in KEYS:
            hint = nearest(key, KEYS) or f"known: {', '.join(KEYS)}"
            problems.append(Problem(file, f"line {number}", f"{key!r}", "a front matter key", hint))
        elif key in front:
            problems.append(
                Problem(file, f"line {number}", f"{key!r} a second time", "each key once", "keep one")
            )
        front[key] = match["value"].strip()
    if lines and lines[0].strip() == "---":
        action = "remove the --- lines"
        problems.append(Problem(file, "line 1", "'---'", "front matter without lines around it", action))
    elif not front.get("title"):
        problems.append(Problem(file, "line 1", "no title", "a first line 'title: ...'", "add one"))
    order = front.get("order", "100")
    if not re.fullmatch(r"-?\d{1,18}", order):
        problems.append(Problem(file, "order", repr(order), "a whole number"))
    if problems:
        raise ContentError(problems)
    return Page(
        file=file,
        folder=folder,
        slug=path.stem,
        title=front["title"],
        description=front.get("description", ""),
        nav=front.get("nav", ""),
        order=int(order),
        lead=front.get("lead", ""),
        text="\n".join(lines[used:]) + "\n",
    )


def _read_text(path: Path, *, file: str) -> str:
    if not path.stem.isprintable():
        raise ContentError(
            Problem(file, "", "signs no address can hold", "a name of letters", "rename the file")
        )
    try:
        # Reading a pipe or a device might never end.
        if not stat.S_ISREG(mode := path.stat().st_mode) and not stat.S_ISDIR(mode):
            raise ContentError(Problem(file, "", "no ordinary file", "a file that can be read"))
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ContentError(
            Problem(file, "", str(error.strerror or error).lower(), "a file that can be read")
        ) from None
    except UnicodeDecodeError as error:
        found = f"the byte 0x{error.object[error.start]:02x}"
        at = error.object.count(b"\n", 0, error.start) + 1
        raise ContentError(Problem(file, f"line {at}", found, "UTF-8 text", "save it as UTF-8")) from None


def render_markdown(text: str, block: BlockRenderer, *, file: str = "a page") -> Markup:
    r"""Turn Markdown into HTML, blocks included.

    Args:
        text: Markdown without front matter. Raw HTML in it is the author's and kept.
        block: Renders each ``::: kind name`` line.
        file: The page's name in messages.

    Raises:
        ContentError: Lists or quotations are nested too deeply.

    >>> render_markdown("# Hello *you*", lambda kind, name: "")
    Markup('<h1 id="hello-you">Hello <em>you</em></h1>')
    >>> render_markdown("a\n\n::: table main\n\nb", lambda kind, name: f"<p>{kind} {name}</p>")
    Markup('<p>a</p>\n<p>table main</p>\n<p>b</p>')
    """
    converter = markdown.Markdown(
        extensions=["tables", "fenced_code", "footnotes", "attr_list", "toc", _Blocks(block)],
        output_format="html",
    )
    # A number and its percent sign stay on one line.
    try:
        html = converter.convert(_PERCENT.sub("\N{NO-BREAK SPACE}", text))
    except RecursionError:
        problem = Problem(file, "", "lists or quotations nested too deeply", "a few levels")
        raise ContentError(problem) from None
    return Markup(html)  # noqa: S704  the author's own Markdown


class _Blocks(Extension):
    """Registers the block syntax with python-markdown."""

    def __init__(self, block: BlockRenderer) -> None:
        super().__init__()
        self._block = block

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # noqa: N802  the library's name
        """Put the processor before paragraphs."""
        md.parser.blockprocessors.register(_BlockProcessor(md, self._block), "torus-block", 175)


class _BlockProcessor(BlockProcessor):
    """Replaces ``::: kind name`` by what the renderer gives, through the raw HTML stash."""

    def __init__(self, md: markdown.Markdown, block: BlockRenderer) -> None:
        super().__init__(md.parser)
        self._md = md
        self._block = block

    def test(self, parent: ET.Element, block: str) -> bool:  # noqa: ARG002  the library's signature
        """Tell whether any line of the chunk is a block."""
        return any(_BLOCK.match(line) for line in block.splitlines())

    def run(self, parent: ET.Element, blocks: list[str]) -> None:
        """Split the chunk at its first block line."""
        lines = blocks.pop(0).splitlines()
        at = next(index for index, line in enumerate(lines) if _BLOCK.match(line))
        match = _BLOCK.match(lines[at])
        assert match is not None  # noqa: S101  found on the line above
        if before := "\n".join(lines[:at]).strip():
            self.parser.parseBlocks(parent, [before])
        place = ET.SubElement(parent, "p")
        place.text = self._md.htmlStash.store(self._block(match["kind"], match["name"] or ""))
        if after := "\n".join(lines[at + 1 :]):
            blocks.insert(0, after)
