"""What stands in the database, in the words of the source.

Rows by the name that the source has for them, and the values that ``merge`` compares.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from confsched.models import Conference, SlugRedirect
from sessions_app.days import conference_day
from sessions_app.loader.match import Face
from sessions_app.loader.said import moment, person_key
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
from speakers.models import Speaker

CONFERENCE = (
    "name", "place", "timezone", "starts_on", "ends_on", "website", "registration_url", "contact",
    "notice", "registration_note",
)  # fmt: skip
SPEAKER = ("name", "headline", "company", "bio", "bio_is_truncated", "has_avatar")
PART = ("name", "position")
SESSION = (
    "title", "source_title", "kind", "is_sponsored", "status", "has_slides_tag", "abstract",
    "position",
)  # fmt: skip


def source_name(row: Any) -> str:
    """Return what the last import called a row; its name if it was made by hand."""
    name: str = row.source_values.get("name") or row.name
    return name


def track_key(track: Track) -> tuple[str, str]:
    """Return the source's name of a track and of its parent (empty without one)."""
    return source_name(track), source_name(track.parent) if track.parent else ""


def by_key(rows: Iterable[Any], key: Any) -> dict[Any, Any]:
    """Return the rows by *key*, imported ones before those of the same name made by hand."""
    ordered = sorted(rows, key=lambda row: (not row.source_values, row.pk))
    found: dict[Any, Any] = {}
    for row in ordered:
        found.setdefault(key(row), row)
    return found


def columns(row: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return these columns of a row as JSON values."""
    values = {name: getattr(row, name) for name in names}
    return {
        name: value.isoformat() if isinstance(value, dt.date) else value
        for name, value in values.items()
    }


@dataclass
class Parts:
    """What hangs on one session, each list in order; rows have their track, person or level."""

    tracks: list[SessionTrack] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    people: list[SessionSpeaker] = field(default_factory=list)
    decks: list[Slides] = field(default_factory=list)


@dataclass
class State:
    """The rows of a conference; empty for one that is not there yet."""

    rooms: dict[str, Room] = field(default_factory=dict)
    tracks: dict[tuple[str, str], Track] = field(default_factory=dict)
    levels: dict[str, Level] = field(default_factory=dict)
    speakers: dict[str, Speaker] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    parts: dict[int, Parts] = field(default_factory=dict)
    names: dict[type, set[str]] = field(default_factory=dict)
    slugs: dict[str, set[str]] = field(default_factory=dict)


def read_state(conference: Conference | None) -> State:
    """Read everything of a conference that an import may touch, in a fixed number of queries."""
    if conference is None:
        return State()
    mine = {"conference": conference}
    rooms = list(Room.objects.filter(**mine))
    tracks = list(Track.objects.filter(**mine).select_related("parent"))
    levels = list(Level.objects.filter(**mine))
    speakers = list(Speaker.objects.filter(**mine))
    sessions = list(Session.objects.filter(**mine).order_by("number").select_related("room"))
    rows: dict[str, list[Any]] = {
        "room": rooms, "track": tracks, "level": levels, "speaker": speakers,
        "session": sessions,
    }  # fmt: skip
    slugs = {page: {row.slug for row in found} for page, found in rows.items()}
    for page, slug in SlugRedirect.objects.filter(**mine).values_list("page", "slug"):
        slugs.setdefault(page, set()).add(slug)
    return State(
        rooms=by_key(rooms, source_name),
        tracks=by_key(tracks, track_key),
        levels=by_key(levels, source_name),
        speakers=by_key(speakers, lambda row: person_key(source_name(row))),
        sessions=sessions,
        parts=_read_parts(conference, tracks, levels, speakers),
        names={Room: {row.name for row in rooms}, Level: {row.name for row in levels}},
        slugs=slugs,
    )


def _read_parts(
    conference: Conference, tracks: list[Track], levels: list[Level], speakers: list[Speaker]
) -> dict[int, Parts]:
    """Read the parts of all sessions: four queries, where prefetching asks for ids by thousands."""
    parts: dict[int, Parts] = defaultdict(Parts)
    mine = {"session__conference": conference}
    track_by_id = {row.pk: row for row in tracks}
    for link in SessionTrack.objects.filter(**mine).order_by("position"):
        link.track = track_by_id[link.track_id]
        parts[link.session_id].tracks.append(link)
    person_by_id = {row.pk: row for row in speakers}
    for entry in SessionSpeaker.objects.filter(**mine).order_by("position"):
        entry.speaker = person_by_id[entry.speaker_id]
        parts[entry.session_id].people.append(entry)
    level_by_id = {row.pk: row for row in levels}
    through = Session.levels.through.objects.filter(**mine)
    for session_id, level_id in through.values_list("session_id", "level_id"):
        parts[session_id].levels.append(level_by_id[level_id])
    for deck in Slides.objects.filter(**mine).order_by("position"):
        parts[deck.session_id].decks.append(deck)
    return parts


def session_current(session: Session, parts: Parts) -> dict[str, Any]:
    """Return a session as it stands, with its parts under the source's names for them."""
    people = [person_key(source_name(entry.speaker)) for entry in parts.people]
    chairs = {key for key, each in zip(people, parts.people, strict=True) if each.is_moderator}
    return columns(session, SESSION) | {
        "starts_at": moment(session.starts_at),
        "ends_at": moment(session.ends_at),
        "room": source_name(session.room) if session.room else "",
        "tracks": [list(track_key(entry.track)) for entry in parts.tracks],
        "levels": sorted(source_name(level) for level in parts.levels),
        "speakers": people,
        "moderators": sorted(chairs),
        "slides": [deck_current(deck, session) for deck in parts.decks],
    }


def deck_current(deck: Slides, session: Session) -> list[str]:
    """Return a deck as the source would print it: an address added by hand is none of it."""
    printed = [deck.name, deck.file_type, deck.url]
    bare = [deck.name, deck.file_type, ""]
    return bare if bare in session.source_values.get("slides", []) else printed


def known_face(session: Session, now: Mapping[str, Any], zone: ZoneInfo) -> Face:
    """Return what a row is known by: what the last import said, else what stands in it *now*."""
    stored = session.source_values
    said = stored.get("starts_at")
    starts_at = dt.datetime.fromisoformat(said) if said else session.starts_at
    title = stored.get("title", session.title)
    is_gone = stored.get("status") == Status.CANCELLED
    return Face(
        key=session.source_key,
        title=title,
        printed=stored.get("source_title") or session.source_title or title,
        starts_at=starts_at,
        day=conference_day(starts_at, zone),
        room=stored.get("room", now["room"]),
        people=frozenset(stored.get("speakers", now["speakers"])),
        is_gone=is_gone,
        # Twins keep the order of the source, so that loading it again pairs them as before.
        rank=(
            is_gone,
            not stored,
            session.status != Status.PUBLISHED,
            stored.get("position", session.position),
        ),
    )
