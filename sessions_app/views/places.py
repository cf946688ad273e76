"""Everything in one room and everything on one track, by day, with the neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.utils.translation import gettext

from confsched.responses import Content, kept_response
from sessions_app import addresses
from sessions_app.records import PublicRoom, PublicTrack
from sessions_app.schedule import Schedule
from sessions_app.views.base import feed_links, now, page_context, unchanged, with_schedule
from sessions_app.views.programme import programme_pages

Place = TypeVar("Place", PublicRoom, PublicTrack)


@with_schedule
def room_detail(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponse:
    """Show what happens in a room."""
    room = schedule.room(slug)
    if room is None:
        return _renamed(schedule, "room", slug)
    rooms = [each for each in schedule.rooms if schedule.sessions_in(each)]
    path = addresses.room_path(schedule.conference.slug, slug)
    context = {"room": room, "neighbours": _neighbours(rooms, room)}
    return _place(request, schedule, "room", path, context)


@with_schedule
def track_detail(request: HttpRequest, schedule: Schedule, slug: str) -> HttpResponse:
    """Show what belongs to a track and its sub-tracks."""
    track = schedule.track(slug)
    if track is None:
        return _renamed(schedule, "track", slug)
    tracks = [each for each in schedule.tracks if schedule.sessions_on(each)]
    path = addresses.track_path(schedule.conference.slug, slug)
    context = {
        "track": track,
        "parent": schedule.track(track.parent_slug),
        "sub_tracks": [each for each in schedule.tracks if each.parent_slug == slug],
        "neighbours": _neighbours(tracks, track),
    }
    return _place(request, schedule, "track", path, context)


def _place(
    request: HttpRequest, schedule: Schedule, kind: str, path: str, context: dict[str, Any]
) -> HttpResponse:
    moment = now()
    place = context[kind]
    find = schedule.sessions_in if kind == "room" else schedule.sessions_on

    def render() -> bytes:
        sessions = find(place)
        programme = programme_pages(schedule).programme(sessions, moment).decode()
        values = {
            **page_context(schedule, "schedule"),
            **context,
            "sessions": sessions,
            "programme": programme,
            "path": path,
            **feed_links(schedule, addresses.feed_path(path), place.name),
        }
        return render_to_string(f"sessions_app/{kind}_detail.html", values).encode()

    key = (kind, schedule.stamp, schedule.phase(moment), place.slug)
    return kept_response(request, Content(key, render, is_current=unchanged(schedule, moment)))


def _neighbours(places: Sequence[Place], place: Place) -> tuple[Place | None, Place | None]:
    """Return the places before and after this one in the organizers' order."""
    slugs = [each.slug for each in places]
    if place.slug not in slugs:
        return None, None
    position = slugs.index(place.slug)
    before = places[position - 1] if position else None
    after = places[position + 1] if position + 1 < len(places) else None
    return before, after


def _renamed(schedule: Schedule, page: str, slug: str) -> HttpResponse:
    current = schedule.redirect(page, slug)
    if current is None:
        missing = {
            "room": gettext("There is no room at this address."),
            "track": gettext("There is no track at this address."),
        }
        raise Http404(missing[page])
    make = addresses.room_path if page == "room" else addresses.track_path
    return HttpResponsePermanentRedirect(make(schedule.conference.slug, current))
