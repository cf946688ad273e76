"""Rows → public records: what the public may see of one conference, in a fixed number of queries.

Both readers of the programme stand on it: ``snapshot`` shows these records, ``publish`` compares
them with what it showed last. So nothing can be shown that publish does not know of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from confsched.models import Conference, SlugRedirect
from sessions_app.days import conference_day
from sessions_app.models import (
    Change,
    Level,
    Room,
    Session,
    SessionSpeaker,
    SessionTrack,
    Slides,
    Status,
    Track,
)
from sessions_app.records import (
    PublicChange,
    PublicConference,
    PublicLevel,
    PublicRoom,
    PublicSession,
    PublicSlides,
    PublicSpeaker,
    PublicTrack,
)
from speakers.models import Speaker

#: How many entries of the change log a snapshot holds.
CHANGES_SHOWN = 1000

_CONFERENCE = (
    "id", "slug", "name", "place", "timezone", "starts_on", "ends_on", "website",
    "registration_url", "contact", "notice", "registration_note",
)  # fmt: skip
_SESSION = (
    "id", "uid", "number", "slug", "title", "kind", "is_sponsored", "status", "starts_at",
    "ends_at", "abstract", "sequence", "position", "source_title", "room_id", "replacement_id",
    "changed_at",
)  # fmt: skip

_Row = TypeVar("_Row", PublicRoom, PublicTrack, PublicLevel, PublicSpeaker)


@dataclass(frozen=True, slots=True)
class Programme:
    """The public records of a conference: every session but drafts, and only speakers of those."""

    conference: PublicConference
    rooms: tuple[PublicRoom, ...]
    tracks: tuple[PublicTrack, ...]
    levels: tuple[PublicLevel, ...]
    speakers: tuple[PublicSpeaker, ...]
    sessions: tuple[PublicSession, ...]


def read_conferences(**filters: Any) -> tuple[PublicConference, ...]:
    """Return the conferences that match, newest first."""
    rows = Conference.objects.filter(**filters).values_list(*_CONFERENCE)
    return tuple(PublicConference(*row) for row in rows)


def read_programme(conference_id: int) -> Programme | None:
    """Return what the public may see of this conference, None if there is none; 10 queries."""
    found = read_conferences(pk=conference_id)
    if not found:
        return None
    rooms = _rooms(conference_id)
    tracks = _tracks(conference_id)
    levels = _levels(conference_id)
    speakers = _speakers(conference_id)
    sessions = _Sessions(conference_id, found[0], rooms, tracks, levels, speakers).read()
    shown = {
        speaker.id
        for session in sessions
        if session.status != Status.WITHDRAWN
        for speaker in session.speakers
    }
    return Programme(
        conference=found[0],
        rooms=rooms,
        tracks=tracks,
        levels=levels,
        speakers=tuple(speaker for speaker in speakers if speaker.id in shown),
        sessions=sessions,
    )


def read_changes(conference_id: int) -> tuple[PublicChange, ...]:
    """Return the newest entries of the public change log, newest first."""
    rows = Change.objects.filter(conference_id=conference_id, is_silent=False).values_list(
        "id", "session_id", "field", "old", "new", "at", "revision"
    )
    return tuple(PublicChange(*row) for row in rows[:CHANGES_SHOWN])


def read_redirects(programme: Programme) -> dict[tuple[str, str], str]:
    """Return page and old slug → the slug of today, of what the public may see."""
    page = SlugRedirect.Page
    today: Mapping[str, Mapping[int, str]] = {
        page.SESSION: {row.id: row.slug for row in programme.sessions},
        page.SPEAKER: {row.id: row.slug for row in programme.speakers},
        page.ROOM: {row.id: row.slug for row in programme.rooms},
        page.TRACK: {row.id: row.slug for row in programme.tracks},
    }
    rows = SlugRedirect.objects.filter(conference_id=programme.conference.id)
    return {
        (kind, slug): today[kind][target]
        for kind, slug, target in rows.values_list("page", "slug", "target_id")
        if target in today.get(kind, {})
    }


def _rooms(conference_id: int) -> tuple[PublicRoom, ...]:
    rows = Room.objects.filter(conference_id=conference_id).values_list(
        "id", "slug", "name", "position", "address", "description"
    )
    return tuple(PublicRoom(*row) for row in rows)


def _levels(conference_id: int) -> tuple[PublicLevel, ...]:
    rows = Level.objects.filter(conference_id=conference_id)
    return tuple(PublicLevel(*row) for row in rows.values_list("id", "slug", "name", "position"))


def _tracks(conference_id: int) -> tuple[PublicTrack, ...]:
    rows = Track.objects.filter(conference_id=conference_id).values_list(
        "id", "slug", "name", "position", "colour", "description", "parent__name", "parent__slug"
    )
    return tuple(
        PublicTrack(
            id=id_,
            slug=slug,
            name=name,
            position=position,
            colour=colour,
            label=f"{parent}: {name}" if parent else name,
            parent_slug=parent_slug or "",
            description=description,
        )
        for id_, slug, name, position, colour, description, parent, parent_slug in rows
    )


def _speakers(conference_id: int) -> tuple[PublicSpeaker, ...]:
    storage = Speaker._meta.get_field("photo").storage
    rows = Speaker.objects.filter(conference_id=conference_id).values_list(
        "id", "slug", "name", "headline", "company", "bio", "bio_is_truncated", "photo", "website"
    )
    return tuple(
        PublicSpeaker(*row[:7], photo_url=storage.url(row[7]) if row[7] else "", website=row[8])
        for row in rows
    )


def _by_id(rows: Iterable[_Row]) -> dict[int, _Row]:
    return {row.id: row for row in rows}


class _Sessions:
    """Reads the sessions of a conference and puts the records of their parts together.

    A link to a row that is not there was committed between two of the queries: it is left out, and
    the snapshot, which finds another revision afterwards, reads once more.
    """

    def __init__(
        self,
        conference_id: int,
        conference: PublicConference,
        rooms: Iterable[PublicRoom],
        tracks: Iterable[PublicTrack],
        levels: Iterable[PublicLevel],
        speakers: Iterable[PublicSpeaker],
    ) -> None:
        self.conference_id = conference_id
        self.zone = Conference(timezone=conference.timezone).zone
        self.rooms = _by_id(rooms)
        self.tracks = self._links(SessionTrack, "track_id", _by_id(tracks))
        self.levels = self._levels(_by_id(levels))
        self.speakers, self.moderators = self._people(_by_id(speakers))
        self.slides = self._slides()

    def read(self) -> tuple[PublicSession, ...]:
        """Return every session but drafts, in the order of their numbers."""
        rows = list(
            Session.objects.filter(conference_id=self.conference_id)
            .exclude(status=Status.DRAFT)
            .order_by("number")
            .values_list(*_SESSION)
        )
        # What takes another's place has to take place itself.
        slugs = {row[0]: row[3] for row in rows if row[7] == Status.PUBLISHED}
        return tuple(self._session(row, slugs) for row in rows)

    def _session(self, row: tuple[Any, ...], slugs: Mapping[int, str]) -> PublicSession:
        values = dict(zip(_SESSION, row, strict=True))
        key = values["id"]
        values["uid"] = str(values["uid"])
        room_id, replacement_id = values.pop("room_id"), values.pop("replacement_id")
        # A session on its way to its first publish has no moment of change yet.
        values["changed_at"] = values["changed_at"] or values["starts_at"]
        return PublicSession(
            **values,
            day=conference_day(values["starts_at"], self.zone),
            room=self.rooms.get(room_id),
            tracks=tuple(self.tracks[key]),
            levels=tuple(self.levels[key]),
            speakers=tuple(self.speakers[key]),
            moderators=tuple(self.moderators[key]),
            slides=tuple(self.slides[key]),
            replacement_slug=slugs.get(replacement_id, ""),
        )

    def _links(self, model: Any, column: str, rows: Mapping[int, _Row]) -> dict[int, list[_Row]]:
        links = model.objects.filter(session__conference_id=self.conference_id)
        found: dict[int, list[_Row]] = defaultdict(list)
        for session_id, row_id in links.order_by("position").values_list("session_id", column):
            if row_id in rows:
                found[session_id].append(rows[row_id])
        return found

    def _levels(self, rows: Mapping[int, PublicLevel]) -> dict[int, list[PublicLevel]]:
        links = Session.levels.through.objects.filter(session__conference_id=self.conference_id)
        ordered = links.order_by("level__position", "level__name")
        found: dict[int, list[PublicLevel]] = defaultdict(list)
        for session_id, level_id in ordered.values_list("session_id", "level_id"):
            if level_id in rows:
                found[session_id].append(rows[level_id])
        return found

    def _people(
        self, rows: Mapping[int, PublicSpeaker]
    ) -> tuple[dict[int, list[PublicSpeaker]], dict[int, list[PublicSpeaker]]]:
        links = SessionSpeaker.objects.filter(session__conference_id=self.conference_id)
        speakers: dict[int, list[PublicSpeaker]] = defaultdict(list)
        moderators: dict[int, list[PublicSpeaker]] = defaultdict(list)
        for session_id, speaker_id, is_moderator in links.order_by("position").values_list(
            "session_id", "speaker_id", "is_moderator"
        ):
            if speaker_id not in rows:
                continue
            speakers[session_id].append(rows[speaker_id])
            if is_moderator:
                moderators[session_id].append(rows[speaker_id])
        return speakers, moderators

    def _slides(self) -> dict[int, list[PublicSlides]]:
        decks = Slides.objects.filter(session__conference_id=self.conference_id)
        found: dict[int, list[PublicSlides]] = defaultdict(list)
        for session_id, name, file_type, url, file in decks.order_by("position").values_list(
            "session_id", "name", "file_type", "url", "file"
        ):
            number = len(found[session_id]) + 1
            found[session_id].append(PublicSlides(number, name, file_type, url, bool(file)))
        return found
