"""The star: adding and removing one session, for the script and for people without one."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.utils.translation import gettext

from confsched.responses import private_json
from sessions_app import addresses
from sessions_app.agenda import cookies, limits, picks, tokens
from sessions_app.agenda.models import Pick
from sessions_app.agenda.views.base import (
    change_own,
    keep_cookie,
    own_agenda,
    safe_next,
    show,
    with_conference,
)
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule
from sessions_app.views.base import page_context


class TooManyAgendasError(Exception):
    """More agendas than an honest crowd makes were begun from one address."""

    def __init__(self, wait: int) -> None:
        """Remember after how many seconds the next one may begin."""
        super().__init__()
        self.wait = wait


@with_conference("GET", "HEAD")
def agenda_picks(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Tell the script which sessions this browser's agenda holds."""
    cookie = cookies.read(request)
    picked = picks.picked_ids(cookie, schedule.key.conference_id) if cookie else []
    return private_json({"picks": picked})


@with_conference("GET", "HEAD")
def agenda_token(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Give the script what its POST requests have to carry, and set the cookie they are held to."""
    return private_json({"token": get_token(request)})


@with_conference("GET", "HEAD", "POST")
def agenda_add(request: HttpRequest, schedule: Schedule, session: str) -> HttpResponse:
    """Show whether a session is in the agenda, and add it."""
    record = _find(schedule, session)
    if record.status == "withdrawn":
        raise Http404(gettext("This session is no longer in the programme."))
    if request.method != "POST":
        return _state_page(request, schedule, record)
    try:
        agenda_id = _add(request, schedule, record.id)
    except TooManyAgendasError as error:
        return _too_many(request, schedule, error.wait)
    return _done(request, schedule, record, agenda_id)


@with_conference("GET", "HEAD", "POST")
def agenda_remove(request: HttpRequest, schedule: Schedule, session: str) -> HttpResponse:
    """Show whether a session is in the agenda, and take it out."""
    record = _find(schedule, session)
    if request.method != "POST":
        return _state_page(request, schedule, record)
    agenda_id = change_own(request, schedule, lambda own: picks.remove(own, record.id))
    return _done(request, schedule, record, agenda_id)


def _find(schedule: Schedule, slug: str) -> PublicSession:
    """Return the session of this slug, also a former slug or a withdrawn session; else Http404."""
    slug = schedule.redirect("session", slug) or slug
    found = schedule.session(slug)
    if found is None:
        found = next((each for each in schedule.withdrawn if each.slug == slug), None)
    if found is None:
        raise Http404(gettext("There is no session at this address."))
    return found


def _add(request: HttpRequest, schedule: Schedule, session_id: int) -> uuid.UUID:
    """Add to the browser's agenda, which the first star makes; return the agenda's id."""
    agenda_id = change_own(request, schedule, lambda own: picks.add(own, [session_id]))
    if agenda_id is not None:
        return agenda_id
    wait = limits.new_agendas.wait(limits.client_network(request))
    if wait:
        raise TooManyAgendasError(wait)
    conference_id = schedule.key.conference_id
    secret = request.META.get("CSRF_COOKIE")
    with transaction.atomic():
        key = tokens.first_key(secret, conference_id) if secret else None
        agenda = picks.start(conference_id, key)
        picks.add(agenda.pk, [session_id])
    return agenda.pk


def _done(
    request: HttpRequest, schedule: Schedule, session: PublicSession, agenda_id: uuid.UUID | None
) -> HttpResponse:
    """Answer a write: the picks for the script, else a way back to where the visitor came from."""
    response: HttpResponse
    if request.headers.get("Accept") == "application/json":
        held = Pick.objects.filter(agenda_id=agenda_id) if agenda_id else Pick.objects.none()
        ids = held.order_by("id").values_list("session_id", flat=True)
        response = private_json({"picks": list(ids)})
    else:
        back = safe_next(request.POST.get("next", ""))
        own_page = addresses.star_path(schedule.conference.slug, session.slug)
        response = HttpResponseRedirect(back or own_page)
        response.status_code = 303
    if agenda_id is not None:
        keep_cookie(response, schedule, agenda_id)
    return response


def _state_page(request: HttpRequest, schedule: Schedule, session: PublicSession) -> HttpResponse:
    own = own_agenda(request, schedule)
    context: dict[str, Any] = page_context(schedule, "agenda") | {
        "session": session,
        "is_picked": own is not None and session.id in own.picks,
        "pick_count": len(own.picks) if own else 0,
        "next": _way_back(request, schedule, session),
    }
    return show(request, "agenda_star", context)


def _way_back(request: HttpRequest, schedule: Schedule, session: PublicSession) -> str:
    """Return where the visitor came from on this site, at the session's place in it."""
    conference = schedule.conference.slug
    value = request.GET.get("next", "")
    if not value:
        value = _referring_path(request)
    value = safe_next(value)
    if not value or value.startswith(f"{addresses.agenda_path(conference)}"):
        value = addresses.schedule_path(conference)
    return value if "#" in value else f"{value}#session-{session.slug}"


def _referring_path(request: HttpRequest) -> str:
    """Return path and query of the page of this site that led here; "" for any other or none."""
    try:
        came_from = urlsplit(request.headers.get("Referer", ""))
    except ValueError:  # a bracket that begins no IPv6 address, for one
        return ""
    if came_from.netloc != request.get_host():
        return ""
    return f"{came_from.path}?{came_from.query}" if came_from.query else came_from.path


def _too_many(request: HttpRequest, schedule: Schedule, wait: int) -> HttpResponse:
    context = page_context(schedule, "agenda") | {"minutes": wait // 60 + 1}
    response = show(request, "agenda_too_many", context, status=429)
    response.headers["Retry-After"] = str(wait)
    return response
