"""The loopback host of the browser tests behaves as a plain static host does."""

from __future__ import annotations

import gzip
import http.client
from urllib.parse import urlsplit

import pytest

from support.loopback import Loopback


def ask(loopback, name, **headers):
    address = urlsplit(loopback.url)
    connection = http.client.HTTPConnection(address.hostname, address.port)
    connection.request("GET", address.path + name, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize(
    ("wanted", "status", "body"),
    [
        ("bytes=0-9", 206, bytes(range(10))),
        ("bytes=12-", 206, bytes(range(12, 20))),
        ("bytes=15-99", 206, bytes(range(15, 20))),
        ("bytes=-5", 206, bytes(range(15, 20))),
        ("bytes=90-", 416, b""),
    ],
)
def test_ranges_are_answered(tmp_path, wanted, status, body):
    (tmp_path / "twenty.mp3").write_bytes(bytes(range(20)))
    with Loopback(tmp_path, "/sub/") as loopback:
        answer, got = ask(loopback, "twenty.mp3", Range=wanted)
    assert (answer.status, got) == (status, body)
    assert answer.headers["Content-Range"].endswith("/20")


def test_text_is_compressed_where_the_browser_can_read_it(tmp_path):
    (tmp_path / "index.html").write_text("yes" * 100, encoding="utf-8")
    with Loopback(tmp_path) as loopback:
        answer, packed = ask(loopback, "index.html", **{"Accept-Encoding": "gzip, br"})
        _, plain = ask(loopback, "index.html")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed) == plain == b"yes" * 100


@pytest.mark.parametrize(
    "target", ["/index.html", "/sub/../../secret", "/sub/%2e%2e/secret", "/sub/none.html", "/sub"]
)
def test_nothing_but_the_folder_is_served(tmp_path, target):
    (tmp_path / "secret").write_text("no", encoding="utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("yes", encoding="utf-8")
    with Loopback(tmp_path / "site", "/sub/") as loopback:
        assert loopback.find(target) is None
        assert loopback.find("/sub/") == tmp_path / "site" / "index.html"
        assert loopback.asked == []
