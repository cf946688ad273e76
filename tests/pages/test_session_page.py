"""The session page."""

from __future__ import annotations

import datetime as dt
import re

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from confsched.models import SlugRedirect
from sessions_app.models import Slides, Status
from sessions_app.publish import publishing
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_session_shows_what_is_known(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    hall = factories.make_room(conference, name="Hall")
    factories.make_session(
        conference,
        title="Queues",
        room=hall,
        abstract="First.\n- a\n- b",
        slug="queues",
        slides=[("Deck", "pdf", "https://a.example/d")],
    )
    text = client.get("/sample/sessions/queues/").content.decode()
    assert "<h1>Queues</h1>" in text
    assert "<p>First.</p>\n<ul><li>a</li><li>b</li></ul>" in text
    assert '<a href="https://a.example/d" rel="noopener nofollow">Deck</a>' in text
    assert '<a href="/sample/rooms/hall/">Hall</a>' in text
    assert 'href="/sample/#session-queues"' in text
    assert 'href="/sample/sessions/queues.ics"' in text


def test_a_cancelled_session_names_its_replacement(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    other = factories.make_session(conference, title="Instead", slug="instead")
    factories.make_session(
        conference, title="Gone", slug="gone", status=Status.CANCELLED, replacement=other
    )
    text = client.get("/sample/sessions/gone/").content.decode()
    assert "This session is cancelled." in text
    assert '<a href="/sample/sessions/instead/">Instead</a>' in text


def test_a_replacement_that_is_cancelled_itself_is_not_named(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    other = factories.make_session(
        conference, title="Instead of it", slug="instead", status=Status.CANCELLED
    )
    factories.make_session(
        conference, title="Gone", slug="gone", status=Status.CANCELLED, replacement=other
    )
    for path in ("/sample/sessions/gone/", "/sample/sessions/gone.ics"):
        assert b"Instead:" not in client.get(path).content


@pytest.mark.parametrize("status", [Status.DRAFT, Status.WITHDRAWN])
def test_what_is_not_public_is_not_found(client: Client, status: Status) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Shown", slug="shown")
    factories.make_session(conference, title="Secret", slug="secret", status=status)
    response = client.get("/sample/sessions/secret/")
    assert response.status_code == 404
    assert b"Secret" not in response.content


def links(text: str, heading: str) -> list[str]:
    """Return the texts of the links in the section with this heading."""
    section = re.search(rf"<h2>{heading}</h2>(.*?)</section>", text, re.DOTALL)
    return re.findall(r"<a [^>]*>([^<]*)</a>", section[1]) if section else []


def test_what_is_before_after_and_at_the_same_time(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    hall = factories.make_room(conference, name="Hall")
    attic = factories.make_room(conference, name="Attic")
    make = factories.make_session
    make(conference, title="Early", start="09:00", end="10:00", room=hall)
    make(conference, title="This one", slug="this", start="10:00", end="11:00", room=hall)
    make(conference, title="Late", start="11:00", end="12:00", room=hall, status=Status.CANCELLED)
    make(conference, title="Coffee", start="10:00", end="10:30", kind="service")
    make(conference, title="Overlapping", start="10:30", end="11:30", room=attic)
    make(conference, title="Touching", start="11:00", end="11:30", room=attic)
    text = client.get("/sample/sessions/this/").content.decode()
    assert links(text, "In Hall") == ["Early", "Late"]
    assert links(text, "At the same time") == ["Overlapping", "Coffee"]
    assert re.search(r"After · .*? · Cancelled</span>", text)


def test_people_with_what_else_they_give(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    make = factories.make_session
    make(conference, title="One", slug="one", speakers=["Ada Inventa", "Bo Example"])
    make(conference, title="Two", start="12:00", moderators=["Ada Inventa"])
    make(conference, title="Three", start="14:00", status=Status.DRAFT, speakers=["Ada Inventa"])
    text = client.get("/sample/sessions/one/").content.decode()
    assert links(text, "Speakers") == ["Ada Inventa", "Two", "Bo Example"]
    assert text.count("Also in:") == 1


@pytest.mark.parametrize(
    ("bio", "is_cut", "shown"),
    [("Grows beans and", True, "<p>Grows beans and…</p>"), ("Done.", False, "<p>Done.</p>")],
)
def test_a_cut_biography_ends_in_an_ellipsis(
    client: Client, bio: str, is_cut: bool, shown: str
) -> None:
    conference = factories.make_conference(slug="sample")
    ada = factories.make_speaker(conference, bio=bio, bio_is_truncated=is_cut)
    factories.make_session(conference, slug="one", speakers=[ada])
    text = client.get("/sample/sessions/one/").content.decode()
    assert shown in text
    assert "Read more" not in text


def test_the_way_back_leads_to_the_day_where_a_page_shows_only_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.schedule.MOST_ON_ONE_PAGE", 1)
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, slug="one")
    factories.make_session(conference, slug="two", day=dt.date(2026, 4, 9))
    text = client.get("/sample/sessions/two/").content.decode()
    assert 'href="/sample/?day=2026-04-09#session-two"' in text
    assert 'id="session-two"' in client.get("/sample/?day=2026-04-09").content.decode()
    assert 'id="session-two"' not in client.get("/sample/").content.decode()


def test_times_have_offsets_and_the_zone_of_that_day_in_words(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, slug="winter", day=dt.date(2026, 3, 28))
    factories.make_session(conference, slug="summer", day=dt.date(2026, 3, 29))
    winter = client.get("/sample/sessions/winter/").content.decode()
    summer = client.get("/sample/sessions/summer/").content.decode()
    assert '<time datetime="2026-03-28T10:00+01:00">10:00</time>' in winter
    assert '<time datetime="2026-03-29">Sunday 29 March 2026</time>' in summer
    assert "30 min</span> · Europe/Paris time (CET, UTC+01:00)" in winter
    assert "30 min</span> · Europe/Paris time (CEST, UTC+02:00)" in summer
    both = "Europe/Paris time (CET, UTC+01:00; from Sun 29 Mar CEST, UTC+02:00)"
    assert both in client.get("/sample/").content.decode()


def test_calendars_are_offered_as_a_file_and_as_links(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    session = factories.make_session(conference, slug="one")
    text = client.get("/sample/sessions/one/").content.decode()
    assert 'href="/sample/sessions/one.ics" download' in text
    assert 'href="https://calendar.google.com/' in text
    assert 'href="https://outlook.live.com/' in text
    assert f'data-star="{session.pk}" href="/sample/agenda/add/one/"' in text


def test_a_renamed_session_is_redirected_but_never_to_itself(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    session = factories.make_session(conference, slug="today")
    hidden = factories.make_session(conference, slug="gone", status=Status.WITHDRAWN)
    with publishing(conference, by="test", silent=True):
        for slug, target in (("yesterday", session.pk), ("gone", hidden.pk)):
            SlugRedirect.objects.create(
                conference=conference, page="session", slug=slug, target_id=target
            )
    response = client.get("/sample/sessions/yesterday/")
    assert (response.status_code, response.headers["Location"]) == (301, "/sample/sessions/today/")
    assert client.get("/sample/sessions/gone/").status_code == 404


@pytest.mark.parametrize("sessions", [1, 3])
def test_a_warm_session_page_takes_one_query(
    client: Client, sessions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    conference = factories.make_conference(slug="sample")
    for number in range(sessions):
        factories.make_session(conference, slug=f"s{number}", speakers=["Ada Inventa"])
    client.get("/sample/")
    with django_assert_num_queries(1):
        response = client.get("/sample/sessions/s0/")
    with django_assert_num_queries(1):
        again = client.get(
            "/sample/sessions/s0/", headers={"If-None-Match": response.headers["ETag"]}
        )
    assert (response.status_code, again.status_code) == (200, 304)


@pytest.fixture
def deck(db: None) -> Slides:
    conference = factories.make_conference(slug="sample")
    session = factories.make_session(conference, slug="one")
    with publishing(conference, by="test", silent=True):
        file = ContentFile(b"<script>", name="deck.html")
        return Slides.objects.create(session=session, name="Über all", file_type="html", file=file)


def test_an_uploaded_deck_is_a_download_that_no_browser_runs(client: Client, deck: Slides) -> None:
    assert b'href="/sample/sessions/one/slides/1/"' in client.get("/sample/sessions/one/").content
    response = client.get("/sample/sessions/one/slides/1/")
    assert b"".join(response.streaming_content) == b"<script>"  # type: ignore[attr-defined]
    headers = response.headers
    assert headers["Content-Disposition"].startswith("attachment; filename")
    assert headers["X-Content-Type-Options"] == "nosniff"
    for number in (0, 2, 10**9):
        assert client.get(f"/sample/sessions/one/slides/{number}/").status_code == 404


def test_a_deck_goes_with_its_session(client: Client, deck: Slides) -> None:
    with publishing(deck.session.conference, by="test", silent=True):
        deck.session.status = Status.WITHDRAWN
        deck.session.save()
    assert client.get("/sample/sessions/one/slides/1/").status_code == 404


def test_now_is_marked_only_while_it_runs(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, slug="one", start="10:00", end="10:30")
    factories.make_session(conference, title="Later", start="12:00", end="12:30")
    marks = {}
    for moment in ("07:59", "08:00", "08:29", "08:30"):
        with time_machine.travel(f"2026-04-08T{moment}:00Z", tick=False):
            marks[moment] = b"now-mark" in client.get("/sample/sessions/one/").content
    assert marks == {"07:59": False, "08:00": True, "08:29": True, "08:30": False}
