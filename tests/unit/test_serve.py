from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import threading
import time
from queue import Empty, Queue
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from support.built import find_command
from support.projects import SITE, small_files, write_files

PATIENCE_S = 60


class Preview:
    """A running ``torus-site serve`` and what it says."""

    def __init__(self, project, *words):
        command = [find_command(), "serve", "--project", str(project), *words]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        self.project = project
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        self._lines = Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.url = self.wait_for(r"Serving (http://127\.0\.0\.1:\d+/) ")[1]

    def _listen(self):
        for line in self.process.stdout:
            self._lines.put(line)

    def wait_for(self, pattern):
        """Wait for a line that matches and return the match."""
        deadline = time.monotonic() + PATIENCE_S
        said = ""
        while time.monotonic() < deadline:
            try:
                said += self._lines.get(timeout=1)
            except Empty:
                continue
            if match := re.search(pattern, said):
                return match
        pytest.fail(f"waited in vain for {pattern!r}; the preview said:\n{said}")

    def get(self, path="", **headers):
        """Return status, headers and body of an answer."""
        try:
            with urlopen(Request(self.url + path, headers=headers)) as answer:  # noqa: S310  the loopback
                return answer.status, answer.headers, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def save(self, **files):
        write_files(self.project, files)

    def wait_until(self, path, token):
        """Ask for a page until it holds the token."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if token in self.get(path)[2]:
                return
            time.sleep(0.02)
        pytest.fail(f"{path} never held {token}")

    def stop(self):
        """Interrupt it as Ctrl+C does and return how it ended."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def preview(tmp_path_factory):
    """A preview of the small project, on a port that was free."""
    project = write_files(tmp_path_factory.mktemp("served") / "project", small_files())
    running = Preview(project, "--port", "0", "-v")
    yield running
    running.process.kill()
    running.process.wait()
    running.process.stdout.close()


def test_pages_are_served_and_listen_for_changes(preview):
    status, headers, body = preview.get()
    assert (status, headers.get_content_type()) == (200, "text/html")
    assert b"livereload.js" in body
    assert preview.get("index.html")[2] == body
    assert preview.get("livereload.js")[0] == 200


def test_the_site_on_disk_is_left_without_the_listener(preview):
    assert b"livereload" not in (preview.project / "build/index.html").read_bytes()


def test_a_range_of_a_clip_is_answered_with_that_range(preview):
    clip = next((preview.project / "build/media").glob("*.wav"))
    content = clip.read_bytes()
    status, headers, body = preview.get(f"media/{clip.name}", Range="bytes=100-199")
    assert (status, headers["Content-Range"]) == (206, f"bytes 100-199/{len(content)}")
    assert body == content[100:200]
    status, headers, body = preview.get(f"media/{clip.name}", Range="bytes=-10")
    assert (status, body) == (206, content[-10:])
    status, headers, body = preview.get(f"media/{clip.name}")
    assert (status, headers["Accept-Ranges"], body) == (200, "bytes", content)
    assert preview.get(f"media/{clip.name}", Range=f"bytes={len(content)}-")[0] == 416


def test_what_is_not_there_gives_the_sites_own_page(preview):
    for path in ("nowhere", "toy/nowhere/index.html", "media/lost.mp3"):
        status, headers, body = preview.get(path)
        assert (status, headers.get_content_type()) == (404, "text/html")
        assert b"There is no such page." in body
        assert b'<base href="/">' in body


def test_nothing_outside_the_site_is_served(preview):
    for path in ("../site_src/site.toml", "%2e%2e%2fsite_src/site.toml", "//etc/passwd"):
        assert preview.get(path)[0] in {403, 404}


def test_a_save_is_served(preview):
    preview.save(**{"site_src/about.md": "title: About\n\nA new line of prose.\n"})
    preview.wait_until("about/index.html", b"A new line of prose.")


def test_a_new_template_is_noticed_and_its_end_as_well(preview):
    page = '{% extends "base.html" %}{% block main %}MY OWN {{ body }}{% endblock %}'
    preview.save(**{"templates/page.html": page})
    preview.wait_until("index.html", b"MY OWN ")
    (preview.project / "templates/page.html").unlink()
    (preview.project / "templates").rmdir()
    deadline = time.monotonic() + PATIENCE_S
    while b"MY OWN " in preview.get("index.html")[2] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert b"MY OWN " not in preview.get("index.html")[2]


def test_a_broken_save_keeps_the_last_good_site_and_mending_recovers(preview):
    before = preview.get("index.html")[2]
    preview.save(**{"site_src/site.toml": SITE | {"titel": "x"}})
    preview.wait_for(r"site_src/site\.toml at /titel: found the unknown key 'titel'")
    assert preview.get("index.html")[2] == before
    assert preview.process.poll() is None
    preview.save(**{"site_src/site.toml": SITE | {"title": "Mended toys"}})
    preview.wait_until("index.html", b"Mended toys")


def test_only_this_machine_is_answered(preview):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: this only asks which address would be used to reach another machine.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("needs an address other than the loopback's")
        address = probe.getsockname()[0]
    with socket.socket() as caller:
        caller.settimeout(5)
        assert caller.connect_ex((address, int(preview.url.rstrip("/").rpartition(":")[2]))) != 0


def test_an_interrupt_ends_it_well(tmp_path):
    running = Preview(write_files(tmp_path / "project", small_files()), "--port", "0")
    assert running.stop() == 0
    running.wait_for(r"Stopped\.\n")
    running.process.stdout.close()


def test_a_port_that_is_taken_is_told_in_one_line(tmp_path):
    project = write_files(tmp_path / "project", small_files())
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        words = [find_command(), "serve", "-q", "--project", str(project), "--port", str(port)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert done.returncode == 1
    told = f"port {port}: found address already in use; expected a free port; choose another --port"
    assert done.stderr.splitlines() == [f"error: serve at {told}", "1 error"]


def test_a_project_with_problems_is_not_served(tmp_path):
    project = write_files(tmp_path / "project", {"site_src/site.toml": "schema = 1"})
    words = [find_command(), "serve", "--project", str(project), "--port", "0"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: site_src/site.toml at /title: found nothing" in done.stderr
