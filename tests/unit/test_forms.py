"""The query string of a schedule address."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions_app.criteria import Criteria
from sessions_app.forms import (
    ParsedQuery,
    UnknownValueError,
    parse_feed_query,
    parse_query,
    query_string,
)
from tests.unit import records as make

SCHEDULE = make.schedule(
    make.session(1, room=make.room("hall", 0), tracks=(make.track("web"),)),
    make.session(2, "2026-04-09 09:00", "2026-04-09 10:00", room=make.room("attic", 1)),
)


def test_values_come_back_in_the_order_of_the_schedule() -> None:
    parsed = parse_query("q=++big++data&room=attic&room=hall&room=attic&day=2026-04-09", SCHEDULE)
    assert parsed == ParsedQuery(
        Criteria(days=(dt.date(2026, 4, 9),), rooms=("hall", "attic"), q="big data"),
        "day=2026-04-09&room=hall&room=attic&q=big+data",
    )


def test_what_is_unknown_is_named_and_ignored() -> None:
    parsed = parse_query("room=cellar&room=hall&day=2026-13-99&view=3d&utm_source=x", SCHEDULE)
    assert parsed == ParsedQuery(
        Criteria(rooms=("hall",)),
        "room=hall",
        (("day", "2026-13-99"), ("room", "cellar"), ("view", "3d"), ("utm_source", "")),
    )


def test_all_days_is_kept_unless_a_day_is_chosen() -> None:
    assert parse_query("day=all", SCHEDULE).canonical == "day=all"
    assert parse_query("day=all", SCHEDULE).is_all_days
    assert not parse_query("day=all&day=2026-04-09", SCHEDULE).is_all_days


def test_a_feed_refuses_an_unknown_value_and_ignores_an_unknown_parameter() -> None:
    with pytest.raises(UnknownValueError, match="room=cellar"):
        parse_feed_query("room=cellar", SCHEDULE)
    assert parse_feed_query("utm_source=x&room=hall", SCHEDULE).criteria.rooms == ("hall",)


def test_a_feed_still_knows_what_has_no_session_any_more() -> None:
    schedule = make.schedule(
        make.session(1, room=make.room("hall")),
        make.session(2, "2026-04-09 09:00", "2026-04-09 10:00", status="withdrawn"),
        rooms=[make.room("hall"), make.room("attic", 1)],
        tracks=[make.track("web")],
        levels=[make.level("beginner")],
    )
    raw = "room=attic&track=web&level=beginner&day=2026-04-09&slides=yes&view=grid&lang=en"
    parsed = parse_feed_query(raw, schedule)
    assert parse_query(raw, schedule) == parsed  # the page shows the same sessions
    assert parsed.criteria == Criteria(
        (dt.date(2026, 4, 9),), ("attic",), ("web",), ("beginner",), slides=True
    )
    assert parsed.canonical == (
        "day=2026-04-09&room=attic&track=web&level=beginner&slides=yes&view=grid&lang=en"
    )
    for unknown in ("day=2026-04-10", "day=x", "slides=no", "level=x", "track=x"):
        with pytest.raises(UnknownValueError):
            parse_feed_query(unknown, schedule)


@pytest.mark.parametrize(
    "raw",
    [
        "q=" + "x" * 1_000_000,
        "&".join(f"room=r{n}" for n in range(50_000)),
        "&".join(f"p{n}=1" for n in range(5_000)),
        "q=%00%ff%ed%a0%80&day=%00",
        "day=&room=&q=",
        "%%%&=&&=&;",
    ],
)
def test_hostile_queries_are_bounded(raw: str) -> None:
    parsed = parse_query(raw, SCHEDULE)
    assert len(parsed.canonical) < 1_000
    assert len(parsed.unknown) <= 1_000


@given(st.text(max_size=300))
def test_any_text_is_understood_and_its_canonical_form_stands(raw: str) -> None:
    parsed = parse_query(raw, SCHEDULE)
    again = parse_query(parsed.canonical, SCHEDULE)
    assert (again.criteria, again.canonical) == (parsed.criteria, parsed.canonical)


@given(
    st.sets(st.sampled_from(["hall", "attic"])),
    st.booleans(),
    st.text(st.characters(categories=["L", "N"]), max_size=20),
)
def test_criteria_survive_the_way_through_an_address(
    rooms: set[str], has_day: bool, text: str
) -> None:
    criteria = Criteria(
        days=(dt.date(2026, 4, 9),) if has_day else (),
        rooms=tuple(room for room in ("hall", "attic") if room in rooms),
        q=text,
    )
    assert parse_query(query_string(criteria), SCHEDULE).criteria == criteria
