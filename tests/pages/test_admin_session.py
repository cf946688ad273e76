"""Organizers edit one session: whole flows, from the page that a browser gets to what it shows."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.urls import reverse

from confsched.models import SlugRedirect
from sessions_app.models import Change, Session, Status
from sessions_app.snapshot import current_schedule
from tests.factories import (
    at,
    make_conference,
    make_level,
    make_room,
    make_session,
    make_speaker,
    make_track,
)
from tests.pages.forms_in_pages import add_row, form_in

pytestmark = pytest.mark.django_db

ADD = "/admin/sessions_app/session/add/"
LIST = "/admin/sessions_app/session/"


def change_url(session):
    return reverse("admin:sessions_app_session_change", args=[session.pk])


def opened(client, session):
    return form_in(client.get(change_url(session)), "session_form")


def saved(client, url, values):
    """Post a form and return the messages; fails with the page's errors where there are any."""
    response = client.post(url, values)
    assert response.status_code == 302, errors_in(response)
    return [str(message) for message in get_messages(response.wsgi_request)]


def errors_in(response):
    form = response.context["adminform"].form
    found = {name: list(errors) for name, errors in form.errors.items()}
    for inline in response.context["inline_admin_formsets"]:
        for number, row in enumerate(inline.formset.forms):
            for name, errors in row.errors.items():
                found[f"{inline.formset.prefix}-{number}-{name}"] = list(errors)
    return found


def refused(client, url, values):
    response = client.post(url, values)
    assert response.status_code == 200
    return errors_in(response)


def test_nobody_else_gets_in(anonymous, staff):
    session = make_session(make_conference())

    assert anonymous.get(change_url(session)).status_code == 302
    assert staff.get(change_url(session)).status_code == 403
    assert staff.get(LIST).status_code == 403
    assert staff.post(change_url(session), {"title": "Mine now"}).status_code == 403
    assert staff.post(f"{LIST}{session.pk}/delete/", {"post": "yes"}).status_code == 403
    session.refresh_from_db()
    assert (session.title, session.status) == ("Growing beans indoors", Status.PUBLISHED)


def test_a_new_session_is_a_draft_of_the_only_conference_in_its_wall_time(organizer):
    conference = make_conference()
    room, speaker = make_room(conference), make_speaker(conference)
    track, level = make_track(conference), make_level(conference)
    values = form_in(organizer.get(ADD), "session_form")
    values |= {
        "title": "  Pruning   roses ",
        "kind": "Lightning talk",
        "starts_at_0": "2026-04-08",
        "starts_at_1": "09:30",
        "ends_at_1": "10:00",
        "room": room.pk,
        "levels": level.pk,
        "abstract": "Where to cut.",
    }
    values["session_speakers-0-speaker"] = speaker.pk
    values["session_tracks-0-track"] = track.pk

    saved(organizer, ADD, values)

    session = Session.objects.get()
    assert session.title == "Pruning roses"
    assert (session.status, session.kind, session.slug) == (
        "draft",
        "lightning_talk",
        "pruning-roses",
    )
    assert session.starts_at == dt.datetime(2026, 4, 8, 7, 30, tzinfo=dt.UTC)
    assert session.ends_at == dt.datetime(2026, 4, 8, 8, 0, tzinfo=dt.UTC)
    assert (list(session.speakers.all()), list(session.tracks.all())) == ([speaker], [track])
    assert list(session.levels.all()) == [level]
    assert current_schedule("invented").sessions == ()


def test_publishing_a_draft_shows_it_at_the_next_request_and_in_the_log(organizer):
    conference = make_conference()
    make_session(conference, "Already there")
    draft = make_session(conference, "Fresh", start="11:00", status=Status.DRAFT)

    told = saved(organizer, change_url(draft), opened(organizer, draft) | {"status": "published"})

    assert [s.title for s in current_schedule("invented").sessions] == ["Already there", "Fresh"]
    assert "Published: 1 session changed." in told[1]
    assert 'href="/invented/"' in told[1]
    change = Change.objects.get(session=draft)
    assert (change.field, change.new, change.by, change.is_silent) == (
        "added", "Fresh", "organizer", False,
    )  # fmt: skip


def test_a_moved_session_is_published_with_one_revision(organizer):
    conference = make_conference()
    session = make_session(conference, room="Attic")
    cellar = make_room(conference, "Cellar")
    conference.refresh_from_db()
    before = conference.revision
    values = opened(organizer, session)
    assert (values["starts_at_0"], values["starts_at_1"]) == ("2026-04-08", "10:00")

    saved(
        organizer,
        change_url(session),
        values | {"starts_at_1": "14:15", "ends_at_1": "15:00", "room": cellar.pk},
    )

    shown = current_schedule("invented").session(session.slug)
    assert (shown.starts_at, shown.room.name) == (at("14:15", conference), "Cellar")
    conference.refresh_from_db()
    assert conference.revision == before + 1
    assert set(Change.objects.filter(revision=conference.revision).values_list("field", "by")) == {
        ("starts_at", "organizer"), ("ends_at", "organizer"), ("room", "organizer"),
    }  # fmt: skip


def test_a_small_correction_is_shown_but_not_announced(organizer):
    session = make_session(make_conference())

    values = opened(organizer, session) | {"title": "Growing beans inside", "is_silent": "on"}
    saved(organizer, change_url(session), values)

    schedule = current_schedule("invented")
    assert schedule.session(session.slug).title == "Growing beans inside"
    assert schedule.changes == ()
    assert Change.objects.get(session=session).is_silent


def test_saving_without_a_change_publishes_nothing(organizer):
    conference = make_conference()
    session = make_session(
        conference, room="Attic", tracks=["Gardening"], speakers=["Ada Inventa", "Bo Dreamt"],
        levels=["Beginner"], slides=[("Beans", "pdf", "https://example.org/beans.pdf")],
    )  # fmt: skip
    conference.refresh_from_db()
    before = conference.revision

    told = saved(organizer, change_url(session), opened(organizer, session))

    conference.refresh_from_db()
    assert conference.revision == before
    assert len(told) == 1


def test_kinds_are_words_on_the_page_and_codes_in_the_database(organizer):
    conference = make_conference()
    session = make_session(conference, kind="birds_of_a_feather")
    odd = make_session(conference, "Odd", start="12:00", kind="Panel-X")
    assert opened(organizer, session)["kind"] == "Birds of a feather"

    saved(organizer, change_url(session), opened(organizer, session) | {"kind": "Panel debate"})
    saved(organizer, change_url(odd), opened(organizer, odd))

    assert [s.kind for s in Session.objects.order_by("starts_at")] == ["panel_debate", "Panel-X"]
    assert opened(organizer, session)["kind"] == "Panel debate"


def test_what_is_published_never_becomes_a_draft_again(organizer):
    session = make_session(make_conference())

    page = organizer.get(change_url(session))
    assert [value for value, _label in page.context["adminform"].form.fields["status"].choices] == [
        "published", "cancelled", "withdrawn",
    ]  # fmt: skip
    values = opened(organizer, session) | {"status": "draft"}
    assert list(refused(organizer, change_url(session), values)) == ["status"]


@pytest.mark.parametrize(
    ("values", "field", "words"),
    [
        ({"ends_at_1": "09:00"}, "ends_at", "after the start"),
        ({"ends_at_1": "10:00"}, "ends_at", "after the start"),
        ({"starts_at_1": ""}, "starts_at", "a date and a time"),
        ({"starts_at_0": ""}, "starts_at", "a date and a time"),
        ({"starts_at_1": "25:00"}, "starts_at", "valid time"),
        ({"starts_at_0": "0001-01-01", "starts_at_1": "00:00"}, "starts_at", "valid date"),
        ({"title": "   "}, "title", "required"),
        ({"kind": "???"}, "kind", "Latin letters"),
        ({"kind": "x" * 41}, "kind", "At most|Use at most|most"),
        ({"slug": "taken"}, "slug", "has this already"),
        ({"slug": "no good!"}, "slug", "slug"),
    ],
)
def test_a_mistake_gets_a_message_at_its_field(organizer, values, field, words):
    conference = make_conference()
    make_session(conference, "Other", slug="taken", start="16:00")
    session = make_session(conference)

    found = refused(organizer, change_url(session), opened(organizer, session) | values)

    assert list(found) == [field]
    assert any(word in found[field][0] for word in words.split("|")), found


def test_rooms_people_and_tracks_of_another_conference_are_refused_at_their_field(organizer):
    session = make_session(make_conference(), speakers=["Ada Inventa"], tracks=["Gardening"])
    other = make_conference("Other Days", slug="other")
    values = opened(organizer, session) | {
        "room": make_room(other).pk,
        "replacement": make_session(other).pk,
        "session_speakers-0-speaker": make_speaker(other).pk,
        "session_tracks-0-track": make_track(other).pk,
    }

    found = refused(organizer, change_url(session), values)

    assert set(found) == {
        "room", "replacement", "session_speakers-0-speaker", "session_tracks-0-track",
    }  # fmt: skip
    assert "belongs to another conference" in found["room"][0]


# --- clock changes --------------------------------------------------------------------------------


def test_a_time_that_the_clocks_jump_over_is_refused(organizer):
    session = make_session(make_conference())
    values = opened(organizer, session) | {
        "starts_at_0": "2026-03-29", "starts_at_1": "02:30",
        "ends_at_0": "2026-03-29", "ends_at_1": "03:30",
    }  # fmt: skip

    found = refused(organizer, change_url(session), values)

    assert list(found) == ["starts_at"]
    assert "does not exist on 2026-03-29" in found["starts_at"][0]


def test_a_time_that_comes_twice_asks_which(organizer):
    session = make_session(make_conference())
    values = opened(organizer, session) | {
        "starts_at_0": "2026-10-25", "starts_at_1": "02:30",
        "ends_at_0": "2026-10-25", "ends_at_1": "04:30",
    }  # fmt: skip
    assert "starts_at_2" not in values

    page = organizer.post(change_url(session), values)
    assert "comes twice on 2026-10-25" in errors_in(page)["starts_at"][0]
    asked = form_in(page, "session_form")
    assert asked["starts_at_2"] == ""

    saved(organizer, change_url(session), asked | {"starts_at_2": "second"})
    session.refresh_from_db()
    assert session.starts_at == dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.UTC)
    again = opened(organizer, session)
    assert (again["starts_at_1"], again["starts_at_2"]) == ("02:30", "second")

    saved(organizer, change_url(session), again | {"starts_at_2": "first"})
    session.refresh_from_db()
    assert session.starts_at == dt.datetime(2026, 10, 25, 0, 30, tzinfo=dt.UTC)


# --- people and tracks in order -------------------------------------------------------------------


def people(session):
    rows = session.session_speakers.order_by("position")
    return [(row.speaker.name, row.is_moderator) for row in rows]


def test_places_can_be_swapped(organizer):
    session = make_session(make_conference(), speakers=["Ada Inventa", "Bo Dreamt", "Cy Madeup"])
    values = opened(organizer, session)
    swapped = {
        "session_speakers-0-position": values["session_speakers-1-position"],
        "session_speakers-1-position": values["session_speakers-0-position"],
    }

    saved(organizer, change_url(session), values | swapped)

    names = [name for name, _moderates in people(session)]
    assert names == ["Bo Dreamt", "Ada Inventa", "Cy Madeup"]
    assert [s.name for s in current_schedule("invented").sessions[0].speakers] == names


def test_people_can_be_swapped_and_one_removed_in_the_same_save(organizer):
    session = make_session(make_conference(), speakers=["Ada Inventa", "Bo Dreamt", "Cy Madeup"])
    values = opened(organizer, session)
    swapped = {
        "session_speakers-0-speaker": values["session_speakers-1-speaker"],
        "session_speakers-0-is_moderator": "on",
        "session_speakers-1-speaker": values["session_speakers-2-speaker"],
        "session_speakers-2-DELETE": "on",
    }

    saved(organizer, change_url(session), values | swapped)

    assert people(session) == [("Bo Dreamt", True), ("Cy Madeup", False)]


def test_new_people_go_to_the_end_unless_they_are_given_a_place(organizer):
    conference = make_conference()
    session = make_session(conference, speakers=["Ada Inventa"])
    values = opened(organizer, session)
    values["session_speakers-0-position"] = "5"
    values = add_row(values, "session_speakers", speaker=make_speaker(conference, "Bo Dreamt").pk)
    values = add_row(
        values, "session_speakers", speaker=make_speaker(conference, "Cy Madeup").pk, position="1"
    )

    saved(organizer, change_url(session), values)

    assert [name for name, _moderates in people(session)] == [
        "Cy Madeup", "Ada Inventa", "Bo Dreamt",
    ]  # fmt: skip


def test_the_same_place_or_person_twice_is_said_at_the_second(organizer):
    session = make_session(make_conference(), speakers=["Ada Inventa", "Bo Dreamt"])
    values = opened(organizer, session)

    same_place = {"session_speakers-1-position": values["session_speakers-0-position"]}
    found = refused(organizer, change_url(session), values | same_place)
    assert list(found) == ["session_speakers-1-position"]

    same_person = {"session_speakers-1-speaker": values["session_speakers-0-speaker"]}
    found = refused(organizer, change_url(session), values | same_person)
    assert found == {"session_speakers-1-speaker": ["“Ada Inventa” is in this list twice."]}


# --- two organizers -------------------------------------------------------------------------------


def test_a_save_in_between_is_not_overwritten_and_nothing_is_lost(organizer):
    conference = make_conference()
    session = make_session(conference, room="Attic", speakers=["Ada Inventa"])
    cellar, bo = make_room(conference, "Cellar"), make_speaker(conference, "Bo Dreamt")
    mine, theirs = opened(organizer, session), opened(organizer, session)
    theirs = add_row(theirs | {"room": cellar.pk}, "session_speakers", speaker=bo.pk)
    saved(organizer, change_url(session), theirs)

    page = organizer.post(change_url(session), mine | {"title": "Growing peas"})

    session.refresh_from_db()
    assert (session.title, session.room) == ("Growing beans indoors", cellar)
    text = str(page.context["adminform"].form.non_field_errors())
    assert "organizer saved this while you had it open" in text
    assert "Room: Cellar" in text
    assert "Speakers: Ada Inventa, Bo Dreamt" in text
    assert "Title" not in text
    again = form_in(page, "session_form")
    assert again["title"] == "Growing peas"

    saved(organizer, change_url(session), again)
    session.refresh_from_db()
    assert (session.title, session.room.name) == ("Growing peas", "Attic")
    assert people(session) == [("Ada Inventa", False), ("Bo Dreamt", False)]


def test_somebody_removed_meanwhile_is_kept_by_whoever_insists(organizer):
    session = make_session(make_conference(), speakers=["Ada Inventa", "Bo Dreamt"])
    mine, theirs = opened(organizer, session), opened(organizer, session)
    saved(organizer, change_url(session), theirs | {"session_speakers-0-DELETE": "on"})

    page = organizer.post(change_url(session), mine)
    assert "Speakers: Bo Dreamt" in str(page.context["adminform"].form.non_field_errors())

    saved(organizer, change_url(session), form_in(page, "session_form"))
    assert people(session) == [("Ada Inventa", False), ("Bo Dreamt", False)]


# --- addresses, warnings, deletion ----------------------------------------------------------------


def test_an_address_changed_by_hand_leaves_a_redirect(organizer):
    session = make_session(make_conference())

    saved(organizer, change_url(session), opened(organizer, session) | {"slug": "beans"})

    redirect = SlugRedirect.objects.get()
    assert (redirect.slug, redirect.target_id) == ("growing-beans-indoors", session.pk)
    schedule = current_schedule("invented")
    assert schedule.redirect("session", "growing-beans-indoors") == "beans"


def test_a_rename_keeps_the_address(organizer):
    session = make_session(make_conference())
    saved(organizer, change_url(session), opened(organizer, session) | {"title": "Peas"})
    assert current_schedule("invented").session("growing-beans-indoors").title == "Peas"


def test_double_bookings_are_named_and_saved_all_the_same(organizer):
    conference = make_conference()
    make_session(conference, "Cutting hedges", room="Attic", speakers=["Ada Inventa"])
    make_session(conference, "Back to back", room="Attic", start="10:30")
    make_session(conference, "Called off", room="Attic", status=Status.CANCELLED)
    session = make_session(
        conference, "Beans", room="Attic", start="12:00", speakers=["Ada Inventa"]
    )

    values = opened(organizer, session) | {"starts_at_1": "10:15", "ends_at_1": "10:30"}
    told = saved(organizer, change_url(session), values)

    assert told[1:3] == [
        "Attic holds “Cutting hedges” (2026-04-08 10:00–10:30) at the same time as “Beans”.",
        "Ada Inventa is in “Cutting hedges” (2026-04-08 10:00–10:30) at the same time as “Beans”.",
    ]


def test_deleting_what_was_published_withdraws_it(organizer):
    session = make_session(make_conference())
    url = f"{LIST}{session.pk}/delete/"
    assert "has been published" in organizer.get(url).content.decode()

    organizer.post(url, {"post": "yes"})

    session.refresh_from_db()
    schedule = current_schedule("invented")
    assert session.status == Status.WITHDRAWN
    assert (schedule.sessions, [s.slug for s in schedule.withdrawn]) == ((), [session.slug])
    assert LogEntry.objects.get().get_change_message() == "Withdrawn."


def test_a_draft_is_deleted_for_good(organizer):
    session = make_session(make_conference(), status=Status.DRAFT, speakers=["Ada Inventa"])
    organizer.post(f"{LIST}{session.pk}/delete/", {"post": "yes"})
    assert not Session.objects.exists()


def test_only_what_has_a_page_is_viewed_on_the_site(organizer):
    conference = make_conference()
    shown = make_session(conference)
    draft = make_session(conference, "Draft", status=Status.DRAFT)
    assert "View on site" in organizer.get(change_url(shown)).content.decode()
    assert "View on site" not in organizer.get(change_url(draft)).content.decode()


# --- several conferences --------------------------------------------------------------------------


def test_with_several_conferences_one_is_chosen_first(organizer):
    paris = make_conference()
    tokyo = make_conference("Tokyo Days", slug="tokyo", timezone="Asia/Tokyo")
    page = organizer.get(ADD)
    assert {address for _conference, address in page.context["choices"]} == {
        f"?conference={paris.pk}", f"?conference={tokyo.pk}",
    }  # fmt: skip

    url = f"{ADD}?conference={tokyo.pk}"
    page = organizer.get(url)
    assert "Asia/Tokyo time" in page.content.decode()
    values = form_in(page, "session_form") | {
        "title": "Moss", "starts_at_0": "2026-04-08", "starts_at_1": "09:00", "ends_at_1": "10:00",
    }  # fmt: skip
    saved(organizer, url, values)

    session = Session.objects.get()
    assert session.conference == tokyo
    assert session.starts_at == dt.datetime(2026, 4, 8, 0, 0, tzinfo=dt.UTC)


def test_without_a_conference_the_way_leads_to_adding_one(organizer):
    response = organizer.get(ADD)
    assert (response.status_code, response["Location"]) == (302, "/admin/confsched/conference/add/")


def test_suggestions_are_those_of_the_conference(organizer):
    conference = make_conference()
    ada = make_speaker(conference, "Ada Inventa", company="Beans & Co")
    make_speaker(make_conference("Other", slug="other"), "Ada Inventa", slug="x")
    page = organizer.get(
        f"/admin/autocomplete/?conference={conference.pk}&term=ada&app_label=sessions_app"
        "&model_name=sessionspeaker&field_name=speaker"
    )
    assert page.json()["results"] == [{"id": str(ada.pk), "text": "Ada Inventa (Beans & Co)"}]


def test_the_form_asks_for_suggestions_of_its_conference(organizer):
    session = make_session(make_conference())
    page = organizer.get(change_url(session)).content.decode()
    assert f"/admin/autocomplete/?conference={session.conference_id}" in page
    assert f"&amp;conference={session.conference_id}" in page
