"""Builds public records for tests of the pure side, with everything in its place by default."""

from __future__ import annotations

import datetime as dt
import uuid
from zoneinfo import ZoneInfo

from sessions_app.records import (
    PublicConference,
    PublicLevel,
    PublicRoom,
    PublicSession,
    PublicSlides,
    PublicSpeaker,
    PublicTrack,
)
from sessions_app.schedule import Schedule, ScheduleKey, conference_day

ZONE = ZoneInfo("Europe/Paris")
REVISED_AT = dt.datetime(2026, 3, 1, 12, 0, tzinfo=dt.UTC)


def at(text: str, zone: ZoneInfo = ZONE) -> dt.datetime:
    """Return the UTC moment of a wall time such as "2026-04-08 09:30"."""
    return dt.datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(dt.UTC)


def conference(**values: object) -> PublicConference:
    defaults: dict[str, object] = {
        "id": 1,
        "slug": "sample-conf",
        "name": "Sample Conf",
        "place": "Paris, France",
        "timezone": "Europe/Paris",
        "starts_on": dt.date(2026, 4, 7),
        "ends_on": dt.date(2026, 4, 8),
        "website": "",
        "registration_url": "",
        "contact": "",
        "notice": "",
        "registration_note": "",
    }
    return PublicConference(**{**defaults, **values})  # type: ignore[arg-type]


def room(slug: str, position: int = 0) -> PublicRoom:
    return PublicRoom(id=position + 1, slug=slug, name=slug.title(), position=position)


def track(slug: str, position: int = 0, parent: PublicTrack | None = None) -> PublicTrack:
    name = slug.title()
    return PublicTrack(
        id=position + 1,
        slug=slug,
        name=name,
        position=position,
        colour=position % 13 + 1,
        label=f"{parent.label}: {name}" if parent else name,
        parent_slug=parent.slug if parent else "",
    )


def level(slug: str, position: int = 0) -> PublicLevel:
    return PublicLevel(id=position + 1, slug=slug, name=slug.title(), position=position)


def speaker(slug: str, company: str = "") -> PublicSpeaker:
    name = slug.replace("-", " ").title()
    return PublicSpeaker(id=abs(hash(slug)) % 10**6, slug=slug, name=name, company=company)


def slides(number: int = 1) -> PublicSlides:
    return PublicSlides(number=number, name="Deck", file_type="pdf")


def session(
    number: int,
    starts: str = "2026-04-08 09:00",
    ends: str = "2026-04-08 09:30",
    *,
    zone: ZoneInfo = ZONE,
    **values: object,
) -> PublicSession:
    starts_at, ends_at = at(starts, zone), at(ends, zone)
    defaults: dict[str, object] = {
        "id": number,
        "uid": str(uuid.UUID(int=number)),
        "number": number,
        "slug": f"session-{number}",
        "title": f"Session {number}",
        "kind": "talk",
        "is_sponsored": False,
        "status": "published",
        "starts_at": starts_at,
        "ends_at": ends_at,
        "day": conference_day(starts_at, zone),
        "room": None,
        "tracks": (),
        "levels": (),
        "speakers": (),
        "moderators": (),
        "slides": (),
        "abstract": "",
        "sequence": 0,
        "changed_at": REVISED_AT,
    }
    return PublicSession(**{**defaults, **values})  # type: ignore[arg-type]


def schedule(*sessions: PublicSession, **values: object) -> Schedule:
    """Return a Schedule that knows every room, track, level and speaker of its sessions."""

    def unique(items: object) -> list[object]:
        return list({item.slug: item for item in items}.values())  # type: ignore[attr-defined]

    defaults: dict[str, object] = {
        "conference": conference(),
        "rooms": unique(s.room for s in sessions if s.room),
        "tracks": unique(t for s in sessions for t in s.tracks),
        "levels": unique(lv for s in sessions for lv in s.levels),
        "speakers": unique(p for s in sessions for p in s.speakers),
    }
    return Schedule(
        ScheduleKey(1, 1, REVISED_AT),
        sessions=sessions,
        **{**defaults, **values},  # type: ignore[arg-type]
    )
