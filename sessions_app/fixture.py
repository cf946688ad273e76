"""A source as a Django fixture: the same bytes for the same source, wherever it is made.

The rows are made by the loader and by publish, in a database in memory that takes the place of the
operator's for a moment. So a fixture cannot differ from what an import would give.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core import serializers
from django.core.management import call_command
from django.db import connections
from django.db.models import F

from confsched.models import Conference
from sessions_app import loader
from sessions_app.models import Level, Room, Session, SessionSpeaker, SessionTrack, Slides, Track
from sessions_app.records import Source
from speakers.models import Speaker

#: When a fixture's rows say they were published. A moment that is never in the future and does not
#: depend on when the fixture was made; calendars show it as LAST-MODIFIED.
PUBLISHED_AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def fixture_of(source: Source) -> str:
    """Return the JSON text of a fixture of everything in *source*, published as revision 1.

    Raises ``loader.LoadError`` if the source has errors.
    """
    if source.has_errors:
        raise loader.LoadError(source.problems)
    with memory_database():
        loader.apply(loader.plan(source, None), by="fixture", at=PUBLISHED_AT)
        text: str = serializers.serialize(
            "json",
            _rows(),
            indent=1,
            use_natural_foreign_keys=True,
            use_natural_primary_keys=True,
        )
    return text


def _rows() -> Iterator[Any]:
    """Yield every row, each after those it needs, in an order that no key decides."""
    yield from Conference.objects.order_by("slug")
    for model in (Room, Level):
        yield from model._default_manager.order_by("position", "slug")
    yield from Track.objects.order_by(F("parent").asc(nulls_first=True), "position", "slug")
    yield from Speaker.objects.order_by("slug")
    yield from Session.objects.order_by("number").select_related("conference")
    for entries in (SessionTrack, SessionSpeaker, Slides):
        yield from entries._default_manager.order_by("session__number", "position")


@contextmanager
def memory_database() -> Iterator[None]:
    """Let an empty, migrated database in memory stand where the default one stands."""
    own = connections["default"]
    connections["default"] = _memory_connection()
    try:
        call_command("migrate", verbosity=0, skip_checks=True)
        yield
    finally:
        connections["default"].close()
        connections["default"] = own


def _memory_connection() -> Any:
    from django.db.backends.sqlite3.base import DatabaseWrapper  # only here is SQLite needed

    settings = {
        **connections.settings["default"],
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": ":memory:",
        "OPTIONS": {},
    }
    return DatabaseWrapper(settings, alias="default")
