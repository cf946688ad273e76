"""What the agenda's views share: the conference, the visitor's own agenda, private answers."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from confsched.responses import keep_private
from sessions_app.agenda import cookies, tokens
from sessions_app.agenda.models import Agenda
from sessions_app.agenda.tokens import Opened, Purpose
from sessions_app.schedule import Schedule
from sessions_app.snapshot import current_schedule, renamed_conference

P = ParamSpec("P")

#: Pages whose address holds a secret send no more than the site's name to wherever they link. A
#: stricter policy would make browsers post their forms without Origin, which CSRF protection needs.
SECRET_ADDRESS_POLICY: Final = "strict-origin"  # noqa: S105  # a policy, no secret
LONGEST_NEXT: Final = 2_000


def with_conference(
    *methods: str,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Schedule, P], HttpResponse]], Callable[..., HttpResponse]
]:
    """Make a view of ``(request, schedule, …)`` from an address with ``<conference>``.

    It answers these methods alone, and what it answers is stored by nobody and indexed by nobody.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Schedule, P], HttpResponse],
    ) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def inner(
            request: HttpRequest, conference: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            schedule = current_schedule(conference)
            if schedule is None:
                return keep_private(_renamed(request, conference))
            return unlisted(view(request, schedule, *args, **kwargs))

        return require_http_methods(methods)(inner)

    return decorate


def unlisted(response: HttpResponse) -> HttpResponse:
    """Mark an answer as one person's own: stored by nobody, in no search engine."""
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return keep_private(response)


def _renamed(request: HttpRequest, conference: str) -> HttpResponse:
    """Lead to today's address of a conference; whoever has an agenda here, to its opening page.

    The cookie belongs to the old address, so the agenda has to be opened at the new one.
    """
    current = renamed_conference(conference)
    if current is None or request.method not in ("GET", "HEAD"):
        raise Http404(gettext("There is no conference at this address."))
    own = tokens.open_with(cookies.read(request), Purpose.COOKIE)
    if own is not None:
        device = tokens.live_tokens(own.agenda_id)[Purpose.OPEN]
        return HttpResponseRedirect(f"/agenda/open/{device}/")
    _, _, rest = request.get_full_path().lstrip("/").partition("/")
    return HttpResponseRedirect(f"/{current}/{rest}")


def own_agenda(request: HttpRequest, schedule: Schedule) -> Opened | None:
    """Return the agenda that this browser's cookie opens, or None; at most one query."""
    opened = tokens.open_with(cookies.read(request), Purpose.COOKIE)
    if opened is None or opened.conference != schedule.conference.slug:
        return None
    return opened


def change_own(
    request: HttpRequest, schedule: Schedule, change: Callable[[uuid.UUID], None]
) -> uuid.UUID | None:
    """Change the agenda that this browser's cookie opens; return its id, or None without one.

    One that is gone when it is to be changed was deleted, or merged into another on another device
    in this very moment: the cookie then opens that one.
    """
    for _ in range(2):
        own = own_agenda(request, schedule)
        if own is None:
            return None
        try:
            change(own.agenda_id)
        except Agenda.DoesNotExist:
            continue
        return own.agenda_id
    return None


def secret_page(token: str, purpose: str) -> tuple[Opened, Schedule]:
    """Return the agenda that a secret address opens, and its conference; else raise Http404."""
    opened = tokens.open_with(token, purpose)
    schedule = current_schedule(opened.conference) if opened is not None else None
    if opened is None or schedule is None:
        raise Http404(
            gettext("This address opens no agenda. It may have been renewed, revoked or deleted.")
        )
    return opened, schedule


def hide_address(response: HttpResponse) -> HttpResponse:
    """Keep the secret in a page's address out of referrers, stores and search engines."""
    response.headers["Referrer-Policy"] = SECRET_ADDRESS_POLICY
    return unlisted(response)


def keep_cookie(response: HttpResponse, schedule: Schedule, agenda_id: uuid.UUID) -> None:
    """Let the browser keep the token that opens this agenda."""
    token = tokens.live_tokens(agenda_id).get(Purpose.COOKIE)
    if token is not None:  # else it was deleted in this very moment
        cookies.write(response, schedule.conference.slug, token)


def safe_next(value: str) -> str:
    """Return the path of this site that a ``next`` parameter names, or nothing."""
    is_plain = value.isprintable() and "\\" not in value and len(value) <= LONGEST_NEXT
    if not is_plain or not value.startswith("/"):
        return ""
    return value if url_has_allowed_host_and_scheme(value, allowed_hosts=None) else ""


def show(
    request: HttpRequest, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render one of the agenda's templates."""
    return render(request, f"agenda/{template}.html", context, status=status)
