"""Every page of the built site is valid HTML, as the Nu checker sees it."""

from __future__ import annotations

import json
import subprocess

import pytest

from support.console import run_site
from support.lapses import lapsed_files
from support.oddities import odd_files
from support.programs import need_npm_file, need_program

pytestmark = pytest.mark.npm


@pytest.fixture(scope="module")
def check_html():
    """A function that returns what the Nu checker finds wrong in a folder, one line an error."""
    java, checker = need_program("java"), need_npm_file("vnu-jar/build/dist/vnu.jar")

    def check(folder):
        done = subprocess.run(
            [java, "-jar", checker, "--skip-non-html", "--errors-only", "--format", "json", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        messages = json.loads(done.stderr)["messages"]
        return [
            f"{message['url'].rpartition(folder.name)[2]}:{message.get('lastLine', 0)}: {message['message']}"
            for message in messages
        ]

    return check


def test_every_page_is_valid_html(site, check_html):
    assert site.pages
    assert check_html(site.folder) == []


def test_pages_of_an_odd_benchmark_are_valid_html(make_site, check_html):
    project = make_site(odd_files())
    assert run_site("build", "--project", project).code == 0
    assert check_html(project / "build") == []


def test_pages_of_lapses_are_valid_html(make_site, check_html):
    project = make_site(lapsed_files())
    assert run_site("build", "--project", project).code == 0
    assert check_html(project / "build") == []


def test_checker_finds_what_is_wrong(tmp_path, check_html):
    head = '<!doctype html>\n<html lang="en"><head><title>t</title></head>\n'
    body = "<body><p id=a>one</p><p id=a>two</p></body></html>"
    (tmp_path / "wrong.html").write_text(head + body, encoding="utf-8")
    assert any("Duplicate ID" in line for line in check_html(tmp_path))
