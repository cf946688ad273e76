"""What HTMX asked for: a typed request, and whether a page or a fragment answers it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request as every view of the site gets it: ``SiteMiddleware`` adds ``htmx``."""

    htmx: HtmxDetails


def is_fragment(request: HttpRequest) -> bool:
    """Return whether a fragment answers this request; else the whole page does.

    htmx 2 marks the requests with which it restores history as its own, but what it restores
    is a whole page: such a request gets one.
    """
    meta = request.META
    return (
        meta.get("HTTP_HX_REQUEST") == "true"
        and meta.get("HTTP_HX_HISTORY_RESTORE_REQUEST") != "true"
    )
