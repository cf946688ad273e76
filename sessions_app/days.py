"""Days and slots: how a programme is laid out in time.

A conference day ends at 04:00 local time, so that what begins after midnight still belongs to the
evening before.
"""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sessions_app.records import PublicSession

DAY_CUT = dt.time(4, 0)


@dataclass(frozen=True, slots=True)
class Slot:
    """The sessions that start together; ``starts_at`` is aware and in UTC."""

    starts_at: dt.datetime
    sessions: tuple[PublicSession, ...]


@dataclass(frozen=True, slots=True)
class DayProgramme:
    """One conference day and its slots in order."""

    day: dt.date
    slots: tuple[Slot, ...]

    @property
    def sessions(self) -> tuple[PublicSession, ...]:
        """All sessions of the day in order."""
        return tuple(session for slot in self.slots for session in slot.sessions)


def conference_day(moment: dt.datetime, zone: ZoneInfo) -> dt.date:
    """Return the conference day that an aware moment belongs to."""
    local = moment.astimezone(zone)
    return local.date() if local.time() >= DAY_CUT else local.date() - dt.timedelta(days=1)


def day_start(day: dt.date, zone: ZoneInfo) -> dt.datetime:
    """Return the moment (UTC) at which a conference day begins."""
    return dt.datetime.combine(day, DAY_CUT, zone).astimezone(dt.UTC)


def by_day(sessions: Iterable[PublicSession]) -> tuple[DayProgramme, ...]:
    """Group sessions, given in order, by their day and then by their start."""
    return tuple(
        DayProgramme(day, _slots(of_day))
        for day, of_day in itertools.groupby(sessions, key=lambda session: session.day)
    )


def _slots(sessions: Iterable[PublicSession]) -> tuple[Slot, ...]:
    return tuple(
        Slot(starts_at, tuple(together))
        for starts_at, together in itertools.groupby(sessions, key=lambda each: each.starts_at)
    )
