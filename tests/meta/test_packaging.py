"""The wheel, the sdist and an editable install each hold all of it and build a site from nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from support.repository import PACKAGES, ROOT, TEMPLATES

pytestmark = [pytest.mark.packaging, pytest.mark.slow]

EDITABLE = "import hatchling.build, sys; print(hatchling.build.build_editable(sys.argv[1]))"


def run(words, cwd):
    foreign = ("PYTHON", "VIRTUAL_ENV", "COV_")
    clean = {name: text for name, text in os.environ.items() if not name.startswith(foreign)}
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, env=clean)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def hatchling():
    return pytest.importorskip("hatchling", reason="needs hatchling, which the extra `test` brings")


@pytest.fixture(scope="module")
def wheel(hatchling, tmp_path_factory):
    assert hatchling
    into = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", into], ROOT)
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def sdist(hatchling, tmp_path_factory):
    assert hatchling
    into = tmp_path_factory.mktemp("sdist")
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", into], ROOT)
    return next(into.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def editable(hatchling, tmp_path_factory):
    assert hatchling
    into = tmp_path_factory.mktemp("editable")
    run([sys.executable, "-c", EDITABLE, into], ROOT)
    return next(into.glob("*.whl"))


@pytest.fixture
def installed(request, tmp_path):
    """A fresh environment with this distribution installed and the libraries of the running one beside it."""
    distribution = request.getfixturevalue(request.param)
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", distribution)
    run([sys.executable, "-m", "pip", "--python", python, *install], tmp_path)
    find = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = Path(run([python, "-c", find], tmp_path).strip())
    (own / "libraries.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    return environment / "bin"


def list_wheel(path):
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_wheel_holds_packages_and_templates_and_nothing_else(wheel):
    names = {name for name in list_wheel(wheel) if ".dist-info/" not in name}
    modules = {
        file.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for file in package.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    templates = {
        f"torus_site/templates/{file.relative_to(TEMPLATES).as_posix()}"
        for file in TEMPLATES.rglob("*")
        if file.is_file()
    }
    assert names == modules | templates


def test_sdist_gives_the_same_wheel(sdist, wheel, tmp_path):
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"], folder)
    (again,) = (tmp_path / "again").glob("*.whl")
    assert list_wheel(again) == list_wheel(wheel)


@pytest.mark.parametrize("installed", ["wheel", "editable"], indirect=True)
def test_install_builds_a_site_from_nothing(installed, tmp_path):
    run([installed / "torus-site", "new", "mine"], tmp_path)
    run([installed / "torus-site", "build", "--strict", "--project", "mine"], tmp_path)
    home = (tmp_path / "mine" / "build" / "index.html").read_text(encoding="utf-8")
    assert "<h1" in home


@pytest.mark.parametrize(
    ("installed", "is_checkout"), [("wheel", False), ("editable", True)], indirect=["installed"]
)
def test_install_runs_the_code_it_should(installed, tmp_path, is_checkout):
    script = "import torus_site.theme as theme; print(theme.__file__); print(theme.theme_root())"
    module, templates = run([installed / "python", "-c", script], tmp_path).splitlines()
    assert module.startswith(str(ROOT)) == is_checkout
    assert templates.startswith(str(ROOT)) == is_checkout
    assert run([installed / "torus-eval", "--help"], tmp_path).startswith("Usage:")
