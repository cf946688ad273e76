"""Asks the WSGI application itself, as gunicorn does: the short way lies in front of Django."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.util import setup_testing_defaults

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection

from confsched.wsgi import application


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(path: str, method: str = "GET", /, **headers: str) -> Answer:
    """Send one request; headers as ``Accept_Encoding="br"``, and ``scheme="https"`` for that."""
    path, _, query = path.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "HTTP_HOST": "localhost",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": headers.pop("scheme", "http"),
        "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr,
    }
    setup_testing_defaults(environ)
    environ |= {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    started: list[Any] = []
    with _connection_kept():
        return _answer(environ, started)


@contextlib.contextmanager
def _connection_kept() -> Iterator[None]:
    """Keep Django from closing the connection whose transaction a test lives in."""
    is_test_s = connection.in_atomic_block
    signals = (request_started, request_finished) if is_test_s else ()
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def _answer(environ: dict[str, Any], started: list[Any]) -> Answer:
    response = application(environ, lambda *arguments: started.extend(arguments))  # type: ignore[arg-type,return-value,func-returns-value]  # nothing writes
    try:
        body = b"".join(response)
    finally:
        if hasattr(response, "close"):
            response.close()
    status, sent = started
    assert len(dict(sent)) == len(sent), "a header came twice"
    return Answer(int(status.split()[0]), dict(sent), body)
