"""The preview: builds, serves on this machine alone, builds again on a change and reloads the browser.

Tornado's file handler under livereload answers Range requests with 206, so seeking in clips works.
livereload's own watcher polls every 0.8 s and drops reloads that follow within 3 s of each other;
watchfiles tells at once, so it takes the watcher's place.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import webbrowser
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torus_site.errors import BuildError, Problem, TorusError
from torus_site.freshness import INPUT_FOLDERS
from torus_site.memory import Memory
from torus_site.run import CACHE, MEMORY, Reporter, Request, run
from torus_site.theme import theme_root

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from livereload import Server

HOST = "127.0.0.1"


def serve(request: Request, *, port: int, open_browser: bool, report: Reporter) -> None:
    """Serve until interrupted.

    Args:
        request: What to build and where.
        port: The port on the loopback address; 0 takes any free one.
        open_browser: Whether to open the site.
        report: Where to say how it goes.

    Raises:
        TorusError: The first build found problems.
        BuildError: The port is taken.
    """
    # One memory for all builds: what did not change is neither read nor loaded again on a save.
    memory = Memory(request.project.absolute() / CACHE / MEMORY)
    run(request, report=report, memory=memory)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(request, memory, port=port, open_browser=open_browser, report=report))
    report.say("Stopped.")


async def _serve(
    request: Request, memory: Memory, *, port: int, open_browser: bool, report: Reporter
) -> None:
    from livereload.handlers import LiveReloadHandler  # noqa: PLC0415  brings a web server along

    for name in ("livereload", "tornado.access", "tornado.application", "tornado.general"):
        logging.getLogger(name).setLevel(logging.ERROR)
    port = port or _free_port()
    try:
        _make_server(request.into).application(port, HOST, debug=False)
    except OSError as error:
        found = str(error.strerror or error).lower()
        raise BuildError(
            Problem("serve", f"port {port}", found, "a free port", "choose another --port")
        ) from error
    address = f"http://{HOST}:{port}/"
    report.say(f"Serving {address} (Ctrl+C stops)")
    if open_browser:
        webbrowser.open(address)
    async for paths in _watch(request.project):
        report.detail(f"changed: {', '.join(paths) or 'nothing yet'}")
        try:
            changed = await asyncio.to_thread(run, request, report=report, memory=memory)
        except TorusError as error:
            report.problems(error.problems)
            continue
        except OSError as error:
            found = str(error.strerror or error).lower()
            report.problems((Problem(str(error.filename or "the system"), found=found),))
            continue
        if changed:
            LiveReloadHandler.reload_waiters("*")


def _make_server(root: Path) -> Server:
    from livereload import Server  # noqa: PLC0415  brings a web server along
    from livereload.handlers import StaticFileHandler  # noqa: PLC0415  brings a web server along

    server = Server()
    server.root = str(root)
    server.default_filename = "index.html"

    class Handler(StaticFileHandler):  # type: ignore[misc]  # livereload has no types
        """Answers what is not there with the site's own page."""

        def write_error(self, status_code: int, **kwargs: Any) -> None:  # noqa: ANN401  tornado's signature
            page = Path(self.root, "404.html")
            if status_code != HTTPStatus.NOT_FOUND or not page.is_file():
                super().write_error(status_code, **kwargs)
                return
            # Its links are relative to the site's root, wherever it is shown.
            self.set_header("Content-Type", "text/html; charset=UTF-8")
            self.finish(page.read_bytes().replace(b"<head>", b'<head><base href="/">', 1))

    server.SFH = Handler
    return server


async def _watch(project: Path) -> AsyncIterator[list[str]]:
    """Give the paths of every change, and nothing once after each start of a watch.

    What was saved before the watch began is then found by looking back. It begins anew when one of the
    folders comes or goes, such as a first template of the project's own.
    """
    from watchfiles import awatch  # noqa: PLC0415  not needed by a plain build

    while True:
        folders = _watched(project)
        looked_back = False
        async for changes in awatch(*folders, debounce=50, step=10, rust_timeout=500, yield_on_timeout=True):
            if changes or not looked_back:
                looked_back = True
                yield sorted(path for _, path in changes)
            if _watched(project) != folders:
                break


def _watched(project: Path) -> list[Path]:
    folders = [project / name for name in INPUT_FOLDERS]
    return [folder for folder in dict.fromkeys([*folders, theme_root()]) if folder.is_dir()]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        number: int = probe.getsockname()[1]
        return number
