"""Overlaps, gaps and the organizers' checks."""

from __future__ import annotations

from sessions_app.clashes import check, gaps, overlaps
from tests.unit import records as make


def test_back_to_back_is_no_overlap_and_a_real_one_has_its_length() -> None:
    first = make.session(1, "2026-04-08 10:00", "2026-04-08 10:30")
    second = make.session(2, "2026-04-08 10:30", "2026-04-08 11:30")
    third = make.session(3, "2026-04-08 11:15", "2026-04-08 12:00")
    assert [(o.first.id, o.second.id, o.minutes) for o in overlaps([third, second, first])] == [
        (2, 3, 15)
    ]


def test_a_cancelled_session_takes_no_time() -> None:
    first = make.session(1, "2026-04-08 10:00", "2026-04-08 11:00", status="cancelled")
    second = make.session(2, "2026-04-08 10:30", "2026-04-08 11:30")
    assert overlaps([first, second]) == ()


def test_gaps_lie_between_sessions_of_one_day() -> None:
    sessions = [
        make.session(1, "2026-04-08 10:00", "2026-04-08 12:00"),
        make.session(2, "2026-04-08 10:30", "2026-04-08 11:00"),
        make.session(3, "2026-04-08 13:30", "2026-04-08 14:00"),
        make.session(4, "2026-04-08 14:00", "2026-04-08 15:00"),
        make.session(5, "2026-04-09 09:00", "2026-04-09 10:00"),
    ]
    assert [(gap.starts_at, gap.ends_at) for gap in gaps(sessions)] == [
        (make.at("2026-04-08 12:00"), make.at("2026-04-08 13:30"))
    ]


def test_a_gap_across_a_clock_change_has_its_real_length() -> None:
    sessions = [
        make.session(1, "2026-10-25 00:00", "2026-10-25 01:00"),
        make.session(2, "2026-10-25 03:30", "2026-10-25 03:45"),
    ]
    assert [gap.length.total_seconds() / 3600 for gap in gaps(sessions)] == [3.5]


def test_organizers_are_told_of_double_bookings() -> None:
    ann = make.speaker("ann-invented")
    hall = make.room("hall")
    schedule = make.schedule(
        make.session(1, title="One", room=hall, speakers=(ann,)),
        make.session(2, title="Two", room=hall, speakers=(ann,)),
    )
    assert [(clash.code, clash.message) for clash in check(schedule)] == [
        ("speaker-twice", "Ann Invented: “One” / “Two”"),
        ("room-twice", "Hall: “One” / “Two”"),
    ]
