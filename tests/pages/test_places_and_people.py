"""Rooms, tracks, speakers, what runs now, what changed, the sitemap."""

from __future__ import annotations

import datetime as dt
import re
import xml.etree.ElementTree as ET

import pytest
import time_machine
from django.test import Client

from sessions_app.models import Session, Status
from sessions_app.publish import publishing
from tests import factories

pytestmark = pytest.mark.django_db
DAY = dt.date(2026, 4, 8)


@pytest.fixture
def conference() -> object:
    conference = factories.make_conference(name="Sample Conf", slug="sample")
    factories.make_session(
        conference,
        title="Beans",
        slug="beans",
        room="Hall",
        tracks=["Gardening"],
        speakers=["Ada Inventa"],
        start="10:00",
        end="10:30",
    )
    factories.make_session(
        conference,
        title="Peas",
        slug="peas",
        room="Attic",
        tracks=["Gardening", "Cooking"],
        speakers=["Zoë Example"],
        start="11:00",
        end="11:30",
    )
    return conference


def cards(body: bytes) -> list[str]:
    return re.findall(r'<a class="card-link" href="[^"]*">([^<]*)</a>', body.decode())


@pytest.mark.parametrize(
    ("path", "titles"),
    [
        ("/sample/rooms/hall/", ["Beans"]),
        ("/sample/tracks/gardening/", ["Beans", "Peas"]),
        ("/sample/tracks/cooking/", ["Peas"]),
        ("/sample/speakers/ada-inventa/", ["Beans"]),
    ],
)
def test_a_page_holds_everything_there_and_links_its_feed(
    client: Client, conference: object, path: str, titles: list[str]
) -> None:
    body = client.get(path).content
    assert cards(body) == titles
    assert f'href="{path.rstrip("/")}.ics"' in body.decode()


@pytest.mark.parametrize("page", ["rooms", "tracks", "speakers", "sessions"])
def test_an_unknown_place_is_a_helpful_404(client: Client, conference: object, page: str) -> None:
    response = client.get(f"/sample/{page}/nowhere/")
    assert response.status_code == 404
    assert b"There is no" in response.content


def test_speakers_are_found_by_name_and_company(client: Client, conference: object) -> None:
    def names(query: str) -> list[str]:
        text = client.get(f"/sample/speakers/{query}").content.decode()
        return re.findall(r'<h3><a href="[^"]*">([^<]*)</a></h3>', text)

    factories.make_speaker(conference, name="Not Speaking", company="Nowhere")
    ada = conference.speakers.get(slug="ada-inventa")  # type: ignore[attr-defined]
    with publishing(conference, by="test"):  # type: ignore[arg-type]
        ada.company = "Böhm & Söhne"
        ada.save()
    assert names("") == ["Ada Inventa", "Zoë Example"]
    assert names("?q=zoe") == ["Zoë Example"]
    assert names("?company=B%C3%B6hm+%26+S%C3%B6hne") == ["Ada Inventa"]
    assert names("?q=sohne") == ["Ada Inventa"]
    assert names("?q=%00%ff") == ["Ada Inventa", "Zoë Example"]
    assert names("?q=nobody") == []


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2026-04-08T08:10:00+00:00", ["Now", "Beans", "Next", "Peas"]),
        ("2026-04-08T07:00:00+00:00", ["Next", "Peas", "Next", "Beans"]),
        ("2026-04-07T07:00:00+00:00", ["It goes on", "Beans"]),
        ("2026-04-09T07:00:00+00:00", ["over"]),
    ],
)
def test_now_follows_the_clock(
    client: Client, conference: object, moment: str, expected: list[str]
) -> None:
    with time_machine.travel(dt.datetime.fromisoformat(moment), tick=False):
        text = client.get("/sample/now/").content.decode()
    main = text[text.index("<main") :]
    found = sorted((main.index(word), word) for word in set(expected))
    assert {word for _, word in found} == set(expected)


def test_a_move_is_listed_once_with_old_and_new(client: Client, conference: object) -> None:
    empty = client.get("/sample/changes/").content
    assert b"Nothing has changed so far" in empty
    session = Session.objects.get(slug="beans")
    with publishing(conference, by="test"):  # type: ignore[arg-type]
        session.starts_at += dt.timedelta(hours=1)
        session.ends_at += dt.timedelta(hours=1)
        session.save()
    text = client.get("/sample/changes/").content.decode()
    assert text.count('<li class="change"') == 1
    assert '<del class="was">Wed 8 Apr 10:00</del>' in text
    assert "<ins>Wed 8 Apr 11:00</ins>" in text


def test_the_atom_feed_is_valid_xml_with_the_same_entries(
    client: Client, conference: object
) -> None:
    with publishing(conference, by="test"):  # type: ignore[arg-type]
        gone = Session.objects.get(slug="beans")
        gone.status = Status.WITHDRAWN
        gone.save()
        session = Session.objects.get(slug="peas")
        session.title, session.status = "Peas & <more>", Status.CANCELLED
        session.save()
    response = client.get("/sample/changes.atom")
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    atom = "{http://www.w3.org/2005/Atom}"
    root = ET.fromstring(response.content)  # noqa: S314  # our own feed
    titles = [entry.findtext(f"{atom}title") for entry in root.iter(f"{atom}entry")]
    assert sorted(titles) == ["Changed: Beans", "Changed: Peas & <more>"]


def test_the_atom_feed_leaves_out_what_xml_cannot_write(client: Client, conference: object) -> None:
    """Forms leave control characters out, but the log may still hold them."""
    with publishing(conference, by="test"):  # type: ignore[arg-type]
        session = Session.objects.get(slug="peas")
        session.title = "Pe\x01as\x0c"
        session.save()
    root = ET.fromstring(client.get("/sample/changes.atom").content)  # noqa: S314  # our own feed
    titles = [each.text for each in root.iter("{http://www.w3.org/2005/Atom}title")]
    assert "Changed: Peas" in titles


def test_the_sitemap_lists_every_page_and_each_answers(client: Client, conference: object) -> None:
    root = ET.fromstring(client.get("/sitemap.xml").content)  # noqa: S314  # our own file
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    paths = [
        re.sub(r"^https?://[^/]*", "", address.text or "") for address in root.iter(f"{space}loc")
    ]
    assert paths == [
        "/sample/",
        "/sample/speakers/",
        "/sample/changes/",
        "/sample/sessions/beans/",
        "/sample/sessions/peas/",
        "/sample/speakers/ada-inventa/",
        "/sample/speakers/zoe-example/",
        "/sample/rooms/hall/",
        "/sample/rooms/attic/",
        "/sample/tracks/gardening/",
        "/sample/tracks/cooking/",
    ]
    assert {client.get(path).status_code for path in paths} == {200}
