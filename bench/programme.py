"""The programme that is measured, in a database of its own, and the addresses to ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402  # after setup
from django.db import connection, transaction  # noqa: E402  # after setup
from django.test import RequestFactory  # noqa: E402  # after setup
from django.test.utils import CaptureQueriesContext  # noqa: E402  # after setup

from bench.generate import generate  # noqa: E402  # after setup
from bench.targets import Target, never_asked  # noqa: E402  # after setup
from sessions_app.agenda import cookies, picks, tokens  # noqa: E402  # after setup
from sessions_app.loader import apply, plan  # noqa: E402  # after setup
from sessions_app.schedule import Schedule  # noqa: E402  # after setup
from sessions_app.snapshot import conference_list, current_schedule  # noqa: E402  # after setup

PICKS = 10


@dataclass
class Programme:
    """A conference in the database; ``size`` 0 is the demo."""

    size: int
    schedule: Schedule
    cookie: str
    _fresh: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        """Begin the one series of addresses that were never asked."""
        self._fresh = self._never_asked()

    @property
    def title(self) -> str:
        """The conference's name."""
        return self.schedule.conference.name

    @property
    def path(self) -> str:
        """The path of the schedule page."""
        return f"/{self.schedule.conference.slug}/"

    @property
    def filtered(self) -> str:
        """The path of a filtered page."""
        room = self.schedule.offered("room")[0]
        return f"{self.path}?room={room}&slides=yes"

    @property
    def session(self) -> str:
        """The path of a session's page."""
        return f"{self.path}sessions/{self.schedule.sessions[0].slug}/"

    def fresh(self) -> Iterator[str]:
        """Return the addresses never asked before; no two callers get the same one."""
        return self._fresh

    def _never_asked(self) -> Iterator[str]:
        rooms, tracks = list(self.schedule.offered("room")), list(self.schedule.offered("track"))
        # Many tracks at once, so that the pages are about as long as an unfiltered one.
        day = f"&day={self.schedule.days[0]}" if self.size >= 10_000 else ""
        return never_asked(self.path, rooms, tracks, day)

    def queries(self, target: Target) -> int:
        """Return how many queries such a request takes on a process that is warm."""
        path = next(target.paths)
        if not target.is_first_view:
            # Plain bytes are kept from the second time on.
            _ask(path, target.headers)
            _ask(path, target.headers)
        with CaptureQueriesContext(connection) as captured:
            _ask(path, target.headers)
        return len(captured)


def _ask(path: str, headers: Mapping[str, str]) -> None:
    """Send one request through the WSGI application, as gunicorn does, in this process."""
    from confsched.wsgi import application  # whitenoise looks for the static files at its start

    request = RequestFactory(headers=dict(headers)).get(path, headers={"host": "127.0.0.1"})
    response: Any = application(request.environ, lambda status, headers, info=None: print)
    for _ in response:
        pass
    if hasattr(response, "close"):
        response.close()


def prepare(size: int) -> Programme:
    """Make the database and fill it with the demo or a generated programme."""
    connection.close()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if size:
        source = generate(size, days=1 if size >= 10_000 else 3)
        apply(plan(source, None), by="bench")
    else:
        call_command("loaddata", "pytorch-conference-europe-2026", verbosity=0)
    slug = conference_list()[0].slug
    schedule = current_schedule(slug)
    if schedule is None:
        raise RuntimeError(f"the conference {slug} was not found again")
    return Programme(size, schedule, _picked(schedule))


def _picked(schedule: Schedule) -> str:
    """Make an agenda with some picks; return the Cookie header of the browser that owns it."""
    with transaction.atomic():
        agenda = picks.start(schedule.conference.id, None)
        picks.add(agenda.pk, [session.id for session in schedule.sessions[:PICKS]])
    return f"{cookies.NAME}={tokens.make(agenda.pk, 'cookie', 0)}"
