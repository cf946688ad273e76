"""Health, robots, photos, error pages."""

from __future__ import annotations

import urllib.robotparser

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection
from django.test import Client


def test_health_asks_no_database(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_ready_means_database_and_migrations(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").content == b"ok\n"

    def broken(*args: object, **kwargs: object) -> None:
        raise DatabaseError("secret details")

    monkeypatch.setattr(connection, "cursor", broken)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.content == b"the database does not answer: DatabaseError\n"


def test_robots_lets_calendars_in_and_keeps_crawlers_out_of_agendas(client: Client) -> None:
    parser = urllib.robotparser.RobotFileParser()
    parser.parse(client.get("/robots.txt").content.decode().splitlines())
    allowed = {
        path: parser.can_fetch("Google-Calendar-Importer", path)
        for path in ("/c/", "/c/schedule.ics", "/agenda/feed/x.ics", "/agenda/open/x/", "/admin/")
    }
    assert allowed == {
        "/c/": True,
        "/c/schedule.ics": True,
        "/agenda/feed/x.ics": True,
        "/agenda/open/x/": False,
        "/admin/": False,
    }


def test_a_photo_is_sent_and_nothing_else_of_the_uploads(client: Client) -> None:
    default_storage.save("photos/a.jpg", ContentFile(b"picture"))
    default_storage.save("slides/deck.pdf", ContentFile(b"deck"))
    default_storage.save("photos/page.html", ContentFile(b"<script>"))
    response = client.get("/media/photos/a.jpg")
    assert b"".join(response.streaming_content) == b"picture"  # type: ignore[attr-defined]
    assert response.headers["Content-Type"] == "image/jpeg"
    for path in ("/media/photos/../slides/deck.pdf", "/media/slides/deck.pdf",
                 "/media/photos/page.html", "/media/photos/none.jpg"):  # fmt: skip
        assert client.get(path).status_code == 404


@pytest.mark.django_db
def test_an_error_page_helps_and_has_the_headers(client: Client) -> None:
    response = client.get("/no/such/page/")
    assert response.status_code == 404
    assert b"There is nothing at this address" in response.content
    assert b'href="/conferences/"' in response.content
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert response.headers["Cache-Control"] == "no-store"


def test_a_failure_is_a_page_without_details(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ValueError("secret details")

    monkeypatch.setattr("sessions_app.views.conferences.all_conferences", broken)
    client.raise_request_exception = False
    response = client.get("/conferences/")
    assert response.status_code == 500
    assert b"Something went wrong on our side" in response.content
    assert b"secret" not in response.content
