"""What a source says, field by field, as the JSON values that ``source_values`` keeps.

Pure. Each function names the columns of one model; lists are in the source's order.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from sessions_app.records import (
    Source,
    SourceConference,
    SourceSession,
    SourceSpeaker,
    SourceTrack,
)

#: Lists that need a row at each end; the rest of a session's values are columns.
LINKS = frozenset({"tracks", "levels", "speakers", "moderators", "slides"})


def one_line(text: str) -> str:
    """Return *text* with runs of whitespace collapsed."""
    return " ".join(text.split())


def person_key(name: str) -> str:
    """Return what tells people of one conference apart: the name, case and form aside."""
    return one_line(unicodedata.normalize("NFKC", name)).casefold()


def moment(value: dt.datetime) -> str:
    """Return an aware datetime as ISO 8601 in UTC."""
    return value.astimezone(dt.UTC).isoformat()


@dataclass(frozen=True, slots=True)
class Said:
    """A source with everything its sessions name, each thing once, in order."""

    conference: SourceConference
    rooms: tuple[str, ...]
    tracks: tuple[SourceTrack, ...]
    levels: tuple[str, ...]
    speakers: tuple[SourceSpeaker, ...]
    sessions: tuple[SourceSession, ...]
    positions: tuple[int, ...]


def gather(source: Source) -> Said:
    """Return the source completed: parents of sub-tracks, people named only in sessions, and so on.

    People of the same name are one person, of whom the richest facts are kept.
    """
    sessions = tuple(_clean(session) for session in source.sessions)
    named = (name for session in sessions for name in (*session.speakers, *session.moderators))
    return Said(
        conference=source.conference,
        rooms=_once((*_lines(source.rooms), *(each.room for each in sessions if each.room))),
        tracks=_with_parents((*_tracks(source.tracks), *(t for s in sessions for t in s.tracks))),
        levels=_once((*_lines(source.levels), *(level for s in sessions for level in s.levels))),
        speakers=_people((*source.speakers, *(SourceSpeaker(name) for name in named))),
        sessions=sessions,
        positions=tuple(_positions(sessions)),
    )


def _clean(session: SourceSession) -> SourceSession:
    return replace(
        session,
        room=one_line(session.room),
        tracks=_tracks(session.tracks),
        levels=_lines(session.levels),
    )


def _lines(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(one_line, names)))


def _tracks(tracks: Iterable[SourceTrack]) -> tuple[SourceTrack, ...]:
    clean = (SourceTrack(one_line(t.name), one_line(t.parent or "") or None) for t in tracks)
    return tuple(track for track in clean if track.name)


def _once(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))


def _with_parents(tracks: Iterable[SourceTrack]) -> tuple[SourceTrack, ...]:
    """Return each track once; a parent that is named nowhere else comes before its child."""
    found: dict[SourceTrack, None] = {}
    listed = tuple(tracks)
    for track in listed:
        if track.parent is not None and SourceTrack(track.parent) not in listed:
            found.setdefault(SourceTrack(track.parent))
        found.setdefault(track)
    return tuple(found)


def _people(speakers: Iterable[SourceSpeaker]) -> tuple[SourceSpeaker, ...]:
    found: dict[str, SourceSpeaker] = {}
    for speaker in speakers:
        key = person_key(speaker.name)
        if not key:
            continue
        found[key] = _richest(found[key], speaker) if key in found else speaker
    return tuple(found.values())


def _richest(first: SourceSpeaker, second: SourceSpeaker) -> SourceSpeaker:
    """Return one person from two entries: the first's words, unless the second says more."""
    merged = first
    if not first.headline and second.headline:
        merged = replace(merged, headline=second.headline, company=second.company)
    if (bool(second.bio), not second.bio_is_truncated, len(second.bio)) > (
        bool(first.bio),
        not first.bio_is_truncated,
        len(first.bio),
    ):
        merged = replace(merged, bio=second.bio, bio_is_truncated=second.bio_is_truncated)
    return replace(merged, has_avatar=first.has_avatar or second.has_avatar)


def _positions(sessions: Iterable[SourceSession]) -> Iterator[int]:
    """Yield each session's place among those that start together."""
    counts: dict[dt.datetime, int] = defaultdict(int)
    for session in sessions:
        yield counts[session.starts_at]
        counts[session.starts_at] += 1


# --- as source_values -----------------------------------------------------------------------------


def conference_said(record: SourceConference) -> dict[str, Any]:
    """Return the conference's columns; dates as ISO 8601."""
    return {
        "name": one_line(record.name),
        "place": one_line(record.place),
        "timezone": record.timezone,
        "starts_on": record.starts_on.isoformat() if record.starts_on else None,
        "ends_on": record.ends_on.isoformat() if record.ends_on else None,
        "website": record.website,
        "registration_url": record.registration_url,
        "contact": record.contact,
        "notice": record.notice.strip(),
        "registration_note": record.registration_note.strip(),
    }


def speaker_said(record: SourceSpeaker) -> dict[str, Any]:
    """Return a speaker's columns."""
    return {
        "name": one_line(record.name),
        "headline": one_line(record.headline),
        "company": one_line(record.company),
        "bio": record.bio.strip(),
        "bio_is_truncated": record.bio_is_truncated,
        "has_avatar": record.has_avatar,
    }


def speaker_unsaid(record: SourceSpeaker) -> set[str]:
    """Return the columns about which a source that prints no headline or no bio says nothing."""
    unsaid: set[str] = set()
    if not record.headline.strip():
        unsaid |= {"headline", "company"}
    if not record.bio.strip():
        unsaid |= {"bio", "bio_is_truncated"}
    return unsaid


def session_said(record: SourceSession, position: int, status: str) -> dict[str, Any]:
    """Return a session's columns, and its lists by name (tracks as [name, parent])."""
    people = _once(filter(None, map(person_key, (*record.speakers, *record.moderators))))
    return {
        "title": one_line(record.title),
        "source_title": one_line(record.source_title),
        "kind": record.kind or "talk",
        "is_sponsored": record.is_sponsored,
        "status": status,
        "starts_at": moment(record.starts_at),
        "ends_at": moment(record.ends_at),
        "room": record.room,
        "has_slides_tag": record.has_slides_tag,
        "abstract": record.abstract.strip(),
        "position": position,
        "tracks": [[track.name, track.parent or ""] for track in _once(record.tracks)],
        "levels": sorted(set(record.levels)),
        "speakers": list(people),
        "moderators": sorted(set(filter(None, map(person_key, record.moderators)))),
        "slides": [
            [one_line(deck.name), deck.file_type, deck.url]
            for deck in record.slides
            if deck.name.strip()
        ],
    }
