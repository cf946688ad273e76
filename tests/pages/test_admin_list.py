"""The lists: columns, filters, search, actions, and as many queries however long they are."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.models import Change, Room, Session, Status
from sessions_app.publish import publishing
from sessions_app.snapshot import current_schedule
from tests.factories import (
    DAY,
    make_conference,
    make_level,
    make_room,
    make_session,
    make_speaker,
    make_track,
)
from tests.pages.forms_in_pages import form_in

pytestmark = pytest.mark.django_db

LIST = "/admin/sessions_app/session/"


def rich_session(conference, number):
    return make_session(
        conference,
        f"Session {number}",
        start=f"{9 + number}:00",
        room=f"Room {number}",
        tracks=[f"Track {number}", f"Track {number}: Inner {number}"],
        levels=[f"Level {number}"],
        speakers=[f"Person {number}", f"Friend {number}"],
        slides=[(f"Deck {number}", "pdf")],
    )


def shown(client, query=""):
    return [row.title for row in client.get(LIST + query).context["cl"].result_list]


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("sessions_app/session/", 17),
        ("sessions_app/room/", 6),
        ("sessions_app/track/", 6),
        ("sessions_app/level/", 6),
        ("sessions_app/change/", 10),
        ("speakers/speaker/", 6),
        ("confsched/conference/", 5),
    ],
)
def test_a_longer_list_takes_no_more_queries(organizer, path, queries):
    conference = make_conference()
    for count, made in ((1, [1]), (3, [2, 3])):
        for number in made:
            session = rich_session(conference, number)
            with publishing(conference, by="somebody"):
                session.title += "!"
                session.save()
        with CaptureQueriesContext(
            connection,
        ) as captured:
            organizer.get(f"/admin/{path}").render()
        assert len(captured) == queries, (count, "\n".join(q["sql"][:300] for q in captured))


def test_the_list_says_day_and_time_as_on_the_wall(organizer):
    conference = make_conference(timezone="America/New_York")
    make_session(conference, "Late", start="01:30", day=DAY + dt.timedelta(days=1), room="Attic")

    page = organizer.get(LIST).content.decode()

    assert "Wed 8 Apr 2026" in page
    assert "01:30–02:00" in page


def test_filters_find_sessions_in_the_conference_s_own_terms(organizer):
    conference = make_conference()
    make_session(
        conference, "First", room="Attic", tracks=["Posters: Beans"], levels=["Beginner"],
        slides=[("Beans", "pdf")],
    )  # fmt: skip
    make_session(conference, "Second", start="11:00", kind="keynote", status=Status.DRAFT)
    make_session(conference, "Night", start="02:00", day=DAY + dt.timedelta(days=1), room="Cellar")
    attic, posters = conference.rooms.get(name="Attic"), conference.tracks.get(name="Posters")
    beginner = conference.levels.get()

    assert shown(organizer, f"?room={attic.pk}") == ["First"]
    assert shown(organizer, "?room=0") == ["Second"]
    assert shown(organizer, f"?track={posters.pk}") == ["First"]
    assert shown(organizer, f"?level={beginner.pk}") == ["First"]
    assert shown(organizer, "?day=2026-04-08") == ["First", "Second", "Night"]
    assert shown(organizer, "?day=2026-04-09") == []
    assert shown(organizer, "?status=draft") == ["Second"]
    assert shown(organizer, "?kind=keynote") == ["Second"]
    assert shown(organizer, "?slides=yes") == ["First"]
    assert shown(organizer, "?slides=unreachable") == ["First"]
    assert shown(organizer, "?slides=no") == ["Second", "Night"]


@pytest.mark.parametrize(
    "query",
    "?day=yesterday ?day=9999-12-31 ?room=x ?track=-1 ?conference=x ?level=999999999999".split(),
)
def test_a_broken_filter_is_no_error(organizer, query):
    make_session(make_conference())
    assert organizer.get(LIST + query).status_code in (200, 302)


def test_filters_of_several_conferences_name_them(organizer):
    paris, tokyo = make_conference(), make_conference("Tokyo", slug="tokyo")
    make_session(paris, "Here", room="Attic")
    make_session(tokyo, "There", room="Attic")

    page = organizer.get(LIST).content.decode()
    assert "Attic (Invented Days)" in page
    assert "Attic (Tokyo)" in page
    assert shown(organizer, f"?conference={tokyo.pk}") == ["There"]
    page = organizer.get(f"{LIST}?conference={tokyo.pk}")
    assert "Attic (" not in page.content.decode()
    assert f"conference%3D{tokyo.pk}" in page.content.decode()


def test_search_finds_people_companies_and_rooms(organizer):
    conference = make_conference()
    ada = make_speaker(conference, "Ada Inventa", company="Beans & Co")
    make_session(conference, "First", speakers=[ada])
    make_session(conference, "Second", start="11:00", room="Attic")
    assert shown(organizer, "?q=beans+%26") == ["First"]
    assert shown(organizer, "?q=attic") == ["Second"]


# --- actions --------------------------------------------------------------------------------------


def act(client, action, sessions, **values):
    chosen = {"action": action, "_selected_action": [session.pk for session in sessions]}
    return client.post(LIST, {**chosen, "index": "0", **values})


def confirmed(client, action, sessions, **values):
    page = act(client, action, sessions)
    response = client.post(LIST, {**form_in(page), **values})
    assert response.status_code == 302
    return page.content.decode(), [str(m) for m in get_messages(response.wsgi_request)]


def four(conference):
    return [
        make_session(conference, status.label, start=f"{10 + number}:00", status=status)
        for number, status in enumerate(Status)
    ]


@pytest.mark.parametrize(
    ("action", "count", "left", "after"),
    [
        ("publish_sessions", 1, 3, ["published", "published", "cancelled", "withdrawn"]),
        ("cancel_sessions", 1, 3, ["draft", "cancelled", "cancelled", "withdrawn"]),
        ("withdraw_sessions", 2, 2, ["draft", "withdrawn", "withdrawn", "withdrawn"]),
        ("restore_sessions", 2, 2, ["draft", "published", "published", "published"]),
    ],
)
def test_actions_ask_how_many_then_take_the_step_where_it_fits(
    organizer, action, count, left, after
):
    conference = make_conference()
    sessions = four(conference)
    conference.refresh_from_db()
    before = conference.revision

    page, told = confirmed(organizer, action, sessions)

    assert f"<strong>{count} session" in page
    assert f"{left} sessions are left as they are" in page
    assert [s.status for s in Session.objects.order_by("starts_at")] == after
    assert f": {count} session" in told[0]
    assert f"{left} sessions were left" in told[1]
    conference.refresh_from_db()
    assert conference.revision == before + 1
    assert {change.by for change in Change.objects.filter(revision=before + 1)} == {"organizer"}


def test_a_page_that_asks_writes_nothing(organizer):
    conference = make_conference()
    sessions = four(conference)
    act(organizer, "cancel_sessions", sessions)
    assert [s.status for s in Session.objects.order_by("starts_at")] == list(Status.values)


def test_a_silent_action_is_not_announced(organizer):
    conference = make_conference()
    session = make_session(conference)
    confirmed(organizer, "cancel_sessions", [session], is_silent="on")
    assert current_schedule("invented").session(session.slug).is_cancelled
    assert current_schedule("invented").changes == ()


def test_deleting_several_keeps_what_was_published(organizer):
    conference = make_conference()
    sessions = four(conference)

    page, _told = confirmed(organizer, "delete_sessions", sessions)

    assert "Drafts are deleted for good" in page
    assert [s.status for s in Session.objects.order_by("starts_at")] == ["withdrawn"] * 3
    assert "delete_selected" not in organizer.get(LIST).content.decode()


def test_staff_who_may_only_look_get_no_actions(staff):
    from django.contrib.auth.models import Permission, User

    conference = make_conference()
    session = make_session(conference)
    viewer = User.objects.get(username="volunteer")
    viewer.user_permissions.add(
        Permission.objects.get(codename="view_session", content_type__app_label="sessions_app")
    )
    assert "cancel_sessions" not in staff.get(LIST).content.decode()
    page = staff.get(f"{LIST}{session.pk}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    act(staff, "cancel_sessions", [session], confirmed="yes")
    session.refresh_from_db()
    assert session.status == Status.PUBLISHED


# --- rooms, tracks, levels, log -------------------------------------------------------------------


def test_the_order_of_rooms_is_edited_in_the_list_and_published_once(organizer):
    conference = make_conference()
    rooms = [make_room(conference, name) for name in ("Attic", "Cellar", "Barn")]
    for number, room in enumerate(rooms):
        make_session(conference, f"In {room}", room=room, start=f"{10 + number}:00")
    conference.refresh_from_db()
    before = conference.revision
    url = "/admin/sessions_app/room/"
    values = form_in(organizer.get(url), "changelist-form")
    values |= {"form-0-position": "7", "form-1-position": "0", "_save": "Save"}

    assert organizer.post(url, values).status_code == 302

    assert [room.name for room in Room.objects.all()] == ["Cellar", "Barn", "Attic"]
    assert [room.name for room in current_schedule("invented").rooms] == ["Cellar", "Barn", "Attic"]
    conference.refresh_from_db()
    assert conference.revision == before + 1


def test_the_log_is_read_only_and_speaks_in_wall_time(organizer):
    conference = make_conference()
    session = make_session(conference)
    with publishing(conference, by="somebody"):
        session.starts_at += dt.timedelta(minutes=15)
        session.save()
    page = organizer.get("/admin/sessions_app/change/").content.decode()
    assert "2026-04-08 10:00" in page
    assert "2026-04-08 10:15" in page
    assert "somebody" in page
    change = Change.objects.first()
    assert organizer.get("/admin/sessions_app/change/add/").status_code == 403
    assert organizer.post(f"/admin/sessions_app/change/{change.pk}/delete/").status_code == 403
    assert organizer.post(f"/admin/sessions_app/change/{change.pk}/change/").status_code == 403


def test_rooms_with_sessions_are_not_deleted(organizer):
    session = make_session(make_conference(), room="Attic")
    url = f"/admin/sessions_app/room/{session.room_id}/delete/"
    organizer.post(url, {"post": "yes"})
    assert Room.objects.count() == 1


def test_the_index_begins_with_the_schedule(organizer):
    page = organizer.get("/admin/")
    assert [str(app["name"]) for app in page.context["app_list"]][:3] == [
        "Schedule", "Speakers", "Conferences",
    ]  # fmt: skip
    assert [m["object_name"] for m in page.context["app_list"][0]["models"]] == [
        "Session", "Room", "Track", "Level", "Change",
    ]  # fmt: skip


def test_unused_levels_and_tracks_are_deleted(organizer):
    conference = make_conference()
    level, track = make_level(conference), make_track(conference)
    organizer.post(f"/admin/sessions_app/level/{level.pk}/delete/", {"post": "yes"})
    organizer.post(f"/admin/sessions_app/track/{track.pk}/delete/", {"post": "yes"})
    assert (conference.levels.count(), conference.tracks.count()) == (0, 0)
