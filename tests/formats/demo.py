"""The fixture's programme as a Schedule, without a database."""

from __future__ import annotations

import datetime as dt
import functools
import uuid
from pathlib import Path
from zoneinfo import ZoneInfo

from sessions_app.days import conference_day
from sessions_app.importers import read
from sessions_app.records import (
    PublicLevel,
    PublicRoom,
    PublicSession,
    PublicSlides,
    PublicSpeaker,
    PublicTrack,
    Source,
    SourceSession,
)
from sessions_app.schedule import Schedule
from tests.unit.records import REVISED_AT, conference, schedule

DUMP = Path(__file__).parents[2] / "fixtures" / "schedule_dump.txt"


def slug(text: str) -> str:
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower())
    return "-".join(part for part in kept.split("-") if part)


@functools.cache
def source() -> Source:
    return read(DUMP.read_bytes())


def demo_schedule() -> Schedule:
    """Return a new Schedule each time, so that nothing is kept from one test to the next."""
    made = source()
    sessions = [_session(each, made) for each in made.sessions]
    about = made.conference
    return schedule(
        *sessions,
        conference=conference(
            slug="demo",
            name=about.name,
            place=about.place,
            timezone=about.timezone,
            starts_on=about.starts_on,
            ends_on=about.ends_on,
        ),
    )


def _session(each: SourceSession, made: Source) -> PublicSession:
    people = {person.name: number for number, person in enumerate(made.speakers, 1)}
    details = {person.name: person for person in made.speakers}
    rooms = {name: number for number, name in enumerate(made.rooms, 1)}
    speakers = {
        name: PublicSpeaker(
            people[name], slug(name), name, details[name].headline, details[name].company
        )
        for name in each.speakers
    }
    zone = ZoneInfo(made.conference.timezone)
    return PublicSession(
        id=each.order,
        uid=str(uuid.uuid5(uuid.NAMESPACE_URL, f"demo-{each.order}")),
        number=each.order,
        slug=f"{slug(each.title)[:60]}-{each.order}",
        title=each.title,
        kind=each.kind,
        is_sponsored=each.is_sponsored,
        status="published",
        starts_at=each.starts_at.astimezone(dt.UTC),
        ends_at=each.ends_at.astimezone(dt.UTC),
        day=conference_day(each.starts_at, zone),
        room=PublicRoom(rooms[each.room], slug(each.room), each.room, rooms[each.room]),
        tracks=tuple(_track(t.name, t.parent) for t in each.tracks),
        levels=tuple(PublicLevel(n, slug(name), name, n) for n, name in enumerate(each.levels)),
        speakers=tuple(speakers.values()),
        moderators=tuple(speakers[name] for name in each.moderators),
        slides=tuple(
            PublicSlides(number, deck.name, deck.file_type, deck.url)
            for number, deck in enumerate(each.slides, 1)
        ),
        abstract=each.abstract,
        sequence=0,
        changed_at=REVISED_AT,
    )


def _track(name: str, parent: str | None) -> PublicTrack:
    label = f"{parent}: {name}" if parent else name
    number = sum(label.encode()) % 1000
    parent_slug = slug(parent) if parent else ""
    return PublicTrack(number, slug(label), name, number, number % 13 + 1, label, parent_slug)
