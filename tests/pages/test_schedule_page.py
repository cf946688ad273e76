"""The schedule page: page and fragment, filters, headers, and what goes wrong."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests import factories

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def titles(body: bytes) -> list[str]:
    found = re.findall(r'<a class="card-link" href="[^"]*">([^<]*)</a>', body.decode())
    return [html.unescape(title) for title in found]


def count_of(body: bytes, facet: str, value: str) -> int:
    match = re.search(rf'id="count-{facet}-{value}"[^>]*>(\d+)<', body.decode())
    assert match is not None
    return int(match.group(1))


@pytest.fixture
def small() -> str:
    """A conference of three sessions; its path."""
    conference = factories.make_conference(slug="sample", name="Sample Conf")
    hall = factories.make_room(conference, name="Hall")
    attic = factories.make_room(conference, name="Attic")
    factories.make_session(conference, title="Compilers & you", room=hall)
    factories.make_session(conference, title="Kernels <at> work", room=attic)
    factories.make_session(conference, title="Lunch", room=hall)
    return "/sample/"


def test_a_fragment_holds_results_and_counts_and_a_page_holds_the_same(
    client: Client, small: str
) -> None:
    page = client.get(small, {"room": "hall"})
    fragment = client.get(small, {"room": "hall"}, headers=HTMX)
    restored = client.get(
        small, {"room": "hall"}, headers={**HTMX, "HX-History-Restore-Request": "true"}
    )
    assert titles(page.content) == titles(fragment.content) == ["Compilers & you", "Lunch"]
    assert restored.content == page.content
    assert page.content.startswith(b"<!doctype html>")
    assert fragment.content.startswith(b'<div id="schedule-results"')
    assert count_of(fragment.content, "room", "attic") == 1
    assert fragment.headers["HX-Push-Url"] == "/sample/?room=hall"
    vary = "Accept-Language, Accept-Encoding, HX-Request, HX-History-Restore-Request"
    assert page.headers["Vary"] == fragment.headers["Vary"] == vary
    assert page.headers["ETag"] != fragment.headers["ETag"]


def test_programme_pages_are_the_same_bytes_for_everybody_and_set_no_cookie(
    client: Client, small: str
) -> None:
    plain = client.get(small)
    client.cookies["sessionid"] = "somebody"
    client.cookies["csrftoken"] = "x" * 32
    again = client.get(small)
    assert plain.content == again.content
    assert plain.headers["ETag"] == again.headers["ETag"]
    assert not plain.cookies
    assert plain.headers["Cache-Control"] == "public, no-cache"
    assert "Cookie" not in plain.headers["Vary"]


def test_an_etag_answers_304_with_one_query(
    client: Client, small: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    etag = client.get(small).headers["ETag"]
    with django_assert_num_queries(1):
        response = client.get(small, headers={"If-None-Match": etag})
    assert (response.status_code, response.content) == (304, b"")


@pytest.mark.parametrize("sessions", [1, 3])
def test_a_warm_page_takes_one_query_whatever_its_size(
    client: Client, sessions: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    conference = factories.make_conference(slug="sample")
    for number in range(sessions):
        factories.make_session(conference, title=f"Session {number}")
    client.get("/sample/")
    with django_assert_num_queries(1):
        client.get("/sample/?q=session")


def test_what_the_schedule_does_not_have_is_named_and_ignored(client: Client, small: str) -> None:
    response = client.get(small, {"room": ["cellar", "hall"], "level": "<script>"})
    assert response.status_code == 200
    assert titles(response.content) == ["Compilers & you", "Lunch"]
    text = response.content.decode()
    assert "<code>room=cellar</code>" in text
    assert "<code>level=&lt;script&gt;</code>" in text
    assert "<script>" not in text.replace("<script src=", "")


def test_nothing_found_says_how_to_loosen(client: Client, small: str) -> None:
    text = client.get(small, {"room": "attic", "q": "lunch"}).content.decode()
    assert "No session matches" in text
    assert 'href="/sample/?q=lunch">without Attic' in text
    assert 'href="/sample/?room=attic">without “lunch”' in text


def test_chips_lead_to_the_address_without_their_filter(client: Client, small: str) -> None:
    text = client.get(small, {"room": ["hall", "attic"], "lang": "en"}).content.decode()
    chips = re.findall(r'<a class="chip" href="([^"]*)"', text)
    assert chips == ["/sample/?room=attic&amp;lang=en", "/sample/?room=hall&amp;lang=en"]


@pytest.mark.parametrize(
    "query",
    [
        "q=" + "x" * 7000,
        "&".join(f"room=r{n}" for n in range(2000)),
        "day=%00&q=%ff%fe&track=%ed%a0%80",
        "day=9999-99-99&view=..%2f..&tz=%3Cscript%3E",
    ],
)
def test_hostile_queries_get_a_page(client: Client, small: str, query: str) -> None:
    response = client.get(f"{small}?{query}")
    assert response.status_code == 200
    assert b"<h1>" in response.content


def test_an_unknown_conference_is_a_helpful_404(client: Client) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert b"There is no conference at this address." in response.content
    assert b'href="/conferences/"' in response.content


def test_only_reading_is_allowed(client: Client, small: str) -> None:
    response = client.post(small)
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD")


def now_link(client: Client, moment: str, **query: str) -> tuple[str, str] | None:
    with time_machine.travel(f"2026-04-08T{moment}:00+02:00", tick=False):
        text = client.get("/sample/", query).content.decode()
    found = re.search(r'<a class="jump now-link" href="#(.*?)">.*</svg>(.*?)</a>', text)
    if found is None:
        return None
    assert f'id="{found[1]}"' in text
    return found[1], found[2]


def test_a_link_jumps_to_what_runs_and_never_calls_later_things_now(client: Client) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Expo", start="08:00", end="12:00", kind="service")
    factories.make_session(conference, title="Talk", start="09:00", end="10:00")
    factories.make_session(conference, title="Last", start="14:00", end="15:00")
    found = {
        moment: now_link(client, moment) for moment in ("07:30", "09:30", "11:00", "13:00", "15:00")
    }
    assert found == {
        "07:30": None,
        "09:30": ("at-20260408T0700Z", "Jump to now"),
        "11:00": ("at-20260408T0600Z", "Jump to now"),
        "13:00": ("at-20260408T1200Z", "Jump to what comes next"),
        "15:00": None,
    }
    assert now_link(client, "09:30", q="last") is None


def test_what_begins_after_midnight_stays_with_its_evening_and_says_its_weekday(
    client: Client,
) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Party", start="22:00", end="23:00")
    factories.make_session(
        conference, title="Afters", day=dt.date(2026, 4, 9), start="00:30", end="02:00"
    )
    text = client.get("/sample/").content.decode()
    assert re.findall(r'<h2 class="day-name"[^>]*>(.*?)</h2>', text) == ["Wednesday 8 April"]
    assert re.findall(r'<h3 class="slot-time".*?</h3>', text)[1].endswith(
        '00:30</time> <span class="slot-day">Thu</span></h3>'
    )


def test_more_than_fits_a_page_shows_the_day_that_is_on_and_links_the_rest(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions_app.schedule.MOST_ON_ONE_PAGE", 2)
    conference = factories.make_conference(slug="sample", ends_on=dt.date(2026, 4, 9))
    for title, day in (("A", 8), ("B", 8), ("C", 9)):
        factories.make_session(conference, title=title, day=dt.date(2026, 4, day))
    with time_machine.travel("2026-04-09T10:00Z", tick=False):
        today = client.get("/sample/").content
    with time_machine.travel("2026-05-01T10:00Z", tick=False):
        after = client.get("/sample/").content
        everything = client.get("/sample/?day=all").content
    assert (titles(today), titles(after), titles(everything)) == (
        ["C"],
        ["A", "B"],
        ["A", "B", "C"],
    )
    assert b"3 sessions match; this page shows those of Thursday 9 April." in today
    links = re.findall(r'<li><a href="([^"]*)"[^>]*?( aria-current="true")?>', after.decode())
    days = [link for link in links if "day=" in link[0] and "ics" not in link[0]]
    assert days[:3] == [
        ("/sample/?day=all", ""),
        ("/sample/?day=2026-04-08", ' aria-current="true"'),
        ("/sample/?day=2026-04-09", ""),
    ]


def test_a_feed_of_the_same_view_is_offered_with_its_number(client: Client, small: str) -> None:
    text = client.get(small, {"room": "hall"}).content.decode()
    assert "Subscribe to this view: 2 sessions" in text
    assert re.search(r'href="webcal://[^"]*/sample/schedule\.ics\?room=hall"', text)
    assert re.search(r'readonly value="http[^"]*/sample/schedule\.ics\?room=hall"', text)
    whole = client.get(small).content.decode()
    assert "Subscribe to the whole schedule: 3 sessions" in whole


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        ("team@sample.example", '<a href="mailto:team@sample.example">Contact</a>'),
        ("https://sample.example/c", '<a href="https://sample.example/c">Contact</a>'),
        ("Desk in the lobby", "<span>Contact: Desk in the lobby</span>"),
    ],
)
def test_a_contact_is_linked_where_it_can_be(client: Client, contact: str, shown: str) -> None:
    factories.make_conference(slug="sample", contact=contact)
    assert shown in client.get("/sample/").content.decode()


def test_a_schedule_without_sessions_says_so(client: Client) -> None:
    factories.make_conference(slug="sample")
    response = client.get("/sample/")
    assert response.status_code == 200
    assert "Europe/Paris time" in response.content.decode()


def test_what_has_no_session_any_more_shows_none_and_its_calendar_too(client: Client) -> None:
    conference = factories.make_conference(
        slug="empty", starts_on=dt.date(2026, 4, 7), ends_on=dt.date(2026, 4, 9)
    )
    factories.make_session(conference, "Beans", room="Hall")
    factories.make_room(conference, "Unused")
    for question, chip in (("room=unused", "Unused"), ("day=2026-04-07", "Tuesday 7 April")):
        text = client.get(f"/empty/?{question}").content.decode()
        assert titles(text.encode()) == []
        assert f"without {chip}" in text
        assert "it was ignored" not in text
        feed = client.get(f"/empty/schedule.ics?{question}")
        assert (feed.status_code, b"BEGIN:VEVENT" in feed.content) == (200, False)
    assert client.get("/empty/schedule.ics?day=2026-04-06").status_code == 404


def test_what_is_over_is_put_away_unless_somebody_looks_for_it(client: Client) -> None:
    conference = factories.make_conference(slug="today")
    factories.make_session(conference, "Beans", start="09:00", end="10:00")
    factories.make_session(conference, "Peas", start="15:00", end="16:00")
    with time_machine.travel(dt.datetime(2026, 4, 8, 10, 0, tzinfo=dt.UTC), tick=False):
        assert b"1 session has ended" in client.get("/today/").content
        assert b"1 session has ended" in client.get("/today/?day=2026-04-08").content
        found = client.get("/today/?q=beans").content
        assert titles(found) == ["Beans"]
        assert b"has ended" not in found
