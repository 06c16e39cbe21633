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
from typing import TYPE_CHECKING

from torus_site.errors import BuildError, Problem, TorusError
from torus_site.freshness import INPUT_FOLDERS
from torus_site.run import Reporter, Request, run
from torus_site.theme import theme_root

if TYPE_CHECKING:
    from pathlib import Path

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
    run(request, report=report)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(request, port=port, open_browser=open_browser, report=report))
    report.say("Stopped.")


async def _serve(request: Request, *, port: int, open_browser: bool, report: Reporter) -> None:
    from livereload import Server  # noqa: PLC0415  brings a web server along
    from livereload.handlers import LiveReloadHandler  # noqa: PLC0415  brings a web server along
    from watchfiles import awatch  # noqa: PLC0415  not needed by a plain build

    for name in ("livereload", "tornado.access", "tornado.application", "tornado.general"):
        logging.getLogger(name).setLevel(logging.ERROR)
    port = port or _free_port()
    server = Server()
    server.root = str(request.into)
    server.default_filename = "index.html"
    try:
        server.application(port, HOST, debug=False)
    except OSError as error:
        raise BuildError(
            Problem(
                "serve", f"port {port}", f"{error.strerror or error}", "a free port", "choose another --port"
            )
        ) from error
    address = f"http://{HOST}:{port}/"
    report.say(f"Serving {address} (Ctrl+C stops)")
    if open_browser:
        webbrowser.open(address)
    folders = _watched(request.project)
    looked_back = False
    async for changes in awatch(*folders, debounce=50, step=10, rust_timeout=500, yield_on_timeout=True):
        # What was saved between the first build and the start of the watch is found once, by looking back.
        if not changes and looked_back:
            continue
        looked_back = True
        report.detail(f"changed: {', '.join(sorted(path for _, path in changes)) or 'nothing yet'}")
        try:
            changed = await asyncio.to_thread(run, request, report=report)
        except TorusError as error:
            report.problems(error.problems)
            continue
        if changed:
            LiveReloadHandler.reload_waiters("*")


def _watched(project: Path) -> list[Path]:
    folders = [project / name for name in INPUT_FOLDERS]
    return [folder for folder in dict.fromkeys([*folders, theme_root()]) if folder.is_dir()]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        number: int = probe.getsockname()[1]
        return number
