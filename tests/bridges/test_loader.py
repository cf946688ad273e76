"""Source records → rows: what follows the source, what stays, what is cancelled."""

import datetime as dt
import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.generate import generate
from confsched.models import Conference
from sessions_app import loader
from sessions_app.loader import Action, LoadError
from sessions_app.models import Session, Status
from sessions_app.publish import publishing
from sessions_app.records import (
    Problem,
    Severity,
    SourceSlides,
    SourceSpeaker,
    SourceTrack,
)
from sessions_app.snapshot import current_schedule
from tests.factories import make_conference, make_session, make_speaker
from tests.sources import CONFERENCE, DAY, a_session, a_source, as_source, everything, without_lines

pytestmark = pytest.mark.django_db

BEANS = a_session(
    "Growing beans",
    "10:00",
    source_title="Growing beans - Ada Inventa, Beans Ltd",
    room="Attic",
    tracks=(SourceTrack("Gardening"),),
    levels=("Beginner",),
    speakers=("Ada Inventa",),
    slides=(SourceSlides("Beans", "pdf"),),
    abstract="Water them.",
)
FIGS = a_session("Pruning figs", "11:00", room="Cellar", speakers=("Ben Fictor",))
BREAK = a_session("Coffee Break", "10:30", kind="service", room="Cellar")


def load(source, conference=None, **options):
    """Load a source and return the conference as it is afterwards."""
    return loader.apply(loader.plan(source, conference), by="test", **options)


def titles(conference):
    return {session.title: session.status for session in conference.sessions.all()}


def one(title):
    return Session.objects.get(title=title)


def actions(source, conference):
    return [(row.action, row.kind, row.name) for row in loader.plan(source, conference).rows]


# --- what a first import makes --------------------------------------------------------------------


def test_a_first_import_makes_a_published_conference():
    conference = load(a_source(BREAK, BEANS, FIGS))

    assert (conference.slug, conference.revision) == ("invented-days", 1)
    assert conference.changes.count() == 0
    assert titles(conference) == dict.fromkeys(
        ("Coffee Break", "Growing beans", "Pruning figs"), Status.PUBLISHED
    )
    assert list(conference.sessions.order_by("number").values_list("number", "slug")) == [
        (1, "coffee-break"),
        (2, "growing-beans"),
        (3, "pruning-figs"),
    ]
    assert (
        as_source(current_schedule("invented-days")).sessions
        == without_lines(a_source(BREAK, BEANS, FIGS)).sessions
    )


def test_rooms_tracks_and_levels_stand_in_the_order_of_the_source():
    source = a_source(
        BEANS,
        rooms=("Cellar", "Attic"),
        levels=("Expert", "Beginner"),
        tracks=(
            SourceTrack("Food", "Posters"),
            SourceTrack("Gardening"),
            SourceTrack("Posters"),
            SourceTrack("Food"),
        ),
    )
    conference = load(source)

    assert list(conference.rooms.values_list("name", "position")) == [("Cellar", 0), ("Attic", 1)]
    assert list(conference.levels.values_list("name", "position")) == [
        ("Expert", 0),
        ("Beginner", 1),
    ]
    assert list(conference.tracks.values_list("slug", "colour")) == [
        ("posters-food", 2),
        ("gardening", 10),
        ("posters", 2),
        ("food", 7),
    ]


def test_the_first_thirteen_tracks_have_different_colours():
    tracks = tuple(SourceTrack(f"Track {number}") for number in range(15))
    conference = load(a_source(BEANS, tracks=tracks))

    colours = list(conference.tracks.values_list("colour", flat=True))
    assert colours == [10, 2, 7, 13, 5, 11, 3, 8, 1, 6, 12, 4, 9, 10, 2, 7]


def test_what_only_sessions_name_is_made_too():
    conference = load(a_source(replace(BEANS, tracks=(SourceTrack("Shade", "Posters"),))))

    assert [track.slug for track in conference.tracks.all()] == ["posters", "posters-shade"]
    assert [room.name for room in conference.rooms.all()] == ["Attic"]
    assert [speaker.name for speaker in conference.speakers.all()] == ["Ada Inventa"]


def test_identity_is_the_same_wherever_a_source_is_loaded():
    first = list(load(a_source(BREAK, BEANS)).sessions.values_list("uid", "number", "slug"))
    Conference.objects.all().delete()

    again = load(a_source(BREAK, BEANS))
    assert list(again.sessions.values_list("uid", "number", "slug")) == first


def test_twins_are_two_sessions_with_their_own_identity():
    twin = replace(BREAK, room="Attic")
    conference = load(a_source(BREAK, twin, BREAK))

    rows = conference.sessions.order_by("number")
    assert [row.slug for row in rows] == ["coffee-break", "coffee-break-2", "coffee-break-3"]
    assert len({row.uid for row in rows}) == 3
    assert loader.plan(a_source(BREAK, twin, BREAK), conference).is_idle


def test_two_entries_of_one_name_are_one_person_with_the_richest_facts():
    speakers = (
        SourceSpeaker("Ada Inventa", bio="Grew…", bio_is_truncated=True),
        SourceSpeaker("ADA  INVENTA", headline="Gardener, Beans Ltd", company="Beans Ltd"),
        SourceSpeaker("Ada Inventa", bio="Grew up.", has_avatar=True),
    )
    conference = load(
        a_source(replace(BEANS, speakers=("Ada Inventa", "Ada Inventa")), speakers=speakers)
    )

    person = conference.speakers.get()
    assert (person.name, person.headline, person.company) == (
        "Ada Inventa",
        "Gardener, Beans Ltd",
        "Beans Ltd",
    )
    assert (person.bio, person.bio_is_truncated, person.has_avatar) == ("Grew up.", False, True)
    assert one("Growing beans").session_speakers.count() == 1


def test_moderators_are_speakers_too():
    load(
        a_source(replace(BEANS, speakers=("Ada Inventa", "Ben Fictor"), moderators=("Ben Fictor",)))
    )

    entries = one("Growing beans").session_speakers.order_by("position")
    assert [(each.speaker.name, each.is_moderator) for each in entries] == [
        ("Ada Inventa", False),
        ("Ben Fictor", True),
    ]


# --- loading again --------------------------------------------------------------------------------


def test_loading_twice_changes_nothing():
    source = a_source(BREAK, BEANS, FIGS)
    conference = load(source)
    before = everything(conference)
    plan = loader.plan(source, conference)

    assert (plan.rows, plan.is_idle) == ((), True)
    load(source, conference)
    assert everything(conference) == before


def test_planning_writes_nothing():
    conference = load(a_source(BREAK, BEANS))
    before = everything(conference)
    plan = loader.plan(a_source(replace(BEANS, abstract="More water."), FIGS), conference)

    assert not plan.is_idle
    assert everything(conference) == before


def test_a_changed_source_changes_the_rows_and_the_log():
    conference = load(a_source(BEANS, FIGS))
    moved = a_session(
        "Growing beans",
        "10:15",
        minutes=45,
        source_title="Growing beans - Ada Inventa, Beans Inc",
        room="Cellar",
        tracks=(SourceTrack("Food"), SourceTrack("Gardening")),
        levels=("Expert",),
        speakers=("Ada Inventa",),
        moderators=("Ada Inventa",),
        slides=(SourceSlides("Beans", "pdf"), SourceSlides("More", "pptx")),
        abstract="Water them well.",
        is_sponsored=True,
    )
    identity = Session.objects.filter(title="Growing beans").values_list(
        "pk", "uid", "number", "slug"
    )
    before = identity.get()
    load(a_source(moved, FIGS), conference)

    assert identity.get() == before
    assert (
        as_source(current_schedule("invented-days")).sessions
        == without_lines(a_source(moved, FIGS)).sessions
    )
    assert set(conference.changes.values_list("field", "by")) == {
        (field, "test")
        for field in (
            "starts_at", "ends_at", "room", "tracks", "levels", "moderators", "slides", "abstract",
            "is_sponsored",
        )
    }  # fmt: skip
    assert one("Growing beans").sequence == 1
    assert loader.plan(a_source(moved, FIGS), conference).is_idle


def test_another_speaker_keeps_the_one_who_chairs():
    panel = replace(BEANS, speakers=("Ada Inventa", "Ben Fictor"), moderators=("Ben Fictor",))
    conference = load(a_source(panel))
    load(a_source(replace(panel, speakers=("Cara Madeup", "Ben Fictor"))), conference)

    entries = one("Growing beans").session_speakers.order_by("position")
    assert [(each.speaker.name, each.is_moderator) for each in entries] == [
        ("Cara Madeup", False),
        ("Ben Fictor", True),
    ]


def test_a_source_that_prints_no_biographies_takes_none_away():
    speaker = SourceSpeaker("Ada Inventa", "Gardener, Beans Ltd", "Beans Ltd", "Grew up.")
    conference = load(a_source(BEANS, speakers=(speaker,)))
    bare = a_source(BEANS, conference=replace(CONFERENCE, place="", notice="", starts_on=None))

    assert loader.plan(bare, conference).is_idle


def test_a_key_that_appears_later_is_kept_for_the_next_time():
    conference = load(a_source(BEANS))
    keyed = replace(BEANS, key="k1")
    load(a_source(keyed), conference)
    renamed = replace(
        keyed,
        title="Beans",
        source_title="Beans",
        speakers=(),
        starts_at=FIGS.starts_at,
        ends_at=FIGS.ends_at,
    )
    load(a_source(renamed), conference)

    row = conference.sessions.get()
    assert (row.title, row.source_key, row.slug) == ("Beans", "k1", "growing-beans")


# --- hand-made changes ----------------------------------------------------------------------------


def edit(row, **values):
    with publishing(by="ada"):
        for name, value in values.items():
            setattr(row, name, value)
        row.save()


def test_a_title_changed_by_hand_stays_and_is_reported():
    conference = load(a_source(BEANS))
    edit(one("Growing beans"), title="Growing better beans")
    source = a_source(replace(BEANS, title="Growing pulses", abstract="New."))
    (row,) = loader.plan(source, conference).rows

    assert (row.action, row.name) == (Action.CHANGE, "Growing better beans")
    assert [(kept.field, kept.here, kept.source) for kept in row.kept] == [
        ("title", "Growing better beans", "Growing pulses")
    ]
    load(source, conference)
    session = conference.sessions.get()
    assert (session.title, session.abstract) == ("Growing better beans", "New.")
    assert [row.action for row in loader.plan(source, conference).rows] == [Action.KEEP]


def test_a_change_taken_back_follows_the_source_again():
    conference = load(a_source(BEANS))
    edit(one("Growing beans"), abstract="Mine.")
    edit(one("Growing beans"), abstract="Water them.")
    load(a_source(replace(BEANS, abstract="Theirs.")), conference)

    assert one("Growing beans").abstract == "Theirs."


def test_a_time_changed_by_hand_stays():
    conference = load(a_source(BEANS))
    edit(one("Growing beans"), starts_at=dt.datetime(2026, 4, 8, 7, 30, tzinfo=dt.UTC))
    load(a_source(BEANS), conference)

    assert one("Growing beans").starts_at == dt.datetime(2026, 4, 8, 7, 30, tzinfo=dt.UTC)


def test_rooms_tracks_levels_and_people_renamed_by_hand_are_recognized():
    conference = load(a_source(BEANS))
    session = one("Growing beans")
    for row in (session.room, session.tracks.get(), session.levels.get(), session.speakers.get()):
        edit(row, name=f"{row.name} (mine)")
    plan = loader.plan(a_source(BEANS), conference)

    assert [(row.kind, row.action) for row in plan.rows] == [
        ("room", Action.KEEP),
        ("track", Action.KEEP),
        ("level", Action.KEEP),
        ("speaker", Action.KEEP),
    ]
    load(a_source(BEANS), conference)
    assert [conference.rooms.count(), conference.tracks.count(), conference.speakers.count()] == [
        1
    ] * 3


def test_a_room_that_took_the_name_of_a_new_one_keeps_it():
    conference = load(a_source(BEANS))
    edit(one("Growing beans").room, name="Cellar")
    source = a_source(BEANS, FIGS)
    load(source, conference)

    assert one("Growing beans").room.name == "Cellar"
    assert one("Pruning figs").room.name == "Cellar (2)"
    assert [row.action for row in loader.plan(source, conference).rows] == [Action.KEEP] * 2


def test_people_put_into_a_session_by_hand_stay():
    conference = load(a_source(BEANS))
    session = one("Growing beans")
    session.session_speakers.create(speaker=make_speaker(conference, "Cara Madeup"), position=1)
    (row,) = loader.plan(a_source(BEANS), conference).rows

    assert [(kept.field, kept.here, kept.source) for kept in row.kept] == [
        ("speakers", ["Ada Inventa", "Cara Madeup"], ["Ada Inventa"])
    ]
    load(a_source(BEANS), conference)
    assert [person.name for person in session.speakers.order_by("session_speakers__position")] == [
        "Ada Inventa",
        "Cara Madeup",
    ]


def test_a_biography_completed_by_hand_stays():
    short = SourceSpeaker("Ada Inventa", bio="Grew up", bio_is_truncated=True)
    conference = load(a_source(BEANS, speakers=(short,)))
    edit(conference.speakers.get(), bio="Grew up among beans.", bio_is_truncated=False)
    load(a_source(BEANS, speakers=(replace(short, bio="Grew up amo"),)), conference)

    person = conference.speakers.get()
    assert (person.bio, person.bio_is_truncated) == ("Grew up among beans.", False)


def test_an_address_given_to_a_deck_stays_when_others_come_and_go():
    conference = load(a_source(BEANS))
    edit(one("Growing beans").slides.get(), url="https://example.org/beans.pdf")
    assert loader.plan(a_source(BEANS), conference).is_idle

    more = replace(BEANS, slides=(SourceSlides("More", "pptx"), SourceSlides("Beans", "pdf")))
    load(a_source(more), conference)
    decks = one("Growing beans").slides
    assert list(decks.values_list("name", "url")) == [
        ("More", ""),
        ("Beans", "https://example.org/beans.pdf"),
    ]
    load(a_source(replace(BEANS, slides=(SourceSlides("More", "pptx"),))), conference)
    assert list(decks.values_list("name", "url")) == [
        ("More", ""),
        ("Beans", "https://example.org/beans.pdf"),
    ]


def test_what_the_conference_was_given_by_hand_stays():
    conference = load(a_source(BEANS))
    edit(conference, website="https://example.org/", notice="Final.", name="Our Days")
    source = a_source(BEANS)
    assert loader.find_conference(source) == conference
    (row,) = loader.plan(source, conference).rows

    assert [kept.field for kept in row.kept] == ["name", "notice"]
    load(source, conference)
    conference.refresh_from_db()
    assert (conference.website, conference.notice) == ("https://example.org/", "Final.")


def test_a_session_made_by_hand_is_found_by_title_and_start():
    conference = make_conference("Invented Days", slug="invented")
    mine = make_session(conference, "Growing beans", abstract="Mine.", room="Attic")
    load(a_source(replace(BEANS, source_title="Growing beans")), conference)

    row = conference.sessions.get()
    assert (row.pk, row.abstract, row.room.name) == (mine.pk, "Mine.", "Attic")
    assert [person.name for person in row.speakers.all()] == ["Ada Inventa"]


def test_a_draft_of_the_same_session_stays_a_draft():
    conference = make_conference()
    make_session(conference, "Growing beans", status=Status.DRAFT)
    load(a_source(replace(BEANS, source_title="Growing beans")), conference)

    assert titles(conference) == {"Growing beans": Status.DRAFT}


# --- matching -------------------------------------------------------------------------------------


def moved(session, start, **values):
    return replace(
        a_session(session.title, start, **values),
        **{
            name: getattr(session, name)
            for name in (
                "source_title",
                "kind",
                "room",
                "tracks",
                "levels",
                "speakers",
                "slides",
                "abstract",
                "key",
            )
        },
    )


def test_a_session_that_moved_is_found_by_title_and_people():
    conference = load(a_source(BEANS, FIGS))
    load(a_source(moved(BEANS, "15:00"), FIGS), conference)

    assert titles(conference) == {"Growing beans": "published", "Pruning figs": "published"}


def test_a_session_under_a_new_title_is_found_by_start_and_people():
    conference = load(a_source(BEANS, FIGS))
    load(a_source(replace(BEANS, title="Pulses", source_title="Pulses"), FIGS), conference)

    assert titles(conference) == {"Pulses": "published", "Pruning figs": "published"}
    assert one("Pulses").slug == "growing-beans"


def test_a_break_that_moved_is_found_on_its_day():
    conference = load(a_source(BREAK, BEANS))
    load(a_source(moved(BREAK, "10:45"), BEANS), conference)

    assert conference.sessions.count() == 2


def test_breaks_of_one_name_stay_apart():
    late = moved(BREAK, "15:30")
    conference = load(a_source(BREAK, late))
    by_start = dict(conference.sessions.values_list("starts_at", "pk"))
    load(a_source(BREAK, moved(BREAK, "15:40")), conference)

    assert sorted(by_start.values()) == sorted(conference.sessions.values_list("pk", flat=True))
    assert Session.objects.get(starts_at=BREAK.starts_at).pk == by_start[BREAK.starts_at]


def test_twins_are_paired_as_before_when_loaded_again():
    ada, ben = (
        a_session("Panel", "10:00", speakers=(name,), abstract=name)
        for name in ("Ada Inventa", "Ben Fictor")
    )
    conference = load(a_source(moved(ada, "11:00"), moved(ben, "11:00"), BREAK))
    second = a_source(ben, ada, replace(ada, abstract="Once more."), BREAK)
    load(second, conference)
    before = everything(conference)

    assert loader.plan(second, conference).is_idle
    load(second, conference)
    assert everything(conference) == before


def test_swapped_rooms_of_twins_are_no_change_at_all():
    twin = replace(BREAK, room="Attic")
    conference = load(a_source(BREAK, twin))
    before = {row.room.name: row.pk for row in conference.sessions.all()}
    load(a_source(twin, BREAK), conference)

    assert {row.room.name: row.pk for row in conference.sessions.all()} == before


def test_a_talk_given_on_two_days_does_not_wander():
    tomorrow = DAY + dt.timedelta(days=1)
    again = moved(BEANS, "10:00", day=tomorrow)
    conference = load(a_source(BEANS))
    load(a_source(again), conference)
    load(a_source(BEANS), conference)

    starts = conference.sessions.order_by("starts_at").values_list("starts_at", "status")
    assert list(starts) == [(BEANS.starts_at, "published"), (again.starts_at, "published")]


def test_a_talk_that_left_a_covered_day_has_moved():
    tomorrow = DAY + dt.timedelta(days=1)
    conference = load(a_source(BEANS, FIGS))
    later = moved(BEANS, "10:00", day=tomorrow)
    load(a_source(FIGS, later), conference)

    assert conference.sessions.count() == 2
    assert one("Growing beans").starts_at == later.starts_at


# --- what is gone ---------------------------------------------------------------------------------


def test_a_session_gone_from_the_source_is_cancelled_and_comes_back():
    conference = load(a_source(BEANS, FIGS))
    load(a_source(FIGS), conference)
    assert titles(conference) == {"Growing beans": "cancelled", "Pruning figs": "published"}
    assert actions(a_source(FIGS), conference) == []
    assert (Action.RESTORE, "session", "Growing beans") in actions(
        a_source(BEANS, FIGS), conference
    )

    load(a_source(BEANS, FIGS), conference)
    assert titles(conference) == {"Growing beans": "published", "Pruning figs": "published"}
    assert list(conference.changes.order_by("id").values_list("field", "old", "new")) == [
        ("status", "published", "cancelled"),
        ("status", "cancelled", "published"),
    ]
    assert one("Growing beans").sequence == 2


def test_only_days_that_the_source_shows_are_covered():
    tomorrow = DAY + dt.timedelta(days=1)
    night = a_session("Night walk", "01:30", day=tomorrow)  # still the evening of DAY
    conference = load(a_source(BEANS, FIGS, night))
    load(a_source(a_session("Tomorrow", day=tomorrow)), conference)
    assert set(titles(conference).values()) == {"published"}

    load(a_source(BEANS), conference)
    assert titles(conference) == {
        "Growing beans": "published",
        "Pruning figs": "cancelled",
        "Night walk": "cancelled",
        "Tomorrow": "published",
    }


def test_a_filtered_source_covers_nothing_and_says_what_it_lacks():
    conference = load(a_source(BEANS, FIGS))
    source = a_source(replace(BEANS, abstract="New."), is_filtered=True)

    assert actions(source, conference) == [
        (Action.CHANGE, "session", "Growing beans"),
        (Action.MISSING, "session", "Pruning figs"),
    ]
    load(source, conference)
    assert titles(conference) == {"Growing beans": "published", "Pruning figs": "published"}


def test_a_filtered_source_leaves_every_order_alone():
    twin = replace(BREAK, room="Loft")
    conference = load(a_source(BREAK, twin, BEANS))

    assert loader.plan(a_source(BEANS, is_filtered=True), conference).of(Action.CHANGE) == ()
    assert actions(a_source(twin, is_filtered=True), conference) == [
        (Action.MISSING, "session", "Coffee Break"),
        (Action.MISSING, "session", "Growing beans"),
    ]


def test_sessions_made_by_hand_are_not_missed():
    conference = load(a_source(BEANS))
    make_session(conference, "Ours", start="14:00")
    load(a_source(BEANS), conference)

    assert titles(conference) == {"Growing beans": "published", "Ours": "published"}


@pytest.mark.parametrize("status", [Status.CANCELLED, Status.WITHDRAWN])
def test_what_somebody_cancelled_by_hand_stays_so(status):
    conference = load(a_source(BEANS, FIGS))
    edit(one("Growing beans"), status=status)
    load(a_source(BEANS, FIGS), conference)  # still in the source
    load(a_source(FIGS), conference)  # gone from it
    load(a_source(BEANS, FIGS), conference)  # back again

    assert titles(conference) == {"Growing beans": status, "Pruning figs": "published"}


def test_a_session_cancelled_by_an_import_and_revived_by_hand_stays():
    conference = load(a_source(BEANS, FIGS))
    load(a_source(FIGS), conference)
    edit(one("Growing beans"), status=Status.PUBLISHED)
    load(a_source(FIGS), conference)

    assert titles(conference) == {"Growing beans": "published", "Pruning figs": "published"}


def test_a_number_of_a_new_session_is_new():
    conference = load(a_source(BEANS, FIGS))
    load(a_source(FIGS, BREAK), conference)

    assert dict(conference.sessions.values_list("title", "number")) == {
        "Growing beans": 1,
        "Pruning figs": 2,
        "Coffee Break": 3,
    }


# --- all or nothing -------------------------------------------------------------------------------


def test_a_source_with_errors_is_refused():
    problem = Problem(3, "end-before-start", Severity.ERROR, "It ends before it starts.")
    source = a_source(BEANS, problems=(problem,))
    plan = loader.plan(source, None)

    assert (plan.has_errors, plan.rows) == (True, ())
    with pytest.raises(LoadError, match="ends before") as error:
        loader.apply(plan, by="test")
    assert error.value.problems == (problem,)
    assert Conference.objects.count() == 0


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (a_source(BEANS, conference=replace(CONFERENCE, name=" ")), "conference-unnamed"),
        (a_source(BEANS, conference=replace(CONFERENCE, timezone="")), "timezone-unknown"),
        (a_source(BEANS, conference=replace(CONFERENCE, timezone="Mars/X")), "timezone-unknown"),
        (a_source(BEANS, conference=replace(CONFERENCE, website="javascript:x")), "no-address"),
        (a_source(replace(BEANS, title=" ")), "title-missing"),
        (a_source(replace(BEANS, title="x" * 501)), "too-long"),
        (a_source(replace(BEANS, abstract="a\x00b")), "unstorable-text"),
        (a_source(replace(BEANS, speakers=("\ud800",))), "unstorable-text"),
        (a_source(replace(BEANS, ends_at=BEANS.starts_at)), "end-before-start"),
        (a_source(replace(BEANS, key="k"), replace(FIGS, key="k")), "key-repeated"),
        (a_source(replace(BEANS, slides=(SourceSlides("x", "pdf", "ftp://x"),))), "no-address"),
        (a_source(replace(BEANS, slides=(SourceSlides("x", "p" * 11),))), "too-long"),
        (a_source(replace(BEANS, room="r" * 201)), "too-long"),
    ],
)
def test_what_no_row_can_hold_is_an_error_before_anything_is_written(source, code):
    plan = loader.plan(source, None)

    assert code in [problem.code for problem in plan.problems]
    with pytest.raises(LoadError):
        loader.apply(plan, by="test")
    assert Conference.objects.count() == 0


def test_a_failure_half_way_leaves_nothing(monkeypatch):
    conference = load(a_source(BEANS))
    before = everything(conference)

    def fail(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr("sessions_app.loader.write.write_links", fail)
    with pytest.raises(KeyboardInterrupt):
        load(a_source(replace(BEANS, abstract="New."), FIGS), conference)

    assert everything(conference) == before


def test_what_was_edited_after_planning_counts():
    conference = load(a_source(BEANS))
    source = a_source(replace(BEANS, abstract="Theirs."))
    plan = loader.plan(source, conference)
    edit(one("Growing beans"), abstract="Mine.")
    loader.apply(plan, by="test")

    assert one("Growing beans").abstract == "Mine."


# --- any programme --------------------------------------------------------------------------------


@pytest.mark.parametrize("sessions", [3, 40])
def test_planning_takes_the_same_number_of_queries_whatever_the_size(
    sessions, django_assert_num_queries
):
    source = generate(sessions)
    conference = load(source)
    with django_assert_num_queries(10):
        loader.plan(source, conference)


WORDS = st.text("abcé ß-&'\"<", min_size=1, max_size=8).map(str.strip).filter(bool)
NAMES = st.lists(
    st.sampled_from(["Ada Inventa", "Ben Fictor", "Cara Madeup", "Šárka Smyšlená", "王小明"]),
    unique=True,
    max_size=3,
)
TRACKS = st.sampled_from(
    [
        SourceTrack("Food"),
        SourceTrack("Posters"),
        SourceTrack("Food", "Posters"),
        SourceTrack("Shade", "Posters"),
    ]
)


@st.composite
def sessions(draw):
    speakers = draw(NAMES)
    return a_session(
        draw(WORDS.map(lambda text: " ".join(text.split()))),
        draw(st.sampled_from(["09:00", "09:30", "14:00", "23:30"])),
        minutes=draw(st.sampled_from([5, 30, 90])),
        day=DAY + dt.timedelta(days=draw(st.integers(0, 1))),
        kind=draw(st.sampled_from(["talk", "keynote", "service"])),
        is_sponsored=draw(st.booleans()),
        room=draw(st.sampled_from(["", "Attic", "Cellar"])),
        tracks=tuple(draw(st.lists(TRACKS, unique=True, max_size=3))),
        levels=tuple(draw(st.sampled_from([[], ["Any"], ["Beginner", "Expert"]]))),
        speakers=tuple(speakers),
        moderators=tuple(speakers[:1] if draw(st.booleans()) else []),
        slides=tuple(
            SourceSlides(name, "pdf", url)
            for name, url in draw(
                st.lists(
                    st.tuples(
                        st.sampled_from(["Deck", "Notes"]),
                        st.sampled_from(["", "https://example.org/d"]),
                    ),
                    max_size=2,
                )
            )
        ),
        has_slides_tag=draw(st.booleans()),
        abstract=draw(st.sampled_from(["", "One.", "One.\n\n- two\n- three"])),
    )


@st.composite
def sources(draw):
    listed = draw(st.lists(sessions(), min_size=1, max_size=6))
    named = sorted({name for each in listed for name in each.speakers})
    return a_source(
        *listed,
        rooms=("Attic", "Cellar", "Unused"),
        levels=("Any", "Beginner", "Expert"),
        tracks=(
            SourceTrack("Food"),
            SourceTrack("Posters"),
            SourceTrack("Food", "Posters"),
            SourceTrack("Shade", "Posters"),
        ),
        speakers=tuple(
            SourceSpeaker(
                name,
                headline=draw(st.sampled_from(["", "Gardener, Beans Ltd"])),
                bio=draw(st.sampled_from(["", "Grew up."])),
                has_avatar=draw(st.booleans()),
            )
            for name in named
        ),
    )


# Each example is a programme written to a database; the thorough run is the one before a merge.
PATIENT = settings(
    max_examples=60 if os.environ.get("CI") else 10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.slow
@PATIENT
@given(source=sources())
def test_any_programme_comes_back_as_it_was_said(db, source):
    conference = load(source)
    schedule = current_schedule(conference.slug)
    loaded = as_source(schedule)
    before = everything(conference)

    assert loaded == without_lines(source)
    assert loader.plan(source, conference).is_idle
    load(source, conference)
    assert everything(conference) == before
    Conference.objects.all().delete()


@pytest.mark.slow
@PATIENT
@given(first=sources(), second=sources())
def test_any_programme_can_follow_any_other(db, first, second):
    conference = load(first)
    load(second, conference)
    before = everything(conference)

    assert loader.plan(second, conference).is_idle
    load(second, conference)
    assert everything(conference) == before
    shown = as_source(current_schedule(conference.slug)).sessions
    said = {(each.title, each.starts_at, each.room, each.speakers) for each in second.sessions}
    assert said <= {(each.title, each.starts_at, each.room, each.speakers) for each in shown}
    Conference.objects.all().delete()


EDITS = st.lists(
    st.tuples(
        st.integers(0, 9),
        st.sampled_from(
            [
                {"title": "Mine"},
                {"abstract": "Mine."},
                {"position": 7},
                {"status": Status.CANCELLED},
                {"status": Status.WITHDRAWN},
            ]
        ),
    ),
    max_size=4,
)


@PATIENT
@given(first=sources(), edits=EDITS, second=sources(), is_filtered=st.booleans())
def test_no_import_undoes_what_somebody_edited(db, first, edits, second, is_filtered):
    conference = load(first)
    rows = list(conference.sessions.order_by("number"))
    edited = {}
    for index, values in edits:
        row = rows[index % len(rows)]
        edit(row, **values)
        edited.setdefault(row.pk, {}).update(values)
    load(replace(second, is_filtered=is_filtered), conference)

    for pk, values in edited.items():
        assert Session.objects.filter(pk=pk).values(*values).get() == values
    load(second, conference)
    assert loader.plan(second, conference).is_idle
    Conference.objects.all().delete()
