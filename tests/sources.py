"""Source records for tests of the loader: small programmes, and a Schedule turned back into one."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from confsched.models import Conference
from sessions_app.models import Session
from sessions_app.records import (
    Source,
    SourceConference,
    SourceSession,
    SourceSlides,
    SourceSpeaker,
    SourceTrack,
)
from sessions_app.schedule import Schedule
from speakers.models import Speaker

ZONE = ZoneInfo("Europe/Paris")
DAY = dt.date(2026, 4, 8)
CONFERENCE = SourceConference(
    name="Invented Days",
    place="Paris, France",
    starts_on=DAY,
    ends_on=DAY,
    timezone="Europe/Paris",
    notice="Subject to change.",
)


def a_session(
    title: str, start: str = "10:00", *, minutes: int = 30, day: dt.date = DAY, **values: Any
) -> SourceSession:
    """Return a session; *start* is a wall time in Paris."""
    starts_at = dt.datetime.combine(day, dt.time.fromisoformat(start), ZONE)
    defaults: dict[str, Any] = {"order": 1, "line": 1, "source_title": title, "kind": "talk"}
    return SourceSession(
        title=title,
        starts_at=starts_at,
        ends_at=starts_at + dt.timedelta(minutes=minutes),
        **{**defaults, **values},
    )


def a_source(*sessions: SourceSession, **values: Any) -> Source:
    """Return a source of these sessions, numbered in their order."""
    numbered = tuple(
        replace(session, order=order, line=order * 10)
        for order, session in enumerate(sessions, start=1)
    )
    return Source(**{"conference": CONFERENCE, "sessions": numbered, **values})


def as_source(schedule: Schedule) -> Source:
    """Return a Schedule as the source it was loaded from, lines aside.

    What the public does not see of a session or a person (the source's key, its tag "slides
    attached", that it had a picture) comes from the rows.
    """
    record, zone = schedule.conference, schedule.zone
    hidden = {row.pk: row for row in Session.objects.filter(conference_id=record.id)}
    pictured = Speaker.objects.filter(conference_id=record.id, has_avatar=True)
    avatars = set(pictured.values_list("pk", flat=True))
    names = {track.slug: track.name for track in schedule.tracks}

    def track(each: Any) -> SourceTrack:
        return SourceTrack(each.name, names.get(each.parent_slug))

    sessions = sorted(schedule.sessions, key=lambda session: session.number)
    speakers = sorted(schedule.speakers, key=lambda speaker: speaker.id)
    return Source(
        conference=SourceConference(
            **{name: getattr(record, name) for name in SourceConference.__slots__}
        ),
        rooms=tuple(room.name for room in schedule.rooms),
        tracks=tuple(track(each) for each in sorted(schedule.tracks, key=lambda t: t.position)),
        levels=tuple(level.name for level in schedule.levels),
        speakers=tuple(
            SourceSpeaker(
                name=speaker.name,
                headline=speaker.headline,
                company=speaker.company,
                bio=speaker.bio,
                bio_is_truncated=speaker.bio_is_truncated,
                has_avatar=speaker.id in avatars,
            )
            for speaker in speakers
        ),
        sessions=tuple(
            SourceSession(
                order=order,
                line=0,
                title=session.title,
                source_title=session.source_title,
                kind=session.kind,
                starts_at=session.starts_at.astimezone(zone),
                ends_at=session.ends_at.astimezone(zone),
                is_sponsored=session.is_sponsored,
                room=session.room.name if session.room else "",
                tracks=tuple(track(each) for each in session.tracks),
                levels=tuple(level.name for level in session.levels),
                speakers=tuple(speaker.name for speaker in session.speakers),
                moderators=tuple(speaker.name for speaker in session.moderators),
                slides=tuple(
                    SourceSlides(deck.name, deck.file_type, deck.url) for deck in session.slides
                ),
                has_slides_tag=hidden[session.id].has_slides_tag,
                abstract=session.abstract,
                key=hidden[session.id].source_key,
            )
            for order, session in enumerate(sessions, start=1)
        ),
    )


def without_lines(source: Source) -> Source:
    """Return the source without what a database does not keep: lines and problems."""
    sessions = tuple(replace(session, line=0) for session in source.sessions)
    return replace(source, sessions=sessions, problems=())


def everything(conference: Conference) -> dict[str, Any]:
    """Return every value of every row of a conference, for before and after."""
    tables: dict[str, Any] = {
        "conference": Conference.objects.filter(pk=conference.pk),
        "rooms": conference.rooms.all(),
        "tracks": conference.tracks.all(),
        "levels": conference.levels.all(),
        "speakers": conference.speakers.all(),
        "sessions": conference.sessions.all(),
        "changes": conference.changes.all(),
        "redirects": conference.slug_redirects.all(),
    }
    for name in ("session_speakers", "session_tracks", "slides"):
        model = getattr(Session, name).rel.related_model
        tables[name] = model.objects.filter(session__conference=conference)
    tables["levels of sessions"] = Session.levels.through.objects.filter(
        session__conference=conference
    )
    return {name: list(rows.order_by("pk").values()) for name, rows in tables.items()}
