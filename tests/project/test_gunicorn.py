"""gunicorn under the site's own configuration: what it logs, and whom it believes."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.servers import Server, gunicorn

pytestmark = pytest.mark.slow  # starts a server
TOKEN = "Ab-_" * 10 + "xyz"


def scheme(environ: dict[str, Any], start_response: Callable[..., object]) -> list[bytes]:
    """Answer with the scheme that gunicorn hands on; the application under test."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"scheme=" + environ["wsgi.url_scheme"].encode()]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def server(log: Path) -> Iterator[Server]:
    with gunicorn("tests.project.test_gunicorn:scheme", log) as running:
        yield running


def exchange(server: Server, request: str) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(request.encode())
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(4096), b""))


def test_secrets_in_requests_that_it_cannot_read_stay_out_of_its_log(
    server: Server, log: Path
) -> None:
    answer = exchange(server, f"GET /agenda/feed/{TOKEN}.ics\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400")
    written = log.read_text()
    assert "Invalid request" in written
    assert TOKEN not in written


def test_it_believes_no_proxy_by_itself(server: Server) -> None:
    request = "GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n\r\n"
    assert b"scheme=http\r\n" in exchange(server, request)
