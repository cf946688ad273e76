"""Which time zone a page means, and what happens when its clocks change."""

from __future__ import annotations

import pytest

from sessions_app.importers import read
from sessions_app.records import Source

JUNE = "Tuesday June 1, 2027"
JANUARY = "Tuesday January 5, 2027"


def page(date: str, zone: str, place: str = "", banner: str = "") -> bytes:
    head = f"1 January - 31 December, 2027\n{place}\n{banner}\n\n" if place or banner else ""
    return f"{head}10:00 {zone}\n\nTea\n{date} 10:00 - 11:00 {zone}\nHall\n".encode()


def codes(source: Source) -> set[str]:
    return {problem.code for problem in source.problems} - {"name-missing"}


@pytest.mark.parametrize(
    ("zone", "date", "place", "expected"),
    [
        ("CEST", JUNE, "Paris, France", "Europe/Paris"),
        ("CEST", JUNE, "Lyon, France", "Europe/Paris"),
        ("CEST", JUNE, "Barcelona, Spain", "Europe/Madrid"),
        ("CEST", JUNE, "Vienna, Austria", "Europe/Vienna"),
        ("BST", JUNE, "London, England", "Europe/London"),
        ("IST", JUNE, "Dublin, Ireland", "Europe/Dublin"),
        ("IST", JUNE, "Mumbai, India", "Asia/Kolkata"),
        ("IST", JUNE, "Hyderabad, India", "Asia/Kolkata"),
        ("CDT", JUNE, "Austin, Texas", "America/Chicago"),
        ("CDT", JUNE, "Austin, TX", "America/Chicago"),
        ("MDT", JUNE, "Salt Lake City, UT, USA", "America/Denver"),
        ("MST", JANUARY, "Salt Lake City, Utah", "America/Denver"),
        ("MST", JANUARY, "Phoenix, Arizona", "America/Phoenix"),
        ("MST", JUNE, "Scottsdale, AZ", "America/Phoenix"),
        ("PDT", JUNE, "Vancouver, British Columbia", "America/Vancouver"),
        ("CST", JANUARY, "Shanghai, China", "Asia/Shanghai"),
        ("EDT", JUNE, "New York City", "America/New_York"),
        ("JST", JUNE, "Yokohama, Japan", "Asia/Tokyo"),
        ("JST", JUNE, "", "Asia/Tokyo"),
        ("UTC", JUNE, "", "UTC"),
        ("+04", JUNE, "Dubai, UAE", "Asia/Dubai"),
    ],
)
def test_place_and_abbreviation_leave_no_doubt(zone, date, place, expected):
    source = read(page(date, zone, place))
    assert source.conference.timezone == expected
    assert len(source.sessions) == 1
    assert codes(source) == set()


@pytest.mark.parametrize(
    ("zone", "date", "expected"),
    [
        ("CEST", JUNE, "Europe/Berlin"),
        ("CDT", JUNE, "America/Chicago"),
        ("MDT", JUNE, "America/Denver"),
        ("PDT", JUNE, "America/Los_Angeles"),
    ],
)
def test_without_a_place_the_usual_meaning_is_assumed_with_a_warning(zone, date, expected):
    source = read(page(date, zone))
    assert source.conference.timezone == expected
    assert codes(source) == {"timezone-assumed"}


@pytest.mark.parametrize(
    ("zone", "date", "candidates"),
    [
        ("IST", JUNE, ["Europe/Dublin", "Asia/Kolkata"]),
        ("MST", JANUARY, ["America/Denver", "America/Phoenix"]),
        ("MST", JUNE, ["America/Denver", "America/Phoenix"]),
        ("CST", JUNE, ["America/Chicago", "Asia/Shanghai"]),
        ("CST", JANUARY, ["America/Chicago", "Asia/Shanghai", "America/Havana"]),
        ("EST", JANUARY, ["America/New_York", "America/Panama"]),
    ],
)
def test_a_doubt_is_an_error_that_names_the_candidates(zone, date, candidates):
    source = read(page(date, zone))
    assert codes(source) == {"timezone-ambiguous"}
    (problem,) = [p for p in source.problems if p.code == "timezone-ambiguous"]
    assert problem.line == 4
    assert all(candidate in problem.message for candidate in candidates)
    assert "--timezone" in problem.message
    assert source.sessions == ()


def test_a_given_zone_ends_the_doubt():
    source = read(page(JUNE, "IST"), timezone="Asia/Kolkata")
    assert source.sessions[0].starts_at.isoformat() == "2027-06-01T10:00:00+05:30"
    assert codes(source) == set()


def test_the_offset_in_the_banner_may_end_the_doubt_but_overrules_nothing():
    said = "This schedule is automatically displayed in IST (UTC/GMT +5:30). To see it …"
    assert read(page(JUNE, "IST", banner=said)).conference.timezone == "Asia/Kolkata"
    wrong = "This schedule is automatically displayed in Pacific Time, PDT (UTC/GMT -8)."
    source = read(page(JUNE, "PDT", "Seattle, Washington", wrong))
    assert source.sessions[0].starts_at.isoformat() == "2027-06-01T10:00:00-07:00"


def test_times_in_a_visitors_zone_are_read_in_that_zone_with_a_warning():
    source = read(page(JUNE, "PDT", "Paris, France"))
    assert source.sessions[0].starts_at.isoformat() == "2027-06-01T10:00:00-07:00"
    assert "timezone-not-of-place" in codes(source)


def test_no_abbreviation_is_needed_where_the_place_is_known():
    data = page(JUNE, "", "Paris, France").replace(b" \n", b"\n")
    assert read(data).conference.timezone == "Europe/Paris"


def test_neither_place_nor_abbreviation_is_an_error():
    source = read(page(JUNE, "").replace(b" \n", b"\n"))
    assert codes(source) == {"timezone-unknown"}


def test_an_abbreviation_of_no_zone_is_an_error():
    assert codes(read(page(JUNE, "QQQ"))) == {"timezone-unknown"}


def test_a_zone_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="Mars/Olympus"):
        read(b"", timezone="Mars/Olympus")


def changing(date: str, zone: str) -> Source:
    text = f"28-29 March, 2026\nParis, France\n\nTea\n{date} {zone}\nHall\n".replace(" \n", "\n")
    return read(text.encode())


def test_a_time_that_the_clocks_skip_is_an_error():
    source = changing("Sunday March 29, 2026 02:15 - 04:00", "CEST")
    (problem,) = [p for p in source.problems if p.code == "time-skipped"]
    assert (problem.line, source.sessions) == (5, ())
    assert "2026-03-29 02:15" in problem.message


def test_of_a_time_that_happens_twice_the_abbreviation_tells_which():
    summer = changing("Sunday October 25, 2026 02:15 - 04:00", "CEST").sessions[0]
    winter = changing("Sunday October 25, 2026 02:15 - 04:00", "CET").sessions[0]
    assert summer.starts_at.isoformat() == "2026-10-25T02:15:00+02:00"
    assert winter.starts_at.isoformat() == "2026-10-25T02:15:00+01:00"
    assert summer.ends_at.isoformat() == "2026-10-25T04:00:00+01:00"


def test_a_time_that_happens_twice_is_the_first_one_with_a_warning():
    source = changing("Sunday October 25, 2026 02:15 - 04:00", "")
    assert source.sessions[0].starts_at.isoformat() == "2026-10-25T02:15:00+02:00"
    assert "time-doubled" in codes(source)


def test_summer_and_winter_time_on_one_page():
    source = read(
        b"24-26 October, 2026\nParis, France\n\n"
        b"10:00 CEST\n\nTea\nSaturday October 24, 2026 10:00 - 11:00 CEST\nHall\n\n"
        b"10:00 CET\n\nMilk\nMonday October 26, 2026 10:00 - 11:00 CET\nHall\n"
    )
    assert [session.starts_at.isoformat()[-6:] for session in source.sessions] == [
        "+02:00",
        "+01:00",
    ]
    assert codes(source) == set()
