"""Calendars and files: the schedule with any filter, one session, one person, room or track.

Calendar clients are plain: they follow redirects, repeat what they got as ETag, and some ask in
ways of their own (PROPFIND) before they ask properly. They send no cookies and read no pages, so
the address decides everything. Rules: docs/calendars.md.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponsePermanentRedirect,
)
from django.http.response import HttpResponseBase
from django.utils.translation import get_language, gettext

from confsched.responses import Content, Disposition, kept_response
from sessions_app.criteria import Criteria
from sessions_app.exporters.entries import is_listed
from sessions_app.exporters.ical import About, clock_key, feed_calendar, session_calendar, zone_key
from sessions_app.exporters.links import SiteLinks
from sessions_app.exporters.registry import ICAL, Exporter, Selection
from sessions_app.exporters.words import part_name
from sessions_app.forms import UnknownValueError, parse_feed_query, query_string
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule
from sessions_app.views.base import now, unchanged, with_schedule

View = Callable[..., HttpResponseBase]
ALLOWED = ("GET", "HEAD", "OPTIONS")
#: Longer query strings hold nothing that the look for options has to find.
LONGEST_QUERY = 20_000


def for_calendars(view: View) -> View:
    """Let a view answer GET and HEAD; all else, PROPFIND and OPTIONS too, is 405 with Allow.

    Thunderbird probes an address with PROPFIND and believes a 405, but neither a 403 nor a 500.
    """

    @functools.wraps(view)
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(ALLOWED)
        return view(request, *args, **kwargs)

    return inner


class Options(NamedTuple):
    """What a feed's address may ask for besides filters."""

    in_utc: bool
    with_cancelled: bool
    lang: str

    def address(self) -> str:
        """Return them as the end of a query string."""
        pairs = [("lang", self.lang)] if self.lang else []
        pairs += [("tz", "utc")] if self.in_utc else []
        pairs += [] if self.with_cancelled else [("cancelled", "0")]
        return urlencode(pairs)


def feed_options(request: HttpRequest) -> Options:
    """Read ``tz=utc``, ``cancelled=0`` and ``lang`` from the address."""
    pairs = request.META["QUERY_STRING"][:LONGEST_QUERY].split("&")
    asks_language = any(pair.startswith("lang=") for pair in pairs)
    return Options(
        in_utc="tz=utc" in pairs,
        with_cancelled="cancelled=0" not in pairs,
        lang=(get_language() or "") if asks_language else "",
    )


def site_links(schedule: Schedule) -> SiteLinks:
    """Return the addresses of a conference on this site."""
    return SiteLinks(settings.SITE_URL.rstrip("/"), schedule.conference.slug)


@for_calendars
@with_schedule
def schedule_file(request: HttpRequest, schedule: Schedule, *, exporter: Exporter) -> HttpResponse:
    """Return what the schedule page with this query string shows, all days of it, in one format."""
    try:
        parsed = parse_feed_query(request.META["QUERY_STRING"], schedule)
    except UnknownValueError as error:
        return _renamed_value(request, schedule, error)
    moment, options = now(), feed_options(request)

    def render() -> bytes:
        query = query_string(parsed.criteria, lang=options.lang)
        own = _joined(query_string(parsed.criteria), options.address())
        links = site_links(schedule)
        return exporter.export(
            Selection(
                schedule, parsed.criteria, links, moment, query, own, options.in_utc,
                options.with_cancelled,
            )
        )  # fmt: skip

    asked = (exporter.suffix, schedule.stamp, options, parsed.canonical, settings.SITE_URL)
    return kept_response(
        request,
        Content(
            (*asked, *exporter.key(schedule, moment)),
            render,
            variant="feed",
            content_type=exporter.content_type,
            last_modified=schedule.key.revised_at,
            filename=f"{schedule.conference.slug}.{exporter.suffix}",
            disposition="inline",
            is_current=unchanged(schedule, moment, exporter.key),
        ),
    )


def _renamed_value(
    request: HttpRequest, schedule: Schedule, error: UnknownValueError
) -> HttpResponse:
    """Send on who asks for a room or track by the slug it once had; 404 for what never was."""
    current = schedule.redirect(error.parameter, error.value)
    if current is None:
        raise Http404(str(error)) from error
    asked = parse_qsl(request.META["QUERY_STRING"][:LONGEST_QUERY])
    old = (error.parameter, error.value)
    today = [(name, current if (name, value) == old else value) for name, value in asked]
    if today == asked:  # the address writes the value in some other way, such as with blanks
        raise Http404(str(error)) from error
    return HttpResponsePermanentRedirect(f"{request.path}?{urlencode(today)}")


@for_calendars
@with_schedule
def session_file(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponseBase:
    """Return one session to import; a withdrawn one as cancelled, as long as feeds carry it."""
    moment = now()
    session = schedule.session(slug) or _withdrawn(schedule, slug)
    if session is None:
        return _renamed(request, schedule, "session", slug)
    if session.status == "withdrawn" and not is_listed(schedule, session, moment):
        raise Http404(gettext("This session is no longer part of the programme."))
    return _kept_calendar(
        request,
        schedule,
        moment,
        0,
        lambda options: session_calendar(
            schedule, session, links=site_links(schedule), in_utc=options.in_utc
        ),
        filename=f"{schedule.conference.slug}-{slug}.ics",
        disposition="attachment",
    )


@for_calendars
@with_schedule
def speaker_feed(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponseBase:
    """Return everything that one person gives."""
    gone = [s for s in schedule.withdrawn if any(each.slug == slug for each in s.speakers)]
    # Who has only withdrawn sessions has no page any more, but subscribers who have to hear of it.
    of_gone = (each for session in gone for each in session.speakers if each.slug == slug)
    speaker = schedule.speaker(slug) or next(of_gone, None)
    if speaker is None:
        return _renamed(request, schedule, "speaker", slug)
    sessions = (*schedule.sessions_of(speaker), *gone)
    return _twin(request, schedule, site_links(schedule).speaker(slug), speaker.name, sessions)


@for_calendars
@with_schedule
def room_feed(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponseBase:
    """Return everything in one room."""
    room = schedule.room(slug)
    if room is None:
        return _renamed(request, schedule, "room", slug)
    sessions = _matching(schedule, Criteria(rooms=(slug,)))
    return _twin(request, schedule, site_links(schedule).room(slug), room.name, sessions)


@for_calendars
@with_schedule
def track_feed(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponseBase:
    """Return everything on one track and its sub-tracks."""
    track = schedule.track(slug)
    if track is None:
        return _renamed(request, schedule, "track", slug)
    sessions = _matching(schedule, Criteria(tracks=(slug,)))
    return _twin(request, schedule, site_links(schedule).track(slug), track.label, sessions)


def _matching(schedule: Schedule, criteria: Criteria) -> Sequence[PublicSession]:
    gone = [s for s in schedule.withdrawn if schedule.matches(s, criteria)]
    return (*schedule.select(criteria), *gone)


def _twin(
    request: HttpRequest,
    schedule: Schedule,
    page: str,
    title: str,
    sessions: Sequence[PublicSession],
) -> HttpResponse:
    """Return the feed that belongs to the page of a speaker, room or track."""
    moment, links = now(), site_links(schedule)

    def render(options: Options) -> bytes:
        own = _joined(links.twin(page), options.address(), "?")
        shown = [s for s in sessions if options.with_cancelled or s.status == "published"]
        return feed_calendar(
            schedule,
            shown,
            links=links,
            about=About(part_name(schedule, title), page, own),
            now=moment,
            in_utc=options.in_utc,
        )

    filename = f"{schedule.conference.slug}-{page.rstrip('/').rpartition('/')[2]}.ics"
    return _kept_calendar(
        request, schedule, moment, clock_key(schedule, moment), render, filename, "inline"
    )


def _kept_calendar(
    request: HttpRequest,
    schedule: Schedule,
    moment: dt.datetime,
    clock: int,
    render: Callable[[Options], bytes],
    filename: str,
    disposition: Disposition,
) -> HttpResponse:
    options = feed_options(request)
    return kept_response(
        request,
        Content(
            (request.path, schedule.stamp, options, clock, zone_key(schedule), settings.SITE_URL),
            lambda: render(options),
            variant="feed",
            content_type=ICAL.content_type,
            last_modified=schedule.key.revised_at,
            filename=filename,
            disposition=disposition,
            is_current=unchanged(schedule, moment, clock_key),
        ),
    )


def _withdrawn(schedule: Schedule, slug: str) -> PublicSession | None:
    return next((s for s in schedule.withdrawn if s.slug == slug), None)


def _renamed(
    request: HttpRequest, schedule: Schedule, page: str, slug: str
) -> HttpResponsePermanentRedirect:
    """Send on who asks by an old slug of a session, speaker, room or track; else raise Http404."""
    today = schedule.redirect(page, slug)
    if today is None:
        raise Http404(gettext("There is no calendar at this address."))
    path = request.path.removesuffix(f"{slug}.ics") + f"{today}.ics"
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(_joined(path, query, "?"))


def _joined(first: str, second: str, by: str = "&") -> str:
    return by.join(part for part in (first, second) if part)
