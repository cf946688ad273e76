"""Rows → Schedule, once per revision and process; a warm request costs one tiny query.

The revision is read by plain SQL through Django's cursor (an ORM query costs ten times that). The
rows are read outside ``atomic()``, so that no reader ever waits for a writer: revision, rows,
revision again; if the two differ, once more.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Max, Min, Q

from confsched.models import Conference, SlugRedirect
from sessions_app.days import conference_day
from sessions_app.models import Status
from sessions_app.reading import (
    read_changes,
    read_conferences,
    read_programme,
    read_redirects,
)
from sessions_app.records import PublicConference
from sessions_app.schedule import Schedule, ScheduleKey

logger = logging.getLogger(__name__)

#: How often the rows are read again when writers keep committing in between. The last reading is
#: shown all the same, under a key that the next request will not find again.
MOST_READINGS = 5

_REVISION = "SELECT id, revision, revised_at FROM confsched_conference WHERE slug = %s"


class _Kept(NamedTuple):
    row: tuple[Any, ...]
    schedule: Schedule


# Replaced whole, never changed in place: readers take no lock.
_kept: dict[int, _Kept] = {}
_building = threading.Lock()


def current_schedule(conference_slug: str) -> Schedule | None:
    """Return the Schedule of the conference with this slug as it is published now.

    None if there is no such conference (``renamed_conference`` may know where it went).
    """
    row = _read_revision(conference_slug)
    if row is None:
        return None
    kept = _kept.get(row[0])
    if kept is not None and kept.row == row:
        return kept.schedule
    with _building:
        return _build(conference_slug)


def renamed_conference(slug: str) -> str | None:
    """Return today's slug of the conference that once had this one."""
    redirects = SlugRedirect.objects.filter(page=SlugRedirect.Page.CONFERENCE, slug=slug)
    return redirects.order_by("-pk").values_list("conference__slug", flat=True).first()


def conference_list() -> tuple[PublicConference, ...]:
    """Return every conference, the latest first."""
    return read_conferences()


def default_conference(now: dt.datetime) -> str | None:
    """Return the slug of the conference running at *now*, else of the next, else of the last.

    Days are those of the conference's own zone, cut at 04:00. One without stated days counts from
    its first to its last session.
    """
    shown = Q(sessions__status__in=[Status.PUBLISHED, Status.CANCELLED])
    rows = Conference.objects.annotate(
        first=Min("sessions__starts_at", filter=shown), last=Max("sessions__ends_at", filter=shown)
    )
    running, coming, gone = [], [], []
    for conference in rows:
        zone = conference.zone
        today = conference_day(now, zone)
        stated = conference.starts_on or conference.ends_on
        first = conference.starts_on or stated
        last = conference.ends_on or stated
        if first is None and conference.first is not None:
            first = conference_day(conference.first, zone)
            last = conference_day(conference.last, zone)
        if first is None or last is None:
            gone.append((dt.date.min, conference.slug))
        elif last < today:
            gone.append((last, conference.slug))
        elif first > today:
            coming.append((first, conference.slug))
        else:
            running.append((first, conference.slug))
    if running or coming:
        return min(running or coming)[1]
    return max(gone)[1] if gone else None


def clear() -> None:
    """Forget every Schedule (for tests)."""
    global _kept  # the cache is this module's one piece of state
    _kept = {}


def _read_revision(slug: str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(_REVISION, (slug,))
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


def _build(slug: str) -> Schedule | None:
    """Read the rows until the revision is the same before and after; keep what was built."""
    global _kept  # see clear()
    row = _read_revision(slug)
    for _reading in range(MOST_READINGS):
        if row is None:
            return None
        kept = _kept.get(row[0])
        if kept is not None and kept.row == row:
            return kept.schedule
        schedule = _read(row)
        before, row = row, _read_revision(slug)
        if schedule is not None and row == before:
            _kept = _kept | {row[0]: _Kept(row, schedule)}
            return schedule
    logger.warning("The programme of %s keeps changing while it is read.", slug)
    return schedule


def _read(row: tuple[Any, ...]) -> Schedule | None:
    conference_id, revision, revised_at = row
    programme = read_programme(conference_id)
    if programme is None:
        return None
    return Schedule(
        ScheduleKey(conference_id, revision, _in_utc(revised_at)),
        conference=programme.conference,
        sessions=programme.sessions,
        rooms=programme.rooms,
        tracks=programme.tracks,
        levels=programme.levels,
        speakers=programme.speakers,
        changes=read_changes(conference_id),
        redirects=read_redirects(programme),
    )


def _in_utc(moment: dt.datetime | None) -> dt.datetime | None:
    """Return the moment aware: SQLite hands plain SQL a naive one, which is in UTC."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=dt.UTC)
