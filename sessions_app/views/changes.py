"""What changed in the schedule, newest first: a page, and Atom beside it."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy

from confsched.responses import Content, kept_response
from sessions_app.exporters.links import SiteLinks
from sessions_app.kinds import kind_label
from sessions_app.records import PublicChange, PublicSession
from sessions_app.schedule import Schedule
from sessions_app.templatetags.programme import day_short
from sessions_app.views.base import page_context, timeless, with_schedule

FIELDS = {
    "title": gettext_lazy("Title"),
    "kind": gettext_lazy("Kind"),
    "is_sponsored": gettext_lazy("Sponsored"),
    "status": gettext_lazy("Status"),
    "starts_at": gettext_lazy("Start"),
    "ends_at": gettext_lazy("End"),
    "room": gettext_lazy("Room"),
    "tracks": gettext_lazy("Tracks"),
    "levels": gettext_lazy("Levels"),
    "speakers": gettext_lazy("Speakers"),
    "moderators": gettext_lazy("Moderators"),
    "slides": gettext_lazy("Slides"),
    "abstract": gettext_lazy("Abstract"),
    "replacement": gettext_lazy("Replaced by"),
}
STATUSES = {
    "published": gettext_lazy("on the schedule"),
    "cancelled": gettext_lazy("cancelled"),
    "withdrawn": gettext_lazy("withdrawn"),
}
#: Long texts are not shown twice: that they changed is what people need to know.
ONLY_NAMED = ("abstract",)
LONGEST_VALUE = 200


NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class ChangedField:
    """One field of a session in words: what it was and what it is."""

    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What one publish changed of one session; ``is_added`` for one that was not there before."""

    id: int
    session: PublicSession | None
    title: str
    at: dt.datetime
    is_added: bool
    fields: tuple[ChangedField, ...]


@with_schedule
def changes_page(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """List what changed, newest first."""
    return kept_response(
        request,
        Content(
            ("changes", schedule.stamp),
            lambda: render_to_string("sessions_app/changes.html", _context(schedule)).encode(),
            is_current=timeless(schedule),
        ),
    )


@with_schedule
def changes_feed(request: HttpRequest, schedule: Schedule) -> HttpResponse:
    """Offer the same as an Atom feed (RFC 4287)."""
    return kept_response(
        request,
        Content(
            ("changes.atom", schedule.stamp),
            lambda: _well_formed(render_to_string("sessions_app/changes.atom", _context(schedule))),
            variant="feed",
            content_type="application/atom+xml; charset=utf-8",
            last_modified=schedule.key.revised_at,
            is_current=timeless(schedule),
        ),
    )


def _well_formed(xml: str) -> bytes:
    """Leave out what XML 1.0 (2.2) has no way to write; old entries of the log may hold it."""
    return NO_XML.sub("", xml).encode()


def _context(schedule: Schedule) -> dict[str, Any]:
    links = SiteLinks(settings.SITE_URL, schedule.conference.slug)
    entries = changed_entries(schedule)
    updated = entries[0].at if entries else schedule.key.revised_at
    return {
        **page_context(schedule, "changes"),
        "entries": [
            (entry, links.session(entry.session.slug) if entry.session else links.schedule())
            for entry in entries
        ],
        "links": links,
        "updated": updated or dt.datetime(2000, 1, 1, tzinfo=dt.UTC),
        "authority": settings.SITE_URL.partition("://")[2].partition(":")[0],
    }


def changed_entries(schedule: Schedule) -> list[Entry]:
    """Return the change log with the fields that one publish changed of a session together."""
    entries = []
    for (_, session_id), group in itertools.groupby(
        sorted(schedule.changes, key=lambda each: (-each.revision, each.session_id, each.id)),
        key=lambda each: (each.revision, each.session_id),
    ):
        changes = list(group)
        entries.append(_entry(schedule, session_id, changes))
    return entries


def _entry(schedule: Schedule, session_id: int, changes: list[PublicChange]) -> Entry:
    session = schedule.session_by_id(session_id)
    visible = session if session is not None and schedule.session(session.slug) else None
    fields = tuple(_changed_field(schedule, change) for change in changes if change.field in FIELDS)
    return Entry(
        id=changes[0].id,
        session=visible,
        title=session.title if session else gettext("A session"),
        at=changes[0].at,
        is_added=any(change.field == "added" for change in changes),
        fields=fields,
    )


def _changed_field(schedule: Schedule, change: PublicChange) -> ChangedField:
    label = str(FIELDS[change.field])
    if change.field in ONLY_NAMED:
        return ChangedField(label, "", gettext("edited"))
    return ChangedField(
        label,
        _in_words(schedule, change.field, change.old),
        _in_words(schedule, change.field, change.new),
    )


def _in_words(schedule: Schedule, field: str, value: Any) -> str:
    if field in ("starts_at", "ends_at") and value:
        local = dt.datetime.fromisoformat(value).astimezone(schedule.zone)
        return f"{day_short(local.date())} {local:%H:%M}"
    if field == "kind":
        return kind_label(str(value))
    if field == "status":
        return str(STATUSES.get(str(value), value))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    text = str(value or "")
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
