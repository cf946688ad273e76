"""How a visitor's picks are laid out: days, free time between, overlaps, and what changed since.

Pure: from a Schedule and the moments of picking to what the page shows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sessions_app.clashes import Gap, Overlap, gaps, overlaps
from sessions_app.days import by_day
from sessions_app.records import PublicChange, PublicSession
from sessions_app.schedule import Schedule


@dataclass(frozen=True, slots=True)
class OverlapWith:
    """The other side of an overlap, and how long it lasts."""

    other: PublicSession
    length: dt.timedelta


@dataclass(frozen=True, slots=True)
class Before:
    """What was different when the session was picked; None and "" where it was the same."""

    starts_at: dt.datetime | None = None
    ends_at: dt.datetime | None = None
    room: str | None = None
    title: str = ""

    @property
    def is_moved(self) -> bool:
        """Whether it was at another time."""
        return self.starts_at is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One picked session. ``replacement`` is what replaces a cancelled one."""

    session: PublicSession
    state: str
    overlaps: tuple[OverlapWith, ...]
    before: Before
    replacement: PublicSession | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a day: an entry, or free time."""

    entry: Entry | None = None
    gap: Gap | None = None


@dataclass(frozen=True, slots=True)
class Day:
    """One conference day of an agenda."""

    day: dt.date
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """All of an agenda: its days, and the picks that are no longer in the programme."""

    days: tuple[Day, ...]
    withdrawn: tuple[PublicSession, ...]
    overlap_count: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing is picked."""
        return not self.days and not self.withdrawn


def plan(schedule: Schedule, picks: Mapping[int, dt.datetime], now: dt.datetime) -> Plan:
    """Lay out the picks, given as primary keys of sessions with the moments of picking."""
    picked = [session for session in schedule.sessions if session.id in picks]
    clashing = overlaps(picked)
    sides = _both_sides(clashing)
    free = gaps(picked)
    news = _news(schedule, picks)
    days = []
    for programme in by_day(picked):
        entries = [
            Entry(
                session=session,
                state=schedule.state(session, now),
                overlaps=sides.get(session.id, ()),
                before=_before(session, news.get(session.id, ())),
                replacement=schedule.session(session.replacement_slug),
            )
            for session in programme.sessions
        ]
        first, last = entries[0].session.starts_at, entries[-1].session.starts_at
        between = [gap for gap in free if first < gap.starts_at and gap.ends_at <= last]
        days.append(Day(programme.day, _rows(entries, between)))
    withdrawn = tuple(session for session in schedule.withdrawn if session.id in picks)
    return Plan(tuple(days), withdrawn, len(clashing))


def _rows(entries: Iterable[Entry], free: Iterable[Gap]) -> tuple[Row, ...]:
    rows = [(entry.session.starts_at, 0, Row(entry=entry)) for entry in entries]
    rows += [(gap.starts_at, 1, Row(gap=gap)) for gap in free]
    return tuple(row for *_, row in sorted(rows, key=lambda each: each[:2]))


def _both_sides(found: Iterable[Overlap]) -> dict[int, tuple[OverlapWith, ...]]:
    sides: dict[int, tuple[OverlapWith, ...]] = {}
    for overlap in found:
        for one, other in ((overlap.first, overlap.second), (overlap.second, overlap.first)):
            sides[one.id] = (*sides.get(one.id, ()), OverlapWith(other, overlap.length))
    return sides


def _news(
    schedule: Schedule, picks: Mapping[int, dt.datetime]
) -> dict[int, tuple[PublicChange, ...]]:
    """Return what the change log says of each pick since it was picked, newest first."""
    # The log's moments are cut to the second.
    since = {session_id: at.replace(microsecond=0) for session_id, at in picks.items()}
    found: dict[int, tuple[PublicChange, ...]] = {}
    for change in schedule.changes:
        if change.session_id in since and change.at >= since[change.session_id]:
            found[change.session_id] = (*found.get(change.session_id, ()), change)
    return found


def _before(session: PublicSession, news: Iterable[PublicChange]) -> Before:
    """Compare a session with what it was before these changes, given newest first."""
    old = {change.field: change.old for change in news}  # the oldest of a field stays
    starts_at = _moment(old.get("starts_at")) or session.starts_at
    ends_at = _moment(old.get("ends_at")) or session.ends_at
    is_moved = (starts_at, ends_at) != (session.starts_at, session.ends_at)
    return Before(
        starts_at=starts_at if is_moved else None,
        ends_at=ends_at if is_moved else None,
        room=_other_text(old.get("room"), session.room.name if session.room else ""),
        title=_other_text(old.get("title"), session.title) or "",
    )


def _moment(value: object) -> dt.datetime | None:
    return dt.datetime.fromisoformat(value) if isinstance(value, str) else None


def _other_text(old: object, now: str) -> str | None:
    return old if isinstance(old, str) and old != now else None
