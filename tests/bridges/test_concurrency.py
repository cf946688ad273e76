"""Writers at the same time; only a server database lets them overlap."""

import threading

import pytest
from django.db import connection, connections

from sessions_app import loader
from sessions_app.models import Session
from sessions_app.publish import publish, publishing
from tests.factories import make_conference, make_room, make_session
from tests.sources import a_session, a_source
from tests.wsgi import ask

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _only_on_postgresql():
    if connection.vendor != "postgresql":
        pytest.skip("DATABASE_URL names no PostgreSQL server")


def at_once(*writers):
    """Run the writers in threads of their own, as far as they get each before any commits."""
    failures = []

    def run(writer):
        try:
            writer()
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[writer]) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []


def test_two_editors_lose_nothing_of_each_other():
    conference = make_conference()
    rows = [make_session(conference, f"Talk {number}", start=f"1{number}:00") for number in (0, 1)]
    conference.refresh_from_db()
    before = conference.revision

    def editor(row):
        def edit():
            with publishing(conference, by=row.title):
                row.title += "!"
                row.save()
                make_room(conference, f"Room of {row.pk}")

        return edit

    at_once(*map(editor, rows))

    conference.refresh_from_db()
    assert conference.revision == before + 2
    assert sorted(conference.changes.filter(field="title").values_list("by", "new")) == [
        ("Talk 0", "Talk 0!"),
        ("Talk 1", "Talk 1!"),
    ]
    with publishing(by="nobody"):
        assert publish(conference, by="nobody") is False


def test_an_import_and_an_editor_do_not_block_each_other_for_ever():
    source = a_source(*(a_session(f"Talk {n}", f"{9 + n:02}:00") for n in range(8)))
    conference = loader.apply(loader.plan(source, None), by="test")
    longer = a_source(
        *(a_session(f"Talk {n}", f"{9 + n:02}:00", abstract="New.") for n in range(8))
    )

    def load():
        loader.apply(loader.plan(longer, conference), by="import")

    def edit():
        for row in Session.objects.order_by("-number"):
            with publishing(conference, by="ada"):
                row.kind = "keynote"
                row.save(update_fields=["kind"])

    at_once(load, edit)

    assert set(Session.objects.values_list("abstract", "kind")) == {("New.", "keynote")}


def test_new_sessions_never_get_the_same_number():
    conference = make_conference()
    at_once(*[lambda n=n: make_session(conference, f"Talk {n}") for n in range(6)])

    assert sorted(conference.sessions.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("path", ["/sample/", "/sample/?q=never+asked"])
def test_a_connection_that_the_server_closed_is_made_anew_for_the_same_request(path):
    """The short way stands in front of what Django does about connections for each request."""
    conference = make_conference(slug="sample")
    make_session(conference, "Beans")
    first = ask(path)
    ask("/sample/")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    other = connection.copy("other")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()
    assert (first.status, ask(path), ask(path)) == (200, first, first)
