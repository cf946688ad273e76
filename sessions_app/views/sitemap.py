"""The sitemap: every public page of every conference (sitemaps.org, protocol 0.9)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from confsched.responses import Content, kept_response
from sessions_app import addresses
from sessions_app.schedule import Schedule
from sessions_app.snapshot import conference_list, current_schedule

#: The protocol's own limit for one file.
MOST_ADDRESSES = 50_000


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the pages that search engines may show."""
    schedules = [current_schedule(conference.slug) for conference in conference_list()]
    present = [schedule for schedule in schedules if schedule is not None]

    def render() -> bytes:
        entries = [entry for schedule in present for entry in _entries(schedule)]
        context = {"entries": entries[:MOST_ADDRESSES], "site_url": settings.SITE_URL}
        return render_to_string("sessions_app/sitemap.xml", context).encode()

    key = ("sitemap", tuple(schedule.stamp for schedule in present))
    content_type = "application/xml; charset=utf-8"
    return kept_response(request, Content(key, render, variant="feed", content_type=content_type))


def _entries(schedule: Schedule) -> Iterator[tuple[str, dt.datetime | None]]:
    slug, revised_at = schedule.conference.slug, schedule.key.revised_at
    yield addresses.schedule_path(slug), revised_at
    yield addresses.speakers_path(slug), revised_at
    yield addresses.changes_path(slug), revised_at
    for session in schedule.sessions:
        yield addresses.session_path(slug, session.slug), session.changed_at
    for speaker in schedule.speakers:
        if schedule.sessions_of(speaker):
            yield addresses.speaker_path(slug, speaker.slug), None
    for room in schedule.rooms:
        if schedule.sessions_in(room):
            yield addresses.room_path(slug, room.slug), None
    for track in schedule.tracks:
        if schedule.sessions_on(track):
            yield addresses.track_path(slug, track.slug), None
