"""How picks are laid out: days, gaps, overlaps, what changed since."""

import datetime as dt

from sessions_app.agenda.plan import plan
from sessions_app.records import PublicChange
from tests.unit.records import at, room, schedule, session

PICKED_AT = dt.datetime(2026, 4, 1, 12, 0, 0, 500_000, tzinfo=dt.UTC)
#: 8:00, 8:30 and 9:00 in Paris.
EARLIER = [f"2026-04-08T{time}:00+00:00" for time in ("06:00", "06:30", "07:00")]
BEFORE_IT_ALL = at("2026-04-01 12:00")


def laid_out(made, *ids, now=BEFORE_IT_ALL):
    return plan(made, dict.fromkeys(ids, PICKED_AT), now)


def rows(day):
    """Write the rows of a day down: titles, and gaps as their length."""
    return [row.entry.session.title if row.entry else row.gap.length for row in day.rows]


def change(session_id, field, old, new, *, seconds=1, number=1):
    moment = PICKED_AT.replace(microsecond=0) + dt.timedelta(seconds=seconds)
    return PublicChange(number, session_id, field, old, new, moment, number)


def entry_of(made, session_id):
    [day] = laid_out(made, session_id).days
    return day.rows[0].entry


def test_days_hold_entries_and_the_free_time_between():
    made = schedule(
        session(1, "2026-04-07 09:00", "2026-04-07 09:30"),
        session(2, "2026-04-07 11:00", "2026-04-07 12:00"),
        session(3, "2026-04-07 12:00", "2026-04-07 12:30"),
        session(4, "2026-04-08 09:00", "2026-04-08 10:00"),
        session(5, "2026-04-08 09:00", "2026-04-08 10:00"),
    )
    found = laid_out(made, 1, 2, 3, 4)
    assert [day.day for day in found.days] == [dt.date(2026, 4, 7), dt.date(2026, 4, 8)]
    assert [rows(day) for day in found.days] == [
        ["Session 1", dt.timedelta(hours=1, minutes=30), "Session 2", "Session 3"],
        ["Session 4"],
    ]
    assert (found.withdrawn, found.overlap_count, found.is_empty) == ((), 0, False)


def test_an_overlap_stands_on_both_sides_with_its_length():
    made = schedule(
        session(1, "2026-04-08 09:00", "2026-04-08 10:00"),
        session(2, "2026-04-08 09:45", "2026-04-08 10:30"),
        session(3, "2026-04-08 10:30", "2026-04-08 11:00"),
    )
    found = laid_out(made, 1, 2, 3)
    sides = [
        [(side.other.id, side.length) for side in row.entry.overlaps] for row in found.days[0].rows
    ]
    quarter = dt.timedelta(minutes=15)
    assert sides == [[(2, quarter)], [(1, quarter)], []]
    assert found.overlap_count == 1


def test_a_cancelled_pick_stays_and_takes_no_time():
    made = schedule(
        session(1, "2026-04-08 09:00", "2026-04-08 10:00"),
        session(
            2,
            "2026-04-08 10:00",
            "2026-04-08 11:00",
            status="cancelled",
            replacement_slug="session-4",
        ),
        session(3, "2026-04-08 11:00", "2026-04-08 12:00"),
        session(4, "2026-04-08 10:00", "2026-04-08 11:00"),
    )
    [day] = laid_out(made, 1, 2, 3).days
    assert rows(day) == ["Session 1", "Session 2", dt.timedelta(hours=1), "Session 3"]
    assert [
        row.entry.replacement.id for row in day.rows if row.entry and row.entry.replacement
    ] == [4]


def test_a_withdrawn_pick_is_named_apart():
    made = schedule(session(1), session(2, status="withdrawn"))
    found = laid_out(made, 1, 2)
    assert [each.id for each in found.withdrawn] == [2]
    assert not laid_out(made, 2).is_empty
    assert laid_out(made).is_empty


def test_picks_of_sessions_that_nobody_knows_are_passed_over():
    assert laid_out(schedule(session(1)), 99).is_empty


def test_what_moved_since_it_was_picked_is_said_with_what_it_was():
    changes = (
        change(1, "starts_at", *EARLIER[1:], number=3, seconds=9),
        change(1, "room", "Cellar", "Attic", number=2, seconds=5),
        change(1, "starts_at", *EARLIER[:2], number=1),
        change(1, "title", "Old name", "Session 1", number=0, seconds=0),
    )
    before = entry_of(schedule(session(1, room=room("attic")), changes=changes), 1).before
    assert before.is_moved
    assert (before.starts_at, before.ends_at) == (at("2026-04-08 08:00"), at("2026-04-08 09:30"))
    assert (before.room, before.title) == ("Cellar", "Old name")


def test_what_changed_before_the_pick_or_was_changed_back_is_no_news():
    changes = (
        change(1, "room", "Hall", "Attic", number=3, seconds=5),
        change(1, "room", "Attic", "Hall", number=2, seconds=4),
        change(1, "title", "Old name", "Session 1", number=1, seconds=-1),
        change(2, "title", "Other", "Another", number=0),
    )
    before = entry_of(schedule(session(1, room=room("attic")), changes=changes), 1).before
    assert not before.is_moved
    assert (before.starts_at, before.room, before.title) == (None, None, "")


def test_a_session_that_lost_or_gained_its_room():
    lost = schedule(session(1), changes=(change(1, "room", "Attic", ""),))
    gained = schedule(session(1, room=room("attic")), changes=(change(1, "room", "", "Attic"),))
    assert entry_of(lost, 1).before.room == "Attic"
    assert entry_of(gained, 1).before.room == ""


def test_an_overlap_across_a_clock_change_counts_real_minutes():
    # In Paris 29 March 2026 has no 02:30: 01:30–03:30 is one hour.
    made = schedule(
        session(1, "2026-03-29 01:30", "2026-03-29 03:30"),
        session(2, "2026-03-29 03:15", "2026-03-29 03:45"),
    )
    [day] = laid_out(made, 1, 2).days
    assert [row.entry.overlaps[0].length for row in day.rows] == [dt.timedelta(minutes=15)] * 2
