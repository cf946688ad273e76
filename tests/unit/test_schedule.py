"""Selecting and counting."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from sessions_app.criteria import Criteria
from sessions_app.facets import VALUES
from sessions_app.schedule import Schedule, by_day
from tests.unit import records as make

HALL, ATTIC = make.room("hall", 0), make.room("attic", 1)
POSTERS = make.track("posters", 0)
HEALTH = make.track("health", 1, POSTERS)
WEB = make.track("web", 2)
BASIC = make.level("basic")


def small() -> Schedule:
    return make.schedule(
        make.session(1, room=HALL, tracks=(HEALTH,), levels=(BASIC,), slides=(make.slides(),)),
        make.session(2, room=ATTIC, tracks=(WEB,)),
        make.session(3, "2026-04-09 01:00", "2026-04-09 02:00", room=HALL, tracks=(POSTERS,)),
        make.session(4, "2026-04-09 09:00", "2026-04-09 10:00", status="cancelled"),
        make.session(5, status="withdrawn"),
        tracks=(POSTERS, HEALTH, WEB),
    )


def ids(sessions: object) -> list[int]:
    return [session.id for session in sessions]  # type: ignore[attr-defined]


def test_facets_are_joined_by_and_values_by_or() -> None:
    schedule = small()
    assert ids(schedule.select(Criteria(rooms=("hall", "attic")))) == [1, 2, 3]
    assert ids(schedule.select(Criteria(rooms=("hall",), levels=("basic",)))) == [1]
    assert ids(schedule.select(Criteria(levels=("none",)))) == [2, 3, 4]
    assert ids(schedule.select(Criteria(slides=True))) == [1]
    assert ids(schedule.select(Criteria(rooms=("cellar",)))) == []


def test_a_track_includes_its_sub_tracks() -> None:
    assert ids(small().select(Criteria(tracks=("posters",)))) == [1, 3]
    assert ids(small().select(Criteria(tracks=("health",)))) == [1]


def test_what_begins_after_midnight_belongs_to_the_evening_before() -> None:
    schedule = small()
    assert schedule.days == (dt.date(2026, 4, 8), dt.date(2026, 4, 9))
    assert [(day.day, ids(day.sessions)) for day in by_day(schedule.sessions)] == [
        (dt.date(2026, 4, 8), [1, 2, 3]),
        (dt.date(2026, 4, 9), [4]),
    ]


def test_counts_apply_the_other_facets_but_not_their_own() -> None:
    facets = {f.name: f for f in small().facets(Criteria(rooms=("attic",), days=()))}
    assert [(o.value, o.label, o.count, o.is_selected) for o in facets["room"].options] == [
        ("hall", "Hall", 2, False),
        ("attic", "Attic", 1, True),
    ]
    assert [(o.value, o.label, o.count) for o in facets["track"].options] == [
        ("posters", "Posters", 0),
        ("health", "Posters: Health", 0),
        ("web", "Web", 1),
    ]
    assert [(o.value, o.count) for o in facets["level"].options] == [("basic", 0), ("none", 1)]


options = st.sampled_from
some_sessions = st.lists(
    st.tuples(
        st.sampled_from([None, HALL, ATTIC]),
        st.sets(st.sampled_from([0, 1, 2])),
        st.booleans(),
        st.booleans(),
        st.sampled_from(["2026-04-08", "2026-04-09"]),
    ),
    max_size=12,
)
some_criteria = st.builds(
    Criteria,
    days=st.sets(st.sampled_from([dt.date(2026, 4, 8), dt.date(2026, 4, 9)])).map(tuple),
    rooms=st.sets(st.sampled_from(["hall", "attic", "cellar"])).map(tuple),
    tracks=st.sets(st.sampled_from(["posters", "health", "web"])).map(tuple),
    levels=st.sets(st.sampled_from(["basic", "none"])).map(tuple),
    slides=st.booleans(),
)


@given(some_sessions, some_criteria)
def test_bitsets_agree_with_asking_each_session(rows: list, criteria: Criteria) -> None:
    tracks = (POSTERS, HEALTH, WEB)
    schedule = make.schedule(
        *(
            make.session(
                number,
                f"{day} 09:00",
                f"{day} 10:00",
                room=room,
                tracks=tuple(tracks[n] for n in sorted(of)),
                levels=(BASIC,) if has_level else (),
                slides=(make.slides(),) if has_slides else (),
            )
            for number, (room, of, has_level, has_slides, day) in enumerate(rows, 1)
        ),
        tracks=tracks,
    )
    matching = [s for s in schedule.sessions if schedule.matches(s, criteria)]
    assert schedule.select(criteria) == tuple(matching)
    assert schedule.count(criteria) == len(matching)
    for facet in schedule.facets(criteria):
        freed = criteria.with_values(facet.name, ())
        for option in facet.options:
            values_of = VALUES[facet.name]
            assert option.count == sum(
                option.value in values_of(s)
                for s in schedule.sessions
                if schedule.matches(s, freed)
            )


def found(query: str, text: str) -> bool:
    return bool(make.schedule(make.session(1, abstract=text)).select(Criteria(q=query)))


def test_search_ignores_case_accents_and_hyphens() -> None:
    for query in ("pre-training", "pretraining", "pre training", "PRE‑TRAINING"):
        for text in ("about pre-training", "about pretraining", "about Pre‑Training"):
            assert found(query, text), (query, text)
    assert found("leonard", "Léonard")
    assert found("strasse", "Straße")
    assert found("whats", "What’s new")
    assert not found("pretraining", "training before")
    assert not found("!!!", "anything")


def test_parallel_sessions_are_half_open() -> None:
    first = make.session(1, "2026-04-08 10:00", "2026-04-08 10:30")
    second = make.session(2, "2026-04-08 10:30", "2026-04-08 11:00")
    third = make.session(3, "2026-04-08 10:29", "2026-04-08 10:31")
    schedule = make.schedule(first, second, third)
    assert ids(schedule.parallel(first)) == [3]
    assert ids(schedule.parallel(third)) == [1, 2]


def test_the_phase_moves_only_when_something_changes() -> None:
    schedule = make.schedule(make.session(1, "2026-04-08 10:00", "2026-04-08 10:30"))
    phases = [
        schedule.phase(make.at(f"2026-04-08 {clock}"))
        for clock in ("09:59", "10:00", "10:15", "10:30", "11:00")
    ]
    assert [phase - phases[0] for phase in phases] == [0, 1, 1, 2, 2]


def test_more_than_two_hundred_are_cut_to_the_day_that_is_on() -> None:
    sessions = [
        make.session(n, f"2026-04-{8 + n % 2:02} 09:00", f"2026-04-{8 + n % 2:02} 10:00")
        for n in range(1, 203)
    ]
    schedule = make.schedule(*sessions)
    first, second = dt.date(2026, 4, 8), dt.date(2026, 4, 9)
    shown = schedule.shown(Criteria(), make.at("2026-04-09 12:00"))
    assert (len(schedule.behind(shown.mask)), shown.total, shown.day, shown.days) == (
        101,
        202,
        second,
        (first, second),
    )
    assert schedule.shown(Criteria(), make.at("2026-05-01 12:00")).day == first
    assert schedule.shown(Criteria(), make.at("2026-05-01 12:00"), all_days=True).day is None
    assert schedule.shown(Criteria(days=(first,)), make.at("2026-04-09 12:00")).day is None
