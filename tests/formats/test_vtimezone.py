"""Time zone blocks: the right instant in every program that reads them."""

from __future__ import annotations

import datetime as dt
import io
import zoneinfo
from zoneinfo import ZoneInfo

import icalendar
import pytest
from dateutil.tz import tzical

from sessions_app.exporters.ical import About, feed_calendar
from sessions_app.exporters.links import SiteLinks
from sessions_app.exporters.vtimezone import zone_block
from tests.formats.calendar_rules import faults, instant, read
from tests.unit.records import REVISED_AT, conference, schedule, session

# Slow: whole years of many zones are walked.
pytestmark = pytest.mark.slow

LINKS = SiteLinks("https://example.org", "sample-conf")
#: Zone, whether it gets a block, and in 2027 days in winter, in summer and of its clock changes.
MATRIX = [
    ("Europe/Berlin", True, ["2027-01-15", "2027-07-15", "2027-03-28", "2027-10-31"]),
    ("Europe/London", True, ["2027-01-15", "2027-07-15", "2027-03-28", "2027-10-31"]),
    ("Europe/Dublin", True, ["2027-01-15", "2027-07-15", "2027-03-28", "2027-10-31"]),
    ("America/New_York", True, ["2027-01-15", "2027-07-15", "2027-03-14", "2027-11-07"]),
    ("Australia/Sydney", True, ["2027-01-15", "2027-07-15", "2027-04-04", "2027-10-03"]),
    ("Asia/Kolkata", True, ["2027-01-15", "2027-07-15"]),
    ("Africa/Casablanca", False, ["2027-01-15", "2027-07-15", "2027-02-07", "2027-03-14"]),
    ("UTC", False, ["2027-01-15", "2027-07-15"]),
    ("Etc/GMT+3", False, ["2027-01-15"]),
    ("CET", False, ["2027-01-15", "2027-07-15"]),
]
HOURS = [0, 1, 2, 3, 4, 9, 18, 23]


def calendar(zone_name: str, days: list[str]) -> tuple[bytes, dict[str, tuple]]:
    """Return a feed with a session at each of the hours, and the true times by UID."""
    zone = ZoneInfo(zone_name)
    sessions = []
    for day in days:
        for hour in HOURS:
            for fold in (0, 1):
                local = dt.datetime.fromisoformat(day).replace(hour=hour, tzinfo=zone, fold=fold)
                start = local.astimezone(dt.UTC)
                number = len(sessions) + 1
                made = session(number, day=local.date())
                end = start + dt.timedelta(minutes=45)
                values = {name: getattr(made, name) for name in made.__slots__}
                sessions.append(type(made)(**{**values, "starts_at": start, "ends_at": end}))
    made = schedule(*sessions, conference=conference(timezone=zone_name))
    about = About("Zones", LINKS.schedule(), LINKS.file("ics"))
    data = feed_calendar(made, made.sessions, links=LINKS, about=about, now=REVISED_AT)
    return data, {each.uid: (each.starts_at, each.ends_at) for each in sessions}


@pytest.mark.parametrize(("name", "has_block", "days"), MATRIX)
def test_three_readers_find_the_true_instant(name, has_block, days):
    data, true = calendar(name, days)
    assert faults(data, "feed") == []
    assert (b"BEGIN:VTIMEZONE" in data) is has_block
    own = read(data)
    by_block = {
        event.get("UID"): (instant(event, "DTSTART", own), instant(event, "DTEND", own))
        for event in own.inner("VEVENT")
    }
    by_library = {
        str(event["UID"]): (event.start.astimezone(dt.UTC), event.end.astimezone(dt.UTC))
        for event in icalendar.Calendar.from_ical(data).walk("VEVENT")
    }
    assert by_block == true
    assert by_library == true


def test_the_doubled_hour_is_written_in_utc_since_readers_differ_about_it():
    data, true = calendar("Europe/Berlin", ["2027-10-31"])
    assert b"DTSTART:20271031T000000Z\r\nDTEND:20271031T004500Z\r\n" in data
    assert b"DTSTART:20271031T010000Z\r\nDTEND:20271031T014500Z\r\n" in data
    assert b":20271031T0200" not in data
    assert len(true) == len(read(data).inner("VEVENT"))


def test_the_block_is_two_yearly_rules_that_begin_a_year_earlier():
    block = zone_block("Europe/Berlin", 2027, 2027)
    assert block == (
        b"BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n"
        b"BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\n"
        b"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n"
        b"TZNAME:CEST\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n"
        b"BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\n"
        b"RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n"
        b"TZNAME:CET\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
        b"END:VTIMEZONE\r\n"
    )


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("America/New_York", ["BYMONTH=3;BYDAY=2SU", "BYMONTH=11;BYDAY=1SU"]),
        ("Australia/Sydney", ["BYMONTH=4;BYDAY=1SU", "BYMONTH=10;BYDAY=1SU"]),
    ],
)
def test_numbered_weeks_stay_numbered(name, rules):
    block = (zone_block(name, 2027, 2027) or b"").decode()
    assert [line for line in block.split("\r\n") if line.startswith("RRULE")] == [
        f"RRULE:FREQ=YEARLY;{rule}" for rule in rules
    ]


def test_the_larger_offset_is_daylight_in_dublin_too():
    halves = read(b"BEGIN:VCALENDAR\r\n" + zone_block("Europe/Dublin", 2027, 2027)).parts[0].parts
    assert {half.name: half.get("TZOFFSETTO") for half in halves} == {
        "DAYLIGHT": "+0100",
        "STANDARD": "+0000",
    }


def test_a_zone_without_changes_is_one_standard():
    assert zone_block("Asia/Kolkata", 2027, 2027) == (
        b"BEGIN:VTIMEZONE\r\nTZID:Asia/Kolkata\r\nBEGIN:STANDARD\r\nDTSTART:20260101T053000\r\n"
        b"TZNAME:IST\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\n"
        b"END:VTIMEZONE\r\n"
    )


@pytest.mark.parametrize(
    ("name", "year"),
    [
        ("Africa/Casablanca", 2027),  # changes with Ramadan
        ("America/Mexico_City", 2022),  # gave its clock changes up
        ("Europe/Istanbul", 2016),  # stayed in summer time
        ("Europe/Amsterdam", 1936),  # +00:19:32
        ("UTC", 2027),
        ("Etc/UTC", 2027),
        ("GMT", 2027),
        ("EST5EDT", 2027),
    ],
)
def test_what_outlook_could_only_approximate_gets_no_block(name, year):
    assert zone_block(name, year, year) is None


@pytest.mark.slow
def test_every_zone_of_the_world_is_right_where_it_has_a_block():
    wrong = []
    for name in sorted(zoneinfo.available_timezones()):
        block = zone_block(name, 2026, 2026)
        if block is None:
            continue
        zone, written = ZoneInfo(name), tzical(io.StringIO(block.decode())).get(name)
        for day in range(0, 365, 6):
            moment = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC) + dt.timedelta(days=day)
            local = moment.astimezone(zone)
            if local.replace(tzinfo=written).utcoffset() != local.utcoffset():
                wrong.append((name, moment))
    assert wrong == []
