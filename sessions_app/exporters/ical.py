"""Calendars: a feed of sessions, one session to download, a visitor's own agenda.

Bytes in iCalendar's form (RFC 5545, RFC 7986), the same for the same schedule whenever they are
asked for. What each property is for: docs/architecture.md, "Calendars".
"""

from __future__ import annotations

import bisect
import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext
from icalendar import Calendar, vDuration

from sessions_app.days import day_start
from sessions_app.exporters.content_lines import joined, lines, text, uri
from sessions_app.exporters.entries import (
    Variant,
    entry,
    is_listed,
    listed_until,
    schedule_zone_block,
    with_alarm,
)
from sessions_app.exporters.links import Links
from sessions_app.exporters.plain_text import one_line
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule

PRODUCT = "-//confsched//Conference schedule 1//EN"
#: How often clients are asked to look again, and how often while the conference is on.
CALM = dt.timedelta(hours=1)
BUSY = dt.timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class About:
    """What a feed says of itself: its name, its page and its own address.

    Addresses are left out where they are empty or not https (calendars refuse others there). A
    personal feed has neither, since they would carry its secret.
    """

    name: str
    page: str = ""
    source: str = ""


def feed_calendar(
    schedule: Schedule,
    sessions: Iterable[PublicSession],
    *,
    links: Links,
    about: About,
    now: dt.datetime,
    in_utc: bool = False,
) -> bytes:
    """Return a public feed: nobody is made busy by it, nothing in it rings.

    ``sessions`` may hold withdrawn ones; whatever is no longer listed at *now* is left out.
    """
    return _subscribed(schedule, sessions, Variant(links, False, in_utc), about, now)


def agenda_calendar(
    schedule: Schedule,
    sessions: Iterable[PublicSession],
    *,
    links: Links,
    now: dt.datetime,
    name: str = "",
    in_utc: bool = False,
    alarm: int | None = None,
) -> bytes:
    """Return a visitor's own feed: its sessions make them busy; ``alarm`` minutes before, if set.

    Neither the feed's address nor any other that holds its secret is in it. ``sessions`` are the
    picks, withdrawn ones among them (see ``Schedule.session_by_id``).
    """
    own = name or gettext("My agenda: %(conference)s") % {"conference": schedule.conference.name}
    variant = Variant(links, True, in_utc)
    return _subscribed(schedule, sessions, variant, About(own), now, alarm)


def session_calendar(
    schedule: Schedule, session: PublicSession, *, links: Links, in_utc: bool = False
) -> bytes:
    """Return one session to import: without a name, for Outlook would open a new calendar."""
    made = entry(schedule, session, Variant(links, True, in_utc))
    return _file(schedule, _calendar(), [made])


def listed(
    schedule: Schedule, sessions: Iterable[PublicSession], now: dt.datetime
) -> tuple[PublicSession, ...]:
    """Return the sessions that calendars carry at *now*, in order of start."""
    carried = [session for session in sessions if is_listed(schedule, session, now)]
    return tuple(sorted(carried, key=lambda each: (each.starts_at, each.position, each.number)))


def clock_key(schedule: Schedule, now: dt.datetime) -> int:
    """Return all that a calendar of this schedule takes from the clock, for its ETag.

    It counts the moments passed at which entries expire or the days of the conference begin or
    end; between them, calendars have the same bytes whenever they are asked for.
    """
    moments = schedule.memo.get("calendar moments")
    if moments is None:
        moments = schedule.memo["calendar moments"] = sorted(_moments(schedule))
    return bisect.bisect_right(moments, now)


def _moments(schedule: Schedule) -> list[dt.datetime]:
    off = [s for s in (*schedule.sessions, *schedule.withdrawn) if s.status != "published"]
    expiries = [moment for session in off if (moment := listed_until(schedule, session))]
    return [*expiries, *(_busy_time(schedule) or ())]


def zone_key(schedule: Schedule) -> bytes | None:
    """Return what a calendar takes from the time zone data of the machine, for its ETag."""
    return schedule_zone_block(schedule)


def _subscribed(
    schedule: Schedule,
    sessions: Iterable[PublicSession],
    variant: Variant,
    about: About,
    now: dt.datetime,
    alarm: int | None = None,
) -> bytes:
    carried = listed(schedule, sessions, now)
    made = []
    for session in carried:
        block = entry(schedule, session, variant)
        if alarm is not None and session.status == "published":
            block = with_alarm(block, session, alarm)
        made.append(block)
    head = _named(schedule, carried, about, _refresh(schedule, now))
    return _file(schedule, head, made)


def _calendar() -> Calendar:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar["PRODID"] = text(PRODUCT)
    calendar.add("calscale", "GREGORIAN")
    return calendar


def _named(
    schedule: Schedule, sessions: Sequence[PublicSession], about: About, refresh: dt.timedelta
) -> Calendar:
    """Return the head of a feed. Google, Apple, Outlook and Giggity read the X- forms."""
    calendar = _calendar()
    calendar["NAME"] = calendar["X-WR-CALNAME"] = text(one_line(about.name))
    calendar["X-WR-TIMEZONE"] = text(schedule.conference.timezone)
    calendar.add("refresh-interval", refresh, parameters={"VALUE": "DURATION"})
    calendar["X-PUBLISHED-TTL"] = vDuration(refresh)
    changed = max((s.changed_at for s in sessions), default=schedule.key.revised_at)
    if changed is not None:
        calendar.add("last-modified", changed)
    if about.page.startswith("https://"):
        calendar["URL"] = uri(about.page)
    if about.source.startswith("https://"):
        calendar["SOURCE"] = uri(about.source, VALUE="URI")
    return calendar


def _file(schedule: Schedule, head: Calendar, entries: Sequence[bytes]) -> bytes:
    """Put head, time zone and entries together; the zone only where an entry uses it."""
    *start, end = lines(head)
    zone = schedule_zone_block(schedule)
    is_used = zone is not None and any(b"\r\nDTSTART;TZID=" in block for block in entries)
    return b"".join([joined(start), (zone or b"") if is_used else b"", *entries, joined([end])])


def _refresh(schedule: Schedule, now: dt.datetime) -> dt.timedelta:
    busy = _busy_time(schedule)
    return BUSY if busy is not None and busy[0] <= now < busy[1] else CALM


def _busy_time(schedule: Schedule) -> tuple[dt.datetime, dt.datetime] | None:
    """Return from when to when changes matter at once: the day before the first to the last."""
    if not schedule.days:
        return None
    first = day_start(schedule.days[0], schedule.zone) - dt.timedelta(days=1)
    return first, day_start(schedule.days[-1] + dt.timedelta(days=1), schedule.zone)
