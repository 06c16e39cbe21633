from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def keep_python(text: str) -> str:
    """Blank every line outside python blocks, so that a failure names the line of the page."""
    kept, inside = [], False
    for line in text.splitlines():
        fence = line.startswith("```")
        kept.append(line if inside and not fence else "")
        inside = line == "```python" if fence else inside
    return "\n".join(kept)


def test_every_example_of_the_statistics_page_gives_what_it_shows():
    source = keep_python(PAGE.read_text(encoding="utf-8"))
    examples = doctest.DocTestParser().get_doctest(source, {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 40
    report: list[str] = []
    outcome = doctest.DocTestRunner(verbose=False).run(examples, out=report.append)
    assert not outcome.failed, "".join(report)
