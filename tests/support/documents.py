"""The fenced blocks of the documentation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.repository import DOCS, ROOT

if TYPE_CHECKING:
    from pathlib import Path

FENCE = re.compile(
    r"^(?P<fence>```+)(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=fence)\s*$", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Args:
        path: The document.
        line: The line of its first line of text, from 1.
        language: The word behind the fence.
        text: What stands between the fences.
    """

    path: Path
    line: int
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a console block and what the document says it prints."""

    line: int
    command: str
    output: str


def list_documents() -> list[Path]:
    """Return the documents whose blocks must hold, sorted."""
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")])


def list_blocks(path: Path) -> list[Block]:
    """Return every fenced block of a document in order.

    Raises:
        ValueError: A fence is left open.
    """
    text = path.read_text(encoding="utf-8")
    if len(re.findall(r"^```", text, re.MULTILINE)) % 2:
        message = f"{path.name} leaves a fence open"
        raise ValueError(message)
    return [
        Block(path, text.count("\n", 0, match.start("text")) + 1, match["language"], match["text"])
        for match in FENCE.finditer(text)
    ]


def list_steps(block: Block) -> list[Step]:
    """Return the commands of a console block; a line that ends in a backslash goes on in the next."""
    steps: list[Step] = []
    lines = iter(enumerate(block.text.splitlines(), block.line))
    for number, line in lines:
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            while command.endswith("\\"):
                command = command[:-1] + next(lines)[1].strip()
            steps.append(Step(number, command, ""))
        elif steps:
            last = steps.pop()
            steps.append(Step(last.line, last.command, f"{last.output}{line}\n"))
    return steps
