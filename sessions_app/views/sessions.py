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

from confsched.responses import Content, kept_response
from sessions_app import addresses
from sessions_app.exporters.links import SiteLinks, add_links
from sessions_app.models import Slides
from sessions_app.records import PublicSession, PublicSpeaker
from sessions_app.schedule import Schedule
from sessions_app.templatetags.programme import zone_words
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
        Content(
            ("session", schedule.stamp, schedule.phase(moment), slug),
            lambda: _render(schedule, session, schedule.state(session, moment)),
            is_current=unchanged(schedule, moment),
        ),
    )


def _renamed(schedule: Schedule, slug: str) -> HttpResponse:
    current = schedule.redirect("session", slug)
    if current is None or current == slug:
        raise Http404(gettext("There is no session at this address."))
    return HttpResponsePermanentRedirect(addresses.session_path(schedule.conference.slug, current))


def _render(schedule: Schedule, session: PublicSession, state: str) -> bytes:
    before, after = schedule.neighbours_in_room(session)
    links = SiteLinks(settings.SITE_URL, schedule.conference.slug)
    context: dict[str, Any] = {
        **page_context(schedule, "schedule"),
        "session": session,
        "state": state,
        "zone_of_session": zone_words(schedule.zone, session.starts_at),
        "people": [(each, _others(schedule, each, session)) for each in session.speakers],
        "parallel": _parallel(schedule, session),
        "before": before,
        "after": after,
        "replacement": schedule.session(session.replacement_slug),
        "address": links.session(session.slug),
        "back": _place_on_schedule(schedule, session),
        "add": add_links(session, schedule.conference, links),
    }
    return render_to_string("sessions_app/session_detail.html", context).encode()


def _others(
    schedule: Schedule, speaker: PublicSpeaker, session: PublicSession
) -> list[PublicSession]:
    """Return what else a person gives."""
    return [each for each in schedule.sessions_of(speaker) if each.id != session.id]


def _parallel(schedule: Schedule, session: PublicSession) -> list[PublicSession]:
    """Return what else is on: what people may choose instead first, breaks and services last."""
    return sorted(schedule.parallel(session), key=lambda other: other.kind == "service")


def _place_on_schedule(schedule: Schedule, session: PublicSession) -> str:
    """Return the schedule's address at this session; its day where not all days are on a page."""
    path = addresses.schedule_path(schedule.conference.slug)
    question = "" if schedule.fits_one_page else f"?day={session.day.isoformat()}"
    return f"{path}{question}#session-{session.slug}"


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
