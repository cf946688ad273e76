"""The rules find what they are there to find."""

from __future__ import annotations

import pytest

from sessions_app.exporters.ical import About, feed_calendar
from sessions_app.exporters.links import SiteLinks
from tests.formats.calendar_rules import faults
from tests.unit.records import REVISED_AT, room, schedule, session

LINKS = SiteLinks("https://example.org", "sample-conf")
ABOUT = About("Sample Conf", LINKS.schedule(), LINKS.file("ics"))


def good() -> bytes:
    made = schedule(session(1, room=room("hall")))
    return feed_calendar(made, made.sessions, links=LINKS, about=ABOUT, now=REVISED_AT)


def test_a_good_calendar_has_no_faults():
    assert faults(good(), "feed") == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (b"\r\nSUMMARY", b"\nSUMMARY", "a bare CR or LF"),
        (b"LOCATION:Hall", b"LOCATION:" + b"x" * 80, "octets"),
        (b"LOCATION:Hall", b"LOCATION:\xc3\r\n \xa9", "a fold inside a character"),
        (b"LOCATION:Hall", b"LOCATION:\x07", "a control character"),
        (b"LOCATION:Hall", b"LOCATION:", "LOCATION is empty"),
        (b"LOCATION:Hall", b"LOCATION;ALTREP=x:Hall", "LOCATION has parameters"),
        (b"LOCATION:Hall", b"LOCATION:Hall, left", "LOCATION is not escaped"),
        (b"LOCATION:Hall", b"LOCATION:Hall\r\nATTENDEE:mailto:x@example.org", "ATTENDEE"),
        (b"LOCATION:Hall", b"LOCATION:Hall\r\nno line", "no content line"),
        (b"CALSCALE:GREGORIAN", b"METHOD:PUBLISH", "METHOD"),
        (b"X-WR-CALNAME:Sample", b"X-WR-CALNAME:Other", "X-WR-CALNAME differ"),
        (b"X-PUBLISHED-TTL:PT1H", b"X-PUBLISHED-TTL:PT2H", "X-PUBLISHED-TTL"),
        (b"TZOFFSETTO:+0200", b"TZOFFSETTO:+0300", "by the file's zone"),
        (b"DTSTART;TZID=Europe/Paris:", b"DTSTART:", "in different zones"),
        (b";TZID=Europe/Paris:20260408T09", b":20260408T09", "in different zones"),
        (b"DTSTAMP:20260301T120000Z", b"DTSTAMP:20260301T120000", "DTSTAMP is not in UTC"),
        (b"DTSTAMP:20260301T120000Z", b"DTSTAMP:20260301T120001Z", "not LAST-MODIFIED"),
        (b"TRANSP:TRANSPARENT", b"TRANSP:OPAQUE", "TRANSP"),
        (b"STATUS:CONFIRMED", b"STATUS:CANCELED", "STATUS"),
        (b"SUMMARY:Session 1", b"SUMMARY:Session 1\r\nSUMMARY:Again", "2 times SUMMARY"),
        (b"DESCRIPTION:", b"DESCRIPTION:<p>", "markup"),
        (b"\r\nURL:https://example.org/sample-conf/\r\n", b"\r\nURL:http://x/\r\n", "not https"),
    ],
)
def test_a_planted_fault_is_found(old, new, fault):
    data = good()
    assert old in data
    assert fault in "; ".join(faults(data.replace(old, new, 1), "feed"))
