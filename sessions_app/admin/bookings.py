"""Warnings after a save: a room or a person in two places at once. They never block."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from sessions_app.admin.walltime import wall_time
from sessions_app.models import Session, Status

#: Statuses of sessions that take up a room and its people, drafts too: better known early.
TAKING_PLACE = (Status.DRAFT, Status.PUBLISHED)


def double_bookings(session: Session) -> Iterator[str]:
    """Yield a sentence for the room and for each person that another session needs then too.

    Half-open intervals, like ``clashes``: back-to-back sessions do not clash.
    """
    if session.status not in TAKING_PLACE:
        return
    rivals = (
        Session.objects.filter(
            conference=session.conference_id,
            status__in=TAKING_PLACE,
            starts_at__lt=session.ends_at,
            ends_at__gt=session.starts_at,
        )
        .exclude(pk=session.pk)
        .order_by("starts_at", "number")
    )
    yield from _in_the_room(session, rivals)
    yield from _with_the_people(session, rivals)


def _in_the_room(session: Session, rivals: QuerySet[Session]) -> Iterator[str]:
    if session.room is None:
        return
    for rival in rivals.filter(room=session.room):
        yield _("%(room)s holds “%(other)s” (%(when)s) at the same time as “%(title)s”.") % {
            "room": session.room,
            **_pair(session, rival),
        }


def _with_the_people(session: Session, rivals: QuerySet[Session]) -> Iterator[str]:
    people = {row.pk: row for row in session.speakers.all()}
    found = rivals.filter(speakers__in=people).values_list("pk", "speakers")
    others = {row.pk: row for row in rivals.filter(speakers__in=people)}
    for pk, person in dict.fromkeys(found):
        if person in people:
            yield _("%(who)s is in “%(other)s” (%(when)s) at the same time as “%(title)s”.") % {
                "who": people[person],
                **_pair(session, others[pk]),
            }


def _pair(session: Session, rival: Session) -> dict[str, str]:
    zone = session.conference.zone
    until = f"{rival.ends_at.astimezone(zone):%H:%M}"
    return {
        "title": session.title,
        "other": rival.title,
        "when": f"{wall_time(rival.starts_at, zone)}–{until}",
    }
