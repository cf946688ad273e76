"""Addresses that lead nowhere: what may have been meant, and a search."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def conference() -> None:
    conference = factories.make_conference(slug="sample", name="Sample Conf")
    factories.make_session(conference, title="Compilers & gardens", slug="compilers-gardens")
    factories.make_session(conference, title="Kernels at work", slug="kernels-at-work")


def suggestions(response: object) -> list[str]:
    section = response.content.decode().partition("Did you look")[2]  # type: ignore[attr-defined]
    return re.findall(r'<a href="/sample/sessions/[^"]*">([^<]*)</a>', section)


@pytest.mark.parametrize(
    ("path", "message", "found", "searched"),
    [
        ("sessions/compilers-gardens-2/", "session", ["Compilers &amp; gardens"],
         "compilers gardens 2"),
        ("sessions/kernels-at-home/", "session", ["Kernels at work"], "kernels at home"),
        ("sessions/nothing_alike/", "session", [], "nothing alike"),
        ("speakers/nobody/", "speaker", [], "nobody"),
        ("rooms/gardens/", "room", ["Compilers &amp; gardens"], "gardens"),
    ],
)  # fmt: skip
def test_a_missing_page_of_a_conference_offers_what_is_like_it_and_a_search(
    client: Client, path: str, message: str, found: list[str], searched: str
) -> None:
    response = client.get(f"/sample/{path}")
    text = response.content.decode()
    assert response.status_code == 404
    assert f"There is no {message} at this address." in text
    assert suggestions(response) == found
    assert f'name="q" type="search" value="{searched}"' in text
    assert 'action="/sample/"' in text
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


@pytest.mark.parametrize(
    "path", ["/sample/sessions/%3Cscript%3E/", f"/sample/sessions/{'x' * 5000}/", "/sample/%00/x/"]
)
def test_a_hostile_address_is_just_not_found(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 404
    assert b"<script>" not in response.content


def test_addresses_of_the_site_itself_ask_no_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        response = client.get("/media/photos/none.jpg")
    assert response.status_code == 404
    assert b'href="/conferences/"' in response.content
