"""What belongs to no conference: health, robots, photos, and the pages for errors."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from confsched.middleware import is_admin_path

PLAIN = "text/plain; charset=utf-8"
#: The kinds of picture that the admin makes.
PHOTO_TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers; asks nothing else of the machine."""
    return _plain("ok\n")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether the site can serve: the database answers and every migration is applied."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return _plain(f"the database does not answer: {type(error).__name__}\n", status=503)
    if missing:
        names = ", ".join(f"{migration.app_label}.{migration.name}" for migration, _ in missing)
        return _plain(f"not migrated: {names}\n", status=503)
    return _plain("ok\n")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Let everybody read the programme and its feeds, and nobody crawl what is private.

    Google's calendar obeys this file when it fetches a subscription, so that no feed may be
    forbidden, personal ones (kept out of search results by X-Robots-Tag) included.
    """
    lines = [
        "User-agent: *",
        "Allow: /agenda/feed/",
        "Disallow: /admin/",
        "Disallow: /agenda/",
        "Disallow: /*/agenda/",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    response = _plain("\n".join(lines) + "\n")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


@require_safe
def photo(request: HttpRequest, name: str) -> HttpResponseBase:
    """Send a speaker's photo. Its name changes with its content, so browsers may keep it."""
    path = PurePosixPath("photos") / name
    content_type = PHOTO_TYPES.get(path.suffix.lower())
    if content_type is None or ".." in path.parts or not default_storage.exists(str(path)):
        raise Http404(gettext("There is no photo at this address."))
    response = FileResponse(default_storage.open(str(path)), content_type=content_type)
    response.headers["Cache-Control"] = "public, max-age=86400"
    return response


def _plain(text: str, status: int = 200) -> HttpResponse:
    response = HttpResponse(text, content_type=PLAIN, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _error(template: str, status: int, **context: Any) -> HttpResponse:
    html = render_to_string(template, {"language": get_language(), **context})
    response = HttpResponse(html, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400."""
    return _error("400.html", 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    return _error("403.html", 403)


def _is_own_form(request: HttpRequest) -> bool:
    """Whether the browser says that a page of this site posts: it writes Origin, no page can."""
    own = f"{request.scheme}://{request.get_host()}"
    return request.META.get("HTTP_ORIGIN") in (own, *settings.CSRF_TRUSTED_ORIGINS)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 where a form's token was missing or stale, and say how to go on.

    A form of an agenda can be sent again with one press: two tabs that were opened at once, as the
    first thing in a browser, are given two tokens of which one counts. What another site posts is
    never offered so: one press would do what that site wants.
    """
    if is_admin_path(request.path_info) or not _is_own_form(request):
        return _error("403.html", 403, is_csrf=True)
    fields = [pair for pair in request.POST.items() if pair[0] != "csrfmiddlewaretoken"]
    return _error("403.html", 403, is_csrf=True, fields=fields, csrf_token=get_token(request))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 with a page that needs no database and does without a style sheet if it must."""
    try:
        sheet = static("css/site.css")
    except ValueError:  # nothing was collected: that may be the very error
        sheet = ""
    return _error("500.html", 500, sheet=sheet)
