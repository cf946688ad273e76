"""The agenda's cookie: sent to /<conference>/agenda/ alone, so no public page ever sees it."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NAME: Final = "agenda"
#: The longest that browsers keep a cookie.
MAX_AGE: Final = 400 * 24 * 60 * 60


def path(conference: str) -> str:
    """Return the path below which browsers send the cookie of this conference's agenda."""
    return f"/{conference}/agenda/"


def read(request: HttpRequest) -> str:
    """Return the token that the browser sent, empty where it sent none."""
    return request.COOKIES.get(NAME, "")


def write(response: HttpResponseBase, conference: str, token: str) -> None:
    """Let the browser keep the token; scripts cannot read it, other sites cannot send it."""
    response.set_cookie(
        NAME,
        token,
        max_age=MAX_AGE,
        path=path(conference),
        secure=settings.CSRF_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def forget(response: HttpResponseBase, conference: str) -> None:
    """Let the browser drop the token."""
    response.delete_cookie(NAME, path=path(conference), samesite="Lax")
