"""What a secret address shows: the opening page, a friend's view, the calendar feed."""

from __future__ import annotations

import hashlib
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from confsched.build import build_id
from confsched.responses import is_unchanged, private_response
from sessions_app.agenda import cookies, tokens
from sessions_app.agenda.plan import plan
from sessions_app.agenda.tokens import Opened, Purpose
from sessions_app.agenda.views.base import hide_address, secret_page, show, unlisted
from sessions_app.exporters.ical import agenda_calendar, clock_key, zone_key
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule
from sessions_app.snapshot import current_schedule
from sessions_app.views.base import now, page_context
from sessions_app.views.feeds import Options, feed_options, for_calendars, site_links

#: Minutes; who wants to be woken earlier sets that in the calendar.
LONGEST_ALARM: Final = 120


@require_safe
def agenda_open(request: HttpRequest, token: str) -> HttpResponse:
    """Show the button that opens this agenda in the browser at hand; looking changes nothing."""
    opened, schedule = secret_page(token, Purpose.OPEN)
    context = page_context(schedule, "agenda") | {"token": token, "count": len(opened.picks)}
    # The form posts to the conference's own agenda address, where the agenda's cookie is sent.
    request.csrf_cookie_path = cookies.path(schedule.conference.slug)  # type: ignore[attr-defined]  # read by our CsrfViewMiddleware
    return hide_address(show(request, "agenda_open", context))


@require_safe
def agenda_shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show a friend's agenda, read only."""
    opened, schedule = secret_page(token, Purpose.SHARED)
    context = page_context(schedule) | {"plan": plan(schedule, opened.picks, now())}
    return hide_address(show(request, "agenda_shared", context))


@for_calendars
def agenda_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Give an agenda to a calendar."""
    opened = tokens.open_with(token, Purpose.FEED)
    schedule = current_schedule(opened.conference) if opened is not None else None
    if opened is None or schedule is None:
        response = private_response("Not found\n", content_type="text/plain", status=404)
    else:
        response = _feed(request, schedule, opened)
    response.headers["Referrer-Policy"] = "no-referrer"
    return unlisted(response)


def _feed(request: HttpRequest, schedule: Schedule, opened: Opened) -> HttpResponse:
    """Answer with the calendar, or 304; the ETag is known before anything is rendered."""
    moment, options, alarm = now(), feed_options(request), _alarm(request)
    etag = _etag(
        *(opened.agenda_id, opened.changed_at, schedule.stamp, options, alarm),
        *(clock_key(schedule, moment), zone_key(schedule), get_language()),
    )
    if is_unchanged(request.META, etag, None):
        response = HttpResponse(status=304)
        del response.headers["Content-Type"]
    else:
        body = agenda_calendar(
            schedule,
            _carried(schedule, opened, options),
            links=site_links(schedule),
            now=moment,
            in_utc=options.in_utc,
            alarm=alarm,
        )
        response = private_response(body, content_type="text/calendar; charset=utf-8")
        # Without a name of its own the saved file would be called by the secret.
        response.headers["Content-Disposition"] = 'inline; filename="agenda.ics"'
    response.headers["ETag"] = etag
    return response


def _carried(schedule: Schedule, opened: Opened, options: Options) -> list[PublicSession]:
    """Return the picks that the feed is to hold, withdrawn ones among them."""
    picked = filter(None, map(schedule.session_by_id, opened.picks))
    return [each for each in picked if options.with_cancelled or each.status == "published"]


def _alarm(request: HttpRequest) -> int | None:
    """Return the minutes before a session at which ``alarm`` asks to be reminded, or None."""
    value = request.GET.get("alarm", "")
    is_number = value.isascii() and value.isdigit() and len(value) < 4
    return int(value) if is_number and 1 <= int(value) <= LONGEST_ALARM else None


def _etag(*parts: object) -> str:
    digest = hashlib.sha256(repr((*parts, settings.SITE_URL, build_id())).encode())
    return f'"{digest.hexdigest()[:32]}"'
