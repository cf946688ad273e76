"""What was answered once is answered again the short way, and only while it is still right."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.db import OperationalError
from pytest_django import DjangoAssertNumQueries

from confsched import lane, wsgi
from confsched.kept import bodies
from confsched.models import Conference
from sessions_app import snapshot
from sessions_app.publish import publishing
from tests import factories
from tests.wsgi import Answer, ask

pytestmark = pytest.mark.django_db

PATHS = [
    "/sample/",
    "/sample/?q=beans",
    "/sample/schedule.ics",
    "/sample/sessions/beans/",
    "/sample/now/",
    "/sample/speakers/",
]


@pytest.fixture(autouse=True)
def conference() -> Conference:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Beans", slug="beans", start="10:00", end="10:30")
    return conference


@pytest.fixture
def long_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that Django itself had to answer."""
    asked: list[str] = []
    django = wsgi.application.application

    def noted(environ, start_response):  # type: ignore[no-untyped-def]  # a WSGI application
        asked.append(environ["PATH_INFO"])
        return django(environ, start_response)

    monkeypatch.setattr(wsgi.application, "application", noted)
    return asked


def twice(path: str, method: str = "GET", /, **headers: str) -> tuple[Answer, Answer]:
    return ask(path, method, **headers), ask(path, method, **headers)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("coding", ["", "gzip", "br"])
def test_the_short_way_gives_the_very_same_answer(
    long_ways: list[str], path: str, coding: str
) -> None:
    # The plain bytes of a schedule page are kept from the second time on.
    first, second = twice(path, Accept_Encoding=coding)
    long_ways.clear()
    assert first == second == ask(path, Accept_Encoding=coding)
    assert not long_ways
    assert (first.status, len(first.body)) == (200, int(first.headers["Content-Length"]))
    etag = first.headers["ETag"]
    unchanged, still = twice(path, Accept_Encoding=coding, If_None_Match=etag)
    assert unchanged == still
    assert (unchanged.status, unchanged.body) == (304, b"")
    assert len(long_ways) <= 1
    head, head_again = twice(path, "HEAD", Accept_Encoding=coding)
    assert head == head_again == Answer(200, first.headers, b"")
    assert len(long_ways) <= 2


def test_the_site_s_headers_are_on_it() -> None:
    _, again = twice("/sample/")
    assert again.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert again.headers["Cache-Control"] == "public, no-cache"


def test_an_edit_shows_at_the_next_request(conference: Conference) -> None:
    twice("/sample/")
    with publishing(conference, by="test"):
        session = conference.sessions.get()
        session.title = "Peas"
        session.save()
    assert b">Peas</a>" in ask("/sample/").body


def test_a_client_that_has_the_old_answer_gets_the_new_one(conference: Conference) -> None:
    etag = ask("/sample/").headers["ETag"]
    assert [answer.status for answer in twice("/sample/", If_None_Match=etag)] == [304, 304]
    with publishing(conference, by="test"):
        conference.sessions.update(title="Peas")
    assert [answer.status for answer in twice("/sample/", If_None_Match=etag)] == [200, 200]


def test_the_clock_moves_on() -> None:
    with time_machine.travel(dt.datetime(2026, 4, 8, 7, 59, tzinfo=dt.UTC), tick=False):
        assert b"is-now" not in ask("/sample/").body
    with time_machine.travel(dt.datetime(2026, 4, 8, 8, 0, tzinfo=dt.UTC), tick=False):
        assert b"is-now" in ask("/sample/").body
    with time_machine.travel(dt.datetime(2026, 4, 8, 8, 30, tzinfo=dt.UTC), tick=False):
        assert b"is-now" not in ask("/sample/").body


def test_page_and_fragment_are_kept_apart() -> None:
    page, _ = twice("/sample/")
    fragment, again = twice("/sample/", HX_Request="true")
    assert again.body == fragment.body != page.body
    assert again.headers["HX-Push-Url"] == "/sample/"
    restored, _ = twice("/sample/", HX_Request="true", HX_History_Restore_Request="true")
    assert restored == ask("/sample/") == page


QUERIES = [
    "q=beans",
    "q=nothing",
    "room=cellar&level=none&view=grid",
    "room=nowhere&utm_source=x",
    "q=%C3%A4%22%3E%3Cb%3E&day=all",
    "q=%FF%00&room=&=&&",
    "day=2026-04-08",
]


@pytest.mark.parametrize("headers", [{}, {"HX_Request": "true"}, {"Accept_Encoding": "br"}])
def test_a_filter_never_asked_before_is_answered_as_django_would(
    long_ways: list[str], headers: dict[str, str]
) -> None:
    long = [ask(f"/sample/?{query}", **headers) for query in QUERIES if not lane.clear()]
    assert len(long_ways) == len(QUERIES)
    ask("/sample/", **headers)
    long_ways.clear()
    assert [ask(f"/sample/?{query}", **headers) for query in QUERIES] == long
    assert [ask(f"/sample/?{query}", **headers) for query in QUERIES] == long
    assert not long_ways


def test_a_filter_never_asked_before_shows_the_edit_and_the_hour(conference: Conference) -> None:
    with time_machine.travel(dt.datetime(2026, 4, 8, 7, 59, tzinfo=dt.UTC), tick=False):
        assert b"is-now" not in ask("/sample/").body
    with publishing(conference, by="test"):
        conference.sessions.update(title="Peas")
    with time_machine.travel(dt.datetime(2026, 4, 8, 8, 0, tzinfo=dt.UTC), tick=False):
        body = ask("/sample/?q=peas").body
    assert b">Peas</a>" in body
    assert b"is-now" in body


def test_a_conference_that_is_gone_is_left_to_django(conference: Conference) -> None:
    assert ask("/sample/").status == 200
    conference.delete()
    assert [answer.status for answer in twice("/sample/?q=x")] == [404, 404]


def test_whoever_asks_for_a_language_goes_the_long_way(long_ways: list[str]) -> None:
    ask("/sample/")
    ask("/sample/?lang=en")
    assert len(long_ways) == 2


def test_it_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    twice("/sample/")
    with django_assert_num_queries(1):
        ask("/sample/")


@pytest.mark.parametrize("host", ["evil.example", "localhost:8000x", ""])
def test_it_never_skips_the_host_check(host: str) -> None:
    twice("/sample/")
    assert [answer.status for answer in twice("/sample/", Host=host)] == [400, 400]


def test_scheme_and_proxy_are_told_apart(long_ways: list[str]) -> None:
    """Only so may the redirect to https be left to the long way."""
    ask("/sample/")
    ask("/sample/", scheme="https")
    ask("/sample/", X_Forwarded_Proto="https")
    assert len(long_ways) == 3


def test_outlook_gets_its_feed_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confsched.responses.FEED_CODING_FROM", 1)
    twice("/sample/schedule.ics", Accept_Encoding="gzip")
    for answer in twice(
        "/sample/schedule.ics", Accept_Encoding="gzip", User_Agent="Microsoft.Exchange"
    ):
        assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/sample/"), ("PROPFIND", "/sample/schedule.ics"), ("OPTIONS", "/sample/")],
)
def test_other_methods_at_a_remembered_address_are_still_refused(method: str, path: str) -> None:
    ask(path)
    assert ask(path, method).status == 405


def test_private_and_missing_pages_are_not_remembered(long_ways: list[str]) -> None:
    for path in ("/sample/agenda/", "/sample/agenda/picks/", "/nowhere/", "/admin/login/"):
        twice(path)
    assert len(long_ways) == 8
    assert not lane._answers


def test_a_body_that_is_no_longer_kept_is_made_again(long_ways: list[str]) -> None:
    first, _ = twice("/sample/now/")
    bodies.clear()
    assert ask("/sample/now/") == first
    assert len(long_ways) == 2


def test_a_broken_connection_is_left_to_the_long_way(
    long_ways: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = ask("/sample/")
    assert ask("/sample/") == first
    real, calls = snapshot._read_revision, [0]

    def fails_once(slug: str) -> object:
        calls[0] += 1
        if calls[0] == 1:
            raise OperationalError("the server closed the connection")
        return real(slug)

    monkeypatch.setattr(snapshot, "_read_revision", fails_once)
    assert ask("/sample/") == first
    assert len(long_ways) == 2
    assert "The short way failed." in caplog.text


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "MOST", 5)
    for number in range(20):
        ask(f"/sample/?q={number}")
    assert len(lane._answers) == 5
    lane.clear()
    ask("/sample/?q=" + "x" * 2000)
    ask("/sample/", If_None_Match='"' + "x" * 2000 + '"')
    assert not lane._answers
