"""VTIMEZONE blocks that every calendar reads right: two halves with a yearly rule each.

The library's own blocks list every change as RDATE, which Outlook ignores and ical.js misreads, so
the block is worked out here from the zone's changes in the years around the conference. A zone
whose changes follow no yearly rule there gets no block: its times are published in UTC.
"""

from __future__ import annotations

import calendar
import datetime as dt
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sessions_app.exporters.content_lines import joined

_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_STEP = dt.timedelta(days=7)


@dataclass(frozen=True, slots=True)
class _Change:
    """A moment at which a zone's offset changes; ``wall`` is the clock before it."""

    at: dt.datetime
    wall: dt.datetime
    before: dt.timedelta
    after: dt.timedelta
    name: str


@functools.lru_cache(maxsize=64)
def zone_block(name: str, first_year: int, last_year: int) -> bytes | None:
    """Return the VTIMEZONE of an IANA zone for events in these years.

    None where times are better published in UTC: the zone is UTC, its name no "Region/City" (such
    as CET, which Windows reads in its own way), or its changes follow no yearly rule.
    """
    if "/" not in name or name.startswith(("Etc/", "/")):
        return None
    zone = ZoneInfo(name)
    first, last = first_year - 1, last_year + 1
    changes = _changes(zone, first, last)
    if not changes:
        fixed = dt.datetime(first, 1, 1, tzinfo=dt.UTC)
        body = _fixed(zone, fixed)
    else:
        body = _halves(changes, last - first + 1)
    if body is None:
        return None
    return joined([b"BEGIN:VTIMEZONE", f"TZID:{name}".encode(), *body, b"END:VTIMEZONE"])


def _changes(zone: ZoneInfo, first_year: int, last_year: int) -> list[_Change]:
    """Return every change of offset in these years, to the second."""
    moment = dt.datetime(first_year, 1, 1, tzinfo=dt.UTC)
    end = dt.datetime(last_year + 1, 1, 1, tzinfo=dt.UTC)
    found = []
    while moment < end:
        following = min(moment + _STEP, end)
        if _offset(zone, moment) != _offset(zone, following):
            found.append(_change(zone, moment, following))
        moment = following
    return found


def _change(zone: ZoneInfo, low: dt.datetime, high: dt.datetime) -> _Change:
    """Return the change between two moments with different offsets, found by halving."""
    before = _offset(zone, low)
    while high - low > dt.timedelta(seconds=1):
        middle = low + dt.timedelta(seconds=(high - low) // dt.timedelta(seconds=2))
        if _offset(zone, middle) == before:
            low = middle
        else:
            high = middle
    local = high.astimezone(zone)
    wall = (high + before).replace(tzinfo=None)
    return _Change(high, wall, before, _offset(zone, high), local.tzname() or "")


def _offset(zone: ZoneInfo, moment: dt.datetime) -> dt.timedelta:
    return moment.astimezone(zone).utcoffset() or dt.timedelta()


def _fixed(zone: ZoneInfo, since: dt.datetime) -> list[bytes] | None:
    offset = _offset(zone, since)
    name = since.astimezone(zone).tzname() or ""
    start = _Change(since, (since + offset).replace(tzinfo=None), offset, offset, name)
    return _observance("STANDARD", start, "") if _whole_minutes(offset) else None


def _halves(changes: Sequence[_Change], years: int) -> list[bytes] | None:
    """Return both halves of the year, or None if they do not come once a year by one rule."""
    kinds: dict[tuple[object, ...], list[_Change]] = {}
    for change in changes:
        kinds.setdefault((change.before, change.after, change.name), []).append(change)
    if len(kinds) != 2 or any(not _whole_minutes(change.after) for change in changes):
        return None
    result: list[bytes] = []
    for group in kinds.values():
        rule = _rule(group, years)
        if rule is None:
            return None
        # tzdata calls Dublin's winter its daylight saving; calendars expect the larger offset.
        half = "DAYLIGHT" if group[0].after > group[0].before else "STANDARD"
        result += _observance(half, group[0], rule)
    return result


def _rule(group: Sequence[_Change], years: int) -> str | None:
    """Return the yearly rule of a group of changes: the n-th or last weekday of a month."""
    walls = [change.wall for change in group]
    alike = {(wall.month, wall.weekday(), wall.time()) for wall in walls}
    if len(alike) != 1 or len({wall.year for wall in walls}) != len(walls) or len(walls) != years:
        return None
    if all(wall.day + 7 > calendar.monthrange(wall.year, wall.month)[1] for wall in walls):
        number = -1
    else:
        numbers = {(wall.day + 6) // 7 for wall in walls}
        if len(numbers) != 1:
            return None
        number = numbers.pop()
    weekday = _WEEKDAYS[walls[0].weekday()]
    return f"FREQ=YEARLY;BYMONTH={walls[0].month};BYDAY={number}{weekday}"


def _observance(half: str, first: _Change, rule: str) -> list[bytes]:
    content = [
        f"BEGIN:{half}",
        f"DTSTART:{first.wall:%Y%m%dT%H%M%S}",
        *([f"RRULE:{rule}"] if rule else []),
        f"TZNAME:{first.name}",
        f"TZOFFSETFROM:{_signed(first.before)}",
        f"TZOFFSETTO:{_signed(first.after)}",
        f"END:{half}",
    ]
    return [line.encode() for line in content]


def _whole_minutes(offset: dt.timedelta) -> bool:
    return offset % dt.timedelta(minutes=1) == dt.timedelta()


def _signed(offset: dt.timedelta) -> str:
    minutes = abs(offset) // dt.timedelta(minutes=1)
    sign = "-" if offset < dt.timedelta() else "+"
    return f"{sign}{minutes // 60:02}{minutes % 60:02}"
