"""One session: its page, and its uploaded slides."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
)
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.translation import gettext

from confsched.responses import kept_response
from sessions_app import addresses
from sessions_app.exporters.links import SiteLinks, add_links
from sessions_app.models import Slides
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule
from sessions_app.views.base import now, page_context, unchanged, with_schedule


@with_schedule
def session_detail(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponse:
    """Show everything that is known about a session."""
    session = schedule.session(slug)
    if session is None:
        return _renamed(schedule, slug)
    moment = now()
    return kept_response(
        request,
        ("session", schedule.key, schedule.phase(moment), slug),
        lambda: _render(schedule, session, schedule.state(session, moment)),
        is_current=unchanged(schedule, moment),
    )


def _renamed(schedule: Schedule, slug: str) -> HttpResponse:
    current = schedule.redirect("session", slug)
    if current is None:
        raise Http404(gettext("There is no session at this address."))
    return HttpResponsePermanentRedirect(addresses.session_path(schedule.conference.slug, current))


def _render(schedule: Schedule, session: PublicSession, state: str) -> bytes:
    before, after = schedule.neighbours_in_room(session)
    links = SiteLinks(settings.SITE_URL, schedule.conference.slug)
    context: dict[str, Any] = {
        **page_context(schedule, "schedule"),
        "session": session,
        "state": state,
        "parallel": schedule.parallel(session),
        "before": before,
        "after": after,
        "replacement": schedule.session(session.replacement_slug),
        "address": links.session(session.slug),
        "add": add_links(session, schedule.conference, links),
    }
    return render_to_string("sessions_app/session_detail.html", context).encode()


@with_schedule
def slides_download(
    request: HttpRequest, schedule: Schedule, slug: str, number: int
) -> HttpResponseBase:
    """Send an uploaded deck as a download; only while its session is on the pages."""
    session = schedule.session(slug)
    position = number - 1
    found = session is not None and any(
        deck.number == number and deck.is_upload for deck in session.slides
    )
    if session is None or not found:
        raise Http404(gettext("There are no slides at this address."))
    decks = Slides.objects.filter(session_id=session.id).order_by("position")
    return _deck(decks[position])


def _deck(deck: Slides) -> FileResponse:
    name = f"{deck.name}.{deck.file_type}" if deck.file_type else deck.name
    response = FileResponse(deck.file.open("rb"), as_attachment=True, filename=name)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "public, no-cache"
    return response
