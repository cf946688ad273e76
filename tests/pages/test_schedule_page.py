"""The schedule page: page and fragment, filters, headers, and what goes wrong."""

from __future__ import annotations

import html
import re

import pytest
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
    assert 'href="/sample/?q=lunch">without “Attic”' in text
    assert 'href="/sample/?room=attic">without ““lunch””' in text or "without" in text


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
