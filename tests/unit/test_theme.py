from __future__ import annotations

import hashlib
import importlib.util
from types import SimpleNamespace

import pytest

from support.projects import write_files
from torus_site.errors import BuildError
from torus_site.theme import PLOTLY, STYLESHEET, Theme, plotly_library, theme_root


def assets_of(project):
    return {asset.name: asset for asset in Theme.of(project).assets()}


def test_the_shipped_theme_has_what_pages_ask_for():
    names = Theme.of(theme_root().parent).files()
    assert {"base.html", "page.html", "item.html", "assets/js/boot.js"} <= set(names)
    assert theme_root().is_dir()


def test_names_of_assets_follow_their_content(tmp_path):
    for name, asset in assets_of(tmp_path).items():
        digest = hashlib.sha256(asset.content).hexdigest()[:10]
        stem, _, suffix = name.rpartition("/")[2].partition(".")
        assert asset.path == f"assets/{stem}-{digest}.{suffix}"


def test_style_sheets_become_one_in_the_order_of_their_names(tmp_path):
    sheets = {
        "templates/assets/css/99-mine.css": "/* last */",
        "templates/assets/css/00-first.css": "/* first */",
    }
    write_files(tmp_path, sheets)
    assets = assets_of(tmp_path)
    content = assets[STYLESHEET].content
    assert content.startswith(b"/* first */")
    assert content.endswith(b"/* last */")
    assert [name for name in assets if name.endswith(".css")] == [STYLESHEET]


def test_a_file_of_the_project_stands_before_the_shipped_one(tmp_path):
    write_files(tmp_path, {"templates/assets/js/boot.js": "mine()", "templates/base.html": "mine"})
    theme = Theme.of(tmp_path)
    assert theme.files()["base.html"] == tmp_path / "templates/base.html"
    assert theme.files()["page.html"] == theme_root() / "page.html"
    assert assets_of(tmp_path)["js/boot.js"].content == b"mine()"


def test_a_project_may_add_files_of_its_own(tmp_path):
    write_files(tmp_path, {"templates/assets/img/logo.png": b"png"})
    assert assets_of(tmp_path)["img/logo.png"].path.startswith("assets/logo-")


def test_the_checkout_that_ships_the_theme_has_no_overrides():
    assert Theme.of(theme_root().parent).folders == (theme_root(),)


def test_the_chart_library_comes_out_of_the_installed_package(tmp_path):
    assert assets_of(tmp_path)[PLOTLY].content == plotly_library().read_bytes()
    assert plotly_library().stat().st_size > 1_000_000


@pytest.mark.parametrize("places", [None, [], ["nowhere"]])
def test_a_missing_chart_library_is_told(places, monkeypatch):
    spec = None if places is None else SimpleNamespace(submodule_search_locations=places)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    with pytest.raises(BuildError, match=r"plotly: found no package_data/plotly\.min\.js"):
        plotly_library()


def test_hidden_files_and_byte_code_are_no_part_of_a_theme(tmp_path):
    names = ("assets/js/.boot.js.swp", "assets/.DS_Store", "__pycache__/x.pyc", "base.html~")
    write_files(tmp_path, {f"templates/{name}": "x" for name in names})
    assert Theme.of(tmp_path).files() == Theme.of(theme_root().parent).files()


def test_a_template_with_nearly_a_shipped_name_is_warned_of(tmp_path):
    names = ("blocks/heroo.html", "blocks/extra.html", "blocks/table.html", "blocks/tables.html")
    write_files(tmp_path, {f"templates/{name}": "x" for name in names})
    write_files(tmp_path, {"templates/page.html": "{% include 'blocks/tables.html' %}"})
    write_files(tmp_path, {"templates/facts.html": ""})
    problem, elsewhere = Theme.of(tmp_path).find_unused()
    assert elsewhere.action == "did you mean 'blocks/facts.html'?"
    assert problem.severity == "warning"
    assert str(problem) == (
        "templates/blocks/heroo.html: found a template nothing asks for; did you mean 'blocks/hero.html'?"
    )
    assert Theme.of(tmp_path / "none").find_unused() == ()
