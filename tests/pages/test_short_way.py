"""What was answered once is answered again the short way, and only while it is still right."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from confsched import lane
from sessions_app.publish import publishing
from tests import factories

pytestmark = pytest.mark.django_db

PATHS = ["/sample/", "/sample/?q=beans", "/sample/schedule.ics", "/sample/sessions/beans/"]


@pytest.fixture(autouse=True)
def conference() -> object:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Beans", slug="beans", start="10:00", end="10:30")
    return conference


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("coding", ["", "gzip", "br"])
def test_the_short_way_gives_the_very_same_answer(client: Client, path: str, coding: str) -> None:
    headers = {"Accept-Encoding": coding}
    long = client.get(path, headers=headers)
    short = client.get(path, headers=headers)
    lane.clear()
    again = client.get(path, headers=headers)
    assert short.content == long.content == again.content
    assert short.headers == long.headers == again.headers
    unchanged = client.get(path, headers={**headers, "If-None-Match": long.headers["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    head = client.head(path, headers=headers)
    assert (head.content, head.headers) == (b"", long.headers)


def test_an_edit_shows_at_the_next_request(client: Client, conference: object) -> None:
    client.get("/sample/")
    client.get("/sample/")
    with publishing(conference, by="test"):  # type: ignore[arg-type]
        session = conference.sessions.get()  # type: ignore[attr-defined]
        session.title = "Peas"
        session.save()
    assert b">Peas</a>" in client.get("/sample/").content


def test_the_clock_moves_on(client: Client) -> None:
    with time_machine.travel(dt.datetime(2026, 4, 8, 7, 59, tzinfo=dt.UTC), tick=False):
        assert b"is-now" not in client.get("/sample/").content
    with time_machine.travel(dt.datetime(2026, 4, 8, 8, 0, tzinfo=dt.UTC), tick=False):
        assert b"is-now" in client.get("/sample/").content
    with time_machine.travel(dt.datetime(2026, 4, 8, 8, 30, tzinfo=dt.UTC), tick=False):
        assert b"is-now" not in client.get("/sample/").content


def test_page_and_fragment_are_kept_apart(client: Client) -> None:
    page = client.get("/sample/").content
    fragment = client.get("/sample/", headers={"HX-Request": "true"})
    again = client.get("/sample/", headers={"HX-Request": "true"})
    assert again.content == fragment.content != page
    assert again.headers["HX-Push-Url"] == "/sample/"
    assert client.get("/sample/").content == page


def test_it_takes_one_query_and_never_skips_the_host_check(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/sample/")
    with django_assert_num_queries(1):
        client.get("/sample/")
    assert client.get("/sample/", headers={"host": "evil.example"}).status_code == 400


def test_a_post_to_a_remembered_address_is_still_refused(client: Client) -> None:
    client.get("/sample/")
    assert client.post("/sample/").status_code == 405
    assert client.generic("PROPFIND", "/sample/schedule.ics").status_code == 405


def test_what_is_remembered_is_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "MOST", 5)
    for number in range(20):
        client.get(f"/sample/?q={number}")
    assert len(lane._answers) <= 5
    lane.clear()
    client.get("/sample/?q=" + "x" * 2000)
    assert len(lane._answers) == 0
