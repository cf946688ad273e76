"""The Schedule: all that the public sees of one conference at one revision, indexed and immutable.

Pages, fragments and every format are made from it. It is built once per revision by ``snapshot``
and shared between threads; the clock enters as a value.
"""

from __future__ import annotations

import bisect
import datetime as dt
import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sessions_app.criteria import FACETS, NOT_STATED, Criteria
from sessions_app.days import (
    DAY_CUT,
    DayProgramme,
    Slot,
    by_day,
    conference_day,
    day_start,
)
from sessions_app.facets import VALUES, Facet, Option, masks, numbers
from sessions_app.records import (
    PublicChange,
    PublicConference,
    PublicLevel,
    PublicRoom,
    PublicSession,
    PublicSpeaker,
    PublicTrack,
)
from sessions_app.search import contains, haystack, words

__all__ = [
    "DAY_CUT",
    "Criteria",
    "DayProgramme",
    "Facet",
    "Option",
    "RoomNow",
    "Schedule",
    "ScheduleKey",
    "Shown",
    "Slot",
    "by_day",
    "conference_day",
    "duration",
]

#: Up to this many sessions a page shows every day at once.
MOST_ON_ONE_PAGE = 200
#: So many searches and counts of a facet are remembered, for whoever adds a filter to one, tries
#: another value or asks for the calendar.
MOST_SEARCHED = 500
#: For how long a changed session carries a mark.
CHANGED_FOR = dt.timedelta(hours=24)
#: For how long after the conference a feed keeps cancelled and withdrawn entries.
TOMBSTONES_FOR = dt.timedelta(days=30)


class ScheduleKey(NamedTuple):
    """What tells one Schedule from every other."""

    conference_id: int
    revision: int
    revised_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class RoomNow:
    """What runs in a room at a moment, and what comes next there."""

    room: PublicRoom | None
    running: tuple[PublicSession, ...]
    next: PublicSession | None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows of what matches: ``day`` is set where it had to choose one day.

    Bit *n* of ``mask`` stands for the session number *n* of the schedule. ``total`` counts all that
    matches, ``days`` the conference days with matches.
    """

    mask: int
    total: int
    day: dt.date | None
    days: tuple[dt.date, ...]


def duration(session: PublicSession) -> dt.timedelta:
    """Return the real time between start and end (both are in UTC, so no clock change counts)."""
    return session.ends_at - session.starts_at


def _order(session: PublicSession) -> tuple[Any, ...]:
    # Breaks and plenaries come first in their slot: people must not miss food (EuroPython#1466).
    is_for_all = session.kind in ("service", "keynote")
    return (session.starts_at, not is_for_all, session.position, session.number)


class Schedule:
    """One conference at one revision.

    ``sessions`` are the visible ones (published and cancelled) in order of start; ``withdrawn``
    those that only feeds still know. ``memo`` is room for what is made from the schedule once and
    kept with it, such as the bytes of cards and calendar entries.
    """

    def __init__(
        self,
        key: ScheduleKey,
        *,
        conference: PublicConference,
        sessions: Iterable[PublicSession],
        rooms: Iterable[PublicRoom] = (),
        tracks: Iterable[PublicTrack] = (),
        levels: Iterable[PublicLevel] = (),
        speakers: Iterable[PublicSpeaker] = (),
        changes: Iterable[PublicChange] = (),
        redirects: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        ordered = sorted(sessions, key=_order)
        self.key = key
        #: The key as text, for whatever is kept by it.
        self.stamp = f"{key.conference_id}.{key.revision}.{key.revised_at}"
        self.conference = conference
        self.zone = ZoneInfo(conference.timezone)
        self.sessions = tuple(s for s in ordered if s.status in ("published", "cancelled"))
        self.withdrawn = tuple(s for s in ordered if s.status == "withdrawn")
        self.rooms = tuple(sorted(rooms, key=lambda room: (room.position, room.name)))
        self.tracks = _parents_first(tracks)
        self.levels = tuple(sorted(levels, key=lambda level: (level.position, level.name)))
        self.speakers = tuple(sorted(speakers, key=lambda each: (each.name.casefold(), each.slug)))
        self.changes = tuple(changes)
        self.days = tuple(sorted({session.day for session in self.sessions}))
        self.memo: dict[Any, Any] = {}
        self._redirects = dict(redirects or {})
        self._sessions = {session.slug: session for session in self.sessions}
        self._rooms = {room.slug: room for room in self.rooms}
        self._tracks = {track.slug: track for track in self.tracks}
        self._levels = {level.slug: level for level in self.levels}
        self._speakers = {speaker.slug: speaker for speaker in self.speakers}
        self._searched: dict[str, int] = {}
        self._counted: dict[tuple[int, int], list[int]] = {}
        self._all = (1 << len(self.sessions)) - 1

    # --- look-ups ---

    def session(self, slug: str) -> PublicSession | None:
        """Return the visible session with this slug."""
        return self._sessions.get(slug)

    def session_by_id(self, session_id: int) -> PublicSession | None:
        """Return the session with this primary key, a withdrawn one too."""
        return self._by_id.get(session_id)

    def room(self, slug: str) -> PublicRoom | None:
        """Return the room with this slug."""
        return self._rooms.get(slug)

    def track(self, slug: str) -> PublicTrack | None:
        """Return the track with this slug."""
        return self._tracks.get(slug)

    def level(self, slug: str) -> PublicLevel | None:
        """Return the level with this slug."""
        return self._levels.get(slug)

    def speaker(self, slug: str) -> PublicSpeaker | None:
        """Return the speaker with this slug."""
        return self._speakers.get(slug)

    def redirect(self, page: str, slug: str) -> str | None:
        """Return today's slug of a session, speaker, room or track that was once called so."""
        return self._redirects.get((page, slug))

    @cached_property
    def _by_id(self) -> dict[int, PublicSession]:
        return {session.id: session for session in (*self.sessions, *self.withdrawn)}

    # --- selecting ---

    @cached_property
    def _masks(self) -> dict[str, dict[str, int]]:
        return {name: masks(self.sessions, values_of) for name, values_of in VALUES.items()}

    @cached_property
    def _haystacks(self) -> tuple[str, ...]:
        return tuple(haystack(session) for session in self.sessions)

    def select(self, criteria: Criteria) -> tuple[PublicSession, ...]:
        """Return the visible sessions that match, in order."""
        return self.sessions if criteria.is_empty else self.behind(self._mask(criteria))

    def behind(self, mask: int) -> tuple[PublicSession, ...]:
        """Return the visible sessions whose bits are set, in order."""
        return tuple(self.sessions[number] for number in numbers(mask))

    def mask_of(self, sessions: Iterable[PublicSession]) -> int:
        """Return the mask of some of the visible sessions."""
        mask = 0
        for session in sessions:
            mask |= 1 << self._numbers[session.id]
        return mask

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {session.id: number for number, session in enumerate(self.sessions)}

    def count(self, criteria: Criteria) -> int:
        """Return how many sessions match."""
        return self._mask(criteria).bit_count()

    def facets(self, criteria: Criteria) -> tuple[Facet, ...]:
        """Return every facet with its options, counted under the other facets' filters."""
        facets = []
        for name, counts in zip(FACETS, self.counts(criteria), strict=True):
            selected = criteria.values(name)
            options = (
                Option(value, label, count, value in selected, colour, parent)
                for (value, label, colour, parent), count in zip(
                    self._offers[name], counts, strict=True
                )
            )
            facets.append(Facet(name, tuple(options)))
        return tuple(facets)

    def counts(self, criteria: Criteria) -> tuple[list[int], ...]:
        """Return the counts of every facet's options, in the order of ``facets``."""
        chosen, text = self._chosen(criteria), self._found(criteria.q)
        everything = functools.reduce(operator.and_, chosen, text)
        found = []
        for position, offered in enumerate(self._offered_masks):
            others = everything
            if chosen[position] is not self._all:
                rest = (*chosen[:position], *chosen[position + 1 :])
                others = functools.reduce(operator.and_, rest, text)
            found.append(self._counts_of(position, offered, others))
        return tuple(found)

    def _counts_of(self, position: int, offered: tuple[int, ...], others: int) -> list[int]:
        """Return the counts of one facet; who tries its values in turn asks for the same again."""
        counts = self._counted.get((position, others))
        if counts is None:
            counts = [(others & mask).bit_count() for mask in offered]
            if len(self._counted) >= MOST_SEARCHED:
                self._counted.clear()
            self._counted[position, others] = counts
        return counts

    @cached_property
    def _offered_masks(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(self._masks[name][offer[0]] for offer in self._offers[name]) for name in FACETS
        )

    def matches(self, session: PublicSession, criteria: Criteria) -> bool:
        """Whether a session, also a withdrawn one, is what the criteria ask for."""
        for name, values_of in VALUES.items():
            asked = criteria.values(name)
            if asked and not set(asked) & set(values_of(session)):
                return False
        return contains(haystack(session), words(criteria.q)) if criteria.q else True

    def _mask(self, criteria: Criteria) -> int:
        return functools.reduce(operator.and_, self._chosen(criteria), self._found(criteria.q))

    def _chosen(self, criteria: Criteria) -> tuple[int, ...]:
        """Return for each facet the sessions that have what is asked; ``_all`` for nothing."""
        return tuple(
            self._any_of(name, values) if (values := criteria.values(name)) else self._all
            for name in FACETS
        )

    def _any_of(self, name: str, asked: tuple[str, ...]) -> int:
        known, mask = self._masks[name], 0
        for value in asked:
            mask |= known.get(value, 0)
        return mask

    def _found(self, query: str) -> int:
        """Return the mask of the sessions with every word; a page asks several times for it."""
        if not query:
            return self._all
        found = self._searched.get(query)
        if found is None:
            found = self._search(query)
            if len(self._searched) >= MOST_SEARCHED:
                self._searched.clear()
            self._searched[query] = found
        return found

    def _search(self, query: str) -> int:
        wanted = words(query)
        if not wanted:
            return self._all if not query.strip() else 0
        bits = bytearray(len(self.sessions) // 8 + 1)
        for number, text in enumerate(self._haystacks):
            if contains(text, wanted):
                bits[number >> 3] |= 1 << (number & 7)
        return int.from_bytes(bits, "little")

    @cached_property
    def _offers(self) -> dict[str, tuple[tuple[str, str, int | None, str], ...]]:
        """Every value that some visible session has, by facet, in the order it is offered."""
        offers: dict[str, list[tuple[str, str, int | None, str]]] = {
            "day": [(day.isoformat(), "", None, "") for day in self.days],
            "room": [(room.slug, room.name, None, "") for room in self.rooms],
            "track": [(t.slug, t.label, t.colour, t.parent_slug) for t in self.tracks],
            "level": [
                *((level.slug, level.name, None, "") for level in self.levels),
                (NOT_STATED, "", None, ""),
            ],
            "slides": [("yes", "", None, "")],
        }
        return {
            name: tuple(offer for offer in offered if offer[0] in self._masks[name])
            for name, offered in offers.items()
        }

    def offered(self, facet: str) -> tuple[str, ...]:
        """Return the values of a facet that some visible session has, in order."""
        return self._offered[facet]

    @cached_property
    def _offered(self) -> dict[str, tuple[str, ...]]:
        return {name: tuple(offer[0] for offer in self._offers[name]) for name in FACETS}

    @property
    def fits_one_page(self) -> bool:
        """Whether a page without any filter shows every session."""
        return len(self.sessions) <= MOST_ON_ONE_PAGE or len(self.days) < 2

    def shown(self, criteria: Criteria, now: dt.datetime, *, all_days: bool = False) -> Shown:
        """Return what a page shows: everything, or one day where that would be too much.

        Without a chosen day more than ``MOST_ON_ONE_PAGE`` matches are cut to the day that is on
        (today, else the first day with matches), unless ``all_days`` is asked for.
        """
        mask = self._mask(criteria)
        total = mask.bit_count()
        days = tuple(day for day, of_day in self.day_masks if mask & of_day)
        if criteria.days or all_days or total <= MOST_ON_ONE_PAGE or len(days) < 2:
            return Shown(mask, total, None, days)
        today = conference_day(now, self.zone)
        day = today if today in days else days[0]
        return Shown(mask & dict(self.day_masks)[day], total, day, days)

    @cached_property
    def day_masks(self) -> tuple[tuple[dt.date, int], ...]:
        """Every conference day with the mask of its sessions."""
        masks = self._masks["day"]
        return tuple((day, masks[day.isoformat()]) for day in self.days)

    # --- relations ---

    def sessions_of(self, speaker: PublicSpeaker) -> tuple[PublicSession, ...]:
        """Return the speaker's visible sessions in order."""
        return self._of_speaker.get(speaker.slug, ())

    def sessions_in(self, room: PublicRoom) -> tuple[PublicSession, ...]:
        """Return the room's visible sessions in order."""
        return self.select(Criteria(rooms=(room.slug,)))

    def sessions_on(self, track: PublicTrack) -> tuple[PublicSession, ...]:
        """Return the visible sessions of a track and its sub-tracks in order."""
        return self.select(Criteria(tracks=(track.slug,)))

    def parallel(self, session: PublicSession) -> tuple[PublicSession, ...]:
        """Return the other sessions that overlap this one; ends are exclusive."""
        return tuple(
            other
            for other in self.sessions
            if other.id != session.id
            and other.starts_at < session.ends_at
            and session.starts_at < other.ends_at
        )

    def neighbours_in_room(
        self, session: PublicSession
    ) -> tuple[PublicSession | None, PublicSession | None]:
        """Return what ends before it and what starts after it in its room on the same day."""
        if session.room is None:
            return None, None
        same = [s for s in self.sessions_in(session.room) if s.day == session.day]
        before = [s for s in same if s.ends_at <= session.starts_at and s.id != session.id]
        after = [s for s in same if s.starts_at >= session.ends_at and s.id != session.id]
        latest = max(before, key=lambda s: (s.ends_at, s.starts_at), default=None)
        return latest, (after[0] if after else None)

    @cached_property
    def _of_speaker(self) -> dict[str, tuple[PublicSession, ...]]:
        found: dict[str, list[PublicSession]] = {}
        for session in self.sessions:
            for speaker in session.speakers:
                found.setdefault(speaker.slug, []).append(session)
        return {slug: tuple(sessions) for slug, sessions in found.items()}

    # --- the clock ---

    @cached_property
    def _boundaries(self) -> tuple[dt.datetime, ...]:
        moments = {moment for s in self.sessions for moment in (s.starts_at, s.ends_at)}
        moments |= {session.changed_at + CHANGED_FOR for session in self.sessions}
        moments |= {day_start(day, self.zone) for day in self.days}
        moments |= {day_start(day + dt.timedelta(days=1), self.zone) for day in self.days}
        if self.days:
            moments.add(self.tombstones_until)
        return tuple(sorted(moments))

    @cached_property
    def ends_at(self) -> dt.datetime:
        """The end of the last session; the beginning of time where there is none."""
        first = dt.datetime.min.replace(tzinfo=dt.UTC)
        return max((session.ends_at for session in self.sessions), default=first)

    def phase(self, now: dt.datetime) -> int:
        """Return how many of the moments have passed at which something rendered changes."""
        return bisect.bisect_right(self._boundaries, now)

    @cached_property
    def tombstones_until(self) -> dt.datetime:
        """The moment from which feeds leave cancelled and withdrawn sessions out."""
        last = max((s.day for s in (*self.sessions, *self.withdrawn)), default=None)
        last = max(filter(None, (last, self.conference.ends_on)), default=None)
        if last is None:
            return dt.datetime.max.replace(tzinfo=dt.UTC)
        return day_start(last + dt.timedelta(days=1), self.zone) + TOMBSTONES_FOR

    def is_changed(self, session: PublicSession, now: dt.datetime) -> bool:
        """Whether it was changed, after it was first announced, in the last 24 hours."""
        return session.id in self._changed and now < session.changed_at + CHANGED_FOR

    @cached_property
    def _changed(self) -> frozenset[int]:
        return frozenset(change.session_id for change in self.changes)

    def has_changed(self, now: dt.datetime) -> bool:
        """Whether any session carries the mark of a change at this moment."""
        return any(
            self.is_changed(session, now)
            for session in map(self._by_id.get, self._changed)
            if session
        )

    def state(self, session: PublicSession, now: dt.datetime) -> str:
        """Return "past", "now", "next" (starts within the hour) or "later"."""
        if session.ends_at <= now:
            return "past"
        if session.starts_at <= now:
            return "now"
        return "next" if session.starts_at == self.next_start(now) else "later"

    def next_start(self, now: dt.datetime) -> dt.datetime | None:
        """Return the next moment at which something starts that is not cancelled."""
        starts = self._starts
        position = bisect.bisect_right(starts, now)
        return starts[position] if position < len(starts) else None

    @cached_property
    def _starts(self) -> tuple[dt.datetime, ...]:
        return tuple(sorted({s.starts_at for s in self.sessions if not s.is_cancelled}))

    def now_and_next(self, now: dt.datetime) -> tuple[RoomNow, ...]:
        """Return for each room with sessions what runs in it and what comes next on this day.

        Sessions without a room come last, under None. Cancelled ones neither run nor come next.
        """
        today = conference_day(now, self.zone)
        rooms: Sequence[PublicRoom | None] = [*self.rooms, None]
        found = []
        for room in rooms:
            slug = room.slug if room else None
            here = [
                s
                for s in self.sessions
                if (s.room.slug if s.room else None) == slug and not s.is_cancelled
            ]
            running = tuple(s for s in here if s.starts_at <= now < s.ends_at)
            coming = next((s for s in here if s.starts_at > now and s.day == today), None)
            if running or coming:
                found.append(RoomNow(room, running, coming))
        return tuple(found)


def _parents_first(tracks: Iterable[PublicTrack]) -> tuple[PublicTrack, ...]:
    """Order tracks by position, each parent followed by its sub-tracks."""
    ordered = sorted(tracks, key=lambda track: (track.position, track.name))
    children: dict[str, list[PublicTrack]] = {}
    for track in ordered:
        children.setdefault(track.parent_slug, []).append(track)
    top = children.get("", [])
    known = {track.slug for track in top}
    orphans = [t for t in ordered if t.parent_slug and t.parent_slug not in known]
    return tuple(each for track in top for each in (track, *children.get(track.slug, ()))) + tuple(
        orphans
    )
