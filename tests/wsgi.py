"""Asks the WSGI application itself, as gunicorn does: the short way lies in front of Django."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.util import setup_testing_defaults

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
    response = application(environ, lambda *arguments: started.extend(arguments))  # type: ignore[arg-type,return-value,func-returns-value]  # nothing writes
    try:
        body = b"".join(response)
    finally:
        if hasattr(response, "close"):
            response.close()
    status, sent = started
    assert len(dict(sent)) == len(sent), "a header came twice"
    return Answer(int(status.split()[0]), dict(sent), body)
