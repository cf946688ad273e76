"""Rows → Schedule: what it holds, what it costs, and that it is always the present one."""

import datetime as dt
import threading

import pytest

from confsched.models import Conference
from sessions_app import snapshot
from sessions_app.models import Status
from sessions_app.publish import publishing
from sessions_app.snapshot import (
    conference_list,
    current_schedule,
    default_conference,
    renamed_conference,
)
from tests.factories import make_conference, make_level, make_session, make_speaker

pytestmark = pytest.mark.django_db

WARM, COLD = 1, 15


@pytest.fixture
def conference():
    return make_conference()


def noon(day):
    return dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)


def test_unknown_conference_is_none(conference):
    assert current_schedule("unknown") is None


def test_a_session_comes_with_all_its_parts(conference):
    session = make_session(
        conference,
        "Growing beans",
        start="23:30",
        end="23:50",
        room="Attic",
        tracks=["Posters: Shade", "Gardening"],
        levels=["Beginner"],
        speakers=["Ada Inventa", "Ben Fictor"],
        moderators=["Ben Fictor"],
        slides=[("Beans", "pdf"), ("Recipes", "pptx", "https://example.org/r.pptx")],
        abstract="Water them.",
    )
    schedule = current_schedule("invented")

    (found,) = schedule.sessions
    assert (found.id, found.uid, found.number) == (session.pk, str(session.uid), 1)
    assert (found.title, found.slug) == ("Growing beans", "growing-beans")
    assert found.starts_at == dt.datetime(2026, 4, 8, 21, 30, tzinfo=dt.UTC)
    assert found.day == dt.date(2026, 4, 8)
    assert (found.room.slug, found.abstract) == ("attic", "Water them.")
    assert [(track.label, track.slug) for track in found.tracks] == [
        ("Posters: Shade", "posters-shade"),
        ("Gardening", "gardening"),
    ]
    assert [level.name for level in found.levels] == ["Beginner"]
    assert [person.name for person in found.speakers] == ["Ada Inventa", "Ben Fictor"]
    assert [person.name for person in found.moderators] == ["Ben Fictor"]
    assert [(deck.number, deck.name, deck.url) for deck in found.slides] == [
        (1, "Beans", ""),
        (2, "Recipes", "https://example.org/r.pptx"),
    ]
    assert found.changed_at == conference.sessions.get().changed_at


def test_drafts_and_their_people_are_not_in_it(conference):
    make_session(conference, "Seen", speakers=["Ada Inventa"])
    make_session(conference, "Draft", status=Status.DRAFT, speakers=["Ben Fictor"])
    make_session(conference, "Gone", status=Status.WITHDRAWN, speakers=["Cara Madeup"])
    make_speaker(conference, "Nobody Yet")
    schedule = current_schedule("invented")

    assert [session.title for session in schedule.sessions] == ["Seen"]
    assert [session.title for session in schedule.withdrawn] == ["Gone"]
    assert [speaker.name for speaker in schedule.speakers] == ["Ada Inventa"]


def test_a_warm_read_is_one_query_and_the_same_object(conference, django_assert_num_queries):
    make_session(conference)
    first = current_schedule("invented")

    with django_assert_num_queries(WARM):
        assert current_schedule("invented") is first


@pytest.mark.parametrize("sessions", [1, 3])
def test_a_cold_read_takes_the_same_number_of_queries_whatever_the_size(
    conference, sessions, django_assert_num_queries
):
    for number in range(sessions):
        make_session(
            conference,
            f"Talk {number}",
            room=f"Room {number}",
            tracks=[f"Posters: Track {number}"],
            levels=["Any"],
            speakers=[f"Ada Inventa {number}", f"Ben Fictor {number}"],
            slides=[("Deck", "pdf")],
        )
    with django_assert_num_queries(COLD):
        current_schedule("invented")


def test_an_edit_is_there_at_the_next_read(conference):
    session = make_session(conference, "Old")
    assert current_schedule("invented").session("old").title == "Old"
    session.title = "New"
    session.save()

    schedule = current_schedule("invented")
    assert schedule.session("old").title == "New"
    assert [(change.field, change.old, change.new) for change in schedule.changes] == [
        ("title", "Old", "New")
    ]
    conference.refresh_from_db()
    assert schedule.key == (conference.pk, conference.revision, conference.revised_at)


def test_silent_changes_are_not_in_it(conference):
    session = make_session(conference, "Old")
    with publishing(conference, by="ada", silent=True):
        session.title = "New"
        session.save()

    assert current_schedule("invented").changes == ()


def test_old_addresses_lead_to_the_present_ones(conference):
    session = make_session(
        conference, "Beans", room="Attic", speakers=["Ada Inventa"], tracks=["Food"]
    )
    for row in (session, session.room, session.speakers.get(), session.tracks.get()):
        for slug in ("second", "third"):
            row.slug = slug
            row.save()
    schedule = current_schedule("invented")

    for page, old in (
        ("session", "beans"),
        ("room", "attic"),
        ("speaker", "ada-inventa"),
        ("track", "food"),
    ):
        assert schedule.redirect(page, old) == schedule.redirect(page, "second") == "third"
    assert schedule.redirect("session", "attic") is None


def test_a_renamed_conference_is_found_by_its_old_slug(conference):
    conference.slug = "renamed"
    conference.save()

    assert current_schedule("invented") is None
    assert renamed_conference("invented") == "renamed"
    assert renamed_conference("never") is None
    assert current_schedule("renamed").conference.slug == "renamed"


def test_a_replacement_is_named_only_while_people_can_go_there(conference):
    other = make_session(conference, "Instead", start="12:00")
    make_session(conference, "Off", status=Status.CANCELLED, replacement=other)
    assert current_schedule("invented").session("off").replacement_slug == "instead"
    other.status = Status.WITHDRAWN
    other.save()

    assert current_schedule("invented").session("off").replacement_slug == ""


def test_a_write_between_the_queries_is_read_once_more(conference, monkeypatch):
    session = make_session(conference, "Old")
    read_programme = snapshot.read_programme
    writes = iter(["New"])

    def interrupted(conference_id):
        programme = read_programme(conference_id)
        for title in writes:
            session.title = title
            session.save()
        return programme

    monkeypatch.setattr(snapshot, "read_programme", interrupted)
    assert [each.title for each in current_schedule("invented").sessions] == ["New"]


def test_endless_writes_do_not_hold_a_reader_for_ever(conference, monkeypatch):
    make_session(conference)
    read_programme = snapshot.read_programme

    def interrupted(conference_id):
        programme = read_programme(conference_id)
        make_level(conference, f"Level {conference.levels.count()}")
        return programme

    monkeypatch.setattr(snapshot, "read_programme", interrupted)
    assert current_schedule("invented") is not None
    assert conference.levels.count() == snapshot.MOST_READINGS


def test_only_one_of_many_threads_builds(conference, monkeypatch):
    """Threads of a memory database would not share it, so the reading is a stand-in."""
    schedule = object()
    built = []

    def read(row):
        built.append(row)
        ready.wait(5)
        return schedule

    ready = threading.Event()
    monkeypatch.setattr(snapshot, "_read", read)
    monkeypatch.setattr(snapshot, "_read_revision", lambda slug: (1, 1, None))
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(current_schedule("invented")))
        for _number in range(8)
    ]
    for thread in threads:
        thread.start()
    ready.set()
    for thread in threads:
        thread.join()

    assert found == [schedule] * 8
    assert built == [(1, 1, None)]


def test_the_list_shows_the_latest_first(conference):
    make_conference(
        "Later", slug="later", starts_on=dt.date(2027, 4, 1), ends_on=dt.date(2027, 4, 2)
    )

    assert [each.slug for each in conference_list()] == ["later", "invented"]


def test_the_front_door_leads_to_what_runs_then_what_comes_then_what_was():
    assert default_conference(noon(dt.date(2026, 1, 1))) is None
    for year in (2025, 2026, 2027):
        make_conference(
            str(year),
            slug=f"c{year}",
            starts_on=dt.date(year, 4, 7),
            ends_on=dt.date(year, 4, 8),
        )
    Conference.objects.create(name="Undated", slug="undated", timezone="Europe/Paris")

    assert default_conference(noon(dt.date(2026, 4, 7))) == "c2026"
    assert default_conference(noon(dt.date(2026, 4, 8))) == "c2026"
    # The last evening lasts until 04:00 of the conference's own clock.
    assert default_conference(dt.datetime(2026, 4, 9, 1, tzinfo=dt.UTC)) == "c2026"
    assert default_conference(dt.datetime(2026, 4, 9, 3, tzinfo=dt.UTC)) == "c2027"
    assert default_conference(noon(dt.date(2020, 1, 1))) == "c2025"
    assert default_conference(noon(dt.date(2030, 1, 1))) == "c2027"


def test_a_conference_without_dates_counts_from_its_sessions():
    make_conference("Past", slug="past", starts_on=dt.date(2025, 4, 7), ends_on=None)
    undated = make_conference("Undated", slug="undated", starts_on=None, ends_on=None)
    make_session(undated)

    assert default_conference(noon(dt.date(2026, 4, 8))) == "undated"
    assert default_conference(noon(dt.date(2025, 4, 7))) == "past"
