"""The formats in which a schedule leaves the site; each one has an address ``schedule.<suffix>``.

A new format is one module beside this one and one line in ``EXPORTERS`` (see
docs/adding-an-exporter.md): filters, addresses, ETag and headers are there already.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from sessions_app.criteria import Criteria
from sessions_app.exporters.ical import About, clock_key, feed_calendar, zone_key
from sessions_app.exporters.links import Links
from sessions_app.exporters.words import selection_name
from sessions_app.records import PublicSession
from sessions_app.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Selection:
    """What somebody asked to take along.

    ``query`` is the query string of the page that shows the same, ``own_query`` that of the file
    itself. ``with_cancelled`` is False where the reader wants no cancelled entries
    (``?cancelled=0``); ``in_utc`` asks for times without a zone (``?tz=utc``).
    """

    schedule: Schedule
    criteria: Criteria
    links: Links
    now: dt.datetime
    query: str = ""
    own_query: str = ""
    in_utc: bool = False
    with_cancelled: bool = True

    @property
    def sessions(self) -> tuple[PublicSession, ...]:
        """The sessions of the page with this query string, all days of them."""
        found = self.schedule.select(self.criteria)
        if self.with_cancelled:
            return found
        return tuple(session for session in found if not session.is_cancelled)

    @property
    def withdrawn(self) -> tuple[PublicSession, ...]:
        """The withdrawn sessions that would match, for formats that have to take things back."""
        if not self.with_cancelled:
            return ()
        matches = self.schedule.matches
        return tuple(s for s in self.schedule.withdrawn if matches(s, self.criteria))

    @property
    def name(self) -> str:
        """The conference and the filters in words."""
        return selection_name(self.schedule, self.criteria)


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format. ``export`` makes the bytes; it is pure and knows no request.

    ``key`` returns what the bytes depend on besides the schedule's key, the query string and the
    options of the selection (the clock, for example): the ETag is made from it.
    """

    suffix: str
    content_type: str
    export: Callable[[Selection], bytes]
    key: Callable[[Schedule, dt.datetime], tuple[object, ...]]


def _calendar(selection: Selection) -> bytes:
    links = selection.links
    page = links.schedule(selection.query)
    return feed_calendar(
        selection.schedule,
        (*selection.sessions, *selection.withdrawn),
        links=links,
        about=About(selection.name, page, links.file("ics", selection.own_query)),
        now=selection.now,
        in_utc=selection.in_utc,
    )


def _calendar_key(schedule: Schedule, now: dt.datetime) -> tuple[object, ...]:
    return clock_key(schedule, now), zone_key(schedule)


ICAL = Exporter("ics", "text/calendar; charset=utf-8", _calendar, _calendar_key)

#: Every format of ``/<conference>/schedule.<suffix>``.
EXPORTERS: tuple[Exporter, ...] = (ICAL,)
