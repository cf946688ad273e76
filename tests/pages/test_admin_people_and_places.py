"""Speakers, tracks, levels, rooms and conferences in the admin."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages

from confsched.models import Conference, SlugRedirect
from sessions_app.models import Change, Level, Room, Track
from sessions_app.snapshot import current_schedule
from speakers.models import Speaker
from tests.factories import (
    make_conference,
    make_level,
    make_room,
    make_session,
    make_speaker,
    make_track,
)
from tests.pages.forms_in_pages import form_in
from tests.pages.test_admin_session import errors_in

pytestmark = pytest.mark.django_db


def url_of(row):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def opened(client, row):
    return form_in(client.get(url_of(row)), f"{row._meta.model_name}_form")


def change(client, row, **values):
    response = client.post(url_of(row), opened(client, row) | values)
    assert response.status_code == 302, errors_in(response)
    row.refresh_from_db()
    return [str(message) for message in get_messages(response.wsgi_request)]


def add(client, model, **values):
    url = f"/admin/{model._meta.app_label}/{model._meta.model_name}/add/"
    filled = form_in(client.get(url), f"{model._meta.model_name}_form") | values
    response = client.post(url, filled)
    return errors_in(response) if response.status_code == 200 else {}


# --- speakers -------------------------------------------------------------------------------------


def cut_off(**fields):
    return make_speaker(make_conference(), bio="She has", bio_is_truncated=True, **fields)


def test_a_completed_biography_loses_its_mark(organizer):
    speaker = cut_off()
    change(organizer, speaker, bio="She has grown beans.")
    assert (speaker.bio, speaker.bio_is_truncated) == ("She has grown beans.", False)


def test_the_mark_stays_where_it_is_said_so(organizer):
    speaker = cut_off()
    change(organizer, speaker, bio="She has grown", stays_cut_off="on")
    assert speaker.bio_is_truncated


def test_another_field_leaves_the_mark_alone(organizer):
    speaker = cut_off()
    change(organizer, speaker, headline="Gardener, Beans & Co")
    assert speaker.bio_is_truncated
    assert "stays_cut_off" not in opened(organizer, make_speaker(speaker.conference, "Bo Dreamt"))


def test_biographies_to_complete_are_found(organizer):
    conference = cut_off().conference
    make_speaker(conference, "Bo Dreamt", bio="Whole.")
    make_speaker(conference, "Cy Madeup")

    def found(what):
        page = organizer.get(f"/admin/speakers/speaker/?bio={what}")
        return [row.name for row in page.context["cl"].result_list]

    assert (found("cut"), found("complete"), found("missing")) == (
        ["Ada Inventa"], ["Bo Dreamt"], ["Cy Madeup"],
    )  # fmt: skip


def test_a_renamed_speaker_is_a_change_of_the_sessions(organizer):
    conference = make_conference()
    session = make_session(conference, speakers=["Ada Inventa"])
    told = change(organizer, Speaker.objects.get(), name="Ada Inventa-Dreamt")
    assert "1 session changed" in told[1]
    assert Change.objects.get(is_silent=False).new == ["Ada Inventa-Dreamt"]
    assert current_schedule("invented").session(session.slug).speakers[0].slug == "ada-inventa"


def test_two_people_may_share_a_name_but_not_an_address(organizer):
    conference = make_conference()
    make_speaker(conference)
    assert add(organizer, Speaker, name="Ada Inventa") == {}
    assert sorted(Speaker.objects.values_list("slug", flat=True)) == [
        "ada-inventa", "ada-inventa-2",
    ]  # fmt: skip
    assert list(add(organizer, Speaker, name="Bo", slug="ada-inventa")) == ["slug"]


def test_a_speaker_s_page_names_their_sessions_in_wall_time(organizer):
    make_session(make_conference(), speakers=["Ada Inventa"])
    page = organizer.get(url_of(Speaker.objects.get())).content.decode()
    assert "Growing beans indoors</a> 2026-04-08 10:00 published" in page


def test_two_tabs_do_not_overwrite_each_other(organizer):
    speaker = make_speaker(make_conference())
    mine = opened(organizer, speaker)
    change(organizer, speaker, company="Beans & Co")
    page = organizer.post(url_of(speaker), mine | {"headline": "Gardener"})
    assert "Company: Beans &amp; Co" in str(page.context["adminform"].form.non_field_errors())
    speaker.refresh_from_db()
    assert (speaker.company, speaker.headline) == ("Beans & Co", "")


def test_links_of_speakers_are_web_addresses(organizer):
    make_conference()
    for bad in ("ftp://example.org", "javascript:alert(1)"):
        assert list(add(organizer, Speaker, name="Bo", website=bad)) == ["website"]


# --- tracks, rooms, levels ------------------------------------------------------------------------


def test_a_new_track_gets_the_next_colour_of_the_accessible_set_and_the_last_place(organizer):
    conference = make_conference()
    make_track(conference, "Beans", colour=10, position=4)
    assert add(organizer, Track, name="Peas") == {}
    track = Track.objects.get(name="Peas")
    assert (track.colour, track.position, track.slug) == (2, 5, "peas")


def test_colours_are_swatches_with_names(organizer):
    page = organizer.get(url_of(make_track(make_conference()))).content.decode()
    assert page.count('class="swatch t') == 13
    assert "turquoise" not in page
    assert "jade" in page
    assert "style=" not in page


def test_there_is_no_fourteenth_colour(organizer):
    track = make_track(make_conference())
    page = organizer.post(url_of(track), opened(organizer, track) | {"colour": "14"})
    assert list(errors_in(page)) == ["colour"]


def test_names_are_unique_where_they_stand_side_by_side(organizer):
    conference = make_conference()
    posters = make_track(conference, "Posters")
    make_room(conference, "Attic")
    make_level(conference, "Beginner")
    assert list(add(organizer, Track, name="Posters")) == ["name"]
    assert list(add(organizer, Room, name=" Attic ")) == ["name"]
    assert list(add(organizer, Level, name="Beginner")) == ["name"]
    assert add(organizer, Track, name="Beans", parent=posters.pk) == {}
    assert add(organizer, Track, name="Beans") == {}
    assert list(add(organizer, Track, name="Beans", parent=posters.pk)) == ["name"]
    assert sorted(Track.objects.values_list("slug", flat=True)) == [
        "beans", "posters", "posters-beans",
    ]  # fmt: skip


def test_tracks_have_one_level_of_parents(organizer):
    conference = make_conference()
    inner = make_track(conference, "Inner", parent="Outer")
    assert list(add(organizer, Track, name="Innermost", parent=inner.pk)) == ["parent"]
    found = organizer.get(
        f"/admin/autocomplete/?conference={conference.pk}&app_label=sessions_app&model_name=track"
        "&field_name=parent"
    )
    assert [result["text"] for result in found.json()["results"]] == ["Outer"]


def test_none_is_no_address_for_a_level(organizer):
    make_conference()
    assert list(add(organizer, Level, name="None", slug="none")) == ["slug"]
    assert add(organizer, Level, name="None") == {}
    assert Level.objects.get().slug == "none-2"


def test_a_renamed_room_keeps_its_address_and_a_changed_one_leaves_a_redirect(organizer):
    session = make_session(make_conference(), room="Attic")
    change(organizer, session.room, name="Loft")
    assert session.room.slug == "attic"
    change(organizer, session.room, slug="loft")
    assert SlugRedirect.objects.get().slug == "attic"
    schedule = current_schedule("invented")
    assert schedule.session(session.slug).room.name == "Loft"
    assert schedule.redirect("room", "attic") == "loft"


# --- conferences ----------------------------------------------------------------------------------


def test_a_conference_is_added(organizer):
    values = {"name": "Invented Days", "slug": "invented", "timezone": "europe/paris"}
    assert add(organizer, Conference, **values, contact="hello@example.org") == {}
    assert Conference.objects.get().timezone == "Europe/Paris"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "admin"),
        ("slug", "taken"),
        ("slug", "no good"),
        ("timezone", "Paris on the moon"),
        ("website", "ftp://example.org/"),
        ("registration_url", "javascript:alert(1)"),
        ("contact", "no address"),
        ("contact", "javascript:alert(1)"),
        ("contact", "http://example.org/"),
        ("ends_on", "2026-13-01"),
    ],
)
def test_a_mistake_in_a_conference_gets_a_message_at_its_field(organizer, field, value):
    make_conference("Other", slug="taken")
    values = {"name": "Invented Days", "slug": "invented", "timezone": "Europe/Paris"}
    assert list(add(organizer, Conference, **(values | {field: value}))) == [field]


def test_a_conference_does_not_end_before_it_starts(organizer):
    conference = make_conference()
    values = opened(organizer, conference) | {"ends_on": "2026-04-07"}
    found = errors_in(organizer.post(url_of(conference), values))
    assert found == {"ends_on": ["The last day is before the first day."]}


def test_the_notice_is_on_the_site_at_the_next_request(organizer):
    conference = make_conference()
    make_session(conference)
    change(organizer, conference, notice="Subject to change.")
    assert current_schedule("invented").conference.notice == "Subject to change."


def test_another_zone_is_warned_about(organizer):
    conference = make_conference()
    make_session(conference)
    told = change(organizer, conference, timezone="Asia/Tokyo")
    assert any("Asia/Tokyo" in text for text in told)


def test_a_conference_with_published_sessions_stays(organizer):
    conference = make_conference()
    make_session(conference)
    url = f"/admin/confsched/conference/{conference.pk}/delete/"
    assert organizer.post(url, {"post": "yes"}).status_code == 403
    empty = make_conference("Empty", slug="empty")
    organizer.post(f"/admin/confsched/conference/{empty.pk}/delete/", {"post": "yes"})
    assert [row.slug for row in Conference.objects.all()] == ["invented"]
