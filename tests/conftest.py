"""Options and fixtures of every test: the built site, and skips that continuous integration refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.built import BuiltSite, build_once, copy_project, make_project
from support.projects import write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

STRICT_MARKERS = ("browser", "models", "npm", "packaging")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what golden tests got in place of what they expect",
    )
    parser.addoption(
        "--require-browser",
        action="store_true",
        default=os.environ.get("TORUS_REQUIRE_BROWSER", "") not in {"", "0"},
        help="fail where a browser, models, npm or packaging test is skipped, or where no browser test ran "
        "(also TORUS_REQUIRE_BROWSER=1)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    report.needs_browser = item.get_closest_marker("browser") is not None
    strict = item.config.getoption("--require-browser") and any(map(item.get_closest_marker, STRICT_MARKERS))
    if strict and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} must not be skipped here. {reason}"
    return report


class BrowserCount:
    """Counts the browser tests that passed, so that a run without any cannot look like a success."""

    def __init__(self) -> None:
        self.passed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed and getattr(report, "needs_browser", False):
            self.passed += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.passed == 0 and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.passed == 0:
            terminalreporter.write_line("no browser test ran, and this run requires them", red=True)


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--require-browser") and not is_worker:
        config.pluginmanager.register(BrowserCount(), "browser-count")


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this session share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def site(shared_folder) -> BuiltSite:
    """The site of this repository, built once a session by ``torus-site build``."""
    return build_once(shared_folder / "own", copy_project)


@pytest.fixture(scope="session")
def starter(shared_folder) -> BuiltSite:
    """The site of the small project that ``torus-site new`` makes, built once a session."""
    return build_once(shared_folder / "starter", make_project)


@pytest.fixture
def make_site(tmp_path) -> Callable[[Mapping[str, object]], Path]:
    """A function that writes a project from a dictionary of files and returns its folder."""

    def write(files: Mapping[str, object]) -> Path:
        return write_files(tmp_path / "project", files)

    return write


@pytest.fixture
def read_names(monkeypatch):
    """Names of all files read whole, by any thread."""
    names = []
    read = Path.read_bytes

    def spy(path):
        names.append(path.name)
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", spy)
    return names
