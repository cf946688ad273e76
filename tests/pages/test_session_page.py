"""The session page."""

from __future__ import annotations

import pytest
from django.test import Client

from sessions_app.models import Status
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


@pytest.mark.parametrize("status", [Status.DRAFT, Status.WITHDRAWN])
def test_what_is_not_public_is_not_found(client: Client, status: Status) -> None:
    conference = factories.make_conference(slug="sample")
    factories.make_session(conference, title="Shown", slug="shown")
    factories.make_session(conference, title="Secret", slug="secret", status=status)
    response = client.get("/sample/sessions/secret/")
    assert response.status_code == 404
    assert b"Secret" not in response.content
