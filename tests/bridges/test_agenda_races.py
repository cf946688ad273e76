"""Two tabs, two devices, a double click: the same state as one after the other.

Threads against a database in a file, as in production: a memory database is one connection's.
"""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.test import Client

from sessions_app.agenda import picks, tokens
from sessions_app.agenda.models import Agenda, Pick
from tests.factories import make_conference, make_session

THREADS = 6


@pytest.fixture
def file_database(tmp_path, transactional_db):
    """Let every thread write to a copy of the test database in a file, where it is SQLite."""
    if connection.vendor != "sqlite":
        yield
        return
    path = tmp_path / "races.sqlite3"
    values = connections.settings["default"]
    _copy_to(path)
    name, memory = values["NAME"], connections["default"]
    values["NAME"] = str(path)
    del connections["default"]
    yield
    connections["default"].close()
    values["NAME"] = name
    connections["default"] = memory


def _copy_to(path):
    connection.ensure_connection()
    target = sqlite3.connect(path)
    connection.connection.backup(target)
    target.close()


def at_once(*works):
    """Run the works at the same moment, each in a thread of its own; return what they return."""
    barrier = threading.Barrier(len(works))

    def run(work):
        try:
            barrier.wait(timeout=10)
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return [future.result(timeout=30) for future in [pool.submit(run, work) for work in works]]


@pytest.fixture
def conference(file_database):
    return make_conference()


def test_first_stars_that_race_make_one_agenda_with_every_pick(conference):
    sessions = [make_session(conference, f"Number {number}") for number in range(THREADS)]
    tab = Client(enforce_csrf_checks=True)
    token = tab.get("/invented/agenda/token/").json()["token"]
    secret = tab.cookies["csrftoken"].value

    def press(session):
        client = Client(enforce_csrf_checks=True)  # as one browser: the same cookies in each tab
        client.cookies["csrftoken"] = secret
        address = f"/invented/agenda/add/{session.slug}/"
        response = client.post(address, headers={"X-CSRFToken": token})
        return response.status_code, response.cookies["agenda"].value

    answers = at_once(*(lambda session=session: press(session) for session in sessions))
    assert len(set(answers)) == 1
    agenda = Agenda.objects.get()
    assert answers[0] == (303, tokens.live_tokens(agenda.pk)["cookie"])
    held = agenda.picks.values_list("session_id", flat=True)
    assert set(held) == {session.pk for session in sessions}


def test_a_double_click_is_one_pick(conference):
    session = make_session(conference)
    agenda = picks.start(conference.pk, None)
    at_once(*[lambda: picks.add(agenda.pk, [session.pk])] * THREADS)
    assert Pick.objects.count() == 1
    at_once(*[lambda: picks.remove(agenda.pk, session.pk)] * THREADS)
    assert Pick.objects.count() == 0


def test_two_devices_that_open_each_other_lose_nothing(conference):
    sessions = [make_session(conference, f"Number {number}") for number in range(2)]
    one, other = (picks.start(conference.pk, None).pk for _ in range(2))
    picks.add(one, [sessions[0].pk])
    picks.add(other, [sessions[1].pk])

    def merge(into, from_):
        try:
            picks.merge(into, from_)
        except Agenda.DoesNotExist:
            return "late"
        return "merged"

    assert sorted(at_once(lambda: merge(one, other), lambda: merge(other, one))) == [
        "late",
        "merged",
    ]
    assert Agenda.objects.get().picks.count() == 2
