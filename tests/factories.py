"""Rows for tests: plain functions with sensible defaults, each publishing what it makes.

Names may stand for rows: ``make_session(conference, room="Attic", speakers=["Ada Inventa"])`` makes
what is missing. Many rows at once are quicker inside one ``with publishing(conference, by="…")``.
The change log keeps nothing public of what factories do.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from confsched.models import Conference
from sessions_app.models import (
    Level,
    Room,
    Session,
    SessionSpeaker,
    SessionTrack,
    Slides,
    Status,
    Track,
)
from sessions_app.publish import publishing
from speakers.models import Speaker

DAY = dt.date(2026, 4, 8)


def _publishing(conference: Conference) -> Any:
    return publishing(conference, by="factory", silent=True)


def make_conference(name: str = "Invented Days", *, slug: str = "invented", **fields: Any):
    """Make a conference of one day, 8 April 2026 in Paris."""
    values = {"timezone": "Europe/Paris", "starts_on": DAY, "ends_on": DAY} | fields
    with publishing(by="factory", silent=True):
        conference = Conference.objects.create(name=name, slug=slug, **values)
    conference.refresh_from_db()
    return conference


def make_room(conference: Conference, name: str = "Attic", **fields: Any) -> Room:
    with _publishing(conference):
        fields.setdefault("position", conference.rooms.count())
        return Room.objects.create(conference=conference, name=name, **fields)


def make_track(conference: Conference, name: str = "Gardening", **fields: Any) -> Track:
    """Make a track; ``parent`` may be a row or a name."""
    with _publishing(conference):
        if isinstance(fields.get("parent"), str):
            fields["parent"] = _track(conference, fields["parent"])
        fields.setdefault("position", conference.tracks.count())
        return Track.objects.create(conference=conference, name=name, **fields)


def make_level(conference: Conference, name: str = "Beginner", **fields: Any) -> Level:
    with _publishing(conference):
        fields.setdefault("position", conference.levels.count())
        return Level.objects.create(conference=conference, name=name, **fields)


def make_speaker(conference: Conference, name: str = "Ada Inventa", **fields: Any) -> Speaker:
    with _publishing(conference):
        return Speaker.objects.create(conference=conference, name=name, **fields)


def at(time: str | dt.datetime, conference: Conference, day: dt.date = DAY) -> dt.datetime:
    """Return a wall time such as "10:30" on *day* in the conference's zone, aware."""
    if isinstance(time, dt.datetime):
        return time
    return dt.datetime.combine(day, dt.time.fromisoformat(time), tzinfo=conference.zone)


def make_session(
    conference: Conference,
    title: str = "Growing beans indoors",
    *,
    start: str | dt.datetime = "10:00",
    end: str | dt.datetime | None = None,
    minutes: int = 30,
    day: dt.date = DAY,
    room: Room | str | None = None,
    tracks: Iterable[Track | str] = (),
    levels: Iterable[Level | str] = (),
    speakers: Iterable[Speaker | str] = (),
    moderators: Iterable[Speaker | str] = (),
    slides: Iterable[tuple[str, str] | tuple[str, str, str]] = (),
    **fields: Any,
) -> Session:
    """Make a published session with all its parts; *slides* are (name, file type, address)."""
    starts_at = at(start, conference, day).astimezone(dt.UTC)
    ends_at = starts_at + dt.timedelta(minutes=minutes)
    if end is not None:
        ends_at = at(end, conference, day).astimezone(dt.UTC)
    with _publishing(conference):
        session = Session.objects.create(
            conference=conference,
            title=title,
            starts_at=starts_at,
            ends_at=ends_at,
            room=_named(Room, conference, room, make_room) if room else None,
            **{"status": Status.PUBLISHED} | fields,
        )
        _link(session, tracks, levels, speakers, moderators)
        for position, deck in enumerate(slides):
            name, file_type, *url = deck
            Slides.objects.create(
                session=session,
                position=position,
                name=name,
                file_type=file_type,
                url=url[0] if url else "",
            )
    session.refresh_from_db()
    return session


def _link(
    session: Session,
    tracks: Iterable[Track | str],
    levels: Iterable[Level | str],
    speakers: Iterable[Speaker | str],
    moderators: Iterable[Speaker | str],
) -> None:
    conference = session.conference
    for position, track in enumerate(tracks):
        SessionTrack.objects.create(
            session=session, track=_track(conference, track), position=position
        )
    session.levels.set(_named(Level, conference, level, make_level) for level in levels)
    chairs = [_named(Speaker, conference, person, make_speaker) for person in moderators]
    people = [_named(Speaker, conference, person, make_speaker) for person in speakers]
    for position, person in enumerate([*people, *(each for each in chairs if each not in people)]):
        SessionSpeaker.objects.create(
            session=session, speaker=person, position=position, is_moderator=person in chairs
        )


def _track(conference: Conference, track: Track | str) -> Track:
    """Return a track by row or name; "Parent: Child" names a sub-track."""
    if isinstance(track, Track):
        return track
    parent, _, name = track.rpartition(": ")
    found = conference.tracks.filter(name=name, parent__name=parent or None).first()
    return found or make_track(conference, name, parent=parent or None)


def _named(model: Any, conference: Conference, row: Any, make: Any) -> Any:
    if not isinstance(row, str):
        return row
    return model.objects.filter(conference=conference, name=row).first() or make(conference, row)
