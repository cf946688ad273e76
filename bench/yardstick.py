"""The yardstick: a Django view that returns bytes from a folder, and nothing else.

``bench.yardstick:bare`` is a Django without any middleware; ``bench.yardstick:wrapped`` is the very
same view behind the site's middleware. What a page of the site costs above the first is the cost
of the site; what the second costs above the first is the share of its middleware.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path

FOLDER = "BENCH_BODIES"
CONTENT_TYPE = "text/html; charset=utf-8"


def _load() -> dict[str, bytes]:
    folder = os.environ.get(FOLDER)
    return {file.name: file.read_bytes() for file in Path(folder).iterdir()} if folder else {}


BODIES = _load()


def body(request: HttpRequest, name: str) -> HttpResponse:
    """Return the bytes of that file with status 200."""
    content = BODIES[name]
    # Without the length gunicorn would send chunks, which is more work, not less.
    return HttpResponse(
        content, content_type=CONTENT_TYPE, headers={"Content-Length": str(len(content))}
    )


def not_modified(request: HttpRequest) -> HttpResponse:
    """Return a bare 304."""
    return HttpResponse(status=304)


urlpatterns = [path("body/<str:name>", body), path("304", not_modified)]


def _application(settings_module: str) -> Any:
    os.environ["DJANGO_SETTINGS_MODULE"] = settings_module
    from django.core.wsgi import get_wsgi_application  # needs the settings module to be named

    return get_wsgi_application()


def bare() -> Any:
    """Return the WSGI application without middleware."""
    return _application("bench.settings_bare")


def wrapped() -> Any:
    """Return the WSGI application with the site's middleware."""
    return _application("bench.settings_wrapped")
