"""System checks: mistakes in the set-up that should stop a start rather than surprise visitors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.urls import URLPattern, URLResolver, get_resolver

from confsched.models import RESERVED_SLUGS

#: What stands in for Django's own middleware, whose checks look for other names.
NEEDED_MIDDLEWARE = (
    "confsched.middleware.SiteMiddleware",
    "confsched.middleware.CsrfViewMiddleware",
)


@register(Tags.urls)
def reserved_slugs(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> Iterable[CheckMessage]:
    """Find first segments of the site's own addresses that a conference could still be called."""
    return [
        Error(
            f"The address /{segment}/ is in use, but a conference could have it as its slug.",
            hint=f"Add {segment!r} to confsched.models.RESERVED_SLUGS.",
            id="confsched.E001",
        )
        for segment in sorted(first_segments(get_resolver().url_patterns) - RESERVED_SLUGS)
    ]


def first_segments(patterns: Iterable[URLPattern | URLResolver]) -> set[str]:
    """Return the fixed first segments of all addresses, those with a suffix left out."""
    found: set[str] = set()
    for pattern in patterns:
        route = str(pattern.pattern)
        if route == "" and isinstance(pattern, URLResolver):
            found |= first_segments(pattern.url_patterns)
            continue
        segment = route.lstrip("^").split("/")[0]
        if segment and not any(char in segment for char in "<.$("):
            found.add(segment)
    return found


@register(Tags.security)
def middleware_in_place(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> Iterable[CheckMessage]:
    """See that what sends the security headers and guards forms is there, and comes first."""
    missing = [name for name in NEEDED_MIDDLEWARE if name not in settings.MIDDLEWARE]
    if missing or settings.MIDDLEWARE[0] != NEEDED_MIDDLEWARE[0]:
        return [
            Error(
                "MIDDLEWARE must begin with SiteMiddleware and hold CsrfViewMiddleware, both of"
                f" confsched.middleware; missing or misplaced: {missing or NEEDED_MIDDLEWARE[0]}",
                id="confsched.E002",
            )
        ]
    return []
