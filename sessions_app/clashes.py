"""What overlaps: in a visitor's selection, and as checks for organizers.

Intervals are half-open, so that back-to-back sessions never clash, and compared in UTC, so that a
clock change cannot invent or hide an overlap.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule

#: Shorter pauses are the time one needs to change rooms, not free time.
SHORTEST_GAP = dt.timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two sessions at the same time, ``first`` being the one that starts earlier."""

    first: PublicSession
    second: PublicSession
    length: dt.timedelta

    @property
    def minutes(self) -> int:
        """The length in whole minutes."""
        return int(self.length.total_seconds() // 60)


@dataclass(frozen=True, slots=True)
class Gap:
    """Free time between sessions of one conference day; times are aware and in UTC."""

    starts_at: dt.datetime
    ends_at: dt.datetime

    @property
    def length(self) -> dt.timedelta:
        """How long it is."""
        return self.ends_at - self.starts_at


@dataclass(frozen=True, slots=True)
class Clash:
    """Something an organizer should look at: a stable code, a sentence, the sessions meant."""

    code: str
    message: str
    sessions: tuple[PublicSession, ...]


def overlaps(sessions: Iterable[PublicSession]) -> tuple[Overlap, ...]:
    """Return each pair of sessions that overlap, in order of the earlier start.

    Cancelled sessions take up no time.
    """
    taken = sorted((s for s in sessions if not s.is_cancelled), key=_by_start)
    found = []
    for number, first in enumerate(taken):
        for second in taken[number + 1 :]:
            if second.starts_at >= first.ends_at:
                break
            length = min(first.ends_at, second.ends_at) - second.starts_at
            found.append(Overlap(first, second, length))
    return tuple(found)


def gaps(sessions: Iterable[PublicSession]) -> tuple[Gap, ...]:
    """Return the free times between sessions of the same conference day."""
    taken = sorted((s for s in sessions if not s.is_cancelled), key=_by_start)
    found: list[Gap] = []
    busy_until: dt.datetime | None = None
    day: dt.date | None = None
    for session in taken:
        if busy_until is not None and session.day == day:
            if session.starts_at - busy_until >= SHORTEST_GAP:
                found.append(Gap(busy_until, session.starts_at))
            busy_until = max(busy_until, session.ends_at)
        else:
            busy_until = session.ends_at
        day = session.day
    return tuple(found)


Check = Callable[[Schedule], Iterator[Clash]]


def speaker_twice(schedule: Schedule) -> Iterator[Clash]:
    """Find people who speak in two places at once."""
    for speaker in schedule.speakers:
        for overlap in overlaps(schedule.sessions_of(speaker)):
            pair = (overlap.first, overlap.second)
            yield Clash("speaker-twice", f"{speaker.name}: {_titles(pair)}", pair)


def room_twice(schedule: Schedule) -> Iterator[Clash]:
    """Find rooms that hold two sessions at once."""
    for room in schedule.rooms:
        for overlap in overlaps(schedule.sessions_in(room)):
            pair = (overlap.first, overlap.second)
            yield Clash("room-twice", f"{room.name}: {_titles(pair)}", pair)


#: Every check that organizers see; a new one is a function like those above and a line here.
CHECKS: tuple[Check, ...] = (speaker_twice, room_twice)


def check(schedule: Schedule) -> tuple[Clash, ...]:
    """Run every check."""
    return tuple(clash for each in CHECKS for clash in each(schedule))


def _by_start(session: PublicSession) -> tuple[dt.datetime, dt.datetime, int]:
    return (session.starts_at, session.ends_at, session.number)


def _titles(sessions: Iterable[PublicSession]) -> str:
    return " / ".join(f"“{session.title}”" for session in sessions)
